/** Tiles as text, in the order given: the other way round than `tilesOf`. */
import { tilesOf } from '../table/mpsz';

export function textOf(tiles: readonly string[]): string {
  let text = '';
  tiles.forEach((tile, place) => {
    const next = tiles[place + 1];
    text += next !== undefined && next[1] === tile[1] ? tile[0] : tile;
  });
  return text;
}

const SUITS = 'mpszf';
const numbered = (suit: string, upTo: number) => Array.from({ length: upTo }, (_, i) => `${i + 1}${suit}`);
/** All kinds, a row for each suit. */
export const ROWS: readonly (readonly string[])[] = [
  numbered('m', 9),
  numbered('p', 9),
  numbered('s', 9),
  numbered('z', 7),
];
export const FLOWERS: readonly string[] = numbered('f', 8);

/** In the order in which a hand is held. */
export function sorted(tiles: readonly string[]): string[] {
  const place = (tile: string) => SUITS.indexOf(tile[1] ?? '') * 10 + Number(tile[0]);
  return [...tiles].sort((one, other) => place(one) - place(other));
}

export const countOf = (text: string | undefined): number => tilesOf(text).length;
