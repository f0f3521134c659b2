/** What is said to screen readers. */

export const live: { lines: { id: number; text: string }[] } = $state({ lines: [] });
let count = 0;

/** Speak a sentence, after those that are still to be spoken. */
export function say(text: string): void {
  if (text) live.lines = [...live.lines.slice(-5), { id: ++count, text }];
}
