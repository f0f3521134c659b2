import { describe, expect, it } from 'vitest';
import { platesOf, wayOf } from './bonds';
import { type Ask, fitTiles, handRows, type Plan, planOf, type Rect } from './layout';
import { flowerWidth, meldWidth, piecesOf, SIDES, TALL } from './seats';

const ask = (more: Partial<Ask>): Ask => ({
  w: 390,
  h: 844,
  players: 4,
  rows: { top: 3, left: 3, right: 3, bottom: 3 },
  hand: true,
  tiles: 13,
  play: true,
  dressed: true,
  open: false,
  load: 0,
  text: 1,
  ...more,
});

const SCREENS: [number, number][] = [
  [360, 640],
  [375, 667],
  [390, 664],
  [390, 844],
  [430, 932],
  [768, 1024],
  [1024, 1366],
  [740, 360],
  [844, 390],
  [932, 430],
  [1024, 768],
  [1280, 800],
  [1920, 1080],
];

function overlap(one: Rect, other: Rect): boolean {
  const apart = 0.5;
  return (
    one.x + one.w > other.x + apart &&
    other.x + other.w > one.x + apart &&
    one.y + one.h > other.y + apart &&
    other.y + other.h > one.y + apart
  );
}

/** Everything that holds tiles, or is pressed. */
function places(plan: Plan, players: number): [string, Rect][] {
  const sides = SIDES.filter((side) => players === 4 || side !== 'top');
  const found: [string, Rect][] = sides.map((side) => [`river ${side}`, plan.rivers[side]]);
  found.push(...sides.map((side): [string, Rect] => [`seat ${side}`, plan.seats[side]]));
  found.push(['centre', plan.centre], ['hand', plan.hand.rect]);
  if (plan.mode === 'portrait') found.push(['melds', plan.melds]);
  for (const name of ['notes', 'lamp', 'actions'] as const) found.push([name, plan[name]]);
  return found.filter(([, rect]) => rect.w > 0 && rect.h > 0);
}

describe('the plan of the table', () => {
  for (const [w, h] of SCREENS) {
    for (const players of [3, 4]) {
      for (const rows of [3, 4]) {
        it(`lays nothing on anything at ${w}x${h}, ${players} players, rivers of ${rows} rows`, () => {
          const n = players === 3 ? rows + 1 : rows;
          const plan = planOf(
            ask({
              w,
              h,
              players,
              rows: { top: players === 3 ? 0 : n, left: n, right: n, bottom: n },
              load: 20,
            }),
          );
          const all = places(plan, players);
          for (const [name, rect] of all) {
            expect(rect.x, `${name} left`).toBeGreaterThanOrEqual(-0.5);
            expect(rect.y, `${name} top`).toBeGreaterThanOrEqual(-0.5);
            expect(rect.x + rect.w, `${name} right`).toBeLessThanOrEqual(w + 0.5);
            expect(rect.y + rect.h, `${name} bottom`).toBeLessThanOrEqual(h + 0.5);
            for (const [other, place] of all) {
              if (other !== name) expect(overlap(rect, place), `${name} and ${other}`).toBe(false);
            }
          }
        });
      }
    }
    it(`gives every tile of the own hand 44 px at ${w}x${h}`, () => {
      for (const tiles of [13, 10, 7, 4, 1]) {
        const { hand } = planOf(ask({ w, h, tiles }));
        const rows = handRows(tiles, hand.rows);
        expect(hand.w).toBeGreaterThanOrEqual(44);
        const longest = Math.max(...rows.map((row, i) => row + (i === rows.length - 1 ? 1 : 0)));
        expect(longest * (hand.w + hand.gap) + hand.apart).toBeLessThanOrEqual(hand.rect.w + hand.gap + 1);
        expect(rows.length * hand.w * TALL).toBeLessThanOrEqual(hand.rect.h);
      }
    });
    it(`leads no line between seats over a river or the centre at ${w}x${h}`, () => {
      for (const players of [3, 4]) {
        const plan = planOf(ask({ w, h, players, load: 14 }));
        const tiles = places(plan, players).filter(([name]) => /river|centre|hand|actions|lamp/.test(name));
        const sides = SIDES.filter((side) => players === 4 || side !== 'top');
        for (const from of sides) {
          for (const to of sides) {
            if (from === to) continue;
            const way = wayOf(from, to, plan);
            for (let i = 1; i < way.length; i++) {
              const [a, b] = [way[i - 1] as [number, number], way[i] as [number, number]];
              const line = {
                x: Math.min(a[0], b[0]) - 1,
                y: Math.min(a[1], b[1]) - 1,
                w: Math.abs(a[0] - b[0]) + 2,
                h: Math.abs(a[1] - b[1]) + 2,
              };
              for (const [name, rect] of tiles) {
                expect(overlap(line, rect), `${from}-${to} over ${name}`).toBe(false);
              }
            }
          }
        }
      }
    });
  }

  for (const [w, h] of [...SCREENS, [360, 470], [360, 440], [375, 500], [390, 600]] as [number, number][]) {
    it(`lays nothing on anything in a replay at ${w}x${h}`, () => {
      for (const players of [3, 4]) {
        for (const rows of [1, 3, 4]) {
          const all = { top: players === 3 ? 0 : rows, left: rows, right: rows, bottom: rows };
          const plan = planOf(
            ask({ w, h, players, rows: all, load: 8, play: false, dressed: false, open: true }),
          );
          const found = places(plan, players);
          for (const [name, rect] of found) {
            expect(rect.y + rect.h, `${name} bottom`).toBeLessThanOrEqual(h + 0.5);
            for (const [other, place] of found) {
              if (other !== name) expect(overlap(rect, place), `${name} and ${other}`).toBe(false);
            }
          }
        }
      }
    });
  }

  it('leaves the others’ tiles a size that can be read, with four melds and eight flowers', () => {
    const kong = meldWidth(piecesOf({ kind: 'exposed_kong', tiles: '1111z', from: 1 }, 0, 4), true);
    const chow = meldWidth(piecesOf({ kind: 'chow', tiles: '345m', from: 3, claimed: '4m' }, 0, 4), true);
    const groups = [kong, chow, kong, chow, flowerWidth(8)].map((w) => ({ w }));
    const load = groups.reduce((sum, group) => sum + group.w, 0);
    for (const [w, h] of SCREENS) {
      const { seats, plate } = planOf(ask({ w, h, load, rows: { top: 4, left: 4, right: 4, bottom: 4 } }));
      const size = fitTiles(groups, seats.left.w, seats.left.h - plate.h - 6, 40);
      expect(size, `${w}x${h}`).toBeGreaterThanOrEqual(h < 700 ? 12 : 15);
    }
  });

  it('puts a full hand of a phone in two rows of seven', () => {
    const plan = planOf(ask({}));
    expect(plan.hand.rows).toBe(2);
    expect(handRows(13, 2)).toEqual([7, 6]);
    expect(planOf(ask({ w: 844, h: 390 })).hand.rows).toBe(1);
  });

  it('keeps plates within their seats', () => {
    for (const [w, h] of SCREENS) {
      const plan = planOf(ask({ w, h }));
      const plates = platesOf(plan);
      for (const side of SIDES) {
        expect(plates[side].x).toBeGreaterThanOrEqual(plan.seats[side].x - 0.5);
        expect(plates[side].x + plates[side].w).toBeLessThanOrEqual(
          plan.seats[side].x + plan.seats[side].w + 0.5,
        );
      }
    }
  });
});

describe('fitTiles', () => {
  it('takes the largest size that wraps into the box', () => {
    expect(fitTiles([], 100, 40, 24)).toBe(24);
    expect(fitTiles([{ w: 3 }], 100, 40, 24)).toBe(24);
    const t = fitTiles([{ w: 3.36 }, { w: 3.36 }, { w: 3.36 }, { w: 3.36 }], 110, 60, 24);
    expect(t * 3.36).toBeLessThanOrEqual(110);
    expect(t).toBeGreaterThan(10);
  });
});
