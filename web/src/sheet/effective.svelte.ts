/** Option sheets as they count at a table: what the server makes of a preset, its changes and the players. */
import type { Failure, Settings, SheetView } from '../protocol/generated';
import { ApiError, api } from '../protocol/http';

type Asked = Pick<Settings, 'rules' | 'players'>;
const MOST = 50;
const answers = new Map<string, Promise<SheetView>>();

/** The server's answer, asked once for every sheet; a failure is asked again. */
export function effective({ rules, players }: Asked): Promise<SheetView> {
  const asked = { rules: rules ?? {}, players: players ?? 4 };
  const key = JSON.stringify(asked);
  const known = answers.get(key);
  if (known) return known;
  if (answers.size >= MOST) answers.clear();
  const answer = api.post<SheetView>('/api/sheet', asked);
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}

/** A sheet that may change, as it counts. */
export class Effective {
  /** The last answer, with what has been set since; null before the first one. */
  view: SheetView | null = $state.raw(null);
  /** Whether that is the answer to the sheet as it is now. */
  settled = $state(false);
  /** Why there is none for the sheet as it is now. */
  error: ApiError | Failure | null = $state.raw(null);
  private last: SheetView | null = null;
  private turn = 0;

  /** Of a component: the sheet that `asked` tells, whenever it changes. */
  static of(asked: () => Asked | null): Effective {
    const made = new Effective();
    $effect(() => {
      const sheet = asked();
      if (sheet !== null) void made.follow(sheet);
    });
    return made;
  }

  /** Another sheet: shown at once by what it sets itself, then as the server answers. */
  async follow(sheet: Asked): Promise<void> {
    const turn = ++this.turn;
    this.settled = false;
    if (this.last !== null) this.view = { ...this.last, values: { ...this.last.values, ...set(sheet) } };
    try {
      const answer = await effective(sheet);
      if (turn !== this.turn) return;
      this.error = answer.problem ?? null;
      if (this.error !== null) return;
      this.view = this.last = answer;
      this.settled = true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn === this.turn) this.error = error;
    }
  }
}

function set({ rules }: Asked): Record<string, unknown> {
  const { preset: _, ...values } = rules ?? {};
  return values;
}
