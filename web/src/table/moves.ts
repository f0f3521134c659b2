import type { Event } from './words';

/** No movement longer than this, in milliseconds. */
export const MOVE = 220;
/** Until a movement is on its way, and until it has come to rest. */
const FRAMES = 100;

export function still(): boolean {
  return (
    document.documentElement.dataset.motion === 'off' ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

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
  if (deal || moves.length > 0) landing = performance.now() + MOVE + FRAMES;
  if (moves.length === 0) return;
  for (const element of landed) element.style.transform = '';
  landed = moves.map((move) => move.element);
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
        { transform: `translate(${dx}px, ${dy}px) scale(1.12)`, opacity: 0.4 },
        { opacity: 1, offset: 0.25 },
        { transform: 'translate(0)' },
      ],
      { duration: MOVE, easing: 'cubic-bezier(0.2, 0.75, 0.3, 1)' },
    );
  }
}

function lastPlace(board: HTMLElement, seat: number): DOMRect | null {
  const tiles = board.querySelectorAll<HTMLElement>(`[data-testid="river-${seat}"] li`);
  return tiles[tiles.length - 1]?.getBoundingClientRect() ?? null;
}

function dealt(board: HTMLElement): void {
  board.querySelectorAll<HTMLElement>('[data-testid="hand"] .slot .tile').forEach((tile, i) => {
    tile.animate(
      [
        { transform: 'translateY(26px)', opacity: 0 },
        { transform: 'none', opacity: 1 },
      ],
      {
        duration: 130,
        delay: i * 8,
        fill: 'backwards',
        easing: 'ease-out',
      },
    );
  });
}
