/** A room as the page sees it: what the server said last, and everything that can be asked of it. */
import { t } from '../i18n/index.svelte';
import type {
  AdviceAnswer,
  Ballot,
  Refusal,
  Refused,
  Room,
  ServerMessage,
  Settings,
  Table,
  Told,
  Welcome,
} from '../protocol/generated';
import { type Command, Lost, RoomSocket, type Status } from '../protocol/socket';
import { complain, numbered } from '../ui/refusals';
import { toast } from '../ui/toasts.svelte';

export type TableEvent = Record<string, unknown> & { id: number };
export interface Phrase {
  seat: number;
  phrase: string;
  id: number;
  at: number;
}

interface Choice {
  offer: number;
  action: string;
  /** Whether it was sent at all: while there is no connection it waits for one. */
  sent: boolean;
  /** Whether the connection was lost before an answer came. */
  lost: boolean;
}

const KEPT = 8;

export class RoomStore {
  status: Status | 'offline' = $state('connecting');
  retryAt: number | null = $state(null);
  farewell: { code: Refusal; why: string } | null = $state.raw(null);
  welcome: Welcome | null = $state.raw(null);
  room: Room | null = $state.raw(null);
  table: Table | null = $state.raw(null);
  /** On the offer on show, once it was asked for. */
  advice: AdviceAnswer | null = $state.raw(null);
  seen: { table: Table; at: number } | null = $state.raw(null);
  events: TableEvent[] = $state.raw([]);
  said: Phrase[] = $state.raw([]);
  notices: Told[] = $state.raw([]);
  refusals: Refused[] = $state.raw([]);
  /** When the next hand begins by itself, in `performance.now()`. */
  nextAt: number | null = $state(null);

  private readonly socket: RoomSocket;
  private count = 0;
  private choice: Choice | null = null;
  /** The offer that advice was asked on, and the ref of the question. */
  private advised: { offer: number; ref: number } | null = null;
  private highest = -1;

  constructor(readonly code: string) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new RoomSocket(`${scheme}://${location.host}/api/rooms/${code}/socket`, {
      message: (message) => this.take(message),
      status: (status, retryAt) => this.stand(status, retryAt),
      farewell: (code, why) => {
        this.farewell = { code, why };
      },
    });
  }

  /** One's own seat. */
  get me(): number | null {
    return this.room?.you ?? null;
  }

  /** Decide, for the offer of the table on show; a second decision for it is dropped. */
  act(action: string): void {
    const offer = this.table?.mine?.offer;
    if (offer == null || this.choice?.offer === offer) return;
    this.choice = { offer, action, sent: false, lost: false };
    this.decide();
  }

  /** Whether the offer on show has been answered here already. */
  get decided(): boolean {
    const offer = this.table?.mine?.offer;
    return offer != null && this.choice?.offer === offer;
  }

  ready = (): Promise<void> => this.ask({ type: 'ready', nonce: nonce() });
  sit = (seat?: number): Promise<void> =>
    this.ask(seat === undefined ? { type: 'sit' } : { type: 'sit', seat });
  leave = (): Promise<void> => this.ask({ type: 'leave' });
  watch = (): Promise<void> => this.ask({ type: 'watch' });
  addBot = (seat: number, policy: string): Promise<void> => this.ask({ type: 'add_bot', seat, policy });
  kick = (seat: number): Promise<void> => this.ask({ type: 'kick', seat });
  handOver = (seat: number): Promise<void> => this.ask({ type: 'hand_over', seat });
  change = (settings: Settings): Promise<void> => this.ask({ type: 'change', settings });
  start = (): Promise<void> => this.ask({ type: 'start' });
  auto = (on: boolean): Promise<void> => this.ask({ type: 'auto', on });
  vote = (on: Ballot, yes: boolean): Promise<void> => this.ask({ type: 'vote', on, yes });
  resume = (): Promise<void> => this.ask({ type: 'resume' });
  say = (phrase: string): Promise<void> => this.ask({ type: 'say', phrase });
  mute = (seat: number, on: boolean): Promise<void> => this.ask({ type: 'mute', seat, on });
  look = (): Promise<void> => this.ask({ type: 'look' });
  retry = (): void => this.socket.hurry();

  close(): void {
    this.socket.close();
  }

  private ask(command: Command): Promise<void> {
    return this.socket.ask(command);
  }

  // ---------------------------------------------------------------- what comes

  private stand(status: Status, retryAt: number | null): void {
    const offline = status === 'waiting' && !navigator.onLine;
    this.status = offline ? 'offline' : status;
    this.retryAt = retryAt;
    if (status !== 'open') this.advised = null;
  }

  private take(message: ServerMessage): void {
    if ('seq' in message) {
      if (message.seq <= this.highest) return; // told already
      this.highest = message.seq;
    }
    switch (message.type) {
      case 'welcome':
        this.welcome = message;
        this.highest = -1; // within a connection the order is the server's
        break;
      case 'room':
        this.takeRoom(message);
        break;
      case 'table':
        this.takeTable(message);
        break;
      case 'advice':
        if (message.offer === this.table?.mine?.offer) this.advice = message;
        break;
      case 'said':
        this.said = [
          ...this.said.slice(-KEPT),
          { seat: message.seat, phrase: message.phrase, id: ++this.count, at: Date.now() },
        ];
        break;
      case 'told':
        this.notices = [...this.notices.slice(-KEPT), message];
        break;
      case 'refused':
        if (message.ref != null && message.ref === this.advised?.ref) this.advised = null;
        else this.refusals = [...this.refusals.slice(-KEPT), message];
        break;
    }
  }

  private takeRoom(room: Room): void {
    this.room = room;
    this.nextAt = room.next_in == null ? null : performance.now() + room.next_in * 1000;
    if (room.match == null || (this.table !== null && this.table.match !== room.match)) {
      this.table = this.seen = this.advice = this.choice = null;
      this.events = [];
    }
  }

  private takeTable(table: Table): void {
    if (this.advice !== null && this.advice.offer !== table.mine?.offer) this.advice = null;
    this.table = table;
    this.seen = { table, at: performance.now() };
    this.events = (table.events ?? []).map((event) => ({ ...event, id: ++this.count }));
    if (this.choice !== null) this.checkChoice(table);
  }

  // ---------------------------------------------------------------- decisions

  /** Ask for advice on the offer on show, once. */
  advise(): void {
    const offer = this.table?.mine?.offer;
    if (offer == null || this.advised?.offer === offer || this.room?.settings.hints === false) return;
    this.ask({ type: 'advise' }).catch(() => undefined); // the offer was over: there is nothing to tell
    this.advised = { offer, ref: this.socket.lastRef };
  }

  private decide(): void {
    const choice = this.choice;
    if (choice === null) return;
    choice.lost = !this.socket.open;
    if (choice.lost) return; // the table that comes with the connection tells whether it is still wanted
    choice.sent = true;
    this.ask({ type: 'act', offer: choice.offer, action: choice.action }).catch((refused: unknown) => {
      if (refused instanceof Lost) {
        choice.lost = true;
        return;
      }
      if (this.choice === choice) this.choice = null;
      if ((refused as Refused).code === 'stale') toast(t('core.late'), 'warn');
      else complain(refused, (seat) => this.room?.chairs[seat]?.name ?? numbered(seat));
    });
  }

  /** After a loss: was the choice taken, is it still waited for, or did it come too late? */
  private checkChoice(table: Table): void {
    const choice = this.choice;
    if (choice === null) return;
    if (table.mine?.offer === choice.offer) {
      if (choice.lost && this.room?.stage !== 'paused') this.decide(); // it never arrived
      return;
    }
    this.choice = null;
    if (!choice.lost || table.mine?.answered) return;
    toast(t(choice.sent ? 'core.unsure' : 'core.late'), choice.sent ? 'info' : 'warn');
  }
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function openRoom(code: string): RoomStore {
  return new RoomStore(code);
}
