import { afterEach, describe, expect, it, vi } from 'vitest';
import { handsIn, standings } from './match';

afterEach(() => vi.unstubAllGlobals());

const hand = (payments: number[] | null, void_ = false) => ({
  end: payments === null ? null : { payments },
  void: void_,
});

describe('the hands of a match', () => {
  it('add up, but for those that are void or going on', () => {
    const hands = [hand([3, -1, -2]), hand([9, 9, 9], true), hand([-5, 5, 0]), hand(null)];
    expect(standings(hands, 3)).toEqual([
      [0, 0, 0],
      [3, -1, -2],
      [3, -1, -2],
      [-2, 4, -2],
      [-2, 4, -2],
    ]);
  });

  it('are fetched page by page, with the share that shows them', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path);
      const first = asked.length === 1;
      const page = { hands: [{ n: first ? 0 : 1, ...hand([0]) }], next: first ? 0 : null };
      return new Response(JSON.stringify(page), { status: 200 });
    });
    expect((await handsIn('a b', 's')).map((one) => one.n)).toEqual([0, 1]);
    expect(asked).toEqual([
      '/api/matches/a%20b/hands?limit=100&after=-1&share=s',
      '/api/matches/a%20b/hands?limit=100&after=0&share=s',
    ]);
  });
});
