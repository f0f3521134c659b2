import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { friendlyName } from './session.svelte';
import { merged, settings, spoken } from './settings.svelte';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('settings', () => {
  it('begin in Chinese for whoever reads it', () => {
    expect(spoken(['zh-Hans-CN', 'en'])).toBe('zh');
    expect(spoken(['en-GB', 'zh-TW'])).toBe('zh');
    expect(spoken(['de', 'en'])).toBe('en');
    expect(spoken([])).toBe('en');
  });

  it('take from what is stored only what makes sense', () => {
    const base = { ...settings, theme: 'auto', oneTap: false } as typeof settings;
    expect(merged(base, '{"theme":"dark","oneTap":true}')).toEqual({ ...base, theme: 'dark', oneTap: true });
    for (const stored of [null, '', 'null', '7', '[]', '{', '{"theme":"pink","oneTap":"yes","more":1}']) {
      expect(merged(base, stored), String(stored)).toEqual(base);
    }
  });
});

describe('a friendly name', () => {
  it.each(['zh', 'en'] as const)('is one that the server takes, in %s', (lang) => {
    settings.lang = lang;
    for (const random of [0, 0.5, 0.999]) expect(friendlyName(() => random)).toMatch(/^\S.{0,22}\S$/);
  });
});

describe('the session', () => {
  const me = { player: 'p', name: 'Hai', account: false, created_at: 0 };
  const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  let session: typeof import('./session.svelte').session;
  let kept: Map<string, string>;

  beforeEach(async () => {
    vi.resetModules();
    kept = new Map();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
    vi.stubGlobal('addEventListener', () => undefined);
    vi.stubGlobal('removeEventListener', () => undefined);
    ({ session } = await import('./session.svelte'));
  });

  it('needs no server to know that nobody was here', async () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);
    await session.load();
    expect(session.known).toBe(true);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('finds a player whose name the browser has forgotten', async () => {
    vi.stubGlobal('fetch', async () => json(200, { player: me }));
    await session.load();
    expect(session.player).toBeNull();
    expect(await session.ensure()).toBe(true);
    expect(session.player).toEqual(me);
    expect(kept.get('hainan.name')).toBe('Hai');
  });

  it('asks nobody for a name while the server cannot be reached', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError()));
    await expect(session.anyhow()).rejects.toMatchObject({ code: 'offline' });
    const sure = session.ensure();
    await vi.advanceTimersByTimeAsync(100);
    expect(session.asking).toBe(false);
    vi.stubGlobal('fetch', async () => json(200, { player: me }));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await sure).toBe(true);
    expect(session.player).toEqual(me);
  });

  it('asks whoever has none, once for all who wait', async () => {
    vi.stubGlobal('fetch', async () => json(200, { player: null }));
    const sure = Promise.all([session.ensure(), session.ensure()]);
    await vi.waitFor(() => expect(session.asking).toBe(true));
    await new Promise((resolve) => setTimeout(resolve));
    session.asked(true);
    expect(await sure).toEqual([true, true]);
    expect(session.asking).toBe(false);
  });

  it('makes a guest of whoever has no name and wants to play at once', async () => {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      calls.push(`${init.method} ${path}`);
      return calls.length === 1 ? json(200, { player: null }) : json(200, me);
    });
    await session.anyhow();
    expect(calls).toEqual(['GET /api/session', 'POST /api/players', 'GET /api/players/me']);
    expect(session.player).toEqual(me);
  });
});
