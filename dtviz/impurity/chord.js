// The chord: what a split gains is the gap between a concave curve and one of its chords.

import { Chart } from "../explorers/static/drawing/chart.js";
import { costCurve, costName, criterionOf } from "../explorers/static/computing/criteria.js";
import { onDrag, place, put, say, svg } from "../explorers/static/hosting/kit.js";
import { spread, tickText } from "../explorers/static/computing/scale.js";
import { clamp, dropText, epsilonText } from "../explorers/static/computing/text.js";
import { draggedTo, splitDrop } from "./kernel.js";

/**
 * @import { Cost, Split } from "./kernel.js"
 *
 * @typedef {(value: number) => number} ToPixels
 * @typedef {"p" | "q" | "r"} Share
 */

const MARGINS = { left: 34, right: 106, top: 14, bottom: 68 };
const CHORD = { height: 330, samples: 200, highest: 0.54 };

// A share below the axis.
/** @param {Share} name */
const makeHandle = (name) => {
  const stem = svg("path", { class: "dtviz-stem" });
  const text = svg("text", { y: 25, "text-anchor": "middle" });
  const reach = svg("rect", { class: "dtviz-reach", x: -22, y: -12, width: 44, height: 44 });
  const knob = svg("circle", { r: 7 });
  return { name, stem, text, group: svg("g", { class: `dtviz-handle dtviz-handle-${name}` }, stem, reach, knob, text) };
};

// Pixels from a dot within which it is taken hold of, half the way to another one at the most.
const REACH = { least: 9, most: 22 };
/** @type {(spots: { name: Share, x: number, y: number }[]) => number[]} */
const reachOf = (spots) =>
  spots.map(({ name, x, y }) => {
    const gaps = spots.filter((one) => one.name !== name).map((one) => Math.hypot(one.x - x, one.y - y));
    return clamp(Math.min(...gaps) / 2, REACH.least, REACH.most);
  });

const makeMarks = () => {
  /** @type {(kind: string, r?: number) => SVGCircleElement} */
  const dot = (kind, r) => svg("circle", { class: `dtviz-dot dtviz-${kind}`, r });
  return {
    drops: svg("path", { class: "dtviz-drops" }),
    curve: svg("path", { class: "dtviz-curve dtviz-cost" }),
    chord: svg("line", { class: "dtviz-chord" }),
    gap: svg("line", { class: "dtviz-gap" }),
    children: [dot("child"), dot("child")],
    above: dot("cost", 4.5),
    below: dot("child", 4.5),
    leaders: [0, 1, 2].map(() => svg("path", { class: "dtviz-leader dtviz-cost" })),
    names: ["cost", "score", "cost"].map((kind) => svg("text", { class: `dtviz-tag dtviz-${kind}` })),
  };
};

// One cost, large, with handles.
export class ChordChart {
  /** @param {{ onMove: (changes: Partial<Split>) => void }} options  hears what the reader drags */
  constructor({ onMove }) {
    this.marks = makeMarks();
    this.split = /** @type {Split} */ ({ p: 0, r: 1, tau: 0.5 });
    this.handles = /** @type {Share[]} */ (["p", "q", "r"]).map(makeHandle);
    // Over the dots, of q those on the curve and on the chord, and below those of the children.
    this.grips = /** @type {Share[]} */ (["q", "q", "p", "r"]).map((name) => ({
      name,
      group: svg("circle", { class: `dtviz-take dtviz-take-${name}` }),
    }));
    const marks = Object.values(this.marks).flat();
    const dragged = [...this.handles, ...this.grips];
    this.view = new Chart({ margins: MARGINS, marks, over: dragged.map(({ group }) => group) });
    this.root = this.view.root;
    for (const { name, group } of dragged) {
      onDrag(group, this.view.canvas, (px) => {
        onMove(draggedTo(this.split, name, clamp((px - MARGINS.left) / this.view.inner, 0, 1)));
      });
    }
  }

  /** @param {number} value */
  y(value) {
    return this.view.up(value / CHORD.highest);
  }

  /** @param {number} width */
  resize(width) {
    const { view } = this;
    view.setSize(width, CHORD.height);
    const rows = [0, 0.25, 0.5].map((tick) => view.row(this.y(tick), tickText(tick)));
    const columns = [0, 0.25, 0.5, 0.75, 1].map((tick) => view.column(view.across(tick), 47, tickText(tick)));
    const middle = view.across(0.5);
    const ends = { x1: middle, x2: middle, y1: this.y(0.5), y2: view.low };
    const half = svg("line", { class: "dtviz-halfway", ...ends });
    const unit = svg("text", { x: view.edge + 14, y: view.low + 47 }, "share of class 1");
    view.setAxes(rows, [...columns, unit]);
    view.axes.prepend(half);
  }

  // The curve, the chord and the dots on them, and what they say; a child's dot is as large as its weight.
  /** @type {(cost: Cost, split: Split) => void} */
  drawMarks(cost, { p, r, tau }) {
    const { marks, view } = this;
    const { of } = criterionOf(cost);
    const { q, before, after, drop } = splitDrop(cost, { p, r, tau });
    /** @type {ToPixels} */
    const x = (share) => view.across(share);
    /** @type {ToPixels} */
    const y = (value) => this.y(value);
    put(marks.curve, "d", costCurve(cost, CHORD.samples, x, y));
    place(marks.chord, { x1: x(p), y1: y(of(p)), x2: x(r), y2: y(of(r)) });
    place(marks.gap, { x1: x(q), x2: x(q), y1: y(before), y2: y(after) });
    const [first, second] = marks.children;
    place(first, { cx: x(p), cy: y(of(p)), r: 3 + 5 * Math.sqrt(1 - tau) });
    place(second, { cx: x(r), cy: y(of(r)), r: 3 + 5 * Math.sqrt(tau) });
    place(marks.above, { cx: x(q), cy: y(before) });
    place(marks.below, { cx: x(q), cy: y(after) });
    const spots = [[q, before], [q, after], [p, of(p)], [r, of(r)]].map(
      ([share, value], k) => ({ name: this.grips[k].name, x: x(share), y: y(value) }),
    );
    reachOf(spots).forEach((reach, k) => place(this.grips[k].group, { cx: spots[k].x, cy: spots[k].y, r: reach }));
    const feet = [[p, of(p)], [q, after], [r, of(r)]].map(
      ([share, value]) => `M${x(share).toFixed(1)} ${y(value).toFixed(1)}V${view.low}`,
    );
    put(marks.drops, "d", feet.join(""));
    const texts = /** @type {[string, number][]} */ ([
      [`before ${before.toFixed(3)}`, before],
      [`drop ${dropText(drop)}`, (before + after) / 2],
      [`after ${after.toFixed(3)}`, after],
    ]);
    const tags = texts.map(([text, value], k) => {
      const name = marks.names[k];
      say(name, text);
      return { name, leader: marks.leaders[k], from: x(q) + 7, y: y(value) };
    });
    view.setTags(tags, 17, 26, view.low - 6);
  }

  // The handles below the axis, their names moved apart.
  /** @param {Record<Share, number>} shares */
  drawHandles(shares) {
    const { view } = this;
    const row = [...this.handles].sort((a, b) => shares[a.name] - shares[b.name]);
    const spots = spread(row.map(({ name }) => view.across(shares[name])), 57, 26, view.width - 26);
    row.forEach(({ name, group, stem, text }, k) => {
      const at = view.across(shares[name]);
      put(group, "transform", `translate(${at.toFixed(1)},${view.low})`);
      say(text, `${name} ${epsilonText(shares[name])}`);
      place(text, { x: spots[k] - at });
      put(stem, "d", `M0 7L${(spots[k] - at).toFixed(1)} 14`);
    });
  }

  /** @type {(cost: Cost, split: Split) => void} */
  draw(cost, split) {
    const { p, r } = split;
    const { q, drop } = splitDrop(cost, split);
    this.split = split;
    say(this.view.title, costName(cost));
    const { formula } = criterionOf(cost);
    say(this.view.note, typeof cost === "number" ? formula : `G(q) = ${formula}`);
    this.drawMarks(cost, split);
    this.drawHandles({ p, q, r });
    const [from, to, at] = [p, r, q].map(epsilonText);
    this.view.describe(
      `The curve of ${costName(cost)} and its chord from p = ${from} to r = ${to}; ` +
        `at q = ${at} the chord is ${dropText(drop)} below the curve.`,
    );
  }
}
