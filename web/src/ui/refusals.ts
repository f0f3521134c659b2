/** Refusals in the language on show. */
import { has, lang, named, type Params, t } from '../i18n/index.svelte';
import type { About } from '../protocol/generated';
import type { ApiError } from '../protocol/http';
import { book } from '../state/book.svelte';
import { actionText, spoken } from '../table/words';
import { toast } from './toasts.svelte';

interface Refusal {
  code?: string;
  why?: string;
  clause?: string | null;
  about?: About | null;
}

/** What a seat is called where its name isn't known. */
export const numbered = (seat: number) => t('reason.seat', { n: seat + 1 });

/** Why an action isn't legal; seats are called as `name` does. */
function reasonText(about: About, name: (seat: number) => string): string {
  const { reason, given = {} } = about.params as { reason?: string; given?: Record<string, unknown> };
  const key = `reason.${reason}`;
  if (!has(key)) return '';
  return t(key, {
    ...(given as Params),
    seat: name(Number(given.seat)),
    tile: spoken(given.tile as string | undefined),
  });
}

/** What is wrong with something that was sent; empty where only the server's own sentence would tell. */
export function faultText(about: About | null | undefined, name = numbered): string {
  const key = `core.fault.${about?.fault}`;
  if (!about || !has(key)) return '';
  const given = about.params ?? {};
  const said = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  return t(key, {
    ...said,
    where: about.where,
    option: named(book.option(String(given.option))) || String(given.option),
    action: actionText(String(given.action)),
    seat: Number(given.seat) + 1, // as players count them
    tile: spoken(given.tile as string | undefined),
    why: reasonText(about, name),
  });
}

function sentence({ code = 'offline', why = '', about }: Refusal, name?: (seat: number) => string): string {
  const key = `core.refused.${code}`;
  const text = has(key) ? t(key) : t('core.refused.internal');
  const more = faultText(about, name) || (lang() === 'en' ? why : '');
  return more ? t('core.because', { text, why: more }) : text;
}

export function refusalText(code: string): string {
  return sentence({ code });
}

const refusalOf = (error: unknown): Refusal => error as ApiError | Refusal;

/** Whatever went wrong, for people. */
export function errorText(error: unknown): string {
  const refusal = refusalOf(error);
  return `${sentence(refusal)}${refusal.clause ? ` · ${refusal.clause}` : ''}`;
}

/** The same at the edge of the page, with the way to the clause; `name` tells who sits where. */
export function complain(error: unknown, name?: (seat: number) => string): void {
  const refusal = refusalOf(error);
  toast(sentence(refusal, name), 'warn', refusal.clause ?? null);
}
