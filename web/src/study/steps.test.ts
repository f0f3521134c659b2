import { describe, expect, it } from 'vitest';
import type { Step } from '../protocol/generated';
import { settings } from '../state/settings.svelte';
import { drawnOf, eyesOf, handsOf, sayingOf, stepOf } from './steps';

const step = (given: Partial<Step>, table: object = {}): Step => ({
  n: 1,
  seat: null,
  action: null,
  hands: ['1m', '2m', '', '4m'],
  drawn: null,
  events: [],
  wall: '',
  ...given,
  table: { phase: 'turn', turn: 1, seats: [], ...table } as unknown as Step['table'],
});
const name = (seat: number) => `P${seat}`;

describe('a step of a replay', () => {
  it('is found by its address', () => {
    expect([null, '', 'x', '-3', '5', '99'].map((text) => stepOf(text, 10))).toEqual([0, 0, 0, 0, 5, 9]);
    expect([null, '', 'all', '0', '3', '4', '1.5'].map((text) => eyesOf(text, 4))).toEqual([
      'all',
      'all',
      'all',
      0,
      3,
      'all',
      'all',
    ]);
  });

  it('shows only what the eyes see', () => {
    const one = step({ drawn: '2m' });
    expect(handsOf(one, 'all')).toEqual(['1m', '2m', null, '4m']);
    expect(handsOf(one, 3)).toEqual([null, null, null, '4m']);
    expect(drawnOf(one, 'all')).toEqual({ seat: 1, tile: '2m' });
    expect(drawnOf(one, 0)).toBeNull();
    expect(handsOf(step({}, { phase: 'over' }), 3)).toEqual(['1m', '2m', null, '4m']);
  });

  it('says who did what', () => {
    settings.lang = 'en';
    const discard = step({
      seat: 0,
      action: 'discard 5m',
      events: [{ type: 'discard', seat: 0, tile: '5m' }],
    });
    expect(sayingOf(discard, name, 'all')).toBe('P0: 5 characters');
    const draw = { type: 'draw', seat: 1, tile: '9p', source: 'front' };
    const passed = step({ seat: 2, action: 'pass', events: [draw] });
    expect(sayingOf(passed, name, 'all')).toBe('P2 passes; P1 draws 9 dots');
    expect(sayingOf(passed, name, 0)).toBe('P2 passes; P1 draws');
    expect(sayingOf(step({ seat: 3, action: 'win' }), name, 'all')).toBe('P3 answers: Win');
    expect(sayingOf(step({ seat: 3, action: 'ga 2' }), name, 'all')).toBe('P3: ga 2');
    expect(sayingOf(step({}), name, 'all')).toBe('The start');
  });
});
