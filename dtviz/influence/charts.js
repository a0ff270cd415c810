// The curves of chapter 1: error and cost of the greedy tree, or the errors of the three that race; and
// the score of each split with its bounds.

import { chart } from "../explorers/static/chart.js";
import { change, html, put, say } from "../explorers/static/kit.js";
import { epsilonLevel } from "../explorers/static/level.js";
import { logScale, rootScale } from "../explorers/static/scale.js";
import { brief, count, tiny, variableName } from "../explorers/static/text.js";
import { scoreBounds, scoreRange } from "./kernel.js";

/**
 * @import { Drawn, Known, State } from "./state.js"
 */

// What the chart of errors shows in a race: the errors of the greedy tree, of the best trees and of the reader's.
/** @type {(state: State, view: ReturnType<typeof chart>) => { frame: () => void, draw: (drawn: Drawn) => void }} */
const raceChart = ({ now, drawn }, view) => ({
  frame() {
    const one = now();
    const { greedy, best } = one;
    const { path } = drawn();
    view.frame(Math.max(greedy.steps, path.steps, 1), rootScale(0.5));
    for (const k of [0, 1]) view.curve(k, null);
    view.curve(2, (j) => greedy.errors[Math.min(j, greedy.steps)]);
    view.curve(3, best && ((j) => one.least(j + 1) ?? 0));
    view.curve(4, (j) => path.errors[j], 0, path.steps);
    view.fill(null, () => 0);
    view.remark(false);
  },
  draw({ known, path, step }) {
    const greed = known.greedy.errors[Math.min(step, known.greedy.steps)];
    const best = known.least(step + 1);
    view.point(step, [
      null,
      null,
      { value: greed, text: `greedy ${greed.toFixed(3)}` },
      best !== null && { value: best, text: `best ${best.toFixed(3)}` },
      { value: path.errors[step], text: `you ${path.errors[step].toFixed(3)}` },
    ]);
  },
});

// Error, cost and half the cost, with epsilon as a level to drag; in a race the errors alone.
/** @param {State} state */
export const errorChart = (state) => {
  const { model, now, goTo, racing } = state;
  const view = chart({
    title: "Error and cost",
    scaleName: "square-root scale",
    name: "Curves of the error, the cost and half the cost against the number of leaves.",
    keys: ["cost", "half", "error", "least", "yours"],
    onStep: goTo,
  });
  const top = () => (racing() ? 0.5 : Math.max(now().greedy.costs[0], 0.5));
  const drawLevel = epsilonLevel(view, { top, onMove: (epsilon) => change(model, { epsilon }) });
  const race = raceChart(state, view);
  return {
    view,
    /** @param {boolean} bounded */
    frame(bounded) {
      say(view.title, racing() ? "Error: you, greedy, the best" : "Error and cost");
      if (racing()) {
        race.frame();
        return;
      }
      const { steps, costs, errors } = now().greedy;
      view.frame(steps, rootScale(top()));
      view.curve(0, (j) => costs[j]);
      view.curve(1, (j) => costs[j] / 2);
      view.curve(2, (j) => errors[j]);
      for (const k of [3, 4]) view.curve(k, null);
      view.fill(bounded && ((j) => costs[j] / 2), (j) => errors[j]);
      view.remark(bounded && "error ≤ cost/2");
    },
    /** @param {Drawn} drawn */
    draw(drawn) {
      const { path: { costs, errors }, step } = drawn;
      if (racing()) {
        race.draw(drawn);
      } else {
        view.point(step, [
          { value: costs[step], text: `cost ${costs[step].toFixed(2)}` },
          { value: costs[step] / 2, text: `cost/2 ${(costs[step] / 2).toFixed(2)}` },
          { value: errors[step], text: `error ${errors[step].toFixed(3)}` },
          null,
          null,
        ]);
      }
      drawLevel(model.get("epsilon"));
    },
  };
};

// The score of each split and, where asked for, what the lemmas promise of it.
/** @param {State} state */
export const scoreChart = ({ model, now, goTo }) => {
  const view = chart({
    title: "Score of the next split",
    scaleName: "log scale",
    name: "The score of each split against the number of leaves.",
    keys: ["score", "bound", "bound-paper", "bound-cost"],
    onStep: goTo,
  });
  return {
    view,
    /** @param {boolean} bounded */
    frame(bounded) {
      const path = now().greedy;
      const { steps, scores, size } = path;
      const [low, high] = scoreRange(path, bounded);
      view.frame(steps, logScale(low / 1.4, high * 1.4));
      view.curve(0, steps > 0 && ((j) => scores[j]), 0, steps - 1);
      view.curve(1, bounded && scoreBounds(path, 0).sharper, 0, steps - 1);
      const unknown = model.get("show_bounds") && size === null && "no bounds: the smallest tree is not known";
      view.remark(bounded ? `smallest tree: s = ${size}` : unknown);
    },
    /** @type {(drawn: Drawn, bounded: boolean) => void} */
    draw({ known: { greedy: path }, step: at, stop }, bounded) {
      const step = Math.min(at, path.steps);
      const epsilon = model.get("epsilon");
      const { sharper, paper, byCost, lastLarge } = scoreBounds(path, epsilon);
      const useful = bounded && epsilon > 0;
      view.curve(2, useful && stop > 0 && paper, 0, stop - 1);
      view.curve(3, useful && lastLarge >= 0 && byCost, 0, lastLarge);
      /** @type {(name: string, value: number, speaks: boolean) => { value: number, text: string } | false} */
      const tag = (name, value, speaks) => speaks && { value, text: `${name} ${brief(value)}` };
      view.point(step, [
        tag("score", path.scores[step], step < path.steps),
        tag("by error", sharper(step), bounded && step < path.steps),
        tag("by ε", paper(step), useful && step < stop),
        tag("by cost", byCost(step), useful && step <= lastLarge),
      ]);
    },
  };
};

// What f is in numbers: the smallest size, the rank, and every variable's influence with a bar.
export const factsLine = () => {
  const sizes = html("span");
  const bars = html("span", { class: "dtviz-influences" });
  const root = html("div", { class: "dtviz-function-facts" }, sizes, bars);
  /** @type {Known | null} */
  let shown = null;
  return {
    root,
    /** @param {Known} known */
    draw(known) {
      if (shown === known) return;
      shown = known;
      const { n, names, influences, size, rank } = known;
      const best = size === null ? "smallest tree not known above 12 variables" : `smallest tree ${count(size, "leaf", "leaves")}`;
      say(sizes, `n = ${n}, ${best}${rank === null ? "" : `, rank ${rank}`}. Influences:`);
      const items = influences.map((counted, i) => {
        const share = counted / 2 ** n;
        const item = html("span", { class: "dtviz-influence" }, `${variableName(names, i)} `, html("b", {}, tiny(share)));
        item.style.setProperty("--dtviz-share", `${(100 * share).toFixed(1)}%`);
        return item;
      });
      bars.replaceChildren(...(items.length ? items : ["none"]));
      put(bars, "role", "group");
    },
  };
};
