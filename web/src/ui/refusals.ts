/** Refusals in the language on show. */
import { has, lang, t } from '../i18n/index.svelte';
import { ApiError } from '../protocol/http';

export function refusalText(code: string, why = '', clause: string | null = null): string {
  const key = `core.refused.${code}`;
  const text = has(key) ? t(key) : t('core.refused.internal');
  const more = lang() === 'en' && why ? ` (${why})` : '';
  return `${text}${more}${clause ? ` · ${clause}` : ''}`;
}

/** Whatever went wrong, for people. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return refusalText(error.code, error.why, error.clause);
  const refused = error as { code?: string; why?: string; clause?: string | null };
  return refusalText(refused.code ?? 'offline', refused.why, refused.clause ?? null);
}
