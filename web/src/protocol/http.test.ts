import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api } from './http';

function answer(status: number, body: string | null, headers: Record<string, string> = {}) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, { status, headers }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

afterEach(() => vi.unstubAllGlobals());

describe('calls', () => {
  it('that change something bring the header of our own', async () => {
    const fetch = answer(200, '{"code":"123456"}');
    expect(await api.post('/api/rooms', { a: 1 })).toEqual({ code: '123456' });
    await api.get('/api/rules');
    const [post, get] = fetch.mock.calls.map(([, init]) => init);
    expect(post).toMatchObject({ method: 'POST', body: '{"a":1}', headers: { 'X-Hainan': '1' } });
    expect(get!.headers).not.toHaveProperty('X-Hainan');
  });

  it('may have nothing to answer', async () => {
    answer(204, null);
    expect(await api.delete('/api/session')).toBeUndefined();
  });

  it('tell what was refused', async () => {
    answer(429, '{"code":"too_fast","why":"wait","clause":"R1"}', { 'Retry-After': '7' });
    const error = await api.get('/x').catch((caught) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'too_fast', why: 'wait', clause: 'R1', status: 429, retryAfter: 7 });
  });

  it.each([
    [502, '<html>', 'offline'],
    [500, '<html>', 'internal'],
    [200, '<html>', 'offline'],
  ])('that %i answers by %s are %s', async (status, body, code) => {
    answer(status, body);
    await expect(api.get('/x')).rejects.toMatchObject({ code });
  });

  it('without a network are offline', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
    await expect(api.get('/x')).rejects.toMatchObject({ code: 'offline', status: 0 });
  });
});
