// Two prunings of one tree, side by side.

/** @import { NodeState } from "./kernel.js" */

/**
 * Where two prunings part: the nodes that both have, a test in one and cut in the other.
 * @param {NodeState[]} one
 * @param {NodeState[]} other
 * @returns {number[]}
 */
export const partings = (one, other) =>
  one.flatMap((state, k) => {
    const pair = `${state} ${other[k]}`;
    return pair === "inner stump" || pair === "stump inner" ? [k] : [];
  });

/**
 * What is left where nothing is cut.
 * @param {{ low: Int32Array }} tree
 * @returns {NodeState[]}
 */
export const uncut = ({ low }) => Array.from(low, (child) => (child < 0 ? "leaf" : "inner"));
