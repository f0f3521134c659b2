import type { Scene } from './scenes';

/** A room's store that knows one scene and notes down what it is told. */
export class FakeStore {
  status = $state('open');
  retryAt = $state<number | null>(null);
  farewell = null;
  welcome = null;
  room = $state.raw<Scene>(null);
  table = $state.raw<Scene>(null);
  seen = $state.raw<{ table: Scene; at: number } | null>(null);
  events = $state.raw<Scene[]>([]);
  said = $state.raw<Scene[]>([]);
  notices = $state.raw<Scene[]>([]);
  refusals = $state.raw<Scene[]>([]);
  pending = new Set<number>();
  nextAt = $state<number | null>(null);
  /** Every command, for tests. */
  did: unknown[][] = [];
  #said = 0;

  constructor(scene: Scene) {
    this.show(scene);
  }

  /** Another moment. */
  show(scene: Scene): void {
    this.room = scene.room;
    this.table = scene.table;
    this.status = scene.status ?? 'open';
    this.retryAt = scene.status ? performance.now() + 8000 : null;
    this.seen = scene.table ? { table: scene.table, at: performance.now() } : null;
    this.events = scene.table?.events ?? [];
    this.nextAt = scene.room?.next_in != null ? performance.now() + scene.room.next_in * 1000 : null;
  }

  get me(): number | null {
    return this.room?.you ?? null;
  }

  #note(...what: unknown[]): Promise<void> {
    this.did.push(what);
    return Promise.resolve();
  }

  act = (action: string) => this.#note('act', action);
  ready = () => this.#note('ready');
  sit = (seat?: number) => this.#note('sit', seat);
  leave = () => this.#note('leave');
  watch = () => this.#note('watch');
  start = () => this.#note('start');
  auto = (on: boolean) => this.#note('auto', on);
  vote = (on: string, yes: boolean) => this.#note('vote', on, yes);
  resume = () => this.#note('resume');
  look = () => this.#note('look');
  retry = () => this.#note('retry');
  mute = (seat: number, on: boolean) => this.#note('mute', seat, on);
  say = (phrase: string) => {
    this.said = [...this.said, { seat: this.me ?? 0, phrase, id: this.#said++, at: performance.now() }];
    return this.#note('say', phrase);
  };
}
