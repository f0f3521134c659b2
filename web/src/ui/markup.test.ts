import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const components = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.svelte'),
);

describe("the server's policy forbids", () => {
  it.each(components)('styles in markup, and transitions that make them: %s', (path) => {
    const text = readFileSync(join(SOURCES, path), 'utf8');
    const markup = text.replace(/<(script|style)[\s\S]*?<\/\1>/g, '');
    expect(markup).not.toMatch(/\sstyle=/);
    expect(markup).not.toMatch(/\s(transition|in|out|animate):\w/);
    expect(text).not.toMatch(/\bdata:(image|font|audio)|{@html/);
  });
});
