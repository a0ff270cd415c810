// Many samples of each size: the true errors of the trees found, and how many are above epsilon.

import { Chart } from "../explorers/static/chart.js";
import { keyText, say, svg } from "../explorers/static/kit.js";
import { through } from "../explorers/static/scale.js";
import { clamp, count, epsilonText } from "../explorers/static/text.js";
import { columnOf } from "./kernel.js";
import { summaryOf } from "./kernel_samples.js";

/**
 * @import { Point } from "../explorers/static/scale.js"
 * @import { Column, Summary } from "./kernel_samples.js"
 *
 * @typedef {object} Shown
 * @property {(Column | null)[]} columns  for each number of examples, null while it is not computed
 * @property {number} epsilon
 * @property {number} chosen  the column on display
 * @property {number | null} asked  the m that the theorem asks for, null where it says nothing
 * @property {number} width
 *
 * @typedef {(value: number) => number} ToPixels
 */

// The left margin holds the longest of the heads of the rows below, "% none".
const DRAWS = { left: 62, right: 12, top: 30, bottom: 64 };
const HEIGHT = 316;
const TENTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

// What the key says of the m that the theorem asks for, by where its mark is.
const KEY_OF_DRAWS =
  "Dots: true errors of the trees found, larger where more samples gave that error; the line " +
  "joins the medians. Below: per cent of the samples above ε";
const KEY_OF_THEOREM = {
  within: "Ochre, dashed: the m that the theorem asks for.",
  beyond: "Ochre: the m that the theorem asks for lies to the right.",
  silent: "The theorem asks for no m here: r is 0, or below the rank of the target.",
};

/** @type {(part: number, all: number) => string} */
const perCent = (part, all) => String(Math.round((100 * part) / all));

class DrawsChart {
  /** @param {{ grid: number[], onPick: (k: number) => void }} options */
  constructor({ grid, onPick }) {
    this.grid = grid;
    this.layer = svg("g", {});
    this.key = keyText(KEY_OF_DRAWS);
    this.key.classList.add("dtviz-draws-key");
    this.view = new Chart({
      kind: "dtviz-draws",
      margins: DRAWS,
      marks: [this.layer],
      below: [this.key],
      onPick: (share) => onPick(clamp(Math.floor(share * grid.length), 0, grid.length - 1)),
    });
    this.root = this.view.root;
    this.title = this.view.title;
    this.note = this.view.note;
  }

  get column() {
    return this.view.inner / this.grid.length;
  }

  // The middle of column k.
  /** @param {number} k */
  x(k) {
    return DRAWS.left + (k + 0.5) * this.column;
  }

  // Below each column its m, the share above epsilon, and that of none where there is any.
  /** @type {(summaries: (Summary | null)[]) => SVGElement[]} */
  columns(summaries) {
    const { view, grid } = this;
    const failing = summaries.some((summary) => summary && summary.none > 0);
    const every = this.column < 27 ? 2 : 1;
    const texts = grid.flatMap((m, k) => {
      if ((grid.length - 1 - k) % every) return [];
      const words = [view.column(this.x(k), 20, String(m))];
      const summary = summaries[k];
      if (!summary) return words;
      const { above, none, all } = summary;
      words.push(view.column(this.x(k), 38, perCent(above, all), "dtviz-above"));
      return failing ? [...words, view.column(this.x(k), 56, perCent(none, all))] : words;
    });
    const heads = [view.rowHead(20, "m"), view.rowHead(38, "% > ε", "dtviz-above")];
    return failing ? [...texts, view.rowHead(56, "% none"), ...heads] : [...texts, ...heads];
  }

  /** @type {(summaries: (Summary | null)[], y: ToPixels) => SVGElement[]} */
  dots(summaries, y) {
    const largest = Math.min(this.column * 0.48, 9);
    const circles = summaries.flatMap((summary, k) =>
      (summary?.often ?? []).map(([error, times]) => {
        const r = Math.max(1.5, largest * Math.sqrt(times / (summary?.all ?? 1))).toFixed(2);
        return svg("circle", { class: "dtviz-sampled", cx: this.x(k), cy: y(error), r });
      }),
    );
    /** @type {Point[]} */
    const medians = summaries.flatMap((summary, k) => {
      const median = summary?.median ?? null;
      return median === null ? [] : [/** @type {Point} */ ([this.x(k), y(median)])];
    });
    if (!medians.length) return circles;
    return [...circles, svg("path", { class: "dtviz-curve dtviz-error", d: through(medians) })];
  }

  // The level of epsilon.
  /** @type {(epsilon: number, height: number) => SVGElement[]} */
  goal(epsilon, height) {
    const { edge } = this.view;
    const line = svg("line", { class: "dtviz-goal", x1: DRAWS.left, x2: edge, y1: height, y2: height });
    const at = { x: edge, y: height - 5, "text-anchor": "end" };
    return [line, svg("text", { class: "dtviz-epsilon", ...at }, `ε = ${epsilonText(epsilon)}`)];
  }

  // How many examples the theorem asks for, or that it asks for more than there is room for.
  /** @type {(asked: number | null) => SVGElement[]} */
  theorem(asked) {
    if (asked === null) return [];
    const { grid, view } = this;
    const beyond = asked > grid[grid.length - 1];
    const label = `guaranteed: m ≥ ${asked.toLocaleString("en")}${beyond ? " →" : ""}`;
    const x = beyond ? view.edge : this.x(columnOf(grid, asked));
    const side = beyond || x > view.width / 2 ? "end" : "start";
    const at = { x, y: DRAWS.top - 10, "text-anchor": side };
    const text = svg("text", { class: "dtviz-tag dtviz-bound", ...at }, label);
    if (beyond) return [text];
    return [svg("path", { class: "dtviz-curve dtviz-bound", d: `M${x} ${DRAWS.top}V${view.low}` }), text];
  }

  /** @param {Shown} shown */
  draw({ columns, epsilon, chosen, asked, width }) {
    const { view, grid } = this;
    view.setSize(width, HEIGHT);
    const summaries = columns.map((column) => column && summaryOf(column, epsilon));
    const worst = columns.reduce((most, column) => Math.max(most, column?.errors.at(-1) ?? 0), 0);
    const highest = Math.max(worst, epsilon, 0.25) * 1.06;
    /** @type {ToPixels} */
    const y = (value) => view.up(value / highest);
    const ticks = TENTHS.filter((tick) => tick <= highest);
    view.setAxes(ticks.map((tick) => view.row(y(tick), tick.toFixed(1))), this.columns(summaries));
    const place = { x: this.x(chosen) - this.column / 2, width: this.column };
    const strip = { class: "dtviz-chosen", ...place, y: DRAWS.top, height: view.low - DRAWS.top };
    view.axes.prepend(svg("rect", strip));
    const marks = [...this.dots(summaries, y), ...this.goal(epsilon, y(epsilon))];
    this.layer.replaceChildren(...marks, ...this.theorem(asked));
    const where = asked === null ? "silent" : asked > grid[grid.length - 1] ? "beyond" : "within";
    const failing = summaries.some((summary) => summary && summary.none > 0);
    say(this.key, `${KEY_OF_DRAWS}${failing ? ", and of those that gave none" : ""}. ${KEY_OF_THEOREM[where]}`);
    const examples = count(grid[chosen], "example");
    const { above, all } = summaries[chosen] ?? { above: 0, all: 0 };
    view.describe(
      `True error against the number of examples; at ${examples} ${above} of ${all} samples are above epsilon.`,
    );
  }
}

/** @type {(options: ConstructorParameters<typeof DrawsChart>[0]) => DrawsChart} */
export const drawsChart = (options) => new DrawsChart(options);
