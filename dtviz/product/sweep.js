// Who wins the root: influences as curves over a bias, and below them what the root tests where.

import { CHART, CurveChart } from "../explorers/static/drawing/chart.js";
import { SCORE_TIE } from "../explorers/static/computing/constants.js";
import { decimals } from "../explorers/static/computing/greedy.js";
import { put, say, svg } from "../explorers/static/hosting/kit.js";
import { niceTicks, through } from "../explorers/static/computing/scale.js";

/**
 * @import { Point } from "../explorers/static/computing/scale.js"
 * @import { Reign, Sweep } from "./kernel_sweep.js"
 *
 * A bias that moves along the axis and is at t, the influences there, and the reigns in words.
 * @typedef {{ axis: string, t: number, influences: number[], reigns: string }} Moving
 * @typedef {Moving & { sweep: Sweep, nameOf: (i: number) => string, width: number }} Shown
 */

const MARGINS = { ...CHART, bottom: 62 };
const HEIGHT = 202;
const STRIP = { down: 4, height: 22 };
const MOST_VARIABLES = 6;
// Letters for which there is room beside the chart.
const LONGEST = 16;

// Variables of the same curve share it and its name.
/** @type {(influences: Float64Array[], most: number) => number[][]} */
const sameCurves = (influences, most) => {
  /** @type {number[][]} */
  const groups = [];
  influences[0].forEach((_, i) => {
    /** @param {number[]} group */
    const alike = ([first]) => influences.every((at) => Math.abs(at[i] - at[first]) <= SCORE_TIE * most);
    const same = groups.find(alike);
    if (same) same.push(i);
    else groups.push([i]);
  });
  return groups;
};

// "x0, x2", or, of three and more in a row, "x1–x5".
/** @type {(group: number[], nameOf: (i: number) => string) => string} */
export const namesText = (group, nameOf) => {
  const last = group[group.length - 1];
  const run = group.length > 2 && last === group[0] + group.length - 1 && nameOf(last) === `x${last}`;
  const text = run ? `x${group[0]}–x${last}` : group.map(nameOf).join(", ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
};

// Whose bias moves, as the slider, the chart and the status say it.
/** @type {(moving: number[], now: { p: number[], path: { nameOf: (i: number) => string } }) => string} */
export const movingText = (moving, { p, path }) => (moving.length === p.length ? "all" : namesText(moving, path.nameOf));

// Thresholds, with their numbers where these do not run into each other.
/** @type {(view: CurveChart, reigns: Reign[]) => SVGElement[]} */
const thresholds = (view, reigns) => {
  let last = -Infinity;
  return reigns.slice(1).flatMap(({ from }) => {
    const x = view.across(from);
    const ends = { x1: x, x2: x, y1: MARGINS.top, y2: view.low + STRIP.down + STRIP.height };
    const line = svg("line", { class: "dtviz-threshold", ...ends });
    if (x - last < 34) return [line];
    last = x;
    return [line, svg("text", { class: "dtviz-threshold-text", x, y: view.low + 40 }, decimals(from))];
  });
};

// The strip that says what the root tests from where to where.
/** @type {(view: CurveChart, reigns: Reign[], nameOf: (i: number) => string) => SVGElement[]} */
const stripOf = (view, reigns, nameOf) => {
  const parts = reigns.flatMap(({ from, to, variable }, k) => {
    const [x, x2] = [view.across(from), view.across(to)];
    const box = { x, y: view.low + STRIP.down, width: x2 - x, height: STRIP.height };
    const rect = svg("rect", { class: `dtviz-reign${k % 2 ? " dtviz-odd" : ""}`, ...box });
    const name = variable < 0 ? "none" : nameOf(variable);
    if (x2 - x < Math.max(18, 8 * name.length)) return [rect];
    const at = { x: (x + x2) / 2, y: view.low + 19 };
    return [rect, svg("text", { class: "dtviz-reign-name", ...at }, name)];
  });
  const side = svg("text", { class: "dtviz-side", x: view.edge + 8, y: view.low + 19 }, "tested");
  return [...parts, ...thresholds(view, reigns), side];
};

/** @type {(view: CurveChart, most: number) => void} */
const drawAxes = (view, most) => {
  const rows = niceTicks(0, most, 4).map((tick) => view.row(view.up(tick / most), String(tick)));
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  view.setAxes(rows, ticks.map((t) => view.column(view.across(t), 58, String(t))));
};

/** @type {(grid: number[], onPick: (t: number) => void) => { root: HTMLElement, draw: (shown: Shown) => void }} */
export const sweepChart = (grid, onPick) => {
  const strip = svg("g");
  // The largest influence, whoever has it, is drawn over those of all variables.
  const keys = [...Array(MOST_VARIABLES).fill("rival"), "score"];
  const view = new CurveChart({ kind: "dtviz-chart", title: "Influence", margins: MARGINS, keys, marks: [strip], onPick });
  view.cursor.classList.add("dtviz-strong");
  /** @type {{ sweep: Sweep, most: number, groups: number[][] } | null} */
  let drawn = null;
  // What stays while the cursor moves.
  /** @param {Shown} shown */
  const still = ({ sweep, axis, nameOf, width, reigns }) => {
    view.setSize(width, HEIGHT);
    const tops = sweep.influences.map((at) => Math.max(...at));
    const most = 1.04 * Math.max(0.02, ...tops);
    drawAxes(view, most);
    const groups = sameCurves(sweep.influences, most);
    const curves = groups.map(([first]) => sweep.influences.map((at) => at[first]));
    curves[MOST_VARIABLES] = tops;
    view.curves.forEach(({ line }, k) => {
      /** @type {Point[] | undefined} */
      const points = curves[k]?.map((value, j) => [view.across(grid[j]), view.up(value / most)]);
      put(line, "d", points ? through(points) : "");
    });
    strip.replaceChildren(...stripOf(view, sweep.reigns, nameOf));
    view.describe(`Resample influences while ${axis} moves from 0 to 1. ${reigns}`);
    return { sweep, most, groups };
  };
  return {
    root: view.root,
    draw(shown) {
      const { sweep, axis, t, influences, nameOf, width } = shown;
      if (!drawn || drawn.sweep !== sweep || view.width !== width) drawn = still(shown);
      const { groups, most } = drawn;
      say(view.note, `while ${axis} moves`);
      view.read(view.across(t), view.curves.map((_, k) => {
        const group = groups[k];
        return group && { y: view.up(influences[group[0]] / most), text: namesText(group, nameOf) };
      }));
    },
  };
};

// "The root tests x2 up to p = 0.333, x0 up to 0.667, then x5."
/** @type {(sweep: Sweep, nameOf: (i: number) => string) => string} */
export const reignsText = ({ reigns, ties }, nameOf) => {
  /** @param {{ variable: number }} one */
  const name = ({ variable }) => (variable < 0 ? "nothing" : nameOf(variable));
  const parts = reigns
    .slice(0, -1)
    .map((reign, k) => `${name(reign)} up to ${k ? "" : "p = "}${decimals(reign.to)}`);
  const last = name(reigns[reigns.length - 1]);
  const main = parts.length ? `${parts.join(", ")}, then ${last}` : `${last} whatever p`;
  const tied = ties.map((tie) => `; at p = ${decimals(tie.t)} ${name(tie)} ties`);
  return `The root tests ${main}${tied.join("")}.`;
};
