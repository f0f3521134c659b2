import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawings } from './faces';
import { classic } from './faces/classic';
import { large } from './faces/large';

const CODES = [...'mps']
  .flatMap((suit) => [...'123456789'].map((number) => number + suit))
  .concat([...'1234567'].map((number) => `${number}z`))
  .concat([...'12345678'].map((number) => `${number}f`));

describe.each(Object.entries({ classic, large }))('the %s faces', (_, set) => {
  it('have every tile once, each drawn differently', () => {
    const drawn = [...set.matchAll(/<symbol id="face-(..)" viewBox="0 0 60 80"[^>]*>(.*?)<\/symbol>/g)];
    expect(drawn.map((one) => one[1])).toEqual(CODES);
    expect(new Set(drawn.map((one) => one[2])).size).toBe(CODES.length);
  });

  it('differ without colours, too', () => {
    const drawn = [...set.matchAll(/<symbol id="face-.."[^>]*>(.*?)<\/symbol>/g)].map((one) => one[1]!);
    const shapes = new Set(drawn.map((one) => one.replace(/#[0-9a-f]{6}\b/g, '')));
    expect(shapes.size).toBe(CODES.length);
  });

  it('have no transforms, of which each is a layer for the browser, but in a few flowers', () => {
    const moved = [...set.matchAll(/<symbol id="face-(..)"[^>]*>(.*?)<\/symbol>/g)].filter((one) =>
      one[2]!.includes('transform'),
    );
    expect(moved.map((one) => one[1]).filter((code) => !/1p|[4-7]f/.test(code!))).toEqual([]);
  });

  it('are pictures of their own, with all that they point at and nothing else', () => {
    const pictures = drawings(set);
    expect([...pictures.keys()]).toEqual(CODES);
    for (const picture of pictures.values()) {
      const at = (mark: string) =>
        [...picture.matchAll(new RegExp(`${mark}="#?(shape-\\d+)"`, 'g'))].map((one) => one[1]);
      expect(new Set(at('href'))).toEqual(new Set(at('id')));
      expect([...picture.matchAll(/<g[ >]/g)]).toHaveLength([...picture.matchAll(/<\/g>/g)].length);
      expect(picture).not.toMatch(/<symbol|<\/symbol/);
    }
  });

  it('point only at what the set has, and have no styles that the policy forbids', () => {
    for (const found of set.matchAll(/href="#([\w-]+)"/g)) expect(set).toContain(`id="${found[1]}"`);
    expect(set).not.toMatch(/style|script|data:|NaN/);
    expect(set.length).toBeLessThan(70_000);
  });
});

it('is what the generator draws', () => {
  const make = join(import.meta.dirname, '../../tools/tiles/make.py');
  expect(() => execFileSync('python3', [make, '--check'], { stdio: 'pipe' })).not.toThrow();
});
