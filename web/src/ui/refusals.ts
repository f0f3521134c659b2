/** Refusals in the language on show. */
import { has, lang, named, t } from '../i18n/index.svelte';
import type { About } from '../protocol/generated';
import { ApiError } from '../protocol/http';
import { book } from '../state/book.svelte';
import { actionText, spoken } from '../table/words';

interface Refusal {
  code?: string;
  why?: string;
  clause?: string | null;
  about?: About | null;
}

/** What is wrong with something that was sent; empty where only the server's own sentence would tell. */
export function faultText(about: About | null | undefined): string {
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
  });
}

export function refusalText(
  code: string,
  why = '',
  clause: string | null = null,
  about?: About | null,
): string {
  const key = `core.refused.${code}`;
  const text = has(key) ? t(key) : t('core.refused.internal');
  const more = faultText(about) || (lang() === 'en' ? why : '');
  return `${more ? t('core.because', { text, why: more }) : text}${clause ? ` · ${clause}` : ''}`;
}

/** Whatever went wrong, for people. */
export function errorText(error: unknown): string {
  const { code, why, clause, about }: Refusal = error instanceof ApiError ? error : (error as Refusal);
  return refusalText(code ?? 'offline', why, clause, about);
}
