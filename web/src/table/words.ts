import { has, t } from '../i18n/index.svelte';
import { nameOf } from '../tiles/names';
import { tilesOf } from './mpsz';

/** Points with their sign, which is always printed. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}

/** Tiles as they are spoken. */
export function spoken(text: string | null | undefined): string {
  return tilesOf(text).map(nameOf).join(' ');
}

/** An action of `mine.legal` in its parts. */
export function parse(action: string): { verb: string; tiles: string } {
  const space = action.indexOf(' ');
  return space < 0
    ? { verb: action, tiles: '' }
    : { verb: action.slice(0, space), tiles: action.slice(space + 1) };
}

/** An action as a player would say it; what is none stays as it is. */
export function actionText(action: string): string {
  const { verb, tiles } = parse(action);
  const key = `table.verb.${verb}`;
  if (!has(key)) return action;
  return [t(key), verb === 'ga' ? tiles : spoken(tiles)].filter(Boolean).join(' ');
}

export interface Event {
  type: string;
  seat?: number;
  tile?: string;
  tiles?: string;
  from?: number;
  value?: number;
  source?: string;
  kind?: string;
  robbed?: boolean;
  by?: string;
}

/** What the live region says of an event; nothing of those that say themselves. */
export function sentence(
  event: Event,
  name: (seat: number) => string,
  me: number | null,
  drawn: string | null,
) {
  const seat = event.seat ?? 0;
  const params = { name: name(seat), tile: spoken(event.tile) };
  switch (event.type) {
    case 'draw':
      if (seat !== me) return null;
      return drawn === null ? null : t('table.say.drawMine', { tile: spoken(drawn) });
    case 'discard':
      return t('table.say.discard', params);
    case 'flower':
      return t('table.say.flower', params);
    case 'ready':
      return t('table.say.ready', params);
    case 'chow':
    case 'pong':
      return t(`table.say.${event.type}`, params);
    case 'kong':
      if (event.robbed) return null;
      return event.tile ? t('table.say.kong', params) : t('table.say.kongHidden', params);
    case 'win':
      return t(event.by === 'self_draw' ? 'table.say.winSelf' : 'table.say.win', params);
    case 'draw_hand':
      return t('table.say.drawHand');
    case 'deal':
      return t('table.say.deal');
    case 'follow':
      return t('table.say.follow');
    case 'ga':
      return (event.value ?? 0) > 0 ? t('table.say.ga', { name: name(seat), n: event.value ?? 0 }) : null;
    default:
      return null;
  }
}

/** What is called out at the table, in the table's own language. */
export const CALLS = { chow: '吃', pong: '碰', kong: '杠', win: '胡', selfDraw: '自摸' } as const;
