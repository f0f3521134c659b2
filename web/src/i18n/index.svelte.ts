/** Texts in both languages, each page's in a part of its own; every part has the same keys in both. */
import { settings } from '../state/settings.svelte';

export type Lang = 'zh' | 'en';
export type Params = Record<string, string | number>;
interface Part {
  zh: Record<string, string>;
  en: Record<string, string>;
}

const parts = import.meta.glob<Record<string, Part>>('./parts/*.ts', { eager: true });
export const texts: Part = { zh: {}, en: {} };
for (const module of Object.values(parts)) {
  for (const part of Object.values(module)) {
    Object.assign(texts.zh, part.zh);
    Object.assign(texts.en, part.en);
  }
}

/** The language on show. */
export function lang(): Lang {
  return settings.lang;
}

/** A text by its key; `{name}` in it is replaced. */
export function t(key: string, params: Params = {}): string {
  const text = texts[settings.lang][key];
  if (text === undefined) {
    if (import.meta.env.DEV) throw new Error(`no text: ${key}`);
    return key;
  }
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(params[name] ?? all));
}

/** Whether there is such a text. */
export function has(key: string): boolean {
  return key in texts[settings.lang];
}

/** A text that comes from the server in both languages. */
export function named(text: { zh: string; en: string } | undefined): string {
  return text === undefined ? '' : text[settings.lang];
}
