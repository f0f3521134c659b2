import { describe, expect, it } from 'vitest';
import type { Advised, Judgement, Review } from '../protocol/generated';
import { judgedAt, worstOf } from './review';

const advised = (points: number | null): Advised => ({
  action: 'pass',
  points,
  win: null,
  deal_in: null,
  reasons: [],
  zh: '',
  en: '',
});
const decision = (n: number, seat: number, lost: number, points: number | null = 1): Judgement => ({
  n,
  seat,
  did: advised(points),
  best: advised(points),
  lost,
});
const review: Review = {
  decisions: [
    decision(1, 0, 0, null),
    decision(2, 0, 1),
    decision(3, 1, 4),
    decision(4, 1, 0),
    decision(5, 0, 3),
    decision(6, 2, 2),
  ],
  worst: [2, 4, 5],
  lost: [4, 4, 2, 0],
};

describe('a review', () => {
  it('tells of the worst decisions of all, or of the seat that looks', () => {
    expect(worstOf(review, 'all').map((one) => one.n)).toEqual(
      review.worst.map((at) => review.decisions[at]?.n),
    );
    expect(worstOf(review, 0).map((one) => one.n)).toEqual([5, 2]);
    expect(worstOf(review, 3)).toEqual([]);
    expect(worstOf(null, 'all')).toEqual([]);
  });

  it('tells of a step what its decision cost, but of a choice of ga nothing', () => {
    expect(judgedAt(review, 3, 'all')?.lost).toBe(4);
    expect(judgedAt(review, 3, 0)).toBeNull();
    expect(judgedAt(review, 1, 'all')).toBeNull();
    expect(judgedAt(review, 9, 'all')).toBeNull();
  });
});
