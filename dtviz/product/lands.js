// What lies under the sliders of chapter 3: who is tested at the root and how large the tree is, along a bias;
// how large it is, along epsilon.

import { exactPath } from "./state.js";

/**
 * @import { Land } from "../explorers/static/controls/landscape.js"
 * @import { Now, State } from "./state.js"
 */

/** @type {(state: State, now: Now) => Land} */
export const alongBias = (state, now) => {
  const { f, p, epsilon, path } = now;
  const at = state.moving();
  /** @param {number} t */
  const biases = (t) => p.map((one, i) => (at.includes(i) ? t : one));
  /** @param {number} t */
  const root = (t) => state.sweep(now).reigns.find(({ to }) => t <= to)?.variable ?? -1;
  return {
    key: JSON.stringify([state.model.get("function"), at, biases(0), epsilon]),
    band: (t) => (root(t) < 0 ? "none" : path.nameOf(root(t))),
    size: (t) => exactPath(f, biases(t)).stop(epsilon) + 1,
  };
};

/** @type {(state: State, now: Now) => Land} */
export const alongEpsilon = ({ model }, { p, greedy }) => ({
  key: JSON.stringify([model.get("function"), p]),
  band: null,
  size: (epsilon) => greedy.stop(epsilon) + 1,
});
