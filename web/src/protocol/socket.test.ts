import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket, fakePage } from './fake';
import { delay, Lost, RoomSocket } from './socket';

const WELCOME = { type: 'welcome', protocol: 1, server: 's', player: 'p', name: 'n', connection: 'c' };
const ROOM = { type: 'room', seq: 1 };

let page: ReturnType<typeof fakePage>;
let told: string[];
let socket: RoomSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  page = fakePage();
  told = [];
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('document', page.document);
  vi.stubGlobal('addEventListener', page.window.addEventListener.bind(page.window));
  vi.stubGlobal('removeEventListener', page.window.removeEventListener.bind(page.window));
  socket = new RoomSocket('ws://here/api/rooms/123456/socket', {
    message: (message) => told.push(message.type),
    status: (status) => told.push(`is ${status}`),
    farewell: (code) => told.push(`farewell ${code}`),
  });
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function enter(): FakeSocket {
  const now = FakeSocket.last;
  now.open();
  now.say(WELCOME);
  now.say(ROOM);
  return now;
}

describe('the connection to a room', () => {
  it('says hello, and nothing before it was welcomed', async () => {
    const first = FakeSocket.last;
    first.open();
    expect(first.sent).toEqual([{ type: 'hello', protocol: 1 }]);
    await expect(socket.ask({ type: 'sit' })).rejects.toBeInstanceOf(Lost);
    expect(first.sent).toHaveLength(1);
    first.say(WELCOME);
    expect(told).toEqual(['is connecting', 'is open', 'welcome']);
  });

  it('tells each answer to whoever asked', async () => {
    const server = enter();
    const [sit, start] = [socket.ask({ type: 'sit' }), socket.ask({ type: 'start' })];
    const [first, second] = server.sent.slice(1).map((one) => one.ref);
    expect(first).not.toBe(second);
    server.say({ type: 'refused', code: 'not_owner', why: 'no', ref: second });
    server.say({ type: 'done', ref: first });
    await expect(sit).resolves.toBeUndefined();
    await expect(start).rejects.toMatchObject({ code: 'not_owner' });
  });

  it('comes back, and tells those who waited that their answers are lost', async () => {
    const server = enter();
    const asked = socket.ask({ type: 'sit' });
    server.lose();
    await expect(asked).rejects.toBeInstanceOf(Lost);
    expect(told.at(-1)).toBe('is waiting');
    vi.advanceTimersByTime(501);
    expect(FakeSocket.all).toHaveLength(2);
    enter();
    expect(FakeSocket.last.of('sit')).toEqual([]); // nothing is said twice by itself
  });

  it('waits longer each time, until a room was shown', () => {
    for (const wait of [500, 850, 1445]) {
      FakeSocket.last.open();
      FakeSocket.last.say(WELCOME);
      const before = FakeSocket.all.length;
      FakeSocket.last.lose();
      vi.advanceTimersByTime(wait - 2);
      expect(FakeSocket.all).toHaveLength(before);
      vi.advanceTimersByTime(4);
      expect(FakeSocket.all).toHaveLength(before + 1);
    }
    enter().lose();
    vi.advanceTimersByTime(502);
    expect(FakeSocket.all).toHaveLength(5);
  });

  it('waits a random time around that, at most 15 seconds', () => {
    expect(delay(0, () => 0)).toBeCloseTo(350);
    expect(delay(0, () => 1)).toBeCloseTo(650);
    expect(delay(50, () => 0.5)).toBeCloseTo(15_000);
  });

  it('does not wait when the network is back, or the page is looked at, or somebody presses', () => {
    enter().lose();
    page.window.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.lose();
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(FakeSocket.all).toHaveLength(3);
    FakeSocket.last.lose();
    socket.hurry();
    socket.hurry();
    expect(FakeSocket.all).toHaveLength(4);
    vi.advanceTimersByTime(5000);
    expect(FakeSocket.all).toHaveLength(4); // the wait that was cut short is over
  });

  it('asks after 20 seconds of silence, and gives up after 8 more', () => {
    const server = enter();
    vi.advanceTimersByTime(20_001);
    expect(server.of('ping')).toHaveLength(1);
    server.say({ type: 'pong' });
    vi.advanceTimersByTime(20_001);
    expect(server.of('ping')).toHaveLength(2);
    vi.advanceTimersByTime(8001);
    expect(told.at(-1)).toBe('is waiting');
  });

  it('asks at once after a sleep, and in another network', () => {
    const server = enter();
    page.document.visibilityState = 'hidden';
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(server.of('ping')).toHaveLength(0);
    page.document.visibilityState = 'visible';
    page.document.dispatchEvent(new Event('visibilitychange'));
    page.window.dispatchEvent(new Event('online'));
    expect(server.of('ping')).toHaveLength(2);
    vi.advanceTimersByTime(8001);
    expect(told.at(-1)).toBe('is waiting');
  });

  it('gives up a connection that never opens', () => {
    vi.advanceTimersByTime(8001);
    expect(told).toEqual(['is connecting', 'is waiting']);
  });

  it.each(['draining', 'busy', 'storage', 'internal', 'too_fast'])('comes back after %s', (code) => {
    enter().say({ type: 'goodbye', code, why: '' });
    expect(told.at(-1)).toBe('is waiting');
    vi.advanceTimersByTime(501);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it.each(['taken_over', 'kicked', 'no_such_room', 'not_signed_in', 'protocol'])('ends after %s', (code) => {
    const server = enter();
    server.say({ type: 'goodbye', code, why: '' });
    server.lose();
    page.window.dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(60_000);
    expect(told.slice(-2)).toEqual(['is closed', `farewell ${code}`]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('hears nothing of a connection that it has left', () => {
    const old = enter();
    vi.advanceTimersByTime(28_002);
    const before = told.length;
    old.say({ type: 'room', seq: 9 });
    old.lose();
    expect(told).toHaveLength(before);
  });
});
