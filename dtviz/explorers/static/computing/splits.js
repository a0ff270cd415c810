// A reader's splits of a function, each [node, variable], in order: node 0 is the root, and split j makes nodes
// 2j + 1 (bit 0) and 2j + 2 (bit 1). Nothing here knows a page.

/** @import { Splits } from "./greedy.js" */

// The first splits that can be made one after the other: each of a leaf there is, on a variable free.
/** @type {(n: number, splits: Splits) => Splits} */
export const lawful = (n, splits) => {
  /** @type {Map<number, number>} */
  const leaves = new Map([[0, 0]]);
  const wrong = splits.findIndex(([node, variable], j) => {
    const fixed = leaves.get(node);
    const known = Number.isInteger(variable) && variable >= 0 && variable < n;
    if (fixed === undefined || !known || fixed & (2 ** variable)) return true;
    leaves.delete(node);
    for (const child of [2 * j + 1, 2 * j + 2]) leaves.set(child, fixed | (2 ** variable));
    return false;
  });
  return wrong < 0 ? splits : splits.slice(0, wrong);
};

// The splits of the tree that asks a variable at a node, that one last: what was asked there and below it goes, and
// the nodes that stay get new numbers.
/** @type {(splits: Splits, node: number, variable: number) => [number, number][]} */
export const askedAt = (splits, node, variable) => {
  /** @type {[number, number][]} */
  const kept = [];
  const numbers = new Map([[0, 0]]);
  splits.forEach(([old, asked], j) => {
    const number = numbers.get(old);
    if (number === undefined || old === node) return;
    const k = kept.push([number, asked]) - 1;
    for (const side of [1, 2]) numbers.set(2 * j + side, 2 * k + side);
  });
  return [...kept, [numbers.get(node) ?? 0, variable]];
};
