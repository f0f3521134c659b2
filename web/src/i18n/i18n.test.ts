import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Causes, Faults, Refusals } from '../protocol/generated';
import { texts } from './index.svelte';

const SOURCES = join(import.meta.dirname, '..');

function sources(): { path: string; text: string }[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(svelte|ts)$/.test(path) && !/\.test\.ts$|generated|i18n|faces/.test(path))
    .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));
}

const holes = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort();

describe('texts', () => {
  it('are there in both languages, with the same holes', () => {
    expect(Object.keys(texts.en).sort()).toEqual(Object.keys(texts.zh).sort());
    for (const [key, text] of Object.entries(texts.zh)) {
      expect(holes(texts.en[key]!), key).toEqual(holes(text));
    }
  });

  it('are none that is asked for by a name that is not there', () => {
    for (const { path, text } of sources()) {
      for (const found of text.matchAll(/\bt\(\s*'([\w.]+)'/g)) {
        expect(texts.zh[found[1]!], `${path}: ${found[1]}`).toBeDefined();
      }
    }
  });

  it('tell every refusal', () => {
    for (const code of Refusals) expect(texts.zh[`core.refused.${code}`], code).toBeDefined();
  });

  it('tell every fault that says more than its field', () => {
    const said = Faults.filter((fault) => fault !== 'wrong');
    for (const fault of said) expect(texts.zh[`core.fault.${fault}`], fault).toBeDefined();
  });

  it('tell why an action is not legal, whatever the reason', () => {
    for (const reason of Causes) expect(texts.zh[`reason.${reason}`], reason).toBeDefined();
  });

  it('stand in no code', () => {
    for (const { path, text } of sources()) {
      const bare = text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$|<!--[\s\S]*?-->/gm, '')
        .replace(/<style[\s\S]*<\/style>/g, '');
      const chinese = /[\u4e00-\u9fff]/.exec(bare);
      if (!/sound|words|names/.test(path)) expect(chinese?.[0], path).toBeUndefined();
    }
  });
});
