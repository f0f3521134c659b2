/** A hand's review, as these eyes are shown it: their own decisions, or all. */
import type { Judgement, Review } from '../protocol/generated';
import type { Eyes } from './steps';

const WORST = 3;

function own(review: Review | null, eyes: Eyes): Judgement[] {
  return (review?.decisions ?? []).filter((one) => eyes === 'all' || one.seat === eyes);
}

/** The decision that led to a step, if something could be chosen and it was weighed. */
export function judgedAt(review: Review | null, step: number, eyes: Eyes): Judgement | null {
  return own(review, eyes).find((one) => one.n === step && one.did.points !== null) ?? null;
}

/** The decisions that cost most, the worst first. */
export function worstOf(review: Review | null, eyes: Eyes): Judgement[] {
  return own(review, eyes)
    .filter((one) => one.lost > 0)
    .sort((one, other) => other.lost - one.lost)
    .slice(0, WORST);
}
