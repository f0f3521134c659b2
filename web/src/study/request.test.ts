import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tilesOf } from '../table/mpsz';
import {
  addMeld,
  addTile,
  changeMeld,
  complete,
  fresh,
  fromHash,
  lacking,
  MELD_KINDS,
  type MeldKind,
  meldTiles,
  type ScoreRequest,
  setReady,
  takeTile,
  toHash,
  viewOf,
  withPlayers,
} from './request';
import { sorted, textOf } from './tiles';

const DATA = join(import.meta.dirname, '../../../tests/data/score_examples.jsonl');
const EXAMPLES = readFileSync(DATA, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; request: Partial<ScoreRequest> });

/** The hand in the order in which the calculator holds it: the order carries no meaning. */
const inOrder = (text: string) => textOf(sorted(tilesOf(text)));

/** The same request built as people build it: by taps. */
function tapped(wanted: ScoreRequest): ScoreRequest {
  let request = withPlayers(fresh(), wanted.players);
  wanted.seats.forEach((seat, at) => {
    for (const tile of tilesOf(seat.hand)) request = addTile(request, at, tile);
    for (const tile of tilesOf(seat.flowers)) request = addTile(request, at, tile);
    seat.melds.forEach((meld, place) => {
      request = addMeld(request, at, meld.kind as MeldKind, tilesOf(meld.tiles)[0]!);
      if (meld.from != null) request = changeMeld(request, at, place, { from: meld.from });
    });
    if (seat.ready) request = setReady(request, at, true);
  });
  const { seats: _, ...others } = wanted;
  return { ...request, ...others };
}

describe.each(EXAMPLES)('the worked example $id', ({ request }) => {
  const whole = complete(request);

  it('is built by taps, exactly', () => {
    const seats = whole.seats.map((seat) => ({ ...seat, hand: inOrder(seat.hand) }));
    expect(tapped(whole)).toEqual({ ...whole, seats });
  });

  it('says what the example says', () => {
    for (const [name, value] of Object.entries(request)) {
      const told = whole[name as keyof ScoreRequest];
      expect(told).toEqual(
        name === 'end' ? { from: null, tile: null, winners: [], way: null, ...request.end } : value,
      );
    }
  });

  it('lacks nothing, and comes back from its address', () => {
    expect(lacking(whole)).toBeNull();
    expect(fromHash(toHash(whole))).toEqual(whole);
  });
});

describe('the calculator', () => {
  it('tells what lacks', () => {
    let request = fresh();
    expect(lacking(request)).toEqual([{ seat: 0, tiles: 13 }]);
    for (const tile of tilesOf('123m456p789s1122z')) request = addTile(request, 0, tile);
    expect(lacking(request)).toBe('tile');
    request = { ...request, end: { ...request.end, tile: '1z', from: null } };
    expect(lacking(request)).toBe('from');
    expect(lacking(takeTile({ ...request }, 0, '1m'))).toEqual([{ seat: 0, tiles: 1 }]);
    expect(lacking(complete({ end: { by: 'draw' } }))).toBeNull();
  });

  it('knows which melds begin with a tile', () => {
    expect(meldTiles('chow', '7s')).toBe('789s');
    expect(meldTiles('chow', '8s')).toBeNull();
    expect(meldTiles('chow', '1z')).toBeNull();
    expect(MELD_KINDS.map((kind) => meldTiles(kind, '5z'))).toEqual([
      null,
      '555z',
      '5555z',
      '5555z',
      '5555z',
    ]);
  });

  it('shows a self-drawn tile in the hand, once', () => {
    const view = viewOf(
      complete({ seats: [{ hand: '12m' }], end: { by: 'self_draw', winners: [0], tile: '3m' } }),
    );
    expect(view.seats[0]!.hand).toBe('123m');
  });

  it('takes no nonsense from an address', () => {
    for (const hash of [
      '',
      'x',
      btoa('7'),
      btoa('{"players":9}'),
      btoa('{"seats":[{"hand":7}]}'),
      btoa('{"ga":1}'),
    ]) {
      expect(fromHash(hash)).toBeNull();
    }
  });
});
