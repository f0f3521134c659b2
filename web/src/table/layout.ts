import type { Side } from './seats';
import { TALL } from './seats';

/**
 * Where everything lies on the table. All places are reckoned here, so that a test can show that nothing
 * covers anything, whatever the screen.
 */
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Ask {
  w: number;
  h: number;
  players: number;
  /** Rows that each river needs. */
  rows: Record<Side, number>;
  /** Whether the bottom has a hand to play (else the space is the rivers'). */
  hand: boolean;
  /** Tiles in the hand, without the drawn one. */
  tiles: number;
  /** Whether licence lamp and claims are shown. */
  play: boolean;
  /** Whether there are a bar and notes: else, as in replays, only tiles that nobody presses. */
  dressed: boolean;
  /** Whether the others' hands lie open. */
  open: boolean;
  /** Tile widths that lie beside the plates left and right (melds and flowers), the most of the two. */
  load: number;
  /** How much larger text is than usual. */
  text: number;
}

export interface Plan {
  mode: 'portrait' | 'landscape';
  /** Width of a tile in the rivers. */
  t: number;
  /** Gap between tiles in the rivers. */
  g: number;
  /** Size of plates and text beside them: 1 on a phone. */
  scale: number;
  plate: { w: number; h: number };
  /** Height of the far seat's plate with what lies beside it. */
  farLine: number;
  bar: Rect;
  seats: Record<Side, Rect>;
  /** The bottom seat's melds. */
  melds: Rect;
  rivers: Record<Side, Rect>;
  centre: Rect;
  notes: Rect;
  lamp: Rect;
  actions: Rect;
  hand: { rect: Rect; w: number; rows: number; gap: number; apart: number };
  /** Lines in which nothing lies, for the bonds between seats. */
  gutters: { left: number; right: number; top: number; bottom: number };
}

const SIX = 6;
const none = (): Rect => ({ x: 0, y: 0, w: 0, h: 0 });
const clamp = (low: number, value: number, high: number) => Math.max(low, Math.min(value, high));
const half = (value: number) => Math.floor(value * 2) / 2;

export function planOf(ask: Ask): Plan {
  return ask.w > ask.h ? landscape(ask) : portrait(ask);
}

/** Rows of the own hand, in order from the top. */
export function handRows(tiles: number, rows: number): number[] {
  if (rows <= 1 || tiles <= SIX) return [tiles];
  const first = Math.ceil(tiles / rows);
  return [first, tiles - first];
}

function handPlan(width: number, height: number, tiles: number, most: number, raise: number): Plan['hand'] {
  const gap = width > 700 ? 3 : 2;
  const apart = width > 700 ? 14 : 8;
  const inOne = (n: number) => (width - gap * n - apart) / (n + 1);
  const fits = (w: number) => half(Math.min(w, most));
  const single = fits(inOne(13));
  const rect = none();
  if (single >= 44 || tiles <= SIX) {
    const widest = fits(Math.min(inOne(Math.max(tiles, 1)), single >= 44 ? single * 1.12 : most));
    return { rect, w: half(Math.min(widest, (height - raise) / TALL)), rows: 1, gap, apart };
  }
  const w = half(Math.min(inOne(SIX), most, (height - raise - gap) / 2 / TALL));
  return { rect, w, rows: 2, gap, apart };
}

/** A hand that is looked at only: in one row where there is little room. */
function lookedAt(width: number, tiles: number, tight: boolean): Plan['hand'] {
  const [gap, apart] = [2, 8];
  const rows = tight || width > 600 || tiles <= SIX ? 1 : 2;
  const longest = rows === 1 ? Math.max(tiles, SIX) : Math.ceil(13 / 2);
  const w = half(Math.min((width - gap * longest - apart) / (longest + 1), tight ? 34 : 56));
  return { rect: none(), w, rows, gap, apart };
}

/** Height in which tiles of a size wrap beside a plate: their rivers make that much room for them. */
function sharing(load: number, width: number, tile: number): number {
  const rows = Math.ceil((load * tile * 1.08) / width);
  return rows * (tile * TALL + 4) + 6;
}

function portrait(ask: Ask): Plan {
  const { w, h, rows } = ask;
  const tight = h < 700;
  const big = clamp(tight ? 0.9 : 1, Math.min(w / 430, h / 900), 1.9);
  const scale = big * clamp(1, ask.text, 1.25);
  const pad = Math.round(9 * big);
  const line = tight ? 6 : 8;
  const barH = ask.dressed ? Math.round(Math.max(44, 46 * Math.min(scale, 1.3))) : tight ? 6 : 12;
  const plate = {
    w: Math.round(clamp(104, w * 0.3, 128 * scale)),
    h: Math.round(44 * scale),
  };
  const raise = 12;
  const innerW = w - 2 * pad;
  // What belongs to the own hand, from the bottom upwards.
  const full = ask.dressed
    ? handPlan(w - 8, 1e4, 13, tight ? 46 : 92, raise)
    : lookedAt(w - 8, ask.tiles, tight);
  const handH = ask.hand ? Math.ceil(full.rows * full.w * TALL + (full.rows - 1) * full.gap + raise + 6) : 0;
  const hand = !ask.dressed
    ? full
    : ask.hand
      ? handPlan(w - 8, handH - 6, ask.tiles, full.rows === 2 ? 64 : 92, raise)
      : handPlan(w, 80, 0, 50, 0);
  const actionsH = ask.play ? Math.round((tight ? 50 : 62) * clamp(1, scale, 1.35)) : 0;
  const lampH = ask.play ? Math.round((tight ? 47 : 58) * clamp(1, scale, 1.5)) : 0;
  const notesH = ask.dressed ? Math.round(26 * scale) : 0;
  const between = tight ? 4 : 8;
  const own = handH + actionsH + lampH + notesH + between * (ask.play ? 3 : 1);
  const board = h - barH - own;
  // The board: the far seat, three bands of rivers, lines between.
  const three = ask.players === 3;
  const openH = ask.open ? Math.ceil((innerW / 14) * TALL) + 4 : 0;
  const farLine = plate.h + (tight ? 0 : Math.round(14 * scale));
  const farH = three ? 0 : farLine + openH;
  const beside = sharing(ask.load, w * 0.3, tight ? 12.5 : 16 * big);
  const least = plate.h + Math.max(Math.round((tight ? 36 : 48) * scale), beside) + (ask.open ? 46 : 0);
  const mid = Math.max(rows.left, rows.right, 3);
  const near = Math.max(rows.bottom, 3);
  const far = three ? 0 : Math.max(rows.top, 3);
  const lines = 2 * line + 2 * 6 + (three ? 0 : 6);
  const room = board - farH - lines;
  const centreLeast = Math.round(76 * big);
  const byWidth = (innerW - centreLeast - 12 - 3 * SIX) / 12;
  const nearLeast = plate.h + Math.round(34 * scale);
  /** The largest river tile, where some bands are as high as they have to be anyhow. */
  const inBands = (lines: number, taken: number) => {
    const tile = Math.min(byWidth, (room - taken) / (lines * TALL));
    return tile > 30 ? tile - 2 / TALL : tile; // large ones have a gap that counts
  };
  let t = three ? inBands(mid + near, least) : inBands(far + mid + near, 0);
  if (!three && far * t * TALL < least) t = inBands(mid + near, least);
  if (near * t * TALL < nearLeast) t = Math.min(t, inBands(mid, least + nearLeast));
  t = half(clamp(12, t, 44));
  const g = t > 30 ? 2 : 1;
  const riverW = SIX * (t + g);
  const riverH = (n: number) => Math.ceil(n * (t * TALL + g));
  const cornerW = Math.floor((w - riverW) / 2 - pad - 7);
  plate.w = Math.min(plate.w, cornerW);
  let farBand = Math.max(three ? 0 : riverH(far), least);
  const midBand = Math.max(riverH(mid), centreLeast);
  const nearBand = Math.max(riverH(near), nearLeast);
  let spare = Math.max(0, board - farH - lines - farBand - midBand - nearBand);
  // Much beside the plates gets the height that is left.
  const wished = plate.h + 6 + Math.ceil((ask.load * 19) / cornerW) * (17 * TALL + 4) + (ask.open ? 95 : 0);
  const more = clamp(0, wished - farBand, spare);
  farBand += more;
  spare -= more;
  const air = Math.floor(spare / (ask.play ? 5 : 6));
  const loose = ask.play ? 1 : 9;

  let y = barH + Math.min(air, 10 * loose);
  const bar = { x: 0, y: 0, w, h: barH };
  const topSeat = three ? none() : { x: pad, y, w: innerW, h: farH };
  y += farH + (three ? 0 : 2);
  const gutterTop = y + line / 2;
  y += line + Math.min(air, 14 * loose);
  const middle = (w - riverW) / 2;
  const farY = y;
  y += farBand + 6 + Math.min(air, 16 * loose);
  const midY = y;
  const centreW = Math.min(w - 2 * pad - 2 * riverW - 12, Math.round(150 * big));
  const centreH = Math.min(midBand, Math.max(centreW * 1.12, 84));
  const centre = { x: (w - centreW) / 2, y: midY + (midBand - centreH) / 2, w: centreW, h: centreH };
  y += midBand + 6 + Math.min(air, 16 * loose);
  const nearY = y;
  y += nearBand;
  const gutterBottom = y + line / 2;
  const bottom = h - handH;
  const actions = { x: pad, y: bottom - actionsH, w: innerW, h: actionsH };
  const lamp = { x: pad, y: actions.y - lampH - (ask.play ? between : 0), w: innerW, h: lampH };
  const notes = { x: pad, y: lamp.y - notesH - (ask.play ? between / 2 : 0), w: innerW, h: notesH };
  hand.rect = { x: 4, y: bottom, w: w - 8, h: handH };
  return {
    mode: 'portrait',
    t,
    g,
    scale,
    plate,
    farLine,
    bar,
    seats: {
      top: topSeat,
      left: { x: pad, y: farY, w: cornerW, h: farBand },
      right: { x: w - pad - cornerW, y: farY, w: cornerW, h: farBand },
      bottom: { x: pad, y: nearY, w: cornerW, h: nearBand },
    },
    melds: { x: w - pad - cornerW, y: nearY, w: cornerW, h: nearBand },
    rivers: {
      top: three
        ? none()
        : { x: middle, y: farY + farBand - Math.max(riverH(far), 0), w: riverW, h: riverH(far) },
      left: { x: centre.x - 6 - riverW, y: midY + (midBand - riverH(mid)) / 2, w: riverW, h: riverH(mid) },
      right: { x: centre.x + centreW + 6, y: midY + (midBand - riverH(mid)) / 2, w: riverW, h: riverH(mid) },
      bottom: { x: middle, y: nearY, w: riverW, h: riverH(near) },
    },
    centre,
    notes,
    lamp,
    actions,
    hand,
    gutters: { left: pad / 2, right: w - pad / 2, top: gutterTop, bottom: gutterBottom },
  };
}

function landscape(ask: Ask): Plan {
  const { w, h, rows } = ask;
  const big = clamp(1, Math.min(w / 900, h / 480), 1.9);
  const scale = big * clamp(1, ask.text, 1.2);
  const pad = Math.round(9 * big);
  const line = 8;
  const barH = ask.dressed ? Math.round(46 * Math.min(big, 1.2)) : 0;
  const plate = { w: Math.round(122 * scale), h: Math.round(42 * scale) };
  const raise = 10;
  const most = Math.min((h * (h < 480 ? 0.172 : 0.19)) / TALL, 108);
  const full = handPlan(w - 2 * pad, 1e4, 13, Math.max(most, 44), raise);
  const handH = ask.hand ? Math.ceil(full.w * TALL + raise + 6) : 0;
  const hand = ask.hand ? handPlan(w - 2 * pad, handH, ask.tiles, full.w, raise) : handPlan(w, 80, 0, 50, 0);
  hand.rows = 1;
  hand.w = full.w;
  const handW = ask.hand ? Math.min(w - 2 * pad, 14 * (full.w + full.gap) + full.apart) : w - 2 * pad;
  const three = ask.players === 3;
  const openH = ask.open ? Math.round((h < 480 ? 26 : 36) * big) : 0;
  const edge = h < 480 ? 2 : 8;
  const farH = Math.max(three ? 0 : plate.h + edge - 2, barH) + (three ? 0 : openH);
  const farLine = plate.h;
  const top = farH + line;
  const bottom = h - handH - line;
  const mid = bottom - top;
  const near = Math.max(rows.bottom, 3);
  const far = three ? 0 : Math.max(rows.top, 3);
  const side = Math.max(rows.left, rows.right, 3);
  const lampH = ask.play ? Math.round(52 * Math.min(scale, 1.6)) : 0;
  const actionsH = ask.play ? Math.round(clamp(54, h * 0.15, 84)) : 0;
  const notesH = Math.round(24 * scale);
  const rightH = notesH + (ask.play ? 4 + actionsH : 0);
  const belowSides = ask.play ? Math.max(lampH, rightH) + 6 : Math.max(plate.h, notesH);
  const centreH = Math.round(clamp(54, mid * 0.22, 150));
  let t = (mid - centreH - 12) / ((near + far) * TALL + 0.3);
  t = Math.min(t, (mid - belowSides - 4) / (side * TALL + 0.2));
  t = Math.min(t, (w - 4 * pad - 2 * plate.w - 30) / 18.6);
  t = half(clamp(12, t, 44 * Math.max(1, big / 1.35)));
  const g = t > 30 ? 2 : 1;
  const riverW = SIX * (t + g);
  const riverH = (n: number) => Math.ceil(n * (t * TALL + g));
  const middle = (w - riverW) / 2;
  const zone = middle - pad - 10;
  const column = riverH(far) + riverH(near) + centreH + 12;
  const air = Math.max(0, mid - column);
  const farY = top + Math.min(air / 2, 10);
  const nearY = bottom - riverH(near) - Math.min(air / 4, 8);
  const hole = nearY - (farY + riverH(far)) - 12;
  const tallCentre = Math.min(hole, Math.round(clamp(54, riverW * 1.05, 230)));
  const centre = {
    x: middle,
    y: farY + riverH(far) + 6 + (hole - tallCentre) / 2,
    w: riverW,
    h: tallCentre,
  };
  const lampY = bottom - lampH;
  const ownY = (ask.play ? lampY - 6 : bottom) - plate.h;
  const rightY = bottom - rightH;
  const sideH = riverH(side);
  // The side rivers lie level with the centre where they can, next to it; their seats are beside them.
  const lowest = bottom - belowSides - sideH;
  const sideY = Math.max(top, Math.min(centre.y + centre.h / 2 - sideH / 2, lowest));
  const sideX = zone - riverW;
  const seatW = sideX - 10;
  return {
    mode: 'landscape',
    t,
    g,
    scale,
    plate,
    farLine,
    bar: { x: 0, y: 0, w, h: barH },
    seats: {
      top: three
        ? none()
        : {
            x: w / 2 - Math.min(w * 0.3, 330 * big),
            y: edge,
            w: 2 * Math.min(w * 0.3, 330 * big),
            h: farH - edge,
          },
      left: { x: pad, y: top, w: seatW, h: ownY - top - 6 },
      right: { x: w - pad - seatW, y: top, w: seatW, h: rightY - top - 6 },
      bottom: { x: pad, y: ownY, w: sideY + sideH + 4 > ownY ? seatW : zone, h: plate.h },
    },
    melds: none(),
    rivers: {
      top: three ? none() : { x: middle, y: farY, w: riverW, h: riverH(far) },
      left: { x: pad + sideX, y: sideY, w: riverW, h: sideH },
      right: { x: w - pad - sideX - riverW, y: sideY, w: riverW, h: sideH },
      bottom: { x: middle, y: nearY, w: riverW, h: riverH(near) },
    },
    centre,
    notes: { x: w - pad - zone, y: rightY, w: zone, h: notesH },
    lamp: { x: pad, y: lampY, w: zone, h: lampH },
    actions: { x: w - pad - zone, y: bottom - actionsH, w: zone, h: actionsH },
    hand: { ...hand, rect: { x: (w - handW) / 2, y: h - handH, w: handW, h: handH } },
    gutters: { left: pad / 2, right: w - pad / 2, top: farH + line / 2, bottom: bottom + line / 2 },
  };
}

/**
 * The largest tile with which groups of tiles (their widths in tile widths, their heights in tile heights)
 * wrap into a box.
 */
export function fitTiles(
  groups: { w: number; tall?: boolean }[],
  w: number,
  h: number,
  most: number,
  gap = 4,
): number {
  if (groups.length === 0) return most;
  for (let t = most; t > 8; t -= 0.5) {
    let x = 0;
    let y = 0;
    let row = 0;
    let fits = true;
    for (const group of groups) {
      const wide = group.w * t + gap;
      if (x > 0 && x + wide - gap > w) {
        y += row + gap;
        x = 0;
        row = 0;
      }
      if (wide - gap > w) fits = false;
      x += wide;
      row = Math.max(row, (group.tall ? 2.2 : TALL) * t);
    }
    if (fits && y + row <= h) return t;
  }
  return 8;
}
