// Many samples of each size: the true errors of the trees found, and how many are above epsilon.

import { Chart } from "../explorers/static/drawing/chart.js";
import { html, keyText, say, svg } from "../explorers/static/hosting/kit.js";
import { through } from "../explorers/static/computing/scale.js";
import { clamp, count, epsilonText } from "../explorers/static/computing/text.js";
import { columnOf, examplesAsked, logCounts } from "./kernel.js";
import { summaryOf } from "./kernel_samples.js";

/**
 * @import { Point } from "../explorers/static/computing/scale.js"
 * @import { Many, Summary } from "./kernel_samples.js"
 * @import { Now, State } from "./state.js"
 *
 * The middle of a column, in pixels.
 * @typedef {(k: number) => number} Across
 */

// The left margin holds the longer of the heads of the rows below, "% > ε".
const DRAWS = { left: 62, right: 12, top: 30, bottom: 46 };
const HEIGHT = 298;
const TENTHS = Array.from({ length: 11 }, (_, k) => k / 10);

const KEY =
  "Dots: true errors of the trees found, larger where more samples gave that error; the line " +
  "joins the medians. Below: percent of the samples above ε. ";
const KEY_OF_THEOREM = "Ochre: the m that the theorem asks for.";
const SILENT = "The theorem asks for no m here: r is 0, or below the rank of the target.";

// The m that the theorem asks for, null where it says nothing.
/** @type {(now: Now) => number | null} */
const askedOf = ({ n, target, bound, epsilon, delta }) => {
  const log = target && bound >= target.rank && logCounts(n, bound)?.paper;
  return log ? examplesAsked(log, epsilon, delta) : null;
};

// Below each column its m and the share above epsilon.
/** @type {(view: Chart, grid: number[], summaries: (Summary | null)[], x: Across) => SVGElement[]} */
const columns = (view, grid, summaries, x) => {
  const every = x(1) - x(0) < 27 ? 2 : 1;
  const texts = grid.flatMap((m, k) => {
    if ((grid.length - 1 - k) % every) return [];
    const summary = summaries[k];
    const above = summary && String(Math.round((100 * summary.above) / summary.all));
    return [view.column(x(k), 20, String(m)), ...(above ? [view.column(x(k), 38, above, "dtviz-above")] : [])];
  });
  return [...texts, view.rowHead(20, "m"), view.rowHead(38, "% > ε", "dtviz-above")];
};

/** @type {(summaries: (Summary | null)[], x: Across, y: (error: number) => number) => SVGElement[]} */
const dots = (summaries, x, y) => {
  const largest = Math.min(0.48 * (x(1) - x(0)), 9);
  const circles = summaries.flatMap((summary, k) =>
    (summary?.often ?? []).map(([error, times]) => {
      const r = Math.max(1.5, largest * Math.sqrt(times / (summary?.all ?? 1))).toFixed(2);
      return svg("circle", { class: "dtviz-sampled", cx: x(k), cy: y(error), r });
    }),
  );
  const medians = summaries.flatMap((summary, k) => {
    const median = summary?.median ?? null;
    return median === null ? [] : [/** @type {Point} */ ([x(k), y(median)])];
  });
  if (!medians.length) return circles;
  return [...circles, svg("path", { class: "dtviz-curve dtviz-error", d: through(medians) })];
};

// The level of epsilon, and how many examples the theorem asks for, or that there is no room for so many.
/** @type {(view: Chart, grid: number[], now: Now, height: number, x: Across) => SVGElement[]} */
const goals = ({ edge, low, width }, grid, now, height, x) => {
  const line = svg("line", { class: "dtviz-goal", x1: DRAWS.left, x2: edge, y1: height, y2: height });
  const epsilon = `ε = ${epsilonText(now.epsilon)}`;
  const label = svg("text", { class: "dtviz-epsilon", x: edge, y: height - 5, "text-anchor": "end" }, epsilon);
  const asked = askedOf(now);
  if (asked === null) return [line, label];
  const beyond = asked > grid[grid.length - 1];
  const at = beyond ? edge : x(columnOf(grid, asked));
  const place = { x: at, y: DRAWS.top - 10, "text-anchor": at > width / 2 ? "end" : "start" };
  const words = `guaranteed: m ≥ ${asked.toLocaleString("en")}${beyond ? " →" : ""}`;
  const mark = svg("path", { class: "dtviz-curve dtviz-bound", d: `M${at} ${DRAWS.top}V${low}` });
  return [line, label, svg("text", { class: "dtviz-tag dtviz-bound", ...place }, words), ...(beyond ? [] : [mark])];
};

/** @type {(state: State, onPick: (m: number) => void, redraw: () => void) => { root: HTMLElement, stop: () => void, draw: (now: Now, width: number) => void }} */
export const drawsView = ({ grid, many: samples }, onPick, redraw) => {
  const layer = svg("g", {});
  const key = keyText(KEY);
  key.classList.add("dtviz-draws-key");
  const view = new Chart({
    ...{ kind: "dtviz-draws", margins: DRAWS, marks: [layer], below: [key] },
    onPick: (share) => onPick(grid[clamp(Math.floor(share * grid.length), 0, grid.length - 1)]),
  });
  const none = html("p", { class: "dtviz-key" }, "Many samples are drawn of a target; rows alone have none.");
  let timer = 0;
  const stop = () => clearTimeout(timer);

  /** @type {(now: Now, many: Many, width: number) => void} */
  const drawAll = (now, many, width) => {
    const { k, bound, epsilon } = now;
    view.setSize(width, HEIGHT);
    const chosen = summaryOf(many.column(k)[bound], epsilon);
    const found = grid.map((_, j) => (many.ready(j) ? many.column(j)[bound] : null));
    const summaries = found.map((column) => column && summaryOf(column, epsilon));
    const highest = 1.06 * Math.max(epsilon, 0.25, ...found.map((column) => column?.errors.at(-1) ?? 0));
    /** @param {number} value */
    const y = (value) => view.up(value / highest);
    const step = view.inner / grid.length;
    /** @type {Across} */
    const x = (j) => DRAWS.left + (j + 0.5) * step;
    const ticks = TENTHS.filter((tick) => tick <= highest);
    view.setAxes(ticks.map((tick) => view.row(y(tick), tick.toFixed(1))), columns(view, grid, summaries, x));
    const strip = { x: x(k) - step / 2, width: step, y: DRAWS.top, height: view.low - DRAWS.top };
    view.axes.prepend(svg("rect", { class: "dtviz-chosen", ...strip }));
    layer.replaceChildren(...dots(summaries, x, y), ...goals(view, grid, now, y(epsilon), x));
    say(key, KEY + (askedOf(now) === null ? SILENT : KEY_OF_THEOREM));
    say(view.title, `True error of ${many.all} samples of each size`);
    const examples = count(grid[k], "example");
    view.describe(
      `True error against the number of examples; at ${examples} ${chosen.above} of ${many.all} samples are above epsilon.`,
    );
  };

  return {
    root: html("div", {}, view.root, none),
    stop,
    draw(now, width) {
      stop();
      const many = samples();
      view.root.hidden = !many;
      none.hidden = Boolean(many);
      if (!many) return;
      drawAll(now, many, width);
      // The other sizes come one by one, so that the page stays at the reader's command.
      const left = grid.findIndex((_, j) => !many.ready(j));
      if (left < 0) return;
      timer = setTimeout(() => {
        many.column(left);
        redraw();
      });
    },
  };
};
