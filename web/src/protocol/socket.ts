/** The connection to a room: hello, coming back after a loss, numbers and answers. It knows no game. */
import {
  type ClientMessage,
  type Goodbye,
  PROTOCOL,
  type Refusal,
  type Refused,
  type ServerMessage,
} from './generated';

export type Status = 'connecting' | 'open' | 'waiting' | 'closed';
type Sent<T> = T extends ClientMessage ? Omit<T, 'ref'> : never;
export type Command = Sent<ClientMessage>;

export interface Listener {
  message(message: ServerMessage): void;
  /** Where the connection stands; `retryAt` in `performance.now()` while it waits to try again. */
  status(status: Status, retryAt: number | null): void;
  /** It has ended for good, and why. */
  farewell(code: Refusal, why: string): void;
}

/** Whoever is sent away with these may come back by himself. */
const PASSING: ReadonlySet<string> = new Set(['draining', 'busy', 'storage', 'internal', 'too_fast']);
const FIRST_MS = 500;
const MOST_MS = 15_000;
const GROWTH = 1.7;
const SILENCE_MS = 20_000;
const ANSWER_MS = 8_000;

/** Nobody answered: the connection was lost first. */
export class Lost extends Error {}

/** Milliseconds until the n-th try, with jitter, so that not everybody comes back at once. */
export function delay(tries: number, random: () => number = Math.random): number {
  return Math.min(FIRST_MS * GROWTH ** tries, MOST_MS) * (0.7 + 0.6 * random());
}

interface Waiting {
  done(): void;
  failed(error: unknown): void;
}

export class RoomSocket {
  private socket: WebSocket | null = null;
  private readonly waiting = new Map<number, Waiting>();
  /** That of the last question. */
  lastRef = 0;
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private welcomed = false;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    addEventListener('online', this.woken);
    document.addEventListener('visibilitychange', this.woken);
    this.connect();
  }

  /** Whether something that is sent now has a chance to arrive. */
  get open(): boolean {
    return this.welcomed && this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a command; resolved when it is done, rejected with what refused it, or with `Lost`. */
  ask(command: Command): Promise<void> {
    const ref = ++this.lastRef;
    return new Promise((done, failed) => {
      if (!this.open) {
        failed(new Lost());
        return;
      }
      this.waiting.set(ref, { done, failed });
      this.socket?.send(JSON.stringify({ ...command, ref }));
    });
  }

  /** Try again now. */
  readonly hurry = (): void => {
    if (this.ended || this.socket !== null) return;
    clearTimeout(this.retry);
    this.connect();
  };

  /** After a sleep, or in another network, a connection may be dead without knowing it. */
  private readonly woken = (): void => {
    if (document.visibilityState !== 'visible' || this.ended) return;
    if (this.socket === null) this.hurry();
    else if (this.welcomed) this.probe();
  };

  close(): void {
    this.ended = true;
    clearTimeout(this.retry);
    clearTimeout(this.watch);
    removeEventListener('online', this.woken);
    document.removeEventListener('visibilitychange', this.woken);
    this.socket?.close(1000);
    this.socket = null;
    this.lose();
  }

  private connect(): void {
    this.welcomed = false;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.listener.status('connecting', null);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL }));
    socket.onmessage = (event) => this.heard(socket, String(event.data));
    socket.onclose = () => this.gone(socket);
    this.watchFor(ANSWER_MS, () => this.drop(socket));
  }

  private heard(socket: WebSocket, text: string): void {
    if (socket !== this.socket) return;
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === 'welcome') {
      this.welcomed = true;
      this.listener.status('open', null);
    }
    if (message.type === 'goodbye') {
      this.dismissed(socket, message);
      return;
    }
    if (message.type === 'room') this.tries = 0; // only now one is really there
    this.watchFor(SILENCE_MS, () => this.probe());
    if (message.type === 'done' || message.type === 'advice') this.answered(message.ref ?? 0)?.done();
    else if (message.type === 'refused') this.refused(message);
    this.listener.message(message);
  }

  private dismissed(socket: WebSocket, message: Goodbye): void {
    this.listener.message(message);
    if (PASSING.has(message.code)) {
      this.drop(socket);
      return;
    }
    this.close();
    this.listener.status('closed', null);
    this.listener.farewell(message.code, message.why);
  }

  private refused(message: Refused): void {
    if (message.ref != null) this.answered(message.ref)?.failed(message);
  }

  private answered(ref: number): Waiting | undefined {
    const found = this.waiting.get(ref);
    this.waiting.delete(ref);
    return found;
  }

  /** Is anybody there? */
  private probe(): void {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ type: 'ping' }));
    this.watchFor(ANSWER_MS, () => this.drop(socket));
  }

  private watchFor(milliseconds: number, then: () => void): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(then, milliseconds);
  }

  /** A connection that says nothing is none: its own close may take minutes. */
  private drop(socket: WebSocket): void {
    socket.onclose = null;
    socket.close();
    this.gone(socket);
  }

  private gone(socket: WebSocket): void {
    if (socket !== this.socket || this.ended) return;
    clearTimeout(this.watch);
    this.socket = null;
    this.welcomed = false;
    this.lose();
    const wait = delay(this.tries++);
    this.listener.status('waiting', performance.now() + wait);
    this.retry = setTimeout(() => this.connect(), wait);
  }

  private lose(): void {
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of lost) one.failed(new Lost());
  }
}
