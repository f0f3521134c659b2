import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classic } from './faces/classic';
import { large } from './faces/large';

const CODES = [...'mps']
  .flatMap((suit) => [...'123456789'].map((number) => number + suit))
  .concat([...'1234567'].map((number) => `${number}z`))
  .concat([...'12345678'].map((number) => `${number}f`));

describe.each(Object.entries({ classic, large }))('the %s faces', (_, set) => {
  it('have every tile once, each drawn differently', () => {
    expect(Object.keys(set).sort()).toEqual([...CODES].sort());
    expect(new Set(Object.values(set)).size).toBe(CODES.length);
  });

  it('differ without colours, too', () => {
    const shapes = new Set(Object.values(set).map((one) => one.replace(/#[0-9a-f]{6}\b/g, '')));
    expect(shapes.size).toBe(CODES.length);
  });

  it('have no transforms, of which each is a layer for the browser, but in a few flowers', () => {
    const moved = Object.keys(set).filter((code) => set[code]?.includes('transform'));
    expect(moved.filter((code) => !/1p|[4-7]f/.test(code))).toEqual([]);
  });

  it('are whole by themselves, and have no styles that the policy forbids', () => {
    for (const drawn of Object.values(set)) {
      expect(drawn).not.toMatch(/href|id=|style|script|data:|NaN|undefined/);
      expect([...drawn.matchAll(/<g[ >]/g)]).toHaveLength([...drawn.matchAll(/<\/g>/g)].length);
    }
  });
});

it('is what the generator draws', () => {
  const make = join(import.meta.dirname, '../../tools/tiles/make.py');
  expect(() => execFileSync('python3', [make, '--check'], { stdio: 'pipe' })).not.toThrow();
});
