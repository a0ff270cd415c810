// Costs and the bounds on them against the number of splits, both on log scales.

import { CurveChart } from "../explorers/static/drawing/chart.js";
import { put, say, svg } from "../explorers/static/hosting/kit.js";
import { logScale, tickText, through } from "../explorers/static/computing/scale.js";
import { raised } from "../explorers/static/computing/text.js";
import { costText, costTicks, floorOf, shownPart } from "./kernel.js";

/**
 * @import { Point } from "../explorers/static/computing/scale.js"
 * @import { Growth, GrowthRecord } from "./kernel.js"
 */

const MARGINS = { left: 52, right: 150, top: 12, bottom: 40 };
const RATES = { height: 360, low: 300, narrow: 560, ceiling: 0.5, tickGap: 18 };
// An arrow head at a place of the floor, in the path of the curve that leaves there.
/** @type {(x: number, y: number) => string} */
const exit = (x, y) => `M${(x - 4).toFixed(1)} ${y - 7}L${x.toFixed(1)} ${y}L${(x + 4).toFixed(1)} ${y - 7}`;

/** @param {{ record: GrowthRecord, onPick: (power: number) => void }} options */
export const ratesChart = ({ record, onPick }) => {
  const { powers } = record;
  const names = Object.keys(record.bounds[0]);
  const last = powers.length - 1;
  const view = new CurveChart({
    name: "Cost of the tree against the number of splits, and what is guaranteed of three costs.",
    title: "Cost of the tree against its splits",
    margins: MARGINS,
    keys: ["cost", ...names.map((name) => `rate-${name}-bound`)],
    onPick: (share) => onPick(powers[Math.round(share * last)]),
  });
  say(view.note, "solid: grown on independent votes; dashed: guaranteed by weak learning");
  /** @param {number} power */
  const x = (power) => view.across(power / powers[last]);

  // The axis of the costs ends below the curves, or where its words say.
  /** @type {(floor: number, y: (cost: number) => number) => void} */
  const drawAxes = (floor, y) => {
    let before = -Infinity;
    const rows = costTicks(floor).reverse().flatMap((tick) => {
      const near = y(tick) - before < RATES.tickGap || view.low - y(tick) < RATES.tickGap;
      if (tick > floor && tick < RATES.ceiling && near) return [];
      before = y(tick);
      return [view.row(before, tickText(tick))];
    });
    const every = view.width < 560 ? 4 : 2;
    const columns = powers
      .filter((power) => Number.isInteger(power / every))
      .map((power) => view.column(x(power), 18, power ? `10${raised(power)}` : "1"));
    view.setAxes(rows, [...columns, svg("text", { x: view.edge + 16, y: view.low + 18 }, "splits t")]);
  };

  return {
    root: view.root,
    /** @param {number} width */
    resize: (width) => view.setSize(width, width < RATES.narrow ? RATES.low : RATES.height),
    // The curve of a cost and the bounds, and at a place of the grid of powers what they have come to.
    /** @type {(growth: Growth, cost: string) => void} */
    draw(growth, cost) {
      const { costs, bounds, at } = growth;
      const floor = floorOf(growth);
      const scale = logScale(floor, RATES.ceiling);
      /** @param {number} value */
      const y = (value) => view.up(scale.at(value));
      drawAxes(floor, y);
      const curves = [costs, ...names.map((name) => bounds[name])];
      curves.forEach((curve, k) => {
        const { points, leaves } = shownPart(powers, curve, floor);
        const corners = points.map(([power, value]) => /** @type {Point} */ ([x(power), y(value)]));
        const end = corners[corners.length - 1];
        put(view.curves[k].line, "d", through(corners) + (leaves && end ? exit(end[0], view.low) : ""));
      });
      const values = curves.map((curve) => curve[at]);
      const texts = values.map((value, k) => {
        const name = k ? `${names[k - 1]} ≤` : cost.replace("cost with ", "");
        return `${name} ${costText(value)}${value < floor ? " ↓" : ""}`;
      });
      view.read(x(powers[at]), values.map((value, k) => ({ y: y(value), text: texts[k] })));
      // What has left the scale has no mark.
      view.curves.forEach(({ dot, leader }, k) => {
        for (const mark of [dot, leader]) put(mark, "visibility", values[k] < floor ? "hidden" : "inherit");
      });
    },
  };
};
