import { describe, expect, it } from 'vitest';
import { apart, curvesOf, type End, linesOf, ranking } from './lines';

const END: End = {
  by: 'discard',
  from: 3,
  tile: '9m',
  winners: [{ seat: 2, patterns: ['plain'], licences: [], T: 1, V: 1 }],
  payments: [0, -3, 8, -5],
  items: [
    { payer: 1, payee: 2, points: 3, for: 'kong', of: 1, rule: 'R8.12' },
    { payer: 3, payee: 2, points: 4, for: 'win', of: 0, rule: 'R8.7' },
    { payer: 3, payee: 2, points: 1, for: 'discard', of: 3, rule: 'R8.7' },
  ],
};

describe('lines of a bill', () => {
  it('fold into each seat’s sum', () => {
    for (let seat = 0; seat < 4; seat++) {
      expect(linesOf(END, seat).reduce((sum, line) => sum + line.points, 0)).toBe(END.payments[seat]);
    }
  });

  it('say whose share is paid by another, the win first', () => {
    const lines = linesOf(END, 2);
    expect(lines.map((line) => line.what)).toEqual(['win', 'discard', 'kong']);
    expect(lines.map((line) => line.instead)).toEqual([0, null, null]);
  });
});

describe('scores', () => {
  it('rank with equal ranks for equal points', () => {
    expect(ranking([5, -1, 5, -9]).map((one) => [one.seat, one.rank])).toEqual([
      [0, 1],
      [2, 1],
      [1, 3],
      [3, 4],
    ]);
  });

  it('are drawn from zero, within the box', () => {
    const { curves, zero } = curvesOf(
      [
        [3, -1, -2],
        [-6, 8, -2],
      ],
      100,
      50,
    );
    expect(curves).toHaveLength(3);
    for (const curve of curves) {
      expect(curve.points[0]).toEqual([0, zero]);
      for (const [x, y] of curve.points) {
        expect(x).toBeLessThanOrEqual(100);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(50);
      }
    }
  });

  it('keep their labels apart and in the box', () => {
    const labels = apart([10, 12, 49, 50], 12, 50);
    const sorted = [...labels].sort((a, b) => a - b);
    for (let i = 1; i < 4; i++)
      expect((sorted[i] as number) - (sorted[i - 1] as number)).toBeGreaterThanOrEqual(12 - 1e-9);
    expect(Math.max(...labels)).toBeLessThanOrEqual(50);
  });
});
