/** The hands of a match, and where its players stood after each. */
import type { HandPage, HandView } from '../protocol/generated';
import { api } from '../protocol/http';

/** All of them, page by page. */
export async function handsIn(match: string, share: string | null): Promise<HandView[]> {
  const all: HandView[] = [];
  for (let after: number | null = -1; after !== null; ) {
    const query = new URLSearchParams({ limit: '100', after: String(after) });
    if (share !== null) query.set('share', share);
    const page: HandPage = await api.get<HandPage>(
      `/api/matches/${encodeURIComponent(match)}/hands?${query}`,
    );
    all.push(...page.hands);
    after = page.next;
  }
  return all;
}

/** What a hand brought each seat; none while it isn't over. */
export function paymentsOf(hand: Pick<HandView, 'end'>): number[] | undefined {
  return (hand.end as { payments?: number[] } | null)?.payments;
}

/** Whether a hand counts: it is over, and not void. */
export function counts(hand: Pick<HandView, 'end' | 'void'>): boolean {
  return !hand.void && hand.end !== null;
}

/** Points before the first hand, and after each; a hand that doesn't count leaves them as they are. */
export function standings(hands: readonly Pick<HandView, 'end' | 'void'>[], players: number): number[][] {
  const found = [Array<number>(players).fill(0)];
  for (const hand of hands) found.push(added(found.at(-1)!, counts(hand) ? paymentsOf(hand) : undefined));
  return found;
}

export function added(points: readonly number[], payments: readonly number[] | undefined): number[] {
  return points.map((sum, seat) => sum + (payments?.[seat] ?? 0));
}
