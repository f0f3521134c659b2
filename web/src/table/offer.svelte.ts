import { parse } from './words';

/** Verbs in the order of their places; each has its own, always. */
export const PLACES = ['chow', 'pong', 'kong', 'win', 'pass'] as const;
export type Place = (typeof PLACES)[number];

export interface Button {
  verb: Place | 'ready';
  /** All actions behind it; more than one: a choice. */
  actions: string[];
}

/** Legal actions as buttons, by place; discards belong to the hand. */
export function buttonsOf(legal: readonly string[]): Partial<Record<Place, Button>> {
  const buttons: Partial<Record<Place, Button>> = {};
  for (const action of legal) {
    const { verb } = parse(action);
    if (verb === 'discard' || verb === 'ga') continue;
    const place = (verb === 'ready' ? 'chow' : verb) as Place;
    const button = buttons[place];
    if (button) button.actions.push(action);
    else buttons[place] = { verb: verb as Button['verb'], actions: [action] };
  }
  return buttons;
}

/** What may be chosen as ga. */
export function gasOf(legal: readonly string[]): number[] {
  return legal.flatMap((action) => (action.startsWith('ga ') ? [Number(action.slice(3))] : []));
}

/** Kinds that may be discarded (or discarded with the declaration of being ready). */
export function discardsOf(legal: readonly string[], verb: 'discard' | 'ready' = 'discard'): Set<string> {
  return new Set(
    legal.flatMap((action) => (action.startsWith(`${verb} `) ? [action.slice(verb.length + 1)] : [])),
  );
}

/** How long a button that has just come can't be pressed, in milliseconds. */
export const GUARD = 300;

/**
 * Since when each button is shown: one that has just come, or has come again for another offer, is not pressed
 * by a finger that was on its way already.
 */
export class Guard {
  #since = new Map<string, number>();
  #offer: number | null = null;

  /** Tell what is on show now. */
  show(offer: number | null, names: readonly string[], now: number): void {
    if (offer !== this.#offer) {
      this.#since.clear();
      this.#offer = offer;
    }
    const shown = new Set(names);
    for (const name of this.#since.keys()) if (!shown.has(name)) this.#since.delete(name);
    for (const name of names) if (!this.#since.has(name)) this.#since.set(name, now);
  }

  /** Whether a press at this time counts. */
  passes(name: string, now: number): boolean {
    const since = this.#since.get(name);
    return since !== undefined && now - since >= GUARD;
  }
}
