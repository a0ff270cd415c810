// Where the nodes of a pruned tree stand, without the page.

import { placeSpots } from "../explorers/static/computing/path.js";
import { clamp } from "../explorers/static/computing/text.js";

/**
 * @import { Spot } from "../explorers/static/computing/path.js"
 * @import { TreeLinks } from "./kernel.js"
 *
 * @typedef {TreeLinks & { asks: string[] }} Asking
 * @typedef {Spot & { px: number, py: number, side: -1 | 0 | 1 }} Twig  side: on which its test has room, 0 for none
 */

// Pixels: the picture's margins, the highest row, the widest column, the largest mark and reach.
export const TWIGS = { top: 14, foot: 14, tallest: 44, widest: 30, mark: 9, reach: 18 };

// Pixels of a letter, and beside a node with its text.
const LETTER = 6.4;
const ASIDE = 14;
// Of that, where no other node comes before the edge of the picture, so much is not needed.
const SPARE = 10;

// Between two nodes of a level that have different parents no edge comes down: there the tests of both have room.
/** @type {(asks: string[], twigs: Twig[], width: number) => void} */
const nameTwigs = (asks, twigs, width) => {
  /** @type {Twig[][]} */
  const levels = [];
  for (const twig of twigs) (levels[twig.level] ??= []).push(twig);
  for (const twig of twigs.filter(({ low }) => low >= 0)) {
    const { node, up, level, px } = twig;
    const side = up < 0 || twigs[up].high === node ? 1 : -1;
    const next = levels[level][levels[level].indexOf(twig) + side];
    const edge = side > 0 ? width - px : px;
    const gap = next ? Math.abs(next.px - px) / (next.low < 0 ? 1 : 2) : edge + SPARE;
    const room = LETTER * asks[node].length + ASIDE;
    // A leaf of the level above may lie between.
    const before = (levels[level - 1] ?? []).map((other) => side * (other.px - px));
    if (room <= gap && before.every((far) => far < 0 || far > room)) twig.side = side;
  }
};

/**
 * @param {Asking} tree
 * @param {number} width
 * @param {number} height
 * @returns {{ twigs: Twig[], mark: number, reach: { width: number, height: number } }}  in pixels: the twigs by their
 *   nodes, how wide their marks are, and how much around each answers to the pointer
 */
export const twigPlaces = (tree, width, height) => {
  const { top, foot, tallest, widest } = TWIGS;
  const slot = Math.min(width / tree.leaves[0], widest);
  const row = Math.min((height - top - foot) / Math.max(...tree.depth, 1), tallest);
  const left = (width - slot * tree.leaves[0]) / 2;
  const twigs = Array.from(tree.low, (low, node) => {
    const [up, high, level] = [tree.parent[node], tree.high[node], tree.depth[node]];
    return /** @type {Twig} */ ({ node, up, level, low, high, x: 0, folded: [], px: 0, py: top + level * row, side: 0 });
  });
  placeSpots(twigs);
  for (const twig of twigs) twig.px = left + twig.x * slot;
  nameTwigs(tree.asks, twigs, width);
  return {
    twigs,
    mark: clamp(Math.min(slot - 1, row - 4), 3, TWIGS.mark),
    // Nodes side by side are a slot apart or more: none reaches into the next one.
    reach: { width: Math.min(slot, TWIGS.reach), height: Math.min(row, TWIGS.reach) },
  };
};
