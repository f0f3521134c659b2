import { t } from '../i18n/index.svelte';
import type { Mine, TableView } from '../protocol/generated';
import { spoken } from './words';

/** A mark beside the table: what binds players now, in one line, and the sentence behind it. */
export interface Note {
  id: string;
  kind: string;
  tone: 'hot' | 'warm' | 'calm';
  short: string;
  long: string;
  clause: string | null;
}

/** All marks of a table for one pair of eyes, the most pressing first. */
export function notesOf(
  view: TableView,
  mine: Mine | null,
  me: number | null,
  name: (seat: number) => string,
): Note[] {
  const notes: Note[] = [];
  const passed = mine?.passed;
  if (passed?.let_off != null) {
    const params = { name: name(passed.let_off) };
    notes.push({
      id: 'let_off',
      kind: 'let_off',
      tone: 'warm',
      short: t('table.lock.letOff', params),
      long: t('table.lock.letOffLong', params),
      clause: 'R9.1',
    });
  }
  if (passed?.V) {
    const params = { v: passed.V };
    notes.push({
      id: 'higher',
      kind: 'higher',
      tone: 'warm',
      short: t('table.lock.value', params),
      long: t('table.lock.valueLong', params),
      clause: 'R9.2',
    });
  }
  const weight = { four_melds: 0, three_melds: 1, last_tiles: 2, two_melds: 3, blocking: 4 } as Record<
    string,
    number
  >;
  const warnings = [...(view.warnings ?? [])].sort(
    (one, other) =>
      Number(other.from === me || other.to === me) - Number(one.from === me || one.to === me) ||
      (weight[one.kind] ?? 9) - (weight[other.kind] ?? 9),
  );
  for (const [i, warning] of warnings.entries()) {
    const { kind, from, to } = warning;
    const whose = from == null || me === null ? '' : to === me ? 'You' : from === me ? 'Me' : '';
    const params = { from: from == null ? '' : name(from), to: to == null ? '' : name(to) };
    const short = t(`table.warn.${kind}${whose}`, params);
    notes.push({
      id: `${kind}${i}`,
      kind,
      tone: kind === 'blocking' || kind === 'two_melds' ? 'calm' : 'hot',
      short,
      long: `${short}${t('table.stop')}${t(`table.warn.${kind}Long`)}`,
      clause: warning.clause,
    });
  }
  notes.push(...followNotes(view, name));
  return notes;
}

function followNotes(view: TableView, name: (seat: number) => string): Note[] {
  const follow = view.follow;
  const owing = view.seats.findIndex((seat) => seat.owes_follow);
  if (owing >= 0) {
    const text = t('table.follow.owes', { name: name(owing) });
    return [{ id: 'follow', kind: 'follow', tone: 'calm', short: text, long: text, clause: 'R8.19' }];
  }
  if (follow?.lead == null || !follow.followers) return [];
  const n = follow.followers;
  return [
    {
      id: 'follow',
      kind: 'follow',
      tone: 'warm',
      short: `${t('table.follow.short', { n, of: view.seats.length - 1 })} · ${spoken(follow.tile)}`,
      long: t('table.follow.long', { name: name(follow.lead), tile: spoken(follow.tile), n }),
      clause: 'R8.19',
    },
  ];
}
