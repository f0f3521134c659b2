/** The bill of a hand: the `end` object of docs/formats.md, section 3. */
export interface Winner {
  seat: number;
  patterns: string[];
  licences: string[];
  T: number;
  V: number;
}
export interface Item {
  payer: number;
  payee: number;
  points: number;
  for: string;
  of: number;
  rule: string;
}
export interface End {
  by?: string;
  from?: number | null;
  tile?: string | null;
  way?: string | null;
  winners: Winner[];
  payments: number[];
  items: Item[];
}

/** A payment as one seat sees it: signed, and with whom. */
export interface Line {
  key: string;
  other: number;
  points: number;
  what: string;
  /** Whose share it is, where it is another's than the payer's. */
  instead: number | null;
  rule: string;
}

const ORDER = ['win', 'discard', 'kong', 'flower', 'follow'];

/** All payments that a seat makes or gets, in the order of what they are for. */
export function linesOf(end: End, seat: number): Line[] {
  return end.items
    .filter((item) => item.payer === seat || item.payee === seat)
    .map((item, i) => ({
      key: `${i}`,
      other: item.payer === seat ? item.payee : item.payer,
      points: item.payer === seat ? -item.points : item.points,
      what: item.for,
      instead: item.of === item.payer ? null : item.of,
      rule: item.rule,
    }))
    .sort((one, other) => ORDER.indexOf(one.what) - ORDER.indexOf(other.what));
}

/** Seats by their points, the best first; equal points share a rank. */
export function ranking(totals: readonly number[]): { seat: number; points: number; rank: number }[] {
  const sorted = totals
    .map((points, seat) => ({ seat, points }))
    .sort((a, b) => b.points - a.points || a.seat - b.seat);
  return sorted.map((one) => ({
    ...one,
    rank: sorted.findIndex((other) => other.points === one.points) + 1,
  }));
}

export interface Curve {
  seat: number;
  points: [number, number][];
}

/** Totals after every hand as curves in a box; every curve starts at zero. */
export function curvesOf(
  chart: readonly (readonly number[])[],
  w: number,
  h: number,
): { curves: Curve[]; zero: number } {
  const players = chart[0]?.length ?? 0;
  const all = [0, ...chart.flat()];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const span = Math.max(high - low, 1);
  const y = (points: number) => h - ((points - low) / span) * h;
  const x = (hand: number) => (hand / Math.max(chart.length, 1)) * w;
  const curves = Array.from({ length: players }, (_, seat) => ({
    seat,
    points: [[0, y(0)], ...chart.map((row, hand) => [x(hand + 1), y(row[seat] ?? 0)])] as [number, number][],
  }));
  return { curves, zero: y(0) };
}

/** Labels at the ends of curves, moved apart where they would lie on one another. */
export function apart(places: readonly number[], least: number, height: number): number[] {
  const order = places.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  for (let n = 1; n < order.length; n++) {
    const [before, now] = [order[n - 1], order[n]];
    if (before && now && now.y - before.y < least) now.y = before.y + least;
  }
  const over = (order[order.length - 1]?.y ?? 0) - height;
  if (over > 0) {
    for (let n = order.length - 1; n >= 0; n--) {
      const [now, next] = [order[n], order[n + 1]];
      if (now) now.y = Math.min(now.y, next ? next.y - least : height);
    }
  }
  const result = [...places];
  for (const { y, i } of order) result[i] = y;
  return result;
}
