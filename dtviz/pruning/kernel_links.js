// Weakest links: the price of a leaf from which on a subtree is not worth its leaves. Nodes are in preorder.

import { SAME_PRICE } from "../explorers/static/computing/constants.js";

/**
 * @import { Family } from "./kernel_fronts.js"
 *
 * For each test the price, in errors, at which its subtree is cut if nothing above is; and what that subtree is then,
 * its own weaker links being cut: its leaves and errors.
 * @typedef {{ price: Float64Array, size: Int32Array, below: Float64Array }} Links
 *
 * A subtree that is cut from a price on: what that adds to the errors, and how many leaves it saves.
 * @typedef {{ price: number, rise: number, fewer: number }} Link
 */

// Below a price the best subtree at a node is that node with the best subtrees at its children: undo the links that
// fell there, from the dearest down, until what the node would save for each leaf exceeds the next one.
/** @type {(family: Omit<Family, "parent">, wrong: ArrayLike<number>) => Links} */
export const weakestLinks = ({ low, high }, wrong) => {
  const nodes = low.length;
  const price = new Float64Array(nodes);
  const size = new Int32Array(nodes).fill(1);
  const below = Float64Array.from(wrong);
  /** @type {Link[][]} */
  const fallen = Array.from({ length: nodes }, () => []);
  for (let k = nodes - 1; k >= 0; k -= 1) {
    if (low[k] < 0) continue;
    const links = [...fallen[low[k]], ...fallen[high[k]]].sort((one, other) => one.price - other.price);
    // Where all links have fallen, the children are leaves.
    let [leaves, errors] = [2, wrong[low[k]] + wrong[high[k]]];
    const saved = () => Math.max(0, (wrong[k] - errors) / (leaves - 1));
    let last = links.at(-1);
    while (last && last.price >= saved()) {
      errors -= last.rise;
      leaves += last.fewer;
      links.pop();
      last = links.at(-1);
    }
    [price[k], size[k], below[k]] = [saved(), leaves, errors];
    links.push({ price: price[k], rise: wrong[k] - errors, fewer: leaves - 1 });
    fallen[k] = links;
  }
  return { price, size, below };
};

// A number in few decimals from the first on and below the second.
/** @type {(from: number, below: number) => number} */
const shortFrom = (from, below) => {
  const least = Math.max(0, from - SAME_PRICE);
  for (let places = 4; places < 12; places += 1) {
    const short = Number((Math.ceil(least * 10 ** places) / 10 ** places).toFixed(places));
    if (least <= short && short < below - SAME_PRICE) return short;
  }
  return from;
};

// The prices of a leaf at which the cheapest pruning changes, from 0 on, and for each of those prunings a price in few
// decimals that leads to it. A link that breaks with one above it or later changes nothing.
/** @type {(tree: Omit<Family, "high">, priceOf: ArrayLike<number>) => { price: number, alpha: number }[]} */
export const cheapestSteps = ({ low, parent }, priceOf) => {
  const above = new Float64Array(low.length).fill(Infinity);
  const found = new Set([0]);
  low.forEach((child, k) => {
    if (k) above[k] = Math.min(above[parent[k]], priceOf[parent[k]]);
    if (child >= 0 && priceOf[k] <= above[k]) found.add(priceOf[k]);
  });
  const prices = [...found].sort((a, b) => a - b);
  return prices.map((price, k) => ({ price, alpha: shortFrom(price, prices[k + 1] ?? Infinity) }));
};
