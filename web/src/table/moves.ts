import type { Event } from './words';

/** No movement longer than this, in milliseconds. */
const MOVE = 220;
/**
 * So long an animation goes on when its tile has come to rest. Browsers that move things apart from the page's
 * thread come back to it for the end of an animation, and some 40 ms before: that work is not to be seen in the
 * movement.
 */
const REST = 80;
/** By which measurements know them (tests/browser/frames.py). */
const ID = 'tile';
/** Until a movement is on its way, and until it has come to rest. */
const FRAMES = 100;

export function still(): boolean {
  return (
    document.documentElement.dataset.motion === 'off' ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

const GLIDE = 'cubic-bezier(0.2, 0.75, 0.3, 1)';

interface Flight {
  element: HTMLElement;
  from: DOMRect;
}

let landing = 0;
/** Whether tiles are on their way, by `performance.now()`: what can wait does. */
export function moving(now: number): boolean {
  return now < landing;
}

/** Those that flew last. */
let landed: HTMLElement[] = [];

/**
 * Sets the tiles in motion that the events tell of: they fly from where they came to where they lie now. All
 * places are read first and moved then, so that the page is laid out once.
 */
export function setInMotion(
  events: readonly Event[],
  board: HTMLElement,
  me: number | null,
  hand: DOMRect | null,
): void {
  if (still()) return;
  const flights: Flight[] = [];
  const one = (selector: string) => board.querySelector<HTMLElement>(selector);
  const placeOf = (selector: string) => one(selector)?.getBoundingClientRect() ?? null;
  const last = (selector: string) => {
    const all = board.querySelectorAll<HTMLElement>(selector);
    return all[all.length - 1] ?? null;
  };
  const fly = (element: HTMLElement | null, from: DOMRect | null) => {
    if (element && from) flights.push({ element, from });
  };
  const seatPlace = (seat: number) => placeOf(`[data-testid="seat-${seat}"] .plate`);
  for (const event of events.slice(-4)) {
    const seat = event.seat ?? -1;
    if (event.type === 'discard') {
      const place = seat === me && hand ? hand : seatPlace(seat);
      fly(one(`[data-testid="river-${seat}"] [data-last]`), place);
    } else if (event.type === 'chow' || event.type === 'pong' || event.type === 'kong') {
      const from = event.from === undefined ? seatPlace(seat) : lastPlace(board, event.from);
      fly(last(`[data-melds="${seat}"] .meld`), from);
    } else if (event.type === 'flower') {
      fly(last(`[data-flowers="${seat}"] .tile`), placeOf('[data-testid="centre"]'));
    } else if (event.type === 'draw' && seat === me) {
      fly(one('[data-drawn] .tile'), placeOf('[data-testid="centre"]'));
    }
  }
  const deal = events.some((event) => event.type === 'deal');
  if (deal) dealt(board);
  const moves = flights.map(({ element, from }) => ({ element, from, to: element.getBoundingClientRect() }));
  if (deal || moves.length > 0) landing = performance.now() + MOVE + REST + FRAMES;
  if (moves.length === 0) return;
  for (const element of landed) element.style.transform = '';
  landed = moves.map((move) => move.element);
  const duration = MOVE + REST;
  for (const { element, from, to } of moves) {
    // With none the row would be laid out anew where it lands, for what is moved holds what lies in it; this
    // moves nothing.
    element.style.transform = 'translate(0)';
    const dx = from.left + from.width / 2 - (to.left + to.width / 2);
    const dy = from.top + from.height / 2 - (to.top + to.height / 2);
    // Nothing but transform and opacity, which move without the page being painted. What flies is the last of
    // its row, and so above the others.
    element.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(1.12)`, opacity: 0.4, easing: GLIDE },
        { opacity: 1, offset: (0.15 * MOVE) / duration },
        { transform: 'translate(0)', offset: MOVE / duration },
        { transform: 'translate(0)' },
      ],
      { id: ID, duration },
    );
  }
}

function lastPlace(board: HTMLElement, seat: number): DOMRect | null {
  const tiles = board.querySelectorAll<HTMLElement>(`[data-testid="river-${seat}"] li`);
  return tiles[tiles.length - 1]?.getBoundingClientRect() ?? null;
}

/** The hand comes up tile by tile; all of it ends at once, for each end is work. */
function dealt(board: HTMLElement): void {
  const tiles = [...board.querySelectorAll<HTMLElement>('[data-testid="hand"] .slot .tile')];
  const [step, rise] = [8, 130];
  const duration = tiles.length * step + rise + REST;
  tiles.forEach((tile, i) => {
    const below = { transform: 'translateY(26px)', opacity: 0 };
    const there = { transform: 'translateY(0)', opacity: 1 };
    tile.animate(
      [
        below,
        { ...below, offset: (i * step) / duration, easing: 'ease-out' },
        { ...there, offset: (i * step + rise) / duration },
        there,
      ],
      { id: ID, duration },
    );
  });
}
