// Errors against size, and the staircase of the fewest errors with the structural risk.

import { StepChart } from "../explorers/static/drawing/chart.js";
import { put, say, svg } from "../explorers/static/hosting/kit.js";
import { rootScale } from "../explorers/static/computing/scale.js";
import { cheapestErrors } from "./kernel.js";

/** @import { Left, PrunableTree } from "./kernel.js" */

// Three errors of the trees on the way to the overgrown one, or of the sequence of cheapest prunings; the dots are
// those of what is left of it.
export const errorsChart = () => {
  const view = new StepChart({
    title: "Errors against size",
    scaleName: "",
    name: "Training error, error on the pruning sample and true error against the number of leaves.",
    keys: ["training", "pruning", "truth"],
  });
  return {
    view,
    /** @type {(tree: PrunableTree, method: string, size: { width: number, height: number }) => void} */
    frame(tree, method, size) {
      Object.assign(view, size);
      const priced = method === "cost complexity";
      view.scaleName = priced ? "of the cheapest prunings" : "as the tree grows";
      view.remark(false);
      view.frame(tree.leaves[0] - 1, rootScale(0.5));
      Object.values(priced ? cheapestErrors(tree) : tree.grown).forEach((curve, k) => view.curve(k, (j) => curve[j]));
    },
    /** @type {(tree: PrunableTree, left: Left) => void} */
    draw({ truth }, { leaves, rates }) {
      view.point(leaves - 1, [
        { value: rates.training, text: `training ${rates.training.toFixed(3)}` },
        { value: rates.pruning, text: `pruning ${rates.pruning.toFixed(3)}` },
        { value: rates.truth, text: `${truth} ${rates.truth.toFixed(3)}` },
      ]);
    },
  };
};

// The fewest errors of every size, with a mark at the least structural risk.
/** @param {(step: number) => void} onStep */
export const frontChart = (onStep) => {
  const view = new StepChart({
    title: "Fewest training errors",
    scaleName: "of every size",
    name: "The fewest training errors of a pruning with so many leaves, and the structural risk.",
    keys: ["training", "bound-risk"],
    onStep,
  });
  view.remark(false);
  const text = svg("text", { y: -12 });
  const best = svg("g", { class: "dtviz-best" }, svg("circle", { r: 6 }), text);
  view.over.append(best);
  return {
    view,
    /** @type {(tree: PrunableTree, width: number) => void} */
    frame(tree, width) {
      Object.assign(view, { width, height: 190 });
      view.frame(tree.leaves[0] - 1, rootScale(1.25));
      view.curve(0, (j) => tree.fewest[j] / tree.counted.training.size);
      view.curve(1, (j) => tree.risks[j]);
      const choice = tree.front.sizes[tree.srm];
      const x = view.x(choice - 1);
      put(best, "transform", `translate(${x},${view.y(tree.risks[choice - 1])})`);
      say(text, `least risk: ${choice}`);
      put(text, "text-anchor", x < view.margins.left + 50 ? "start" : "middle");
    },
    /** @type {(tree: PrunableTree, left: Left) => void} */
    draw(tree, { leaves }) {
      const fewest = tree.fewest[leaves - 1];
      const risk = tree.risks[leaves - 1];
      view.point(leaves - 1, [
        { value: fewest / tree.counted.training.size, text: `errors ${fewest}` },
        { value: risk, text: `risk ${risk.toFixed(2)}` },
      ]);
    },
  };
};
