/** A WebSocket for tests: nothing is sent anywhere, and the test plays the server. */

export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];

  readyState = FakeSocket.CONNECTING;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  // ---------------------------------------------------------------- the server's side

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  say(message: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The connection breaks, without a word. */
  lose(): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.();
  }

  /** What was sent of a type. */
  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((one) => one.type === type);
  }
}

/** A page without a browser: as much of one as the connection needs. */
export function fakePage(): { window: EventTarget; document: EventTarget & { visibilityState: string } } {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  return { window, document };
}
