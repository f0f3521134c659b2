import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { texts } from '../i18n/index.svelte';
import { FakeSocket, fakePage } from '../protocol/fake';
import { toasts } from '../ui/toasts.svelte';
import { openRoom, type RoomStore } from './room.svelte';
import { settings } from './settings.svelte';

const MATCH = 'a'.repeat(32);
let store: RoomStore;
let seq: number;

beforeEach(() => {
  vi.useFakeTimers();
  const page = fakePage();
  FakeSocket.all = [];
  toasts.words = [];
  settings.lang = 'en';
  seq = 0;
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('document', page.document);
  vi.stubGlobal('location', { protocol: 'https:', host: 'here' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', page.window.addEventListener.bind(page.window));
  vi.stubGlobal('removeEventListener', page.window.removeEventListener.bind(page.window));
  store = openRoom('123456');
});

afterEach(() => {
  store.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

/** The server's side: welcome and the room. */
function enter(room: Record<string, unknown> = {}): FakeSocket {
  const server = FakeSocket.last;
  server.open();
  server.say({ type: 'welcome', protocol: 1, server: 's', player: 'p', name: 'n', connection: 'c' });
  tell(server, {
    type: 'room',
    code: '123456',
    settings: {},
    stage: 'playing',
    chairs: [],
    you: 0,
    match: MATCH,
    ...room,
  });
  return server;
}

function tell(server: FakeSocket, message: Record<string, unknown>): void {
  server.say({ seq: ++seq, ...message });
}

function table(server: FakeSocket, offer: number | null, more: Record<string, unknown> = {}): void {
  const mine = { seat: 0, hand: '123m', offer, legal: offer === null ? [] : ['discard 1m', 'pass'], ...more };
  tell(server, { type: 'table', match: MATCH, hand: 0, table: { phase: 'turn', seats: [] }, mine });
}

async function reconnect(): Promise<FakeSocket> {
  await vi.advanceTimersByTimeAsync(1000);
  return enter();
}

const words = () => toasts.words.map((word) => word.text);

describe('a choice', () => {
  it('is sent once, for the offer on show', async () => {
    const server = enter();
    table(server, 7);
    store.act('discard 1m');
    store.act('discard 1m');
    store.act('pass');
    expect(server.of('act')).toMatchObject([{ offer: 7, action: 'discard 1m' }]);
    expect(store.decided).toBe(true);
    table(server, 7); // shown again before the answer came
    expect(server.of('act')).toHaveLength(1);
    server.say({ type: 'done', ref: server.of('act')[0]!.ref });
    await settle();
    table(server, null, { answered: true });
    table(server, 8);
    store.act('pass');
    expect(server.of('act').map((act) => act.offer)).toEqual([7, 8]);
    expect(words()).toEqual([]);
  });

  it('needs an offer', () => {
    const server = enter();
    store.act('pass');
    table(server, null);
    store.act('pass');
    expect(server.of('act')).toEqual([]);
  });

  it('is sent again after a loss where it never arrived', async () => {
    const first = enter();
    table(first, 7);
    store.act('discard 1m');
    first.lose();
    const second = await reconnect();
    expect(second.of('act')).toEqual([]);
    table(second, 7);
    table(second, 7);
    expect(second.of('act')).toMatchObject([{ offer: 7, action: 'discard 1m' }]);
    expect(words()).toEqual([]);
  });

  it('is sent once more after each loss, never twice on a connection', async () => {
    let server = enter();
    table(server, 7);
    store.act('discard 1m');
    for (let times = 0; times < 3; times++) {
      server.lose();
      server = await reconnect();
      table(server, 7);
      table(server, 7);
      expect(server.of('act')).toHaveLength(1);
    }
  });

  it('is not sent again where it was answered before the loss', async () => {
    const first = enter();
    table(first, 7);
    store.act('pass');
    first.say({ type: 'done', ref: first.of('act')[0]!.ref });
    await settle();
    first.lose();
    const second = await reconnect();
    table(second, null, { answered: true });
    table(second, 9);
    expect(second.of('act')).toEqual([]);
    expect(words()).toEqual([]);
  });

  it('that may have arrived is said to be uncertain, unless the table shows it', async () => {
    const first = enter();
    table(first, 7);
    store.act('pass');
    first.lose();
    const second = await reconnect();
    table(second, null, { answered: true });
    expect(words()).toEqual([]);
    table(second, 8);
    store.act('pass');
    second.lose();
    const third = await reconnect();
    table(third, 9);
    expect(third.of('act')).toEqual([]);
    expect(words()).toEqual([texts.en['core.unsure']]);
    store.act('pass');
    expect(third.of('act')).toMatchObject([{ offer: 9 }]);
  });

  it('made without a connection waits for one, and is told when it came too late', async () => {
    const first = enter();
    table(first, 7);
    first.lose();
    store.act('pass');
    const second = await reconnect();
    table(second, 7);
    expect(second.of('act')).toMatchObject([{ offer: 7 }]);
    table(second, 8);
    second.lose();
    store.act('pass');
    const third = await reconnect();
    table(third, 9);
    expect(third.of('act')).toEqual([]);
    expect(words()).toEqual([texts.en['core.late']]);
  });

  it('that came too late is told, and does not stand in the way of the next', async () => {
    const server = enter();
    table(server, 7);
    store.act('pass');
    server.say({ type: 'refused', code: 'stale', why: 'late', ref: server.of('act')[0]!.ref });
    table(server, 8);
    await settle();
    expect(words()).toEqual([texts.en['core.late']]);
    store.act('pass');
    expect(server.of('act').map((act) => act.offer)).toEqual([7, 8]);
  });

  it('that was refused is told with its clause, and another may be made', async () => {
    const server = enter();
    table(server, 7);
    store.act('discard 1m');
    server.say({
      type: 'refused',
      code: 'illegal',
      why: 'not this one',
      clause: 'R3.6',
      ref: server.of('act')[0]!.ref,
    });
    await settle();
    expect(toasts.words[0]?.clause).toBe('R3.6');
    expect(store.decided).toBe(false);
    expect(store.refusals).toHaveLength(1);
    store.act('pass');
    expect(server.of('act')).toHaveLength(2);
  });

  it('waits while the table is paused', async () => {
    const first = enter();
    table(first, 7);
    store.act('pass');
    first.lose();
    await vi.advanceTimersByTimeAsync(1000);
    const second = enter({ stage: 'paused' });
    table(second, 7);
    expect(second.of('act')).toEqual([]);
    tell(second, { type: 'room', settings: {}, stage: 'playing', chairs: [], you: 0, match: MATCH });
    table(second, 7);
    expect(second.of('act')).toHaveLength(1);
  });

  it('survives a restart of the server', async () => {
    const first = enter();
    table(first, 7);
    store.act('pass');
    first.say({ type: 'goodbye', code: 'draining', why: '' });
    expect(store.status).toBe('waiting');
    expect(store.farewell).toBeNull();
    const second = await reconnect();
    table(second, 4294967300);
    expect(second.of('act')).toEqual([]); // a new offer: it is for the player to decide
    store.act('pass');
    expect(second.of('act')).toMatchObject([{ offer: 4294967300 }]);
  });
});

describe('what comes', () => {
  it('is the truth: the last room and the last table', () => {
    const server = enter();
    table(server, 7);
    expect(store.me).toBe(0);
    expect(store.table?.mine?.offer).toBe(7);
    server.say({
      type: 'table',
      seq: 1,
      match: MATCH,
      hand: 0,
      table: { phase: 'turn' },
      mine: { seat: 0, hand: '', offer: 1 },
    });
    expect(store.table?.mine?.offer).toBe(7); // an older one
    tell(server, { type: 'room', settings: {}, stage: 'open', chairs: [], you: 0, match: 'b'.repeat(32) });
    expect(store.table).toBeNull();
  });

  it('counts anew on another connection', async () => {
    const first = enter();
    table(first, 7);
    first.lose();
    seq = 0;
    const second = await reconnect();
    table(second, 8);
    expect(store.table?.mine?.offer).toBe(8);
  });

  it('may be the end', () => {
    enter().say({ type: 'goodbye', code: 'taken_over', why: 'elsewhere' });
    expect(store.status).toBe('closed');
    expect(store.farewell).toEqual({ code: 'taken_over', why: 'elsewhere' });
  });

  it('may be nothing, without a network', () => {
    const server = enter();
    vi.stubGlobal('navigator', { onLine: false });
    server.lose();
    expect(store.status).toBe('offline');
    expect(store.retryAt).toBeGreaterThan(performance.now());
  });
});

describe('advice', () => {
  const answer = (server: FakeSocket, offer: number) =>
    server.say({ type: 'advice', offer, best: 'pass', actions: [], ref: server.of('advise').at(-1)!.ref });

  it('is asked for once per offer, and kept for its offer alone', () => {
    const server = enter();
    table(server, 7);
    store.advise();
    store.advise();
    expect(server.of('advise')).toHaveLength(1);
    answer(server, 7);
    expect(store.advice?.best).toBe('pass');
    table(server, 8);
    expect(store.advice).toBeNull();
    store.advise();
    answer(server, 7); // late
    expect(store.advice).toBeNull();
  });

  it('is not asked for where nothing is asked, or the room plays without hints', () => {
    const server = enter();
    table(server, null);
    store.advise();
    expect(server.of('advise')).toEqual([]);
  });

  it('that is refused says nothing, and may be asked for again', async () => {
    const server = enter();
    table(server, 7);
    store.advise();
    server.say({ type: 'refused', code: 'not_now', why: '', ref: server.of('advise')[0]!.ref });
    await settle();
    expect(store.refusals).toEqual([]);
    store.advise();
    expect(server.of('advise')).toHaveLength(2);
  });
});

describe('commands', () => {
  it('say ready with a nonce that nobody foresees', async () => {
    const server = enter();
    const ready = store.ready();
    expect(server.of('ready')[0]!.nonce).toMatch(/^[0-9a-f]{32}$/);
    server.say({ type: 'done', ref: server.of('ready')[0]!.ref });
    await ready;
  });

  it('are rejected with what refused them', async () => {
    const server = enter();
    const kicked = store.kick(2);
    server.say({ type: 'refused', code: 'not_owner', why: 'no', ref: server.of('kick')[0]!.ref });
    await expect(kicked).rejects.toMatchObject({ code: 'not_owner' });
  });
});
