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

/** How much of a tile is seen beside the next one where melds are packed: of equal ones little is enough. */
const SEEN = { equal: 0.4, other: 0.86 } as const;
/** How much of a packed flower is seen: what it is called stands on its left. */
export const FLOWER_SEEN = 0.6;

/** How a meld lies where there is little room: one tile is seen whole, the others are tucked under it. */
export function packing(pieces: readonly Piece[]): { whole: number; seen: number } {
  const codes = new Set(pieces.map((piece) => piece.code).filter((code) => code !== null));
  const turned = pieces.findIndex((piece) => piece.turned);
  const face = pieces.findLastIndex((piece) => piece.code !== null);
  const whole = turned >= 0 ? turned : face >= 0 ? face : pieces.length - 1;
  return { whole, seen: codes.size <= 1 ? SEEN.equal : SEEN.other };
}

/** Width of a meld in tile widths. */
export function meldWidth(pieces: readonly Piece[], packed = false): number {
  const { whole, seen } = packing(pieces);
  const widths = pieces.map((piece, i) => (piece.turned ? WIDE : packed && i !== whole ? seen : 1));
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Width of flowers in tile widths, where they are packed. */
export const flowerWidth = (flowers: number): number => 1 + FLOWER_SEEN * (flowers - 1);
