import { afterEach, expect, it } from 'vitest';
import { settings } from '../state/settings.svelte';
import { nameOf } from './names';

const KINDS = { m: 9, p: 9, s: 9, z: 7, f: 8 };
const CODES = Object.entries(KINDS).flatMap(([suit, count]) =>
  Array.from({ length: count }, (_, place) => `${place + 1}${suit}`),
);
const before = settings.lang;
afterEach(() => {
  settings.lang = before;
});

it.each(['zh', 'en'] as const)('every tile has a name of its own in %s', (lang) => {
  settings.lang = lang;
  const names = [null, ...CODES].map(nameOf);
  expect(new Set(names).size).toBe(CODES.length + 1);
  for (const name of names)
    expect(name).toMatch(lang === 'zh' ? /^[\u4e00-\u9fff]{1,2}$/ : /^[1-9a-zA-Z ]{3,}$/);
});

it('follows the order of the codes', () => {
  settings.lang = 'zh';
  expect(['5m', '1p', '9s', '1z', '5z', '6z', '7z', '5f', '8f'].map(nameOf)).toEqual([
    '五万',
    '一筒',
    '九条',
    '东风',
    '白板',
    '发财',
    '红中',
    '梅',
    '竹',
  ]);
  settings.lang = 'en';
  expect(['5m', '7z'].map(nameOf)).toEqual(['5 characters', 'red dragon']);
});
