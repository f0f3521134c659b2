/** Option sheets as they count at a table: what the server makes of a preset, its changes and the players. */
import type { Failure, RuleBook, Settings, SheetView } from '../protocol/generated';
import { ApiError, api } from '../protocol/http';
import { book } from '../state/book.svelte';
import { presetOf } from './values';

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
  /** The answer; until it comes, what presets and settings say by themselves. */
  view: SheetView | null = $state.raw(null);
  /** Whether that is the answer to the sheet as it is now. */
  settled = $state(false);
  /** Why there is none for the sheet as it is now. */
  error: ApiError | Failure | null = $state.raw(null);
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
    this.view = book.data === null ? this.view : expected(book.data, sheet);
    try {
      const answer = await effective(sheet);
      if (turn !== this.turn) return;
      this.error = answer.problem ?? null;
      if (this.error !== null) return;
      this.view = answer;
      this.settled = true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn === this.turn) this.error = error;
    }
  }
}

/** A sheet before the server has said what of it counts. */
function expected(data: RuleBook, { rules }: Asked): SheetView {
  const defaults = Object.fromEntries(data.options.map((option) => [option.name, option.default]));
  const usual = { ...defaults, ...presetOf(data, { rules }).differences };
  const { preset: _, ...set } = rules ?? {};
  return { values: { ...usual, ...set }, usual, digest: null };
}
