// The race: how good the choices and the tree of the sampled learner are, for each number of draws.

import { Chart } from "../explorers/static/chart.js";
import { put, putAll, say, svg } from "../explorers/static/kit.js";
import { through } from "../explorers/static/scale.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { decimals } from "./kernel.js";

/**
 * @import { Point } from "../explorers/static/scale.js"
 * @import { SampledRun } from "./kernel_samples.js"
 */

const RACE = { left: 40, right: 84, top: 10, bottom: 40 };
const RACE_HEIGHT = 230;

/** @type {(kind: string, dots: number) => { curve: SVGPathElement, dots: SVGCircleElement[] }} */
const makeSeries = (kind, dots) => ({
  curve: svg("path", { class: `dtviz-curve dtviz-${kind}` }),
  dots: Array.from({ length: dots }, () => svg("circle", { class: `dtviz-dot dtviz-${kind}` })),
});

export class RaceChart {
  /** @param {{ budgets: number[], onPick: (k: number) => void }} options */
  constructor({ budgets, onPick }) {
    this.budgets = budgets;
    this.cursor = svg("line", { class: "dtviz-cursor dtviz-strong" });
    this.levels = [0, 1].map(() => svg("line", { class: "dtviz-goal" }));
    this.series = ["score", "error"].map((kind) => makeSeries(kind, budgets.length));
    const kinds = ["goal", "goal", "score", "error"];
    this.names = kinds.map((kind) => svg("text", { class: `dtviz-tag dtviz-${kind}` }));
    const drawn = this.series.flatMap(({ curve, dots }) => [curve, ...dots]);
    this.view = new Chart({
      kind: "dtviz-chart",
      margins: RACE,
      marks: [this.cursor, ...this.levels, ...drawn, ...this.names],
      onPick: (share) => onPick(Math.round(share * (budgets.length - 1))),
    });
    this.root = this.view.root;
    this.title = this.view.title;
  }

  /** @param {number} k */
  x(k) {
    return this.view.across(k / (this.budgets.length - 1));
  }

  // What stays while the state moves.
  /** @param {number} width */
  still(width) {
    const { view } = this;
    view.setSize(width, RACE_HEIGHT);
    const rows = [0, 0.25, 0.5, 0.75, 1].map((tick) => view.row(view.up(tick), String(tick)));
    const every = view.inner < 300 ? 3 : 2;
    const columns = this.budgets.flatMap((m, k) => {
      if (k % every) return [];
      return [view.column(this.x(k), 17, m < 1024 ? String(m) : `${m / 1024}k`)];
    });
    view.setAxes(rows, [...columns, view.column(view.across(0.5), 34, "draws")]);
    const quarter = view.up(0.25);
    for (const level of this.levels) putAll(level, { x1: RACE.left, x2: view.edge, y1: quarter, y2: quarter });
    putAll(this.cursor, { y1: RACE.top, y2: view.low });
    for (const { dots } of this.series) dots.forEach((dot, k) => put(dot, "cx", this.x(k)));
  }

  /** @type {(which: number, values: number[], chosen: number) => void} */
  drawSeries(which, values, chosen) {
    const { curve, dots } = this.series[which];
    /** @type {Point[]} */
    const points = values.map((value, k) => [this.x(k), this.view.up(value)]);
    put(curve, "d", through(points));
    dots.forEach((dot, k) => putAll(dot, { cy: points[k][1].toFixed(2), r: k === chosen ? 5 : 3 }));
  }

  /** @param {{ runs: SampledRun[], chosen: number, epsilon: number, width: number }} shown */
  draw({ runs, chosen, epsilon, width }) {
    const { view, names } = this;
    if (view.width !== width) this.still(width);
    const x = this.x(chosen);
    putAll(this.cursor, { x1: x, x2: x });
    const level = view.up(epsilon);
    putAll(this.levels[1], { y1: level, y2: level });
    this.drawSeries(0, runs.map((run) => run.least), chosen);
    this.drawSeries(1, runs.map((run) => run.error), chosen);
    const last = runs[runs.length - 1];
    const values = /** @type {[string, number][]} */ ([
      ["a quarter", 0.25],
      [`ε ${epsilonText(epsilon)}`, epsilon],
      ["worst choice", last.least],
      ["true error", last.error],
    ]);
    const tags = values.map(([text, value], k) => {
      say(names[k], text);
      return { name: names[k], y: view.up(value) };
    });
    view.setTags(tags, 14, 8, view.low);
    const { least, error } = runs[chosen];
    view.describe(
      `At ${count(this.budgets[chosen], "draw")} the worst choice has ${decimals(least, 2)} of the best score, ` +
        `and the true error is ${decimals(error, 3)}.`,
    );
  }
}
