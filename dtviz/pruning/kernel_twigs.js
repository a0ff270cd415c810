// Where the nodes of a pruned tree stand, and where the arrow keys lead, without the page.

import { placeSpots } from "../explorers/static/path.js";
import { clamp } from "../explorers/static/text.js";

/**
 * @import { TreeLinks } from "./kernel.js"
 *
 * @typedef {object} TwigPlaces
 * @property {Float64Array} x  in pixels
 * @property {Float64Array} y
 * @property {number} mark  how wide the mark of a node is
 * @property {{ width: number, height: number }} reach  how much around a node answers to the pointer
 * @property {Map<number, 1 | -1>} named  tests that have room for their text, and the side on which
 */

// Pixels: the picture's margins, the highest row, the widest column, the largest mark and reach.
export const TWIGS = { top: 14, foot: 14, tallest: 44, widest: 30, mark: 9, reach: 18 };

/** @type {(length: number) => number} */
const halves = (length) => Math.max(Math.floor(2 * length), 1) / 2;

// Pixels of a letter, and beside a node with its text.
const LETTER = 6.4;
const ASIDE = 14;
// Of that, where no other node comes before the edge of the picture, so much is not needed.
const SPARE = 10;

// Between two nodes of a level that have different parents no edge comes down: there the tests of both have room.
/** @type {(tree: TreeLinks & { asks: string[] }, x: Float64Array, width: number) => Map<number, 1 | -1>} */
const namedTwigs = ({ parent, low, high, depth, asks }, x, width) => {
  /** @type {Map<number, 1 | -1>} */
  const named = new Map();
  const levels = Array.from({ length: Math.max(...depth) + 1 }, () => /** @type {number[]} */ ([]));
  depth.forEach((level, k) => levels[level].push(k));
  levels.forEach((level, depthOf) => {
    level.forEach((k, at) => {
      if (low[k] < 0) return;
      const side = k === 0 || high[parent[k]] === k ? 1 : -1;
      const next = level[at + side];
      const gap = next === undefined ? (side > 0 ? width - x[k] : x[k]) + SPARE : Math.abs(x[next] - x[k]) / (low[next] < 0 ? 1 : 2);
      const room = LETTER * asks[k].length + ASIDE;
      // A leaf of the level above may lie between.
      const isFree = (levels[depthOf - 1] ?? []).every((other) => side * (x[other] - x[k]) < 0 || side * (x[other] - x[k]) > room);
      if (room <= gap && isFree) named.set(k, side);
    });
  });
  return named;
};

/** @type {(tree: TreeLinks & { asks: string[] }, width: number, height: number) => TwigPlaces} */
export const twigPlaces = (tree, width, height) => {
  const { top, foot, tallest, widest } = TWIGS;
  const slot = Math.min(width / tree.leaves[0], widest);
  const row = Math.min((height - top - foot) / Math.max(...tree.depth, 1), tallest);
  const left = (width - slot * tree.leaves[0]) / 2;
  const spots = Array.from(tree.low, (low, k) => ({ low, high: tree.high[k], x: 0 }));
  placeSpots(spots);
  const x = Float64Array.from(spots, (spot) => left + spot.x * slot);
  return {
    x,
    named: namedTwigs(tree, x, width),
    y: Float64Array.from(tree.depth, (depth) => top + depth * row),
    // In halves of a pixel, so that a leaf more or less leaves them as they are.
    mark: halves(clamp(Math.min(slot - 1, row - 4), 3, TWIGS.mark)),
    // Nodes side by side are a slot apart or more: none reaches into the next one.
    reach: { width: halves(Math.min(slot, TWIGS.reach)), height: halves(Math.min(row, TWIGS.reach)) },
  };
};

// Up and down along the tree, left and right along a level; -1 where a key leads nowhere.
/** @type {(tree: TreeLinks, k: number, key: string) => number} */
export const nextTwig = ({ parent, low, depth }, k, key) => {
  if (key === "Home") return 0;
  if (key === "ArrowUp") return parent[k];
  if (key === "ArrowDown") return low[k];
  const level = [...depth.keys()].filter((j) => depth[j] === depth[k]);
  const at = level.indexOf(k);
  if (key === "ArrowLeft") return level[at - 1] ?? -1;
  return (key === "ArrowRight" ? level[at + 1] : -1) ?? -1;
};
