// The nodes of a growing tree, each with its drawing, which stays while the tree grows and its form changes.

import { BETWEEN, boxReach, markReach } from "../computing/layout.js";
import { widthOf } from "../computing/path.js";
import { small } from "../computing/text.js";
import { putAll, svg } from "../hosting/kit.js";
import { answerAt, blankEdge, blankNode, hatching, layEdge, thickOf, writeBox, writeHatch, writeMark } from "./marks.js";

/**
 * @import { Layout, Place, Reach } from "../computing/layout.js"
 * @import { Spot, TreePath } from "../computing/path.js"
 * @import { Marks, Shown } from "./marks.js"
 *
 * @typedef {"absent" | Shown} State
 *
 * A spot with its drawing: the node's group and what is in it, the edge to the node above.
 * @typedef {object} Drawing
 * @property {State} state
 * @property {number} leaves  of the subtree that it stands for
 * @property {number} error  of it
 * @property {number} surplus  how many of its leaves are hatched
 * @property {string} key  what it was last drawn for
 * @property {string} home
 * @property {string} birth
 * @property {number} thick  its edge
 * @property {SVGTextElement | null} bit
 * @property {SVGLineElement | null} edge
 *
 * @typedef {Spot & Place & Reach & Drawing & Marks} DrawnSpot
 */

/** @param {State | undefined} state */
export const isEnd = (state) => state === "leaf" || state === "folded";

// Pure leaves are solid; mixed ones are a tint, the paler the closer to half and half.
/** @param {number} mixed */
export const shadeOf = (mixed) => `${(mixed > 0 ? 60 - 48 * mixed : 100).toFixed(1)}%`;

/** @type {(path: TreePath, spots: Spot[], index: number) => DrawnSpot} */
export const makeSpot = (path, spots, index) => {
  const spot = spots[index];
  const node = blankNode();
  node.group.setAttribute("data-spot", String(index));
  const share = path.probability?.(spot.node);
  const thick = share === undefined ? 1.5 : thickOf(share);
  const bit = spot.up < 0 ? null : svg("text", {}, path.answers[spots[spot.up].low === index ? 0 : 1]);
  const edge = bit && blankEdge(thick);
  const place = /** @type {const} */ ({ px: 0, py: 0, side: 0, home: "", birth: "" });
  const drawn = /** @type {const} */ ({ state: "absent", leaves: 0, error: 0, surplus: 0, key: "" });
  return { ...spot, ...place, ...boxReach(0), ...drawn, ...node, bit, edge, thick };
};

// Put a node and its edge where the layout has them.
/** @type {(spot: DrawnSpot, index: number, spots: DrawnSpot[]) => void} */
export const putSpot = (spot, index, spots) => {
  const above = spots[Math.max(spot.up, 0)];
  [spot.birth, spot.home] = [above, spot].map(({ px, py }) => `translate(${px}px,${py}px)`);
  spot.key = "";
  if (!spot.edge || !spot.bit) return;
  layEdge(spot.edge, above, spot);
  putAll(spot.bit, answerAt(above, spot, above.low === index ? 0 : 1, spot.thick / 2));
};

// What a box says, and how wide it is.
/** @type {(spot: DrawnSpot, path: TreePath, slot: number, state: Shown) => { name: string, below: string, wide?: number }} */
const boxWords = ({ node }, path, slot, state) => {
  const { testWidth, className, below, leafWidth = Infinity } = path;
  const label = path.label(node);
  if (state === "inner") return { name: path.test(node), below: "", wide: testWidth && widthOf([path.test(node)]) };
  const note = below ? below(node) : small(path.score(node));
  const room = slot - BETWEEN / 2;
  if (!className || leafWidth > slot + BETWEEN / 2) return { name: path.mark(label), below: note };
  return { name: className(label), below: note, wide: Math.min(leafWidth, room) };
};

// Write what a node that is there says; `large` marks the split just made.
/** @type {(spot: DrawnSpot, path: TreePath, layout: Layout, shown: { state: Shown, large: boolean }) => void} */
export const writeSpot = (spot, path, layout, { state, large }) => {
  const { leaves, node, surplus, side } = spot;
  const { slot, mark } = layout;
  if (mark) {
    const name = state === "inner" && side ? path.test(node) : "";
    // Below a fold how many leaves it holds, if there is room for the digits.
    const below = state === "folded" && 7 * String(leaves).length <= slot ? String(leaves) : "";
    writeMark(spot, { state, name, side, large, below }, layout);
    writeHatch(spot, hatching(surplus / leaves, state, mark, mark));
    Object.assign(spot, markReach(mark, side, name));
    return;
  }
  const said = boxWords(spot, path, slot, state);
  writeBox(spot, { state, ...said });
  writeHatch(spot, hatching(surplus / leaves, state, said.wide));
  Object.assign(spot, boxReach((said.wide ?? widthOf([])) / 2));
};
