/** Short words that go away by themselves. */

export interface Word {
  id: number;
  text: string;
  kind: 'info' | 'warn' | 'good';
  /** The clause of the rule book that tells more. */
  clause: string | null;
}

const LASTS_MS = 6000;
let count = 0;

export const toasts: { words: Word[] } = $state({ words: [] });

export function toast(text: string, kind: Word['kind'] = 'info', clause: string | null = null): void {
  const id = ++count;
  toasts.words = [...toasts.words.filter((word) => word.text !== text).slice(-2), { id, text, kind, clause }];
  setTimeout(() => dismiss(id), LASTS_MS);
}

export function dismiss(id: number): void {
  toasts.words = toasts.words.filter((word) => word.id !== id);
}
