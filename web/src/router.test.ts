import { beforeAll, describe, expect, it, vi } from 'vitest';

let parse: typeof import('./router.svelte').parse;

beforeAll(async () => {
  vi.stubGlobal('location', { href: 'https://here/' });
  vi.stubGlobal('history', { state: null, replaceState: () => undefined });
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('addEventListener', () => undefined);
  ({ parse } = await import('./router.svelte'));
});

const at = (path: string) => {
  const { name, params } = parse(new URL(path, 'https://here'));
  return [name, params];
};

describe('addresses', () => {
  it.each([
    ['/', 'first', {}],
    ['/r/012345', 'room', { code: '012345' }],
    ['/r/012345/', 'room', { code: '012345' }],
    ['/history', 'history', {}],
    ['/m/0af3', 'match', { match: '0af3' }],
    ['/m/0af3/12?step=4&eyes=all', 'replay', { match: '0af3', hand: '12' }],
    ['/calculator', 'calculator', {}],
    ['/rules#R3.7', 'rules', {}],
    ['/proof', 'proof', {}],
    ['/settings', 'settings', {}],
    ['/r/12345', 'missing', {}],
    ['/r/1234567', 'missing', {}],
    ['/m/', 'missing', {}],
    ['/m/0af3/x', 'missing', {}],
    ['/elsewhere', 'missing', {}],
    ['/%E0%A4%A', 'missing', {}],
  ])('%s is %s', (path, name, params) => {
    expect(at(path)).toEqual([name, params]);
  });

  it('carry what is asked and the place within', () => {
    const found = parse(new URL('https://here/rules?q=1#R3.7'));
    expect(found.query.get('q')).toBe('1');
    expect(found.hash).toBe('R3.7');
  });
});
