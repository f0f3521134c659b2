/** The shuffle `hainan-shuffle/1`, worked out in the page: src/hainan/shuffle.py says how it goes. */
import { tilesOf } from '../table/mpsz';
import { FLOWERS, ROWS } from './tiles';

const ALGORITHM = 'hainan-shuffle/1';
const WORDS = 2 ** 32;

export interface Shuffle {
  algorithm: string;
  commitment: string;
  seed: string;
  nonces: string[];
}

export interface Deal {
  dice: [number, number];
  wall: string[];
}

export interface Check {
  what: 'published' | 'commitment' | 'dice' | 'wall';
  holds: boolean;
  found: string;
  /** For the wall: how many tiles lie elsewhere, and the first of those places. */
  differ?: number;
  first?: number;
}

/** Whether this browser can do it; over plain HTTP from another machine none can. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined;

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new Error('not hexadecimal');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function joined(...parts: (string | number | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map((part) =>
    typeof part === 'string'
      ? new TextEncoder().encode(part)
      : typeof part === 'number'
        ? Uint8Array.of(part)
        : part,
  );
  const all = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function bigEndian(number: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(length - 4, number);
  return bytes;
}

export async function commitmentOf(seed: string): Promise<string> {
  return hexOf(await sha256(joined(ALGORITHM, 0, bytesOf(seed))));
}

/** Numbers below a bound, each as likely as any other. */
async function stream(seed: string, nonces: readonly string[]): Promise<(below: number) => Promise<number>> {
  const mixed = nonces.map((nonce) => {
    const text = new TextEncoder().encode(nonce);
    return joined(bigEndian(text.length, 4), text);
  });
  const key = await sha256(joined(ALGORITHM, 1, bytesOf(seed), ...mixed));
  let block = new DataView(new ArrayBuffer(0));
  let blocks = 0;
  let at = 0;
  async function word(): Promise<number> {
    if (at >= block.byteLength) {
      block = new DataView((await sha256(joined(key, bigEndian(blocks, 8)))).buffer);
      blocks += 1;
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  }
  return async (below) => {
    const fair = WORDS - (WORDS % below);
    let drawn = await word();
    while (drawn >= fair) drawn = await word();
    return drawn % below;
  };
}

/** The tiles of a sheet, sorted (R1.1). */
export function fullSet(rules: Record<string, unknown>): string[] {
  const kinds = ROWS.flat().filter(
    (tile) =>
      tile[1] !== 'z' || !(rules.no_honors === true || (rules.no_winds === true && Number(tile[0]) <= 4)),
  );
  return [...kinds.flatMap((tile) => [tile, tile, tile, tile]), ...FLOWERS];
}

/** Dice and wall that a seed and the players' nonces give. */
export async function dealOf(
  seed: string,
  nonces: readonly string[],
  rules: Record<string, unknown>,
): Promise<Deal> {
  const below = await stream(seed, nonces);
  const dice: [number, number] = [1 + (await below(6)), 1 + (await below(6))];
  const wall = fullSet(rules);
  for (let place = wall.length - 1; place > 0; place--) {
    const other = await below(place + 1);
    [wall[place], wall[other]] = [wall[other]!, wall[place]!];
  }
  return { dice, wall };
}

/** The shuffle that a stored record carries; null where it carries none that can be read. */
export function shuffleIn(record: Record<string, unknown>): Shuffle | null {
  const stored = record.shuffle as Partial<Shuffle> | undefined;
  const right =
    stored?.algorithm === ALGORITHM &&
    typeof stored.commitment === 'string' &&
    typeof stored.seed === 'string' &&
    /^[0-9a-f]{64}$/i.test(stored.seed) &&
    Array.isArray(stored.nonces ?? []);
  return right ? { ...(stored as Shuffle), nonces: stored.nonces ?? [] } : null;
}

/** Every check of a record; `published` is the commitment that was told before the deal, if it is known. */
export async function checksOf(
  record: Record<string, unknown>,
  shuffle: Shuffle,
  published: string | null,
): Promise<Check[]> {
  const commitment = await commitmentOf(shuffle.seed);
  const deal = await dealOf(shuffle.seed, shuffle.nonces, (record.rules ?? {}) as Record<string, unknown>);
  const dice = (record.dice ?? [1, 1]) as number[];
  const wall = tilesOf(String(record.wall ?? ''));
  const places = Array.from({ length: Math.max(wall.length, deal.wall.length) }, (_, place) => place);
  const wrong = places.filter((place) => wall[place] !== deal.wall[place]);
  const checks: Check[] = [
    { what: 'commitment', holds: commitment === shuffle.commitment.toLowerCase(), found: commitment },
    { what: 'dice', holds: dice[0] === deal.dice[0] && dice[1] === deal.dice[1], found: deal.dice.join(' ') },
    {
      what: 'wall',
      holds: wrong.length === 0,
      found: deal.wall.join(''),
      differ: wrong.length,
      first: wrong[0] ?? 0,
    },
  ];
  if (published !== null) {
    checks.unshift({ what: 'published', holds: published.toLowerCase() === commitment, found: published });
  }
  return checks;
}
