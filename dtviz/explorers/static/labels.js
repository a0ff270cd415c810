// Names of curves where no curve is: beside their own one, and if there is no room, further away with
// a line that leads there. Nothing here knows a page.

import { clamp } from "./text.js";

/**
 * @import { Point } from "./scale.js"
 *
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 * A name's middle, and the point of its curve that a line leads to, if one is needed.
 * @typedef {{ x: number, y: number, to: Point | null }} Placed
 * @typedef {{ width: number, height: number, points: Point[] }} Named
 */

// Pixels: the side of a cell, the room around a name, the distances tried, and how far is near.
const CELL = 2;
const ROOM = 2;
const REACH = { near: 3, step: 4, far: 60 };
const CROSSED = 40;

// What is taken, in cells.
class Ground {
  /** @param {Box} frame */
  constructor(frame) {
    this.frame = frame;
    this.columns = Math.ceil((frame.right - frame.left) / CELL) + 1;
    this.rows = Math.ceil((frame.bottom - frame.top) / CELL) + 1;
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  /** @param {number} x */
  column(x) {
    return Math.floor((x - this.frame.left) / CELL);
  }

  /** @param {number} y */
  row(y) {
    return Math.floor((y - this.frame.top) / CELL);
  }

  /** @type {(x: number, y: number) => void} */
  take(x, y) {
    const [c, r] = [this.column(x), this.row(y)];
    if (c >= 0 && c < this.columns && r >= 0 && r < this.rows) this.taken[r * this.columns + c] = 1;
  }

  /** @type {(from: Point, to: Point) => void} */
  takeLine([x1, y1], [x2, y2]) {
    const steps = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / (CELL / 2)));
    for (let k = 0; k <= steps; k += 1) this.take(x1 + ((x2 - x1) * k) / steps, y1 + ((y2 - y1) * k) / steps);
  }

  /** @param {Box} box */
  takeBox({ left, right, top, bottom }) {
    for (let y = top; y <= bottom; y += CELL) this.takeLine([left, y], [right, y]);
  }

  // Whether a box lies in the frame and on nothing.
  /** @param {Box} box */
  free({ left, right, top, bottom }) {
    const { frame, columns, taken } = this;
    if (left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom) return false;
    for (let row = this.row(top); row <= this.row(bottom); row += 1) {
      const cells = taken.subarray(row * columns + this.column(left), row * columns + this.column(right) + 1);
      if (cells.includes(1)) return false;
    }
    return true;
  }

  // How often a line meets something, its last pixels apart, which lie on its own curve.
  /** @type {(from: Point, to: Point) => number} */
  crossings([x1, y1], [x2, y2]) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    let [met, before] = [0, 0];
    for (let at = 0; at < length - 2 * CELL; at += CELL / 2) {
      const [x, y] = [x1 + ((x2 - x1) * at) / length, y1 + ((y2 - y1) * at) / length];
      const here = this.taken[this.row(y) * this.columns + this.column(x)];
      if (here > before) met += 1;
      before = here;
    }
    return met;
  }
}

/** @type {(x: number, y: number, named: Named, room?: number) => Box} */
const boxAt = (x, y, { width, height }, room = 0) => ({
  left: x - width / 2 - room,
  right: x + width / 2 + room,
  top: y - height / 2 - room,
  bottom: y + height / 2 + room,
});

// Above and below a point, and how far to its side, in half names.
const SIDES = [-1, 1].flatMap((side) => [0, -1, 1, -2, 2].map((shift) => ({ side, shift: shift / 2 })));

// A free place so far from a point of the curve, at the least cost, or null.
/** @type {(ground: Ground, named: Named, point: Point, far: number) => (Placed & { cost: number }) | null} */
const placeAt = (ground, named, [px, py], far) => {
  const { width, height } = named;
  /** @type {(Placed & { cost: number }) | null} */
  let best = null;
  for (const { side, shift } of SIDES) {
    const x = px + shift * (width / 2 + far);
    const y = py + side * (height / 2 + ROOM + far);
    if (!ground.free(boxAt(x, y, named, ROOM))) continue;
    /** @type {Point} */
    const edge = [clamp(px, x - width / 2, x + width / 2), y - (side * height) / 2];
    const cost = Math.hypot(px - edge[0], py - edge[1]) + CROSSED * ground.crossings(edge, [px, py]);
    if (!best || cost < best.cost) best = { x, y, to: [px, py], cost };
  }
  return best;
};

// The free place nearest to the curve, or null.
/** @type {(ground: Ground, named: Named) => Placed | null} */
const nearest = (ground, named) => {
  const { points } = named;
  /** @type {(Placed & { cost: number }) | null} */
  let best = null;
  const every = Math.max(1, Math.floor(points.length / 50));
  for (let k = 0; k < points.length; k += every) {
    for (let far = REACH.near; far <= REACH.far && far < (best?.cost ?? Infinity); far += REACH.step) {
      const found = placeAt(ground, named, points[k], far);
      if (found && (!best || found.cost < best.cost)) best = found;
    }
  }
  return best;
};

/**
 * Places for the names of curves: in the frame, on no curve, no obstacle and no other name; those that
 * find none stand one below the other at the right edge of `margin`.
 * @param {Named[]} curves  each with the size of its name
 * @param {Box} frame
 * @param {[Point, Point][]} lines  that are to be avoided, too
 * @param {{ x: number, y: number }} margin  where names without room begin
 * @returns {Placed[]}
 */
export const placeNames = (curves, frame, lines, margin) => {
  const ground = new Ground(frame);
  for (const { points } of curves) points.slice(1).forEach((point, k) => ground.takeLine(points[k], point));
  for (const [from, to] of lines) ground.takeLine(from, to);
  let { y } = margin;
  return curves.map((named) => {
    const found = nearest(ground, named);
    if (!found) {
      const at = { x: margin.x + named.width / 2, y, to: named.points[Math.floor(named.points.length * 0.8)] };
      y += named.height + ROOM;
      return at;
    }
    ground.takeBox(boxAt(found.x, found.y, named, ROOM));
    const [px, py] = /** @type {Point} */ (found.to);
    const box = boxAt(found.x, found.y, named);
    const gap = Math.max(box.top - py, py - box.bottom);
    return { x: found.x, y: found.y, to: gap > 2 * REACH.near + ROOM || px < box.left || px > box.right ? found.to : null };
  });
};
