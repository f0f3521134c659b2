/** A record that was pasted or dropped: kept while the page is open, sent nowhere but to be replayed. */

export type StoredRecord = Record<string, unknown>;

export const local: { record: StoredRecord | null } = $state({ record: null });

/** The records of a text: one, or one a line; raises SyntaxError. */
export function recordsIn(text: string): StoredRecord[] {
  let values: unknown[];
  try {
    values = [JSON.parse(text)];
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim());
    if (lines.length < 2) throw error;
    values = lines.map((line) => JSON.parse(line));
  }
  return values.map((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('{}?');
    return value as StoredRecord;
  });
}

/** Where a record comes from: the hand of a match. */
export function addressOf(match: string, hand: string | number, share: string | null): string {
  const query = share === null ? '' : `?share=${encodeURIComponent(share)}`;
  return `/api/matches/${encodeURIComponent(match)}/hands/${hand}/record${query}`;
}
