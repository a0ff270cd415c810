// Costs and the bounds on them against the number of splits, both on log scales.

import { CurveChart } from "../explorers/static/chart.js";
import { put, say, svg } from "../explorers/static/kit.js";
import { logScale, tickText, through } from "../explorers/static/scale.js";
import { brief, digits, raised } from "../explorers/static/text.js";
import { apart, costTicks, crowded, curveKeys, floorOf, shownPart } from "./kernel.js";

/**
 * @import { Point } from "../explorers/static/scale.js"
 * @import { GrowthRecord } from "./kernel.js"
 */

const MARGINS = { left: 52, right: 150, top: 12, bottom: 40 };
const RATES = { height: 360, ceiling: 0.5, gap: 10, tickGap: 18 };
// An arrow head at a place of the floor, in the path of the curve that leaves there.
/** @type {(x: number, y: number) => string} */
const exit = (x, y) => `M${(x - 4).toFixed(1)} ${y - 7}L${x.toFixed(1)} ${y}L${(x + 4).toFixed(1)} ${y - 7}`;

class RatesChart {
  /** @param {{ record: GrowthRecord, onPick: (power: number) => void }} options */
  constructor({ record, onPick }) {
    const { powers } = record;
    this.powers = powers;
    this.keys = curveKeys(record);
    this.floor = 0;
    this.scale = logScale(0.1, RATES.ceiling);
    /** @type {SVGElement[]} */
    this.columns = [];
    this.view = new CurveChart({
      name: "Cost of the tree against the number of splits for each cost, with its bound.",
      title: "Cost of the tree against its splits",
      margins: MARGINS,
      keys: this.keys.map((key) => `rate-${key}`),
      onPick: (share) => onPick(powers[Math.round(share * (powers.length - 1))]),
    });
    say(this.view.note, "solid: grown on independent votes; dashed: guaranteed by weak learning");
    this.root = this.view.root;
  }

  /** @param {number} power */
  x(power) {
    return this.view.across(power / this.powers[this.powers.length - 1]);
  }

  /** @param {number} cost */
  y(cost) {
    return this.view.up(this.scale.at(cost));
  }

  /** @param {number} width */
  resize(width) {
    const { view } = this;
    view.setSize(width, RATES.height);
    const every = width < 560 ? 4 : 2;
    const columns = this.powers
      .filter((power) => Number.isInteger(power / every))
      .map((power) => view.column(this.x(power), 18, power ? `10${raised(power)}` : "1"));
    const unit = svg("text", { x: view.edge + 16, y: view.low + 18 }, "splits t");
    this.columns = [...columns, unit];
    this.floor = 0;
  }

  // The scale of the costs, which ends below the curves or where its words say.
  /** @param {Record<string, number[]>} curves */
  frame(curves) {
    const { view } = this;
    const floor = floorOf(curves);
    if (floor === this.floor) return;
    this.floor = floor;
    this.scale = logScale(floor, RATES.ceiling);
    let last = -Infinity;
    const rows = costTicks(floor).reverse().flatMap((tick) => {
      const y = this.y(tick);
      if (tick > floor && tick < RATES.ceiling && (y - last < RATES.tickGap || view.low - y < RATES.tickGap)) return [];
      last = y;
      return [view.row(y, tickText(tick))];
    });
    view.setAxes(rows, this.columns);
  }

  // The curves, and at a place of the grid of powers what they have come to.
  /** @type {(curves: Record<string, number[]>, at: number) => void} */
  draw(curves, at) {
    const { view } = this;
    this.frame(curves);
    const write = crowded(this.keys.map((key) => curves[key][at])) ? digits : brief;
    const readings = this.keys.map((key, k) => {
      const values = curves[key];
      const { points, leaves } = shownPart(this.powers, values, this.floor);
      const corners = points.map(([power, value]) => /** @type {Point} */ ([this.x(power), this.y(value)]));
      const end = corners[corners.length - 1];
      put(view.curves[k].line, "d", through(corners) + (leaves && end ? exit(end[0], view.low) : ""));
      const [cost, bound] = key.split("-");
      const below = values[at] < this.floor;
      const text = `${cost}${bound ? " ≤" : ""} ${write(values[at])}${below ? " ↓" : ""}`;
      return { y: this.y(values[at]), text, below };
    });
    view.read(this.x(this.powers[at]), readings);
    const dots = apart(readings.map(({ y, below }) => (below ? null : y)), RATES.gap);
    view.curves.forEach(({ dot, leader }, k) => {
      put(dot, "visibility", dots[k] ? "inherit" : "hidden");
      put(leader, "visibility", readings[k].below ? "hidden" : "inherit");
    });
  }
}

/** @type {(options: ConstructorParameters<typeof RatesChart>[0]) => RatesChart} */
export const ratesChart = (options) => new RatesChart(options);
