/** A record that was pasted or dropped: kept while the page is open, sent nowhere but to be replayed. */
import { lang, t } from '../i18n/index.svelte';
import { ApiError } from '../protocol/http';
import { errorText, faultText } from '../ui/refusals';

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

/** Who sat where, as far as the record tells; bots are numbered by their seats as at the table. */
export function chairsIn(record: StoredRecord | null, seats: number): { name: string; bot: boolean }[] {
  const names = (record?.names ?? []) as (string | null)[];
  const bots = (record?.bots ?? []) as (string | null)[];
  return Array.from({ length: seats }, (_, seat) => {
    const bot = Boolean(bots[seat]) && (!names[seat] || names[seat] === bots[seat]);
    const name = bot ? t('table.botN', { n: seat + 1 }) : names[seat] || t('replay.seat', { n: seat + 1 });
    return { name, bot: Boolean(bots[seat]) };
  });
}

/** What the server found wrong with a record: which field, why, and by which clause. */
export function recordError(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'bad_message') return errorText(error);
  const why = faultText(error.about) || (lang() === 'en' ? error.why : (error.about?.where ?? ''));
  return `${t('record.wrong', { why })}${error.clause ? ` · ${error.clause}` : ''}`;
}
