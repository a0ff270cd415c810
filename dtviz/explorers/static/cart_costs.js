// What the cuts of a node gain under a cost. Nothing here knows a page.

import { criterionOf, squaredLoss } from "./criteria.js";

/**
 * @import { Sample } from "./cart.js"
 * @import { Cost } from "./criteria.js"
 *
 * A cost, worked out for a sample: the impurity of a node, times its rows, and what its cuts take off that.
 * @typedef {{ impurity: (counts: Uint32Array) => number, scorer: (all: Uint32Array) => Score }} Rule
 *
 * Of a cut after each row of an order, one after the other; `label` is that of the row.
 * @typedef {(low: Uint32Array, high: Uint32Array, nLow: number, nHigh: number, label: number) => number} Score
 */

/** @type {(counts: Uint32Array) => number} */
const sizeOf = (counts) => {
  let total = 0;
  for (const one of counts) total += one;
  return total;
};

// Squared loss, where class k stands for the number values[k].
/** @type {(values: readonly number[]) => Rule} */
const squaredRule = (values) => ({
  impurity: (counts) => squaredLoss(counts, values).loss,
  scorer(all) {
    const { mean } = squaredLoss(all, values);
    const n = sizeOf(all);
    let sum = 0; // of what the labels of the low side are above the mean
    return (_low, _high, nLow, nHigh, label) => {
      sum += values[label] - mean;
      return sum * (sum / nLow) * (n / nHigh);
    };
  },
});

/** @type {(cost: Cost, sample: Pick<Sample, "values">) => Rule} */
export const ruleOf = (cost, { values }) => {
  if (values) return squaredRule(values);
  const { ofCounts } = criterionOf(cost);
  return {
    impurity: (counts) => ofCounts(counts, sizeOf(counts)),
    scorer(all) {
      const whole = ofCounts(all, sizeOf(all));
      return (low, high, nLow, nHigh) => whole - ofCounts(low, nLow) - ofCounts(high, nHigh);
    },
  };
};
