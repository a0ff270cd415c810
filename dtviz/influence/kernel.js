// What the page of chapter 1 computes: bounds of the lemmas along a growth path, and the epsilon that a number
// of splits asks for. Nothing here knows a page.

import { EPSILON_STEP } from "../explorers/static/computing/constants.js";

/**
 * @import { GreedyPath } from "../explorers/static/computing/greedy.js"
 *
 * Lower bounds on the score of the split after step j.
 * @typedef {object} ScoreBounds
 * @property {(j: number) => number} sharper  2 error / ((j + 1) log s), while the error is positive
 * @property {(j: number) => number} paper  floor from the error, at an error of epsilon
 * @property {(j: number) => number} byCost  the floor from the cost, while the cost is large
 * @property {number} lastLarge  the last step at which the cost is large, -1 for none
 */

// The largest epsilon of the slider below a positive error.
/** @type {(error: number) => number} */
export const epsilonBelow = (error) =>
  Number(((Math.ceil(error / EPSILON_STEP - 1e-9) - 1) * EPSILON_STEP).toFixed(3));

// With s the leaves of the smallest tree for f, logarithms to base 2. No numbers where s is unknown.
/** @type {(path: Pick<GreedyPath, "steps" | "costs" | "errors">, known: number | null, epsilon: number) => ScoreBounds} */
export const scoreBounds = ({ steps, costs, errors }, known, epsilon) => {
  const size = known ?? NaN;
  const log = Math.log2(size);
  const wide = Math.log2((4 * size) / epsilon);
  let lastLarge = -1;
  while (epsilon > 0 && lastLarge < steps && costs[lastLarge + 1] >= epsilon * wide) lastLarge += 1;
  return {
    sharper: (j) => (2 * errors[j]) / ((j + 1) * log),
    paper: (j) => epsilon / ((j + 1) * log),
    byCost: (j) => costs[j] / ((j + 1) * wide * log),
    lastLarge,
  };
};

// The heights between which all scores and, where a size gives them, their bounds lie.
/** @type {(path: GreedyPath, size: number | null) => [number, number]} */
export const scoreRange = ({ steps, scores, errors }, size) => {
  const top = Math.max(scores[0], 0.1);
  if (size === null) return [steps ? scores[steps - 1] : 0.5, top];
  const perError = 1 / (steps * Math.log2(size));
  return [Math.min(2 * errors[steps - 1], EPSILON_STEP) * perError, top];
};
