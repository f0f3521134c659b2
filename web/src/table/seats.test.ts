import { describe, expect, it } from 'vitest';
import { tilesOf, without } from './mpsz';
import { buttonsOf, discardsOf, Guard, gasOf } from './offer.svelte';
import { isOwnFlower, piecesOf, seatOn, sideOf, windOf } from './seats';

describe('seats around the table', () => {
  it('puts the next player to the right', () => {
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 2, 4))).toEqual(['top', 'left', 'bottom', 'right']);
    expect([0, 1, 2].map((seat) => sideOf(seat, 0, 3))).toEqual(['bottom', 'right', 'left']);
    expect(seatOn('top', 0, 3)).toBeNull();
  });

  it('counts winds and own flowers from the dealer', () => {
    expect([0, 1, 2, 3].map((seat) => windOf(seat, 1, 4))).toEqual(['4z', '1z', '2z', '3z']);
    expect(isOwnFlower('2f', 3, 2, 4)).toBe(true);
    expect(isOwnFlower('6f', 3, 2, 4)).toBe(true);
    expect(isOwnFlower('1f', 3, 2, 4)).toBe(false);
  });
});

describe('melds', () => {
  const turned = (pieces: { turned: boolean }[]) => pieces.map((piece) => piece.turned).indexOf(true);
  it('turn the claimed tile towards the seat that it came from', () => {
    const pong = { kind: 'pong', tiles: '777z', claimed: '7z' };
    expect(turned(piecesOf({ ...pong, from: 3 }, 0, 4))).toBe(0);
    expect(turned(piecesOf({ ...pong, from: 2 }, 0, 4))).toBe(1);
    expect(turned(piecesOf({ ...pong, from: 1 }, 0, 4))).toBe(2);
    const chow = piecesOf({ kind: 'chow', tiles: '678s', from: 3, claimed: '8s' }, 0, 4);
    expect(chow.map((piece) => piece.code)).toEqual(['8s', '6s', '7s']);
  });

  it('lay the fourth of an added kong on the turned one, and hide concealed kongs', () => {
    const added = piecesOf({ kind: 'added_kong', tiles: '5555z', from: 1, claimed: '5z' }, 0, 4);
    expect(added.map((piece) => piece.on)).toEqual([undefined, undefined, '5z']);
    expect(piecesOf({ kind: 'concealed_kong' }, 0, 4).map((piece) => piece.code)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const own = piecesOf({ kind: 'concealed_kong' }, 0, 4, '2222s');
    expect(own.map((piece) => piece.code)).toEqual([null, '2s', '2s', null]);
  });
});

describe('tiles as text', () => {
  it('reads them in order', () => {
    expect(tilesOf('15m3z')).toEqual(['1m', '5m', '3z']);
    expect(tilesOf(undefined)).toEqual([]);
    expect(without(['1m', '1m', '2p'], '1m')).toEqual(['1m', '2p']);
  });
});

describe('what is asked', () => {
  it('has a place for every verb, and a choice where there are several', () => {
    const buttons = buttonsOf(['chow 34m', 'chow 46m', 'pong', 'pass']);
    expect(buttons.chow?.actions).toHaveLength(2);
    expect(buttons.pong?.actions).toEqual(['pong']);
    expect(buttons.win).toBeUndefined();
    expect(buttonsOf(['discard 1m', 'ready 1m', 'kong 2s', 'win']).chow?.verb).toBe('ready');
    expect(gasOf(['ga 1', 'ga 5'])).toEqual([1, 5]);
    expect([...discardsOf(['discard 1m', 'ready 2m'], 'ready')]).toEqual(['2m']);
  });

  it('lets no button be pressed in its first moment', () => {
    const guard = new Guard();
    guard.show(1, ['pass'], 1000);
    expect(guard.passes('pass', 1100)).toBe(false);
    expect(guard.passes('pass', 1300)).toBe(true);
    expect(guard.passes('win', 2000)).toBe(false);
    guard.show(2, ['pass'], 2000);
    expect(guard.passes('pass', 2100)).toBe(false);
    guard.show(2, ['pass', 'win'], 2250);
    expect(guard.passes('pass', 2310)).toBe(true);
    expect(guard.passes('win', 2310)).toBe(false);
  });
});
