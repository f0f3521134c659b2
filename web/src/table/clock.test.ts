import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from './clock.svelte';

const told = { seconds: 8, bank: 30, total: 10, bankTotal: 60, at: 0, still: false };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function passed(seconds: number, change: Partial<typeof told> = {}): Clock {
  const clock = new Clock({ ...told, at: performance.now(), ...change });
  vi.advanceTimersByTime(seconds * 1000);
  clock.tick();
  return clock;
}

describe('a clock', () => {
  it('shows what is left of the time, and then of the bank', () => {
    const shown = (seconds: number) => {
      const { left, bankLeft, share, bankShare } = passed(seconds);
      return [left, bankLeft, share, bankShare].map((value) => Math.round(value * 100) / 100);
    };
    expect(shown(0)).toEqual([8, 30, 0.8, 0.5]);
    expect(shown(5)).toEqual([3, 30, 0.3, 0.5]);
    expect(shown(8)).toEqual([0, 30, 0, 0.5]);
    expect(shown(23)).toEqual([0, 15, 0, 0.25]);
    expect(shown(60)).toEqual([0, 0, 0, 0]);
  });

  it('stands still while the table is paused', () => {
    expect(passed(60, { still: true }).share).toBeCloseTo(0.8);
  });
});
