/** What the calculator asks: docs/formats.md, section 2, and how tapping builds it. */
import type { Item, Winner } from '../bill/lines';
import type { TableView } from '../protocol/generated';
import { tilesOf, without } from '../table/mpsz';
import { sorted, textOf } from './tiles';

export interface MeldRequest {
  kind: string;
  tiles: string;
  from?: number | null;
  back?: boolean;
}
export interface SeatRequest {
  hand: string;
  melds: MeldRequest[];
  flowers: string;
  ready: boolean;
}
export interface EndRequest {
  by: 'discard' | 'rob' | 'self_draw' | 'draw';
  from: number | null;
  tile: string | null;
  winners: number[];
  way: string | null;
}
export interface ScoreRequest {
  rules: Record<string, unknown>;
  players: number;
  dealer: number;
  streak: number;
  round_wind: string;
  ga: number[];
  remaining: number;
  wild: string | null;
  followed: number[];
  seats: SeatRequest[];
  end: EndRequest;
}
export interface ScoreAnswer {
  legal: boolean;
  why: string | null;
  winners: Winner[];
  payments: number[];
  items: Item[];
}
type Given = Partial<Omit<ScoreRequest, 'seats' | 'end'>> & {
  seats?: Partial<SeatRequest>[];
  end?: Partial<EndRequest>;
};

const NO_SEAT: SeatRequest = { hand: '', melds: [], flowers: '', ready: false };

/** A request with everything that it leaves out. */
export function complete(given: Given): ScoreRequest {
  const players = given.players ?? 4;
  return {
    rules: given.rules ?? { preset: 'hainan' },
    players,
    dealer: given.dealer ?? 0,
    streak: given.streak ?? 0,
    round_wind: given.round_wind ?? '1z',
    ga: given.ga ?? Array(players).fill(0),
    remaining: given.remaining ?? 60,
    wild: given.wild ?? null,
    followed: given.followed ?? [],
    seats: Array.from({ length: players }, (_, seat) => ({ ...NO_SEAT, ...given.seats?.[seat] })),
    end: { by: 'discard', from: null, tile: null, winners: [], way: null, ...given.end },
  };
}

/** A hand to begin with: seat 0 wins on a discard of the next player. */
export const fresh = (): ScoreRequest => complete({ end: { by: 'discard', from: 1, winners: [0] } });

/** Another number of players; what the seats that stay hold is kept. */
export function withPlayers(request: ScoreRequest, players: number): ScoreRequest {
  const stays = (seat: number | null) => seat !== null && seat < players;
  const winners = request.end.winners.filter(stays);
  const from = stays(request.end.from) ? request.end.from : null;
  return complete({
    ...request,
    players,
    dealer: stays(request.dealer) ? request.dealer : 0,
    ga: Array.from({ length: players }, (_, seat) => request.ga[seat] ?? 0),
    followed: request.followed.filter(stays),
    seats: request.seats.slice(0, players).map((seat) => ({
      ...seat,
      melds: seat.melds.filter((meld) => meld.from == null || stays(meld.from)),
    })),
    end: {
      ...request.end,
      winners: winners.length || request.end.by === 'draw' ? winners : [0],
      from,
    },
  });
}

/** How many concealed tiles there are beside the winning one. */
export const wanted = (seat: SeatRequest): number => 13 - 3 * seat.melds.length;

/** What still lacks before there is something to ask: seats with how many tiles, and the winning tile. */
export function lacking(
  request: ScoreRequest,
): { seat: number; tiles: number }[] | 'tile' | 'from' | 'winner' | null {
  if (request.end.by === 'draw') return null;
  if (request.end.winners.length === 0) return 'winner';
  const short = request.end.winners
    .map((seat) => ({
      seat,
      tiles: wanted(request.seats[seat]!) - tilesOf(request.seats[seat]!.hand).length,
    }))
    .filter((one) => one.tiles !== 0);
  if (short.length > 0) return short;
  if (request.end.tile === null) return 'tile';
  if (request.end.by !== 'self_draw' && request.end.from === null) return 'from';
  return null;
}

const shape = {
  chow: [0, 1, 2],
  pong: [0, 0, 0],
  exposed_kong: [0, 0, 0, 0],
  added_kong: [0, 0, 0, 0],
  concealed_kong: [0, 0, 0, 0],
} as const;
export type MeldKind = keyof typeof shape;
export const MELD_KINDS = Object.keys(shape) as MeldKind[];

/** The tiles of a meld above a lowest one; null where there are none such. */
export function meldTiles(kind: MeldKind, lowest: string): string | null {
  const number = Number(lowest[0]);
  if (kind === 'chow' && (lowest[1] === 'z' || number > 7)) return null;
  return textOf(shape[kind].map((step) => `${number + step}${lowest[1]}`));
}

function withSeat(request: ScoreRequest, seat: number, change: Partial<SeatRequest>): ScoreRequest {
  return { ...request, seats: request.seats.map((one, at) => (at === seat ? { ...one, ...change } : one)) };
}

export function addTile(request: ScoreRequest, seat: number, tile: string): ScoreRequest {
  const held = request.seats[seat]!;
  if (tile[1] === 'f')
    return withSeat(request, seat, { flowers: textOf(sorted([...tilesOf(held.flowers), tile])) });
  return withSeat(request, seat, { hand: textOf(sorted([...tilesOf(held.hand), tile])) });
}

export function takeTile(request: ScoreRequest, seat: number, tile: string): ScoreRequest {
  const held = request.seats[seat]!;
  if (tile[1] === 'f')
    return withSeat(request, seat, { flowers: textOf(without(tilesOf(held.flowers), tile)) });
  return withSeat(request, seat, { hand: textOf(without(tilesOf(held.hand), tile)) });
}

export function addMeld(request: ScoreRequest, seat: number, kind: MeldKind, lowest: string): ScoreRequest {
  const tiles = meldTiles(kind, lowest);
  if (tiles === null) return request;
  const from = kind === 'concealed_kong' ? null : (seat + request.players - 1) % request.players;
  const meld: MeldRequest = from === null ? { kind, tiles } : { kind, tiles, from };
  return withSeat(request, seat, { melds: [...request.seats[seat]!.melds, meld] });
}

export function changeMeld(
  request: ScoreRequest,
  seat: number,
  place: number,
  change: Partial<MeldRequest> | null,
): ScoreRequest {
  const melds = request.seats[seat]!.melds.flatMap((meld, at) =>
    at !== place ? [meld] : change === null ? [] : [{ ...meld, ...change }],
  );
  return withSeat(request, seat, { melds });
}

export function setReady(request: ScoreRequest, seat: number, ready: boolean): ScoreRequest {
  return withSeat(request, seat, { ready });
}

/** A request without what is as usual anyway: for the address. */
export function slim(request: ScoreRequest): Given {
  const usual = complete({ players: request.players });
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const kept = Object.entries(request).filter(
    ([name, value]) =>
      name === 'end' || (name === 'players' ? value !== 4 : !same(value, usual[name as keyof ScoreRequest])),
  );
  const left: Given = Object.fromEntries(kept);
  if (left.seats) {
    left.seats = request.seats.map((seat) =>
      Object.fromEntries(
        Object.entries(seat).filter(([name, value]) => !same(value, NO_SEAT[name as keyof SeatRequest])),
      ),
    );
  }
  left.end = Object.fromEntries(
    Object.entries(request.end).filter(([, value]) => value !== null && !same(value, [])),
  );
  return left;
}

/** A request in an address, after the `#`. */
export function toHash(request: ScoreRequest): string {
  return btoa(JSON.stringify(slim(request)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

export function fromHash(hash: string): ScoreRequest | null {
  try {
    const given: unknown = JSON.parse(atob(hash.replace(/-/g, '+').replace(/_/g, '/')));
    const readable = typeof given === 'object' && given !== null && !Array.isArray(given);
    if (!readable) return null;
    const request = complete(given as Given);
    return wellFormed(request) ? request : null;
  } catch {
    return null;
  }
}

/** Whether what came from an address can be drawn; whether it is right the server tells. */
function wellFormed(request: ScoreRequest): boolean {
  const text = (value: unknown) => typeof value === 'string';
  return (
    (request.players === 3 || request.players === 4) &&
    Array.isArray(request.ga) &&
    Array.isArray(request.followed) &&
    Array.isArray(request.end.winners) &&
    (request.end.tile === null || text(request.end.tile)) &&
    typeof request.rules === 'object' &&
    text(request.round_wind) &&
    request.seats.every(
      (seat) =>
        text(seat.hand) &&
        text(seat.flowers) &&
        Array.isArray(seat.melds) &&
        seat.melds.every((meld) => text(meld?.kind) && text(meld.tiles)),
    )
  );
}

/** The table that a bill lies on. */
export function viewOf(request: ScoreRequest): TableView {
  const { end } = request;
  return {
    phase: 'over',
    dealer: request.dealer,
    first_dealer: request.dealer,
    streak: request.streak,
    round_wind: request.round_wind,
    hands_played: 0,
    rounds_played: 0,
    dice: [1, 1],
    wall_break: [0, 2],
    remaining: request.remaining,
    wild: request.wild,
    seats: request.seats.map((seat, at) => {
      const drawn = end.by === 'self_draw' && end.winners.includes(at) && end.tile !== null ? [end.tile] : [];
      const hand = textOf(sorted([...tilesOf(seat.hand), ...drawn]));
      return {
        tiles: tilesOf(hand).length,
        hand,
        melds: seat.melds,
        flowers: seat.flowers,
        ga: request.ga[at] ?? 0,
        ready: seat.ready,
      };
    }),
  };
}
