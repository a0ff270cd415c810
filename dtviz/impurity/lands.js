// What lies under the slider of the cost: the first question that each cost asks, and how many leaves it takes
// until each is pure.

import { nearestStop } from "../explorers/static/computing/beta.js";
import { featureCuts, growCart, sortedRows } from "../explorers/static/computing/cart.js";
import { costAt } from "../explorers/static/computing/criteria.js";
import { seenPart } from "../explorers/static/computing/points.js";

/**
 * @import { Land } from "../explorers/static/controls/landscape.js"
 * @import { Plane } from "../explorers/static/drawing/plane.js"
 * @import { State } from "./state.js"
 */

// Of more points trees along the slider take too long to grow.
const MOST_SIZED = 1500;

let known = 0;
/** @type {WeakMap<Plane, { key: string, sample: ReturnType<typeof seenPart>, orders: Int32Array[] }>} */
const read = new WeakMap();

// The points of a plane in the order of each feature, once for each plane.
/** @param {Plane} plane */
export const pointsOf = (plane) => {
  const old = read.get(plane);
  if (old) return old;
  const sample = seenPart(plane);
  const found = { key: String((known += 1)), sample, orders: sortedRows(sample) };
  read.set(plane, found);
  return found;
};

/** @param {State} state @returns {Land} */
export const alongCost = ({ now, stopsOnly }) => {
  const { plane, path } = now();
  const { key, sample, orders } = pointsOf(plane);
  /** @param {number} position */
  const cost = (position) => costAt(stopsOnly() ? nearestStop(position) : position);
  return {
    key,
    band(position) {
      const cuts = featureCuts(sample, cost(position), orders[0]);
      const most = Math.max(...cuts.map(({ drop }) => drop));
      const first = cuts.find(({ drop, tie }) => drop > 0 && drop >= most - tie);
      return first ? path.ask(first.feature, first.threshold) : "none";
    },
    size: sample.labels.length > MOST_SIZED ? null : (position) => growCart(sample, cost(position), undefined, orders).split.length + 1,
  };
};
