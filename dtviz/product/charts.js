// Error and cost of the tree, and the score of each split with its lower bounds, against the leaves; and how good
// the choices and the tree of the sampled learner are, against its draws.

import { CHART, CurveChart } from "../explorers/static/drawing/chart.js";
import { decimals } from "../explorers/static/computing/greedy.js";
import { put } from "../explorers/static/hosting/kit.js";
import { curve, leavesChart } from "../explorers/static/drawing/leaves.js";
import { logScale, rootScale, through } from "../explorers/static/computing/scale.js";
import { count, epsilonText } from "../explorers/static/computing/text.js";
import { scoreFloor } from "./kernel_depths.js";

/**
 * @import { SampledRun } from "./kernel_samples.js"
 * @import { Now, State } from "./state.js"
 */

/** @param {State} state */
export const errorChart = ({ model, goTo }) => {
  const { view, draw } = leavesChart({
    title: "Error and cost",
    scaleName: "square-root scale",
    scale: rootScale,
    leveled: model,
    name: "Curves of the error and the cost against the number of leaves.",
    keys: ["cost", "error", "race"],
    onStep: goTo,
  });
  return {
    view,
    /** @type {(now: Now, steps: number, run: SampledRun | null) => void} */
    draw({ f, path, stop: step }, steps, run) {
      const curves = [
        curve("cost", (j) => path.costs[j], path.steps),
        curve("error", (j) => path.errors[j], path.steps),
        run && curve("sampled", (j) => run.path.errors[Math.min(j, run.path.steps)]),
      ];
      draw({ steps, range: [f.cost], step, curves });
    },
  };
};

/** @param {State} state */
export const scoreChart = ({ goTo }) => {
  const { view, draw } = leavesChart({
    title: "Score of the next split",
    scaleName: "log scale",
    scale: logScale,
    name: "The score of each split against the number of leaves, and its lower bounds.",
    keys: ["score", "bound-cost", "bound", "bound-paper"],
    onStep: goTo,
  });
  return {
    view,
    /** @type {(now: Now, steps: number) => void} */
    draw({ f, path, stop: step, averages }, steps) {
      const last = path.steps - 1;
      /** @type {(name: string, delta: number) => ReturnType<typeof curve>} */
      const floor = (name, delta) => curve(name, (j) => scoreFloor(path.errors, j, delta), last);
      const floors = [floor("by Δmax", averages.most), floor("by D", f.depth), floor("by Δ(f)", averages.least)];
      const curves = [curve("score", (j) => path.scores[j], last), ...floors];
      draw({ steps, range: [1e-5, 0.6], step, curves, remark: "ochre: lower bounds" });
    },
  };
};

/** @type {(budgets: number[], onPick: (k: number) => void) => { root: HTMLElement, draw: (shown: { runs: SampledRun[], chosen: number, epsilon: number, width: number }) => void }} */
export const raceChart = (budgets, onPick) => {
  const last = budgets.length - 1;
  const view = new CurveChart({
    ...{ kind: "dtviz-chart", title: "The sampled learner", margins: { ...CHART, bottom: 40 } },
    keys: ["score", "error", "goal", "goal"],
    onPick: (share) => onPick(Math.round(share * last)),
  });
  for (const { dot } of view.curves.slice(2)) put(dot, "r", 0);
  /** @param {number} k */
  const x = (k) => view.across(k / last);
  /** @param {number} width */
  const drawAxes = (width) => {
    view.setSize(width, 230);
    const rows = [0, 0.25, 0.5, 0.75, 1].map((tick) => view.row(view.up(tick), String(tick)));
    const every = view.inner < 300 ? 3 : 2;
    const columns = budgets.flatMap((m, k) =>
      k % every ? [] : view.column(x(k), 17, m < 1024 ? String(m) : `${m / 1024}k`),
    );
    view.setAxes(rows, [...columns, view.column(view.across(0.5), 34, "draws")]);
  };
  return {
    root: view.root,
    draw({ runs, chosen, epsilon, width }) {
      if (view.width !== width) drawAxes(width);
      const { least, error } = runs[chosen];
      const curves = [
        { text: `worst choice ${decimals(least)}`, values: runs.map((run) => run.least) },
        { text: `true error ${decimals(error)}`, values: runs.map((run) => run.error) },
        { text: "a quarter", values: runs.map(() => 0.25) },
        { text: `ε ${epsilonText(epsilon)}`, values: runs.map(() => epsilon) },
      ];
      curves.forEach(({ values }, k) => {
        put(view.curves[k].line, "d", through(values.map((value, j) => [x(j), view.up(value)])));
      });
      view.read(x(chosen), curves.map(({ text, values }) => ({ text, y: view.up(values[chosen]) })));
      view.describe(
        `At ${count(budgets[chosen], "draw")} the worst choice has ${decimals(least)} of the best score, ` +
          `and the true error is ${decimals(error)}.`,
      );
    },
  };
};
