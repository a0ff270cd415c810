// What lies under the slider of the cost: the first question that each cost asks, and how many leaves it takes
// until each is pure.

import { nearestStop } from "../explorers/static/computing/beta.js";
import { featureCuts, growCart, sortedRows } from "../explorers/static/computing/cart.js";
import { costAt } from "../explorers/static/computing/criteria.js";
import { seenPart } from "../explorers/static/computing/points.js";

/**
 * @import { Land } from "../explorers/static/controls/landscape.js"
 * @import { State } from "./state.js"
 */

// Of more points trees along the slider take too long to grow.
const MOST_SIZED = 1500;

/** @type {WeakMap<object, string>} */
const keys = new WeakMap();
let given = 0;

/** @param {State} state @returns {Land} */
export const alongCost = ({ now, stopsOnly }) => {
  const { plane, path } = now();
  if (!keys.has(plane)) keys.set(plane, String((given += 1)));
  const sample = seenPart(plane);
  const orders = sortedRows(sample);
  /** @param {number} position */
  const cost = (position) => costAt(stopsOnly() ? nearestStop(position) : position);
  return {
    key: keys.get(plane) ?? "",
    band(position) {
      const cuts = featureCuts(sample, cost(position), Int32Array.from(sample.labels, (_, row) => row));
      const most = Math.max(...cuts.map(({ drop }) => drop));
      const first = cuts.find(({ drop, tie }) => drop > 0 && drop >= most - tie);
      return first ? path.ask(first.feature, first.threshold) : "none";
    },
    size: sample.labels.length > MOST_SIZED ? null : (position) => growCart(sample, cost(position), undefined, orders).split.length + 1,
  };
};
