/** `15m3z` as `['1m', '5m', '3z']`. */
export function tilesOf(text: string | null | undefined): string[] {
  const tiles: string[] = [];
  let digits = '';
  for (const sign of text ?? '') {
    if (sign >= '0' && sign <= '9') {
      digits += sign;
    } else {
      for (const digit of digits) tiles.push(digit + sign);
      digits = '';
    }
  }
  return tiles;
}

/** Takes one tile of a kind out of a hand; the hand itself where there is none. */
export function without(hand: readonly string[], tile: string): string[] {
  const place = hand.lastIndexOf(tile);
  return place < 0 ? [...hand] : [...hand.slice(0, place), ...hand.slice(place + 1)];
}
