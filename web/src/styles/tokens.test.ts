import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function colours(selector: RegExp): Record<string, string> {
  const block = css.slice(css.search(selector)).split('}')[0]!;
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((one) => [one[1]!, one[2]!]),
  );
}

const dark = colours(/:root \{/);
const light = { ...dark, ...colours(/:root\[data-theme=.light/) };

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [brighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (brighter! + 0.05) / (darker! + 0.05);
}

it('there are two themes', () => {
  expect(light.page).not.toBe(dark.page);
});

const GROUNDS = ['page', 'surface', 'surface-2', 'surface-3'];
const TEXTS = ['ink', 'dim', 'accent-text', 'plus', 'minus', 'good'];

describe.each([
  ['dark', dark],
  ['light', light],
])('the %s theme', (_, theme) => {
  it.each(GROUNDS.flatMap((ground) => TEXTS.map((text) => [text, ground])))(
    '%s can be read on %s',
    (text, ground) => {
      expect(contrast(theme[text]!, theme[ground]!)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('has buttons that can be read', () => {
    for (const fill of ['accent', 'accent-2'])
      expect(contrast(theme['accent-ink']!, theme[fill]!)).toBeGreaterThanOrEqual(4.5);
    for (const fill of ['danger', 'danger-2'])
      expect(contrast('#ffffff', theme[fill]!)).toBeGreaterThanOrEqual(4.5);
  });

  it('shows where the focus is', () => {
    for (const ground of GROUNDS) expect(contrast(theme.focus!, theme[ground]!)).toBeGreaterThanOrEqual(3);
  });
});
