import type { Meld } from '../protocol/generated';
import { tilesOf } from './mpsz';

export type Side = 'bottom' | 'right' | 'top' | 'left';
export const SIDES: readonly Side[] = ['bottom', 'right', 'top', 'left'];

/** On which side of the table a seat is drawn; the next player sits to the right, as at a real table. */
export function sideOf(seat: number, bottom: number, players: number): Side {
  const step = (seat - bottom + players) % players;
  if (step === 0) return 'bottom';
  if (players === 3) return step === 1 ? 'right' : 'left';
  return SIDES[step] as Side;
}

/** Who is drawn on a side; none on the far side of a table of three. */
export function seatOn(side: Side, bottom: number, players: number): number | null {
  for (let seat = 0; seat < players; seat++) if (sideOf(seat, bottom, players) === side) return seat;
  return null;
}

/** The seat's wind, as a tile. */
export function windOf(seat: number, dealer: number, players: number): string {
  return `${((seat - dealer + players) % players) + 1}z`;
}

/** Whether a flower belongs to the seat's own position (R2.3). */
export function isOwnFlower(flower: string, seat: number, dealer: number, players: number): boolean {
  const position = (seat - dealer + players) % players;
  return (Number(flower[0]) - 1) % 4 === position;
}

export interface Piece {
  /** null: face down. */
  code: string | null;
  turned: boolean;
  /** Lies on the turned tile: the fourth of an added kong. */
  on?: string | null;
}

/** How a meld lies: the claimed tile turned and on the side of whom it came from. */
export function piecesOf(meld: Meld, seat: number, players: number, own?: string): Piece[] {
  const upright = (code: string | null): Piece => ({ code, turned: false });
  if (meld.kind === 'concealed_kong') {
    const face = tilesOf(meld.tiles || own)[0] ?? null;
    return [null, face, face, null].map(upright);
  }
  const tiles = tilesOf(meld.tiles);
  const claimed = meld.claimed ?? tiles[0] ?? null;
  const rest = [...tiles];
  rest.splice(Math.max(rest.indexOf(claimed ?? ''), 0), 1);
  const added = meld.kind === 'added_kong' ? (rest.pop() ?? null) : undefined;
  const turned: Piece = { code: claimed, turned: true, ...(added === undefined ? {} : { on: added }) };
  const step = meld.from == null ? players - 1 : (meld.from - seat + players) % players;
  const place = step === players - 1 ? 0 : step === 1 ? rest.length : 1;
  return [...rest.slice(0, place).map(upright), turned, ...rest.slice(place).map(upright)];
}

/** Height of an upright tile, its width being 1. */
export const TALL = 1.425;
/** Width of a turned one. */
export const WIDE = 4 / 3;

/** Width of a meld in tile widths. */
export function meldWidth(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.turned ? WIDE : 1), 0);
}
