// Costs and the bounds on them against the number of splits, both on log scales.

import { CurveChart } from "../explorers/static/chart.js";
import { keyText, put, svg } from "../explorers/static/kit.js";
import { logScale, tickText, through } from "../explorers/static/scale.js";
import { brief, raised } from "../explorers/static/text.js";
import { curveKeys, downTo } from "./kernel.js";

/**
 * @import { Point } from "../explorers/static/scale.js"
 * @import { GrowthRecord } from "./kernel.js"
 */

const MARGINS = { left: 52, right: 150, top: 12, bottom: 40 };
const RATES = { height: 360, floor: 0.0005, ceiling: 0.5 };

const KEY_OF_RATES =
  "Solid: greedy growth where the predicates are independent votes, each right with probability 1/2 + γ. " +
  "Dashed: what weak learning with edge γ promises for every predicate class.";

class RatesChart {
  /** @param {{ record: GrowthRecord, onPick: (power: number) => void }} options */
  constructor({ record, onPick }) {
    const { powers } = record;
    this.powers = powers;
    this.keys = curveKeys(record);
    this.scale = logScale(RATES.floor, RATES.ceiling);
    this.view = new CurveChart({
      name: "Cost of the tree against the number of splits for three costs, with their bounds.",
      title: "Cost of the tree against its splits, log scales",
      margins: MARGINS,
      keys: this.keys.map((key) => `rate-${key}`),
      below: [keyText(KEY_OF_RATES)],
      onPick: (share) => onPick(powers[Math.round(share * (powers.length - 1))]),
    });
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
    const rows = [...this.scale.ticks, RATES.ceiling].map((tick) => view.row(this.y(tick), tickText(tick)));
    const every = width < 560 ? 4 : 2;
    const columns = this.powers
      .filter((power) => Number.isInteger(power / every))
      .map((power) => view.column(this.x(power), 18, power ? `10${raised(power)}` : "1"));
    const unit = svg("text", { x: view.edge + 16, y: view.low + 18 }, "splits t");
    view.setAxes(rows, [...columns, unit]);
  }

  // The curves, and at a place of the grid of powers what they have come to.
  /** @type {(curves: Record<string, number[]>, at: number) => void} */
  draw(curves, at) {
    const readings = this.keys.map((key, k) => {
      const values = curves[key];
      const corners = downTo(values, RATES.floor).map(
        (value, j) => /** @type {Point} */ ([this.x(this.powers[j]), this.y(value)]),
      );
      put(this.view.curves[k].line, "d", through(corners));
      const [cost, bound] = key.split("-");
      return { y: this.y(values[at]), text: `${cost}${bound ? " ≤" : ""} ${brief(values[at])}` };
    });
    this.view.read(this.x(this.powers[at]), readings);
  }
}

/** @type {(options: ConstructorParameters<typeof RatesChart>[0]) => RatesChart} */
export const ratesChart = (options) => new RatesChart(options);
