// Who wins the root: influences as curves over a bias, and below them what the root tests where.

import { Chart } from "../explorers/static/chart.js";
import { SCORE_TIE } from "../explorers/static/constants.js";
import { putAll, svg } from "../explorers/static/kit.js";
import { placeNames } from "../explorers/static/labels.js";
import { through } from "../explorers/static/scale.js";
import { clamp } from "../explorers/static/text.js";
import { decimals } from "./kernel.js";

/**
 * @import { Point } from "../explorers/static/scale.js"
 * @import { Reign, Sweep } from "./kernel_sweep.js"
 *
 * @typedef {{ text: string, points: Point[] }} NamedCurve
 *
 * @typedef {object} Shown
 * @property {Sweep} sweep
 * @property {string} axis  what moves
 * @property {number} n
 * @property {(i: number) => string} nameOf  what a variable is called
 * @property {number} t  where it is
 * @property {number} width
 * @property {string} reigns  the reigns in words
 */

const MARGINS = { left: 40, right: 84, top: 10, bottom: 62 };
const HEIGHT = 202;
const STRIP = { down: 4, height: 22 };

// Pixels of a letter of a name, and of its height.
const LETTER = { wide: 6.4, high: 12 };

// The names of the curves, where they cover none, and lines to them from those that stand apart.
/** @type {(curves: NamedCurve[], view: Chart, cuts: number[]) => SVGElement[]} */
const namesOfCurves = (curves, view, cuts) => {
  const frame = { left: MARGINS.left, right: view.edge, top: 0, bottom: view.low };
  const named = curves.map(({ text, points }) => ({ points, width: LETTER.wide * text.length, height: LETTER.high }));
  const lines = cuts.map((x) => /** @type {[Point, Point]} */ ([[x, MARGINS.top], [x, view.low]]));
  const places = placeNames(named, frame, lines, { x: view.edge + 8, y: MARGINS.top });
  return places.flatMap(({ x, y, to }, k) => {
    const text = svg("text", { class: "dtviz-rival-name", x, y: y + 4 }, curves[k].text);
    if (!to) return [text];
    const half = named[k].width / 2;
    const from = { x1: clamp(to[0], x - half, x + half), y1: clamp(to[1], y - LETTER.high / 2, y + LETTER.high / 2) };
    return [svg("line", { class: "dtviz-rival-leader", ...from, x2: to[0], y2: to[1] }), text];
  });
};

// Variables of the same curve share it and its name.
/** @type {(influences: Float64Array[], n: number, most: number) => number[][]} */
const sameCurves = (influences, n, most) => {
  /** @type {number[][]} */
  const groups = [];
  for (let i = 0; i < n; i += 1) {
    /** @param {number[]} group */
    const alike = ([first]) => influences.every((at) => Math.abs(at[i] - at[first]) <= SCORE_TIE * most);
    const same = groups.find(alike);
    if (same) same.push(i);
    else groups.push([i]);
  }
  return groups;
};

// "x0, x2", or, of three and more in a row, "x1–x5".
/** @type {(group: number[], nameOf: (i: number) => string) => string} */
const namesText = (group, nameOf) => {
  const last = group[group.length - 1];
  const run = group.length > 2 && last === group[0] + group.length - 1 && nameOf(last) === `x${last}`;
  return run ? `x${group[0]}–x${last}` : group.map(nameOf).join(", ");
};

export class SweepChart {
  /** @param {{ grid: number[], onPick: (t: number) => void }} options */
  constructor({ grid, onPick }) {
    this.grid = grid;
    this.layer = svg("g", {});
    this.cursor = svg("line", { class: "dtviz-cursor dtviz-strong" });
    const marks = [this.layer, this.cursor];
    this.view = new Chart({ kind: "dtviz-chart", margins: MARGINS, marks, onPick: (t) => onPick(t) });
    this.root = this.view.root;
    this.title = this.view.title;
    this.note = this.view.note;
    /** @type {Sweep | null} */
    this.drawn = null;
  }

  // The curve of a value of each point of the grid.
  /** @type {(values: number[], most: number) => Point[]} */
  points(values, most) {
    return values.map((value, k) => [this.view.across(this.grid[k]), this.view.up(value / most / 1.04)]);
  }

  /** @param {number} most */
  drawAxes(most) {
    const { view } = this;
    const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((size) => most / size <= 4.2) ?? 0.2;
    const rows = [];
    for (let tick = 0; tick <= most * 1.04; tick += step) {
      rows.push(view.row(view.up(tick / most / 1.04), String(Number(tick.toFixed(2)))));
    }
    const ticks = [0, 0.25, 0.5, 0.75, 1];
    view.setAxes(rows, ticks.map((t) => view.column(view.across(t), 58, String(t))));
  }

  // The strip that says what the root tests from where to where.
  /** @type {(reigns: Reign[], nameOf: (i: number) => string) => SVGElement[]} */
  strip(reigns, nameOf) {
    const { view } = this;
    const parts = reigns.flatMap(({ from, to, variable }, k) => {
      const [x, x2] = [view.across(from), view.across(to)];
      const odd = k % 2 ? " dtviz-odd" : "";
      const box = { x, y: view.low + STRIP.down, width: x2 - x, height: STRIP.height };
      const rect = svg("rect", { class: `dtviz-reign${odd}`, ...box });
      if (x2 - x < 18) return [rect];
      const at = { x: (x + x2) / 2, y: view.low + 19 };
      return [rect, svg("text", { class: "dtviz-reign-name", ...at }, variable < 0 ? "none" : nameOf(variable))];
    });
    const side = svg("text", { class: "dtviz-side", x: view.edge + 8, y: view.low + 19 }, "tested");
    return [...parts, ...this.thresholds(reigns), side];
  }

  // Thresholds, with their numbers where these do not run into each other.
  /** @type {(reigns: Reign[]) => SVGElement[]} */
  thresholds(reigns) {
    const { view } = this;
    let last = -Infinity;
    return reigns.slice(1).flatMap(({ from }) => {
      const x = view.across(from);
      const ends = { x1: x, x2: x, y1: MARGINS.top, y2: view.low + STRIP.down + STRIP.height };
      const line = svg("line", { class: "dtviz-threshold", ...ends });
      if (x - last < 34) return [line];
      last = x;
      const at = { x, y: view.low + 40 };
      return [line, svg("text", { class: "dtviz-threshold-text", ...at }, decimals(from, 3))];
    });
  }

  // What stays while the cursor moves.
  /** @param {Shown} shown */
  still({ sweep: { influences, reigns }, n, nameOf, width }) {
    this.view.setSize(width, HEIGHT);
    const tops = influences.map((at) => Math.max(...at));
    const most = Math.max(0.02, ...tops);
    this.drawAxes(most);
    const curves = sameCurves(influences, n, most).map((group) => ({
      text: namesText(group, nameOf),
      points: this.points(influences.map((at) => at[group[0]]), most),
    }));
    const rivals = curves.map(({ points }) =>
      svg("path", { class: "dtviz-curve dtviz-rival", d: through(points) }),
    );
    // The largest influence, whoever has it.
    const best = svg("path", { class: "dtviz-curve dtviz-score", d: through(this.points(tops, most)) });
    const names = namesOfCurves(curves, this.view, reigns.slice(1).map(({ from }) => this.view.across(from)));
    this.layer.replaceChildren(...rivals, best, ...names, ...this.strip(reigns, nameOf));
    putAll(this.cursor, { y1: MARGINS.top, y2: this.view.low + 4 });
  }

  // Whether these curves are drawn, so that only the cursor moves.
  /** @type {(sweep: Sweep, width: number) => boolean} */
  shows(sweep, width) {
    return this.drawn === sweep && this.view.width === width;
  }

  /** @param {Shown} shown */
  draw(shown) {
    const { sweep, axis, t, width, reigns } = shown;
    if (!this.shows(sweep, width)) {
      this.drawn = sweep;
      this.still(shown);
      this.view.describe(`Resample influences while ${axis} moves from 0 to 1. ${reigns}`);
    }
    const x = this.view.across(t);
    putAll(this.cursor, { x1: x, x2: x });
  }
}

// "The root tests x2 up to p = 0.333, x0 up to 0.667, then x5."
/** @type {(sweep: Sweep, nameOf: (i: number) => string) => string} */
export const reignsText = ({ reigns, ties }, nameOf) => {
  /** @param {{ variable: number }} one */
  const name = ({ variable }) => (variable < 0 ? "nothing" : nameOf(variable));
  const parts = reigns
    .slice(0, -1)
    .map((reign, k) => `${name(reign)} up to ${k ? "" : "p = "}${decimals(reign.to, 3)}`);
  const last = name(reigns[reigns.length - 1]);
  const main = parts.length ? `${parts.join(", ")}, then ${last}` : `${last} whatever p`;
  const tied = ties.map((tie) => `; at p = ${decimals(tie.t, 3)} ${name(tie)} ties`);
  return `The root tests ${main}${tied.join("")}.`;
};
