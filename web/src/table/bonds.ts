import type { Plan, Rect } from './layout';
import type { Side } from './seats';

/** Where the plates lie, for the lines between them. */
export type Plates = Record<Side, Rect>;

type Point = [number, number];

/** The plate within its seat's place. */
export function platesOf(plan: Plan): Plates {
  const { w, h } = plan.plate;
  const { top, left, right, bottom } = plan.seats;
  return {
    top: { x: top.x + (top.w - w) / 2, y: top.y + (plan.farLine - h) / 2, w, h },
    left: { x: left.x, y: left.y, w, h },
    right: { x: right.x + right.w - w, y: right.y, w, h },
    bottom: { x: bottom.x, y: bottom.y, w, h },
  };
}

/**
 * The way from one plate to another, along the gutters only, where no tile ever lies; `aside` keeps several
 * ways apart.
 */
export function wayOf(from: Side, to: Side, plan: Plan, aside = 0): Point[] {
  const order: Side[] = ['bottom', 'left', 'top', 'right'];
  if (order.indexOf(from) > order.indexOf(to)) return wayOf(to, from, plan, aside).reverse();
  const plates = platesOf(plan);
  const g = {
    left: plan.gutters.left + aside,
    right: plan.gutters.right - aside,
    top: plan.gutters.top + aside,
    bottom: plan.gutters.bottom + aside,
  };
  const middle = (plate: Rect) => plate.y + plate.h / 2;
  const centre = (plate: Rect) => plate.x + plate.w / 2;
  const under = (plate: Rect) => plate.y + plate.h;
  const { bottom, left, right, top } = plates;
  switch (`${from}-${to}`) {
    case 'bottom-left':
      return [
        [bottom.x, middle(bottom)],
        [g.left, middle(bottom)],
        [g.left, middle(left)],
        [left.x, middle(left)],
      ];
    case 'bottom-top':
      return [
        [bottom.x, middle(bottom)],
        [g.left, middle(bottom)],
        [g.left, g.top],
        [centre(top), g.top],
        [centre(top), under(top)],
      ];
    case 'bottom-right':
      return [
        [bottom.x, middle(bottom)],
        [g.left, middle(bottom)],
        [g.left, g.bottom],
        [g.right, g.bottom],
        [g.right, middle(right)],
        [right.x + right.w, middle(right)],
      ];
    case 'left-top':
      return [
        [centre(left), left.y],
        [centre(left), g.top],
        [centre(top), g.top],
        [centre(top), under(top)],
      ];
    case 'left-right':
      return [
        [centre(left), left.y],
        [centre(left), g.top],
        [centre(right), g.top],
        [centre(right), right.y],
      ];
    default:
      return [
        [centre(top), under(top)],
        [centre(top), g.top],
        [centre(right), g.top],
        [centre(right), right.y],
      ];
  }
}

/** A path with round corners. */
export function pathOf(points: readonly Point[], round = 6): string {
  let path = '';
  points.forEach(([x, y], i) => {
    const before = points[i - 1];
    const after = points[i + 1];
    if (!before) path += `M${x} ${y}`;
    else if (!after) path += `L${x} ${y}`;
    else {
      const [a, b] = [towards([x, y], before, round), towards([x, y], after, round)];
      path += `L${a[0]} ${a[1]}Q${x} ${y} ${b[0]} ${b[1]}`;
    }
  });
  return path;
}

function towards(from: Point, to: Point, most: number): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const step = length === 0 ? 0 : Math.min(most, length / 2) / length;
  return [from[0] + dx * step, from[1] + dy * step];
}
