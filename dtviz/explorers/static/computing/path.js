// Growth paths, and what of a growing tree is drawn. Nothing here knows a page.

import { variableName } from "./text.js";

/**
 * What a tree view asks of a path.
 * @typedef {object} TreePath
 * @property {number} steps
 * @property {number[]} split
 * @property {number[]} variable
 * @property {Int32Array} splitAt
 * @property {(node: number) => number} error
 * @property {(node: number) => number} [probability]  the share that comes to a node
 * @property {(node: number) => number} score
 * @property {(node: number) => number} label
 * @property {(node: number) => number} mixed  0 if pure, 1 if as mixed as can be
 * @property {(node: number) => string} test  the test of a node, in few characters
 * @property {number} [testWidth]  pixels that the widest test takes
 * @property {((node: number) => string) | undefined} [tint]  the color of a leaf, if that is not that of a class
 * @property {(label: number) => string} [className]  what a leaf says where there is room, in leafWidth pixels
 * @property {number} [leafWidth]
 * @property {(node: number) => string} [below]  what is written below a leaf, if not its score
 * @property {readonly [string, string]} answers
 * @property {(label: number) => string} mark  the mark of a label
 * @property {(node: number) => string} where  where a node is
 */

// Pixels: the least width of a test, what a character of it takes, and its sides.
const TEST = { least: 28, character: 7.2, sides: 10 };
/** @type {(tests: string[]) => number} */
export const widthOf = (tests) =>
  Math.max(TEST.least, Math.max(1, ...tests.map((text) => text.length)) * TEST.character + TEST.sides);

/**
 * What the splits of a path alone say: node 0 is the root, and step j splits node split[j] on variable[j] into nodes
 * 2j + 1 (bit 0) and 2j + 2 (bit 1).
 * @param {number[]} split
 * @param {number[]} variable
 * @param {string[]} [names]  of the variables
 */
export const pathShape = (split, variable, names = []) => {
  const steps = split.length;
  const nodes = 2 * steps + 1;
  const depth = new Uint8Array(nodes);
  const parent = new Int32Array(nodes).fill(-1);
  // The step that splits a node, `steps` where none does.
  const splitAt = new Int32Array(nodes).fill(steps);
  split.forEach((node, j) => {
    splitAt[node] = j;
    parent.fill(node, 2 * j + 1, 2 * j + 3);
    depth.fill(depth[node] + 1, 2 * j + 1, 2 * j + 3);
  });
  /** @param {number} i */
  const nameOf = (i) => variableName(names, i);
  // The answers on the way to a node, [variable, bit].
  /** @type {(node: number) => [number, number][]} */
  const restriction = (node) =>
    node > 0 ? [...restriction(parent[node]), [variable[(node - 1) >> 1], node % 2 ? 0 : 1]] : [];
  return {
    ...{ steps, split, variable, depth, parent, splitAt, nameOf, restriction },
    // Whether a node is a leaf after so many splits.
    /** @type {(node: number, step: number) => boolean} */
    isLeaf: (node, step) => node <= 2 * step && splitAt[node] >= step,
    // Sums over the leaves of each tree, from the last one back, so that rounding leaves no residue where they are 0.
    /** @param {(node: number) => number} share */
    totals(share) {
      const sums = Array(steps + 1).fill(0);
      for (let node = 0; node < nodes; node += 1) if (splitAt[node] === steps) sums[steps] += share(node);
      for (let j = steps - 1; j >= 0; j -= 1) {
        sums[j] = sums[j + 1] + share(split[j]) - share(2 * j + 1) - share(2 * j + 2);
      }
      return sums;
    },
    test: (/** @type {number} */ node) => nameOf(variable[splitAt[node]]),
    testWidth: names.length ? widthOf(names) : undefined,
    answers: /** @type {readonly [string, string]} */ (["0", "1"]),
    mark: (/** @type {number} */ label) => String(label),
    /** @type {(node: number) => string} */
    where: (node) => restriction(node).map(([tested, bit]) => `${nameOf(tested)}=${bit}`).join(", ") || "no variable fixed",
  };
};

/**
 * A node that is drawn, with the places of its neighbors in the list of all such, -1 for none.
 * @typedef {object} Spot
 * @property {number} node
 * @property {number} up
 * @property {number} level
 * @property {number} low
 * @property {number} high
 * @property {number} x  in columns of leaves
 * @property {number[]} folded  the later splits that it hides, in order
 */

// The leaves of the subtree that a node stands for after so many splits of a path, and its error.
/** @type {(path: Pick<TreePath, "error" | "split">, spot: Pick<Spot, "node" | "folded">, step: number) => { leaves: number, error: number }} */
export const foldAt = ({ error, split }, { node, folded }, step) => {
  const made = folded.filter((j) => j < step);
  const change = (/** @type {number} */ j) => error(2 * j + 1) + error(2 * j + 2) - error(split[j]);
  return { leaves: 1 + made.length, error: made.reduce((sum, j) => sum + change(j), error(node)) };
};

// Put the leaves below the first spot side by side, each in a column, and inner nodes above the
// middle of their children; returns how many leaves there are.
/** @type {(spots: Pick<Spot, "low" | "high" | "x">[]) => number} */
export const placeSpots = (spots) => {
  let leaves = 0;
  /** @param {Pick<Spot, "low" | "high" | "x">} spot */
  const settle = (spot) => {
    if (spot.low < 0) {
      spot.x = leaves + 0.5;
      leaves += 1;
    } else {
      settle(spots[spot.low]);
      settle(spots[spot.high]);
      spot.x = (spots[spot.low].x + spots[spot.high].x) / 2;
    }
  };
  settle(spots[0]);
  return leaves;
};

// What of a path's subtree at `root` is drawn: its first splits, while they fit into `slots` leaves
// side by side and `levels` levels. A later split is folded into the drawn node above it. The choice
// does not depend on the step, so no node ever moves while the tree grows.
/** @type {(path: { steps: number, split: number[] }, root: number, slots: number, levels: number) => { spots: Spot[], owner: Int32Array, leaves: number, levels: number }} */
export const drawnPart = (path, root, slots, levels) => {
  const { steps, split } = path;
  /** @type {Spot[]} */
  const spots = [];
  const owner = new Int32Array(2 * steps + 1).fill(-1);
  /** @type {(node: number, up: number, level: number) => number} */
  const add = (node, up, level) => {
    owner[node] = spots.length;
    spots.push({ node, up, level, low: -1, high: -1, x: 0, folded: [] });
    return owner[node];
  };
  add(root, -1, 0);
  let drawn = 1;
  split.forEach((node, j) => {
    const at = owner[node];
    if (at < 0) return;
    const spot = spots[at];
    if (spot.node === node && spot.level < levels && drawn < slots) {
      spot.low = add(2 * j + 1, at, spot.level + 1);
      spot.high = add(2 * j + 2, at, spot.level + 1);
      drawn += 1;
    } else {
      owner[2 * j + 1] = owner[2 * j + 2] = at;
      spot.folded.push(j);
    }
  });
  const leaves = placeSpots(spots);
  return { spots, owner, leaves, levels: Math.max(...spots.map((spot) => spot.level)) };
};

// Where an arrow key leads from a spot, -1 for nowhere: left and right along the ends of the tree, up
// and down between parent and children, Home to the root.
/** @type {<Some extends Spot>(spots: Some[], index: number, key: string, isEnd: (spot: Some) => boolean) => number} */
export const nextSpot = (spots, index, key, isEnd) => {
  const spot = spots[index];
  if (!spot) return -1;
  if (key === "Home") return 0;
  if (key === "ArrowUp") return spot.up;
  if (key === "ArrowDown") return isEnd(spot) ? -1 : spot.low;
  const row = spots
    .map((other, k) => ({ k, x: other.x, end: isEnd(other) }))
    .filter(({ k, end }) => end || k === index)
    .sort((a, b) => a.x - b.x);
  const at = row.findIndex(({ k }) => k === index);
  const reached = { ArrowLeft: at - 1, ArrowRight: at + 1, End: row.length - 1 }[key];
  return row[reached ?? -1]?.k ?? -1;
};
