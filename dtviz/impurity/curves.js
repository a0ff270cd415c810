// The curves of impurity and error, along the path.

import { chart } from "../explorers/static/chart.js";
import { plainScale } from "../explorers/static/scale.js";

/** @import { Now, State } from "./state.js" */

/** @param {State} state */
export const curvesOf = ({ goTo }) => {
  const view = chart({
    title: "Impurity and error",
    scaleName: "",
    name: "Curves of the impurity and of the error against the number of leaves.",
    keys: ["cost", "error", "held"],
    onStep: (step) => goTo(step + 1),
  });
  return {
    view,
    /** @param {Now} now */
    show({ path, held }) {
      const top = Math.max(0.1, ...path.costs, ...path.errors, ...(held ?? []));
      view.frame(path.steps, plainScale(top, 4));
      view.curve(0, (j) => path.costs[j], 0, path.steps);
      view.curve(1, (j) => path.errors[j], 0, path.steps);
      view.curve(2, held && ((j) => held[j]), 0, path.steps);
    },
    /** @type {(now: Now, step: number) => void} */
    draw({ path: { costs, errors }, held }, step) {
      view.point(step, [
        { value: costs[step], text: `impurity ${costs[step].toFixed(3)}` },
        { value: errors[step], text: `error ${errors[step].toFixed(3)}` },
        held && { value: held[step], text: `held out ${held[step].toFixed(3)}` },
      ]);
    },
  };
};
