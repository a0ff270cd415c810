// The curves of chapter 1: error and cost of the greedy tree, with the error of the reader's; and the score of each
// split with its bounds. And what f is in numbers.

import { html, say } from "../explorers/static/hosting/kit.js";
import { curve, leavesChart } from "../explorers/static/drawing/leaves.js";
import { logScale, rootScale } from "../explorers/static/computing/scale.js";
import { count, small, variableName } from "../explorers/static/computing/text.js";
import { scoreBounds, scoreRange } from "./kernel.js";

/** @import { Drawn, Known, State } from "./state.js" */

// Whether the bounds are drawn.
/** @type {(state: State) => boolean} */
const isBounded = ({ model, now }) =>
  model.get("show_bounds") && now().greedy.steps > 0 && now().size !== null;

// Error, cost and half the cost of the greedy tree, and the error of the reader's.
/** @param {State} state */
export const errorChart = (state) => {
  const { model, goTo, isOwn } = state;
  const { view, draw } = leavesChart({
    title: "Error and cost",
    scaleName: "square-root scale",
    scale: rootScale,
    leveled: model,
    name: "Curves of the error, the cost and half the cost against the number of leaves.",
    keys: ["cost", "half", "error", "yours"],
    onStep: goTo,
    onScrub: goTo,
  });
  return {
    view,
    /** @param {Drawn} drawn */
    draw({ known, path, step }) {
      const { steps, costs, errors } = known.greedy;
      const bounded = isBounded(state);
      const [cost, half, error] = [
        curve("cost", (j) => costs[j], steps),
        curve("cost/2", (j) => costs[j] / 2, steps),
        curve("error", (j) => errors[j], steps),
      ];
      const yours = isOwn() && curve("yours", (j) => path.errors[j], path.steps);
      const remark = bounded && "error ≤ cost/2";
      const most = Math.max(steps, path.steps);
      draw({ steps: most, range: [Math.max(costs[0], 0.5)], step, curves: [cost, half, error, yours], remark });
      view.fill(bounded && !yours && half.at, error.at);
    },
  };
};

// The score of each split and, where asked for, what the lemmas promise of it.
/** @param {State} state */
export const scoreChart = (state) => {
  const { model, goTo } = state;
  const { view, draw } = leavesChart({
    title: "Score of the next split",
    scaleName: "log scale",
    scale: (low, high) => logScale(low / 1.4, high * 1.4),
    name: "The score of each split against the number of leaves.",
    keys: ["score", "bound", "bound-paper", "bound-cost"],
    onStep: goTo,
  });
  return {
    view,
    /** @param {Drawn} drawn */
    draw({ known: { greedy: path, size }, step, stop }) {
      const bounded = isBounded(state);
      const epsilon = model.get("epsilon");
      const { sharper, paper, byCost, lastLarge } = scoreBounds(path, size, epsilon);
      const last = path.steps - 1;
      const useful = bounded && epsilon > 0;
      const curves = [
        curve("score", (j) => path.scores[j], last),
        bounded && curve("by error", sharper, last),
        useful && curve("by ε", paper, stop - 1),
        useful && curve("by cost", byCost, lastLarge),
      ];
      const unknown = model.get("show_bounds") && size === null && "no bounds: the smallest tree is not known";
      const remark = bounded ? `smallest tree: s = ${size}` : unknown;
      const range = scoreRange(path, bounded ? size : null);
      draw({ steps: path.steps, range, step: Math.min(step, path.steps), curves, remark });
    },
  };
};

// What f is in numbers: the smallest size, the rank, and every variable's influence with a bar.
export const factsLine = () => {
  const sizes = html("span");
  const bars = html("span", { class: "dtviz-influences", role: "group" });
  /** @type {Known | null} */
  let shown = null;
  return {
    root: html("div", { class: "dtviz-function-facts" }, sizes, bars),
    /** @param {Known} known */
    draw(known) {
      if (shown === known) return;
      shown = known;
      const { f: { n, names = [] }, greedy, size, rank } = known;
      const best = size === null ? "smallest tree not known above 12 variables" : `smallest tree ${count(size, "leaf", "leaves")}`;
      say(sizes, `n = ${n}, ${best}${rank === null ? "" : `, rank ${rank}`}. Influences:`);
      const items = greedy.contest(0).scores.map((share, i) => {
        const item = html("span", { class: "dtviz-influence" }, `${variableName(names, i)} `, html("b", {}, small(share)));
        item.style.setProperty("--dtviz-share", `${(100 * share).toFixed(1)}%`);
        return item;
      });
      bars.replaceChildren(...(items.length ? items : ["none"]));
    },
  };
};
