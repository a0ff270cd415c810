// Where the nodes of a tree stand, in pixels, without the page: as boxes with all that they say, or as small marks.

import { drawnPart, widthOf } from "./path.js";
import { clamp } from "./text.js";

/**
 * @import { Spot, TreePath } from "./path.js"
 *
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ leaves: number, levels: number }} Extent  of a drawing, in columns and rows
 * @typedef {Size & { narrow: boolean, beneath?: number }} Room  narrow: on a phone; beneath: kept for points below it
 *
 * side: on which side of its mark the test of a node has room, 0 for none
 * @typedef {{ px: number, py: number, side: -1 | 0 | 1 }} Place
 *
 * What is wider than its room scrolls. `mark`: how wide marks are, 0 for boxes; `reach`: how much around each answers
 * to the pointer.
 * @typedef {Size & { places: Place[], slot: number, row: number, mark: number, reach: Size }} Layout
 */

// Pixels: the narrowest and the widest column, the lowest and the highest row, the margins.
const BOXES = { half: 14, slot: 34, widest: 84, row: 34, tallest: 62, top: 18, foot: 32 };
// The same of marks: how wide a mark is at most, and how far around it answers.
const MARKS = { widest: 60, tallest: 44, top: 18, foot: 22, mark: 10, reach: 18 };
// On a phone: the column that a finger needs and the narrowest one, and so many screens side by side at most.
const FINGER = { slot: 24, least: 7.5, screens: 2 };
// Pixels between boxes side by side.
export const BETWEEN = 6;
// So many leaves at most have boxes on a phone, where the tree scrolls, and where they say their class.
const MOST_BOXES = 10;
// So many leaves have marks in each form; what is split later is folded.
const MARKED = [16, 32, 64];

// Pixels of a letter, and beside a mark with its test.
const LETTER = 6.4;
const ASIDE = 14;
// Of that, where no other node comes before the edge of the picture, so much is not needed.
const SPARE = 3;

/** @typedef {readonly [number, number, number, number]} Box  its left, right, top and bottom */

/** @type {(x: number, y: number, wide: number, high: number) => Box} */
const boxAround = (x, y, wide, high) => [x - wide, x + wide, y - high, y + high];

/** @type {(one: Box, other: Box) => boolean} */
const meet = (one, other) => one[0] < other[1] && other[0] < one[1] && one[2] < other[3] && other[2] < one[3];

// Boxes across, as near to each other as they can be where each leaf has a column for itself.
/** @type {(path: TreePath, spots: Spot[], levels: number, slot: number) => { middles: number[], width: number }} */
const pack = ({ test, testWidth }, spots, levels, slot) => {
  const middles = spots.map(() => 0);
  /** @type {number[]} */
  const settled = [];
  // How far to the right each level is taken.
  const taken = Array(levels + 1).fill(-BETWEEN);
  /** @param {number} k */
  const settle = (k) => {
    const { node, level, low, high } = spots[k];
    const first = settled.length;
    if (low < 0) {
      settled.push(k);
      const end = Math.max(...taken.slice(level)) + slot;
      middles[k] = end - (slot - BETWEEN) / 2;
      taken.fill(end, level);
      return;
    }
    settle(low);
    settle(high);
    middles[k] = (middles[low] + middles[high]) / 2;
    const half = testWidth ? widthOf([test(node)]) / 2 : BOXES.half;
    const lack = Math.max(taken[level] + BETWEEN + half - middles[k], 0);
    settled.push(k);
    for (const part of settled.slice(first)) middles[part] += lack;
    for (let below = level + 1; below <= levels; below += 1) taken[below] += lack;
    taken[level] = middles[k] + half;
  };
  settle(0);
  return { middles, width: Math.max(...taken) };
};

/** @type {(path: TreePath, spots: Spot[], extent: Extent, room: Size) => Layout} */
export const boxPlaces = (path, spots, { levels }, room) => {
  let slot = Math.max(BOXES.widest, (path.leafWidth ?? 0) + BETWEEN);
  while (slot > BOXES.slot && pack(path, spots, levels, slot).width > room.width) slot = Math.max(slot - 4, BOXES.slot);
  const packed = pack(path, spots, levels, slot);
  const row = Math.min((room.height - BOXES.top - BOXES.foot) / Math.max(levels, 1), BOXES.tallest);
  const height = Math.ceil(BOXES.top + levels * row + BOXES.foot);
  const width = Math.max(room.width, Math.ceil(packed.width));
  const left = (width - packed.width) / 2;
  const places = spots.map(({ level }, k) => ({ px: left + packed.middles[k], py: BOXES.top + level * row, side: /** @type {const} */ (0) }));
  return { width, height, row, slot, places, mark: 0, reach: { width: 0, height: 0 } };
};

// Between two nodes of a level that have different parents no edge comes down: there the tests of both have room, unless
// a node or a test of another level is so near.
/** @type {(spots: Spot[], layout: Pick<Layout, "places" | "width" | "reach"> & { beneath: number }, ask: (node: number) => string) => void} */
const giveSides = (spots, { places, width, reach, beneath }, ask) => {
  /** @type {number[][]} */
  const levels = [];
  [...spots.keys()].sort((a, b) => spots[a].x - spots[b].x).forEach((k) => (levels[spots[k].level] ??= []).push(k));
  // What a node takes, with the points below a leaf.
  /** @type {Box[]} */
  const taken = places.map(({ px, py }, k) => {
    const low = spots[k].low < 0 ? beneath / 2 : 0;
    return boxAround(px, py + low, reach.width / 2, reach.height / 2 + low);
  });
  spots.forEach(({ node, up, level, low }, k) => {
    if (low < 0) return;
    const { px, py } = places[k];
    const side = up < 0 || spots[up].high === k ? 1 : -1;
    const next = levels[level][levels[level].indexOf(k) + side];
    const edge = side > 0 ? width - px : px;
    const gap = next === undefined ? edge + SPARE : Math.abs(places[next].px - px) / (spots[next].low < 0 ? 1 : 2);
    const long = LETTER * ask(node).length;
    const [near, far] = [4, 11 + long];
    const words = boxAround(px + (side * (near + far)) / 2, py - 8, (far - near) / 2, 7);
    if (long + ASIDE > gap || taken.some((box, other) => other !== k && meet(box, words))) return;
    places[k].side = side;
    taken.push(words);
  });
};

/** @type {(spots: Spot[], extent: Extent, room: Room, ask: (node: number) => string) => Layout} */
export const markPlaces = (spots, { leaves, levels }, room, ask) => {
  const least = room.narrow && leaves > MARKED[0] ? clamp((FINGER.screens * room.width) / leaves, FINGER.least, FINGER.slot) : 0;
  const width = Math.max(room.width, least * leaves);
  const slot = Math.min(width / leaves, MARKS.widest);
  const row = Math.min((room.height - MARKS.top - MARKS.foot) / Math.max(levels, 1), MARKS.tallest);
  const height = Math.ceil(MARKS.top + levels * row + MARKS.foot);
  const left = (width - slot * leaves) / 2;
  /** @type {(spot: Spot) => Place} */
  const place = ({ x, level }) => ({ px: left + x * slot, py: MARKS.top + level * row, side: 0 });
  const places = spots.map(place);
  const mark = clamp(Math.min(slot - 2, row - 4), 3, MARKS.mark);
  // Nodes side by side are a slot apart or more: none reaches into the next one.
  const most = room.narrow ? FINGER.slot : MARKS.reach;
  const reach = { width: Math.min(slot, most), height: Math.min(row, most) };
  giveSides(spots, { places, width, reach, beneath: room.beneath ?? 0 }, ask);
  return { width, height, row, slot, places, mark, reach };
};

/**
 * How many leaves below a node are drawn at each size of the tree, from the fewest on: those up to `boxes` as boxes, the
 * others as marks. A tree stands still until it has more.
 * @type {(path: TreePath, root: number, room: Room) => { caps: number[], boxes: number }}
 */
export const leafCaps = (path, root, { width, height, narrow }) => {
  const deepest = Math.floor((height - BOXES.top - BOXES.foot) / BOXES.row);
  /** @param {number} wide */
  const mostIn = (wide) => {
    let most = path.className || narrow ? MOST_BOXES : Math.floor(width / BOXES.slot);
    for (; most > 1; most -= 1) {
      const { spots, levels } = drawnPart(path, root, most, Infinity);
      if (levels <= deepest && pack(path, spots, levels, BOXES.slot).width <= wide) break;
    }
    return Math.max(most, 1);
  };
  // On a phone, those in sight at once, and those that scroll.
  const inSight = mostIn(width);
  const boxes = narrow ? mostIn(Infinity) : inSight;
  return { caps: [...new Set([inSight, boxes, ...MARKED.filter((leaves) => leaves > boxes)])], boxes };
};

// Pixels: the widest pile, from a box or a mark down to it, air around it.
const PILE = { widest: 110, box: 30, mark: 4, air: 2 };

/**
 * A node as it is drawn: how far it reaches to the left, to the right, and up or down; how thick its edge is.
 * @typedef {{ left: number, right: number, around: number }} Reach
 * @typedef {Pick<Spot, "up"> & Pick<Place, "px" | "py"> & Reach & { state: string, thick: number }} Standing
 */

// How far an edge stays from a vertical line between two heights, 0 being the line.
/** @type {(from: Pick<Place, "px" | "py">, to: Pick<Place, "px" | "py">, x: number, heights: [number, number]) => number} */
const edgeAway = (from, to, x, [top, bottom]) => {
  const [start, end] = [Math.max(top, from.py), Math.min(bottom, to.py)];
  if (start >= end) return Infinity;
  /** @param {number} y */
  const off = (y) => Math.abs(from.px + ((to.px - from.px) * (y - from.py)) / (to.py - from.py) - x);
  return Math.min(off(start), off(end));
};

// How far boxes reach up and down with what is written below, and marks with their tests above.
const HIGH = 16;

/** @type {(half: number) => Reach} */
export const boxReach = (half) => ({ left: half, right: half, around: HIGH });

// A mark with a test beside it, "" for none.
/** @type {(mark: number, side: number, name: string) => Reach} */
export const markReach = (mark, side, name) => {
  const words = 5 + widthOf([name]);
  return {
    left: side < 0 && name ? words : mark / 2,
    right: side > 0 && name ? words : mark / 2,
    around: side && name ? HIGH : mark / 2,
  };
};

/**
 * Where points may lie below a leaf: no other node, no edge and no other pile is there, and it ends in the picture.
 * @typedef {Size & { x: number, y: number }} Pile
 *
 * @type {(layout: Pick<Layout, "width" | "mark">, standing: Standing[], at: number, tall: number) => Pile}
 */
export const pileBox = ({ width, mark }, standing, at, tall) => {
  const { px, py } = standing[at];
  const y = py + (mark ? mark / 2 + PILE.mark : PILE.box);
  let half = Math.min(PILE.widest / 2, px, width - px);
  standing.forEach((other, k) => {
    if (k === at || other.state === "absent") return;
    const away = Math.abs(other.px - px);
    const reach = other.px > px ? other.left : other.right;
    if (other.py + other.around > y && other.py - other.around < y + tall) half = Math.min(half, away - reach - PILE.air);
    // Its own pile may be as wide.
    if (other.state !== "inner" && Math.abs(other.py - py) < tall) half = Math.min(half, away / 2 - PILE.air / 2);
    const above = standing[other.up];
    if (above) half = Math.min(half, edgeAway(above, other, px, [y, y + tall]) - other.thick / 2 - PILE.air);
  });
  half = Math.max(half, 0);
  return { x: px - half, y, width: 2 * half, height: tall };
};
