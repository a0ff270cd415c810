// The race: how good the choices and the tree of the sampled learner are, for each number of draws.

import { CHART, CurveChart } from "../explorers/static/chart.js";
import { put } from "../explorers/static/kit.js";
import { through } from "../explorers/static/scale.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { decimals } from "./kernel.js";

/** @import { SampledRun } from "./kernel_samples.js" */

const HEIGHT = 230;

/** @param {{ budgets: number[], onPick: (k: number) => void }} options */
export const raceChart = ({ budgets, onPick }) => {
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
    view.setSize(width, HEIGHT);
    const rows = [0, 0.25, 0.5, 0.75, 1].map((tick) => view.row(view.up(tick), String(tick)));
    const every = view.inner < 300 ? 3 : 2;
    const columns = budgets.flatMap((m, k) => {
      if (k % every) return [];
      return [view.column(x(k), 17, m < 1024 ? String(m) : `${m / 1024}k`)];
    });
    view.setAxes(rows, [...columns, view.column(view.across(0.5), 34, "draws")]);
  };
  return {
    root: view.root,
    /** @param {{ runs: SampledRun[], chosen: number, epsilon: number, width: number }} shown */
    draw({ runs, chosen, epsilon, width }) {
      if (view.width !== width) drawAxes(width);
      const { least, error } = runs[chosen];
      const curves = [
        { text: `worst choice ${decimals(least, 2)}`, values: runs.map((run) => run.least) },
        { text: `true error ${decimals(error, 3)}`, values: runs.map((run) => run.error) },
        { text: "a quarter", values: runs.map(() => 0.25) },
        { text: `ε ${epsilonText(epsilon)}`, values: runs.map(() => epsilon) },
      ];
      curves.forEach(({ values }, k) => {
        put(view.curves[k].line, "d", through(values.map((value, j) => [x(j), view.up(value)])));
      });
      view.read(x(chosen), curves.map(({ text, values }) => ({ text, y: view.up(values[chosen]) })));
      view.describe(
        `At ${count(budgets[chosen], "draw")} the worst choice has ${decimals(least, 2)} of the best score, ` +
          `and the true error is ${decimals(error, 3)}.`,
      );
    },
  };
};
