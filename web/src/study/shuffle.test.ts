import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tilesOf } from '../table/mpsz';
import { checksOf, commitmentOf, dealOf, type Shuffle, shuffleIn } from './shuffle';
import { textOf } from './tiles';

interface Vector {
  name: string;
  seed: string;
  nonces: string[];
  rules: Record<string, unknown>;
  players: number;
  commitment: string;
  dice: number[];
  wall: string;
}
const DATA = join(import.meta.dirname, '../../../tests/data/shuffle_vectors.json');
const VECTORS = JSON.parse(readFileSync(DATA, 'utf8')) as Vector[];

const recordOf = (vector: Vector) => ({
  rules: vector.rules,
  dice: vector.dice,
  wall: vector.wall,
  shuffle: {
    algorithm: 'hainan-shuffle/1',
    commitment: vector.commitment,
    seed: vector.seed,
    nonces: vector.nonces,
  },
});

describe.each(VECTORS)('the shuffle: $name', (vector) => {
  it('is what the server makes of it', async () => {
    expect(await commitmentOf(vector.seed)).toBe(vector.commitment);
    const deal = await dealOf(vector.seed, vector.nonces, vector.rules);
    expect(deal.dice).toEqual(vector.dice);
    expect(textOf(deal.wall)).toBe(textOf(tilesOf(vector.wall)));
  });

  it('proves a true record', async () => {
    const record = recordOf(vector);
    const checks = await checksOf(record, shuffleIn(record) as Shuffle, vector.commitment);
    expect(checks.map((check) => [check.what, check.holds])).toEqual([
      ['published', true],
      ['commitment', true],
      ['dice', true],
      ['wall', true],
    ]);
  });

  it('refuses one with two tiles changed over, one tile changed, other dice, nonces or commitment', async () => {
    const wall = tilesOf(vector.wall);
    const place = wall.findIndex((tile) => tile !== wall[0]);
    const swapped = [...wall];
    [swapped[0], swapped[place]] = [wall[place]!, wall[0]!];
    const wrong = async (change: object, shuffle: object = {}) => {
      const record = { ...recordOf(vector), ...change };
      const checks = await checksOf(record, { ...shuffleIn(record)!, ...shuffle }, null);
      return checks.filter((check) => !check.holds).map((check) => check.what);
    };
    expect(await wrong({ wall: textOf(swapped) })).toEqual(['wall']);
    expect(await wrong({ wall: textOf([wall[0] === '1m' ? '2m' : '1m', ...wall.slice(1)]) })).toEqual([
      'wall',
    ]);
    expect(await wrong({ wall: textOf(wall.slice(1)) })).toEqual(['wall']);
    expect(await wrong({ dice: [7, 7] })).toEqual(['dice']);
    expect(await wrong({}, { commitment: '00' })).toEqual(['commitment']);
    expect(await wrong({}, { nonces: ['another'] })).toContain('wall');
  });
});

it('finds no shuffle where there is none', () => {
  expect(shuffleIn({})).toBeNull();
  expect(shuffleIn({ shuffle: { algorithm: 'hainan-shuffle/1', seed: 'zz', commitment: '' } })).toBeNull();
});
