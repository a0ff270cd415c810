// Error and cost of the tree, and the score of each split with its lower bounds, against the leaves.

import { chart } from "../explorers/static/chart.js";
import { change } from "../explorers/static/kit.js";
import { epsilonLevel } from "../explorers/static/level.js";
import { logScale, rootScale } from "../explorers/static/scale.js";
import { brief } from "../explorers/static/text.js";
import { decimals } from "./kernel.js";
import { scoreFloor } from "./kernel_depths.js";

/**
 * @import { Averages } from "./kernel_depths.js"
 * @import { Now, Rival, State } from "./state.js"
 */

/** @param {State} state */
export const errorChart = ({ model, subject, goTo }) => {
  const view = chart({
    title: "Error and cost",
    scaleName: "square-root scale",
    name: "Curves of the error and the cost against the number of leaves.",
    keys: ["cost", "error", "race"],
    onStep: goTo,
  });
  const top = () => subject().cost;
  const drawLevel = epsilonLevel(view, { top, onMove: (epsilon) => change(model, { epsilon }) });
  return {
    view,
    /** @param {number} steps */
    frame: (steps) => view.frame(steps, rootScale(top())),
    /** @type {(now: Now, run: Rival | null) => void} */
    draw({ path, stop, epsilon }, run) {
      view.curve(0, (j) => path.costs[j], 0, path.steps);
      view.curve(1, (j) => path.errors[j], 0, path.steps);
      view.curve(2, run && ((j) => run.path.errors[j]), 0, run?.path.steps);
      // At equal size.
      const rival = run ? run.path.errors[Math.min(stop, run.path.steps)] : 0;
      view.point(stop, [
        { value: path.costs[stop], text: `cost ${decimals(path.costs[stop], 2)}` },
        { value: path.errors[stop], text: `error ${decimals(path.errors[stop], 3)}` },
        run && { value: rival, text: `sampled ${decimals(rival, 3)}` },
      ]);
      drawLevel(epsilon);
    },
  };
};

/** @param {State} state */
export const scoreChart = ({ goTo }) => {
  const view = chart({
    title: "Score of the next split",
    scaleName: "log scale",
    name: "The score of each split against the number of leaves, and its lower bounds.",
    keys: ["score", "bound-cost", "bound", "bound-paper"],
    onStep: goTo,
  });
  return {
    view,
    /** @param {number} steps */
    frame: (steps) => view.frame(steps, logScale(1e-5, 0.6)),
    /** @type {(now: Now, averages: Averages) => void} */
    draw({ f, path, stop }, averages) {
      const { errors, scores, steps } = path;
      const last = steps - 1;
      const floors = /** @type {[string, number][]} */ ([
        ["by Δmax", averages.most],
        ["by D", f.depth],
        ["by Δ(f)", averages.least],
      ]);
      view.curve(0, steps > 0 && ((j) => scores[j]), 0, last);
      floors.forEach(([, delta], k) => {
        view.curve(k + 1, steps > 0 && ((j) => scoreFloor(errors, j, delta)), 0, last);
      });
      const values = /** @type {[string, number][]} */ ([
        ["score", scores[stop]],
        ...floors.map(([name, delta]) => [name, scoreFloor(errors, stop, delta)]),
      ]);
      view.point(stop, values.map(([name, value]) => stop <= last && { value, text: `${name} ${brief(value)}` }));
      view.remark("ochre: lower bounds");
    },
  };
};
