// The splits of a reader's: what a cut gains wherever it is, and what becomes of the splits below one that is moved.
// Nothing here knows a page.

import { cutGains } from "../explorers/static/computing/cart.js";
import { clamp } from "../explorers/static/computing/text.js";

/**
 * @import { Cut, Sample } from "../explorers/static/computing/cart.js"
 * @import { Cost } from "./kernel.js"
 *
 * A row [node, feature, threshold], as the trait `splits` has them.
 * @typedef {readonly number[]} Split
 * @typedef {ReturnType<typeof cutGains>} Curve
 */

// The gains of all cuts of some rows along both axes, and the best of them; null where no cut parts the rows.
/** @type {(sample: Sample, cost: Cost, rows: Int32Array) => { curves: Curve[], most: number }} */
export const gainCurves = (sample, cost, rows) => {
  const curves = sample.columns.map((_, feature) => cutGains(sample, cost, rows, feature));
  return { curves, most: Math.max(0, ...curves.flatMap(({ gains }) => gains)) };
};

// Between which two values a threshold lies, by the place of the lower one.
/** @type {(curve: Curve, threshold: number) => number} */
export const gapOf = ({ values, gains }, threshold) => {
  let [low, high] = [0, gains.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= threshold) low = middle;
    else high = middle - 1;
  }
  return low;
};

// The threshold that gains most, the lowest of equals.
/** @param {Curve} curve */
export const bestOf = ({ gains, middles }) => middles[gains.indexOf(Math.max(...gains))];

// A threshold with rows on both sides: as wanted, or else the nearest one.
/** @type {(curve: Curve, threshold: number) => number} */
export const partingThreshold = ({ values, middles }, threshold) =>
  threshold < values[values.length - 1] ? Math.max(threshold, values[0]) : middles[middles.length - 1];

// The threshold so many gaps further, in the middle of that gap.
/** @type {(curve: Curve, threshold: number, by: number) => number} */
export const stepThreshold = (curve, threshold, by) => curve.middles[clamp(gapOf(curve, threshold) + by, 0, curve.middles.length - 1)];

// Splits of which number j is at another place, null to take it away. Of those below it stay the ones that still part
// rows, and are renumbered.
/** @type {(sample: Sample, splits: readonly Split[], j: number, cut: Pick<Cut, "feature" | "threshold"> | null) => number[][]} */
export const movedSplits = ({ columns, labels }, splits, j, cut) => {
  /** @type {number[][]} */
  const kept = [];
  // Of each node that is left its rows, what it is called now, and whether it is below the split that moves.
  /** @type {Record<number, { rows: number[], name: number, below: boolean }>} */
  const nodes = { 0: { rows: Array.from(labels, (_, row) => row), name: 0, below: false } };
  splits.forEach(([node, ...old], step) => {
    if (!nodes[node] || (step === j && !cut)) return;
    const { rows, name, below } = nodes[node];
    const [feature, threshold] = step === j && cut ? [cut.feature, cut.threshold] : old;
    const sides = [true, false].map((low) => rows.filter((row) => columns[feature][row] <= threshold === low));
    if (below && sides.some((side) => !side.length)) return;
    const at = kept.push([name, feature, threshold]) - 1;
    sides.forEach((side, k) => {
      nodes[2 * step + 1 + k] = { rows: side, name: 2 * at + 1 + k, below: below || step === j };
    });
  });
  return kept;
};
