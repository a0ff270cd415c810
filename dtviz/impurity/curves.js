// The curves of impurity and error, along the path.

import { StepChart } from "../explorers/static/drawing/chart.js";
import { say } from "../explorers/static/hosting/kit.js";
import { plainScale } from "../explorers/static/computing/scale.js";

/** @import { Now, State } from "./state.js" */

/** @param {State} state */
export const curvesOf = ({ goTo }) => {
  const view = new StepChart({
    title: "",
    scaleName: "",
    name: "Curves of the impurity and of the error against the number of leaves.",
    keys: ["cost", "error", "held"],
    onStep: (step) => goTo(step + 1),
  });
  return {
    view,
    /** @param {Now} now */
    show({ path, held, plane: { values } }) {
      say(view.title, values ? "Mean squared error" : "Impurity and error");
      const top = values ? path.costs[0] || 1 : Math.max(0.1, ...path.costs, ...path.errors, ...(held ?? []));
      view.frame(path.steps, plainScale(top, 4));
      view.curve(0, (j) => path.costs[j], 0, path.steps);
      // For numbers the cost is the error.
      view.curve(1, !values && ((j) => path.errors[j]), 0, path.steps);
      view.curve(2, held && ((j) => held[j]), 0, path.steps);
    },
    /** @type {(now: Now, step: number) => void} */
    draw({ path: { costs, errors, write }, held, plane: { values } }, step) {
      view.point(step, [
        { value: costs[step], text: `${values ? "error" : "impurity"} ${write(costs[step])}` },
        !values && { value: errors[step], text: `error ${errors[step].toFixed(3)}` },
        held && { value: held[step], text: `held out ${held[step].toFixed(3)}` },
      ]);
    },
  };
};
