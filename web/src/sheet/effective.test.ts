import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RuleBook } from '../protocol/generated';
import { book } from '../state/book.svelte';
import { Effective } from './effective.svelte';

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

afterEach(() => vi.unstubAllGlobals());

describe('a sheet as it counts', () => {
  it('shows at once what was set, then what the server makes of it; a refusal is told', async () => {
    let calls = 0;
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      calls += 1;
      const { rules, players } = JSON.parse(String(init.body));
      if (rules.follow && players === 3) {
        const about = { where: 'rules.follow', fault: 'rules', params: { option: 'follow' } };
        const problem = { code: 'bad_settings', why: '', clause: 'R8.19', about };
        return answer(200, { values: {}, usual: {}, digest: null, problem });
      }
      return answer(200, { values: { follow: players === 4, ...rules }, usual: {}, digest: '' });
    });
    book.data = {
      presets: [{ name: 'hainan', differences: { follow: true } }],
      options: [{ name: 'follow', default: false }],
    } as unknown as RuleBook;
    const sheet = new Effective();
    await sheet.follow({ rules: {}, players: 4 });
    expect(sheet.view?.values).toEqual({ follow: true });
    const late = sheet.follow({ rules: { hands: 4 }, players: 4 });
    expect(sheet.view).toEqual({ values: { follow: true, hands: 4 }, usual: { follow: true }, digest: null });
    await sheet.follow({ rules: {}, players: 3 });
    await late; // the answer to what is no more is dropped
    expect(sheet.view?.values).toEqual({ follow: false });
    const refused = sheet.follow({ rules: { follow: true }, players: 3 });
    expect(sheet.view?.values).toEqual({ follow: true });
    expect(sheet.settled).toBe(false);
    await refused;
    expect(sheet.error?.about?.params).toEqual({ option: 'follow' });
    await sheet.follow({ rules: {}, players: 3 });
    expect([sheet.error, sheet.settled]).toEqual([null, true]);
    expect(calls).toBe(4); // the last one was known
  });
});
