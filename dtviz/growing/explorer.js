// Chapter 5: growing. How fast growth by some costs drives the error down, and what weak learning promises.

import { gridControl, statusLine } from "../explorers/static/controls.js";
import { explorers, html, live, setter } from "../explorers/static/kit.js";
import { brief, digits, listed } from "../explorers/static/text.js";
import { crowded, floorOf, growthAt, powerText } from "./kernel.js";
import { ratesChart } from "./rates.js";

/** @import { GrowthRecord, Rate } from "./kernel.js" */

/** @param {Rate[]} rates */
const allOf = (rates) => rates.flatMap(({ reached, bound }) => [reached, bound]);

// What the chart cannot show: costs below its scale, and curves that still lie on one another.
/** @type {(rates: Rate[], floor: number) => string} */
const remarks = (rates, floor) => {
  const below = rates.filter(({ reached }) => reached < floor).map(({ cost }) => cost);
  if (below.length) return `; ${listed(below)} below the scale, which ends at ${brief(floor)}`;
  const all = allOf(rates);
  const spread = brief(Math.max(...all) - Math.min(...all));
  return crowded(all) ? `; all ${all.length} within ${spread} of each other` : "";
};

explorers.growing = ({ model, el }) => {
  /** @type {GrowthRecord} */
  const record = model.get("_growth");
  /** @type {(name: string, label: string, grid: number[]) => ReturnType<typeof gridControl>} */
  const slider = (name, label, grid) => gridControl({ name, label, grid, onInput: setter(model, name) });
  const gamma = slider("gamma", "Edge, γ", record.gammas);
  const power = slider("log_splits", "Splits, t", record.powers);
  const rates = ratesChart({ record, onPick: setter(model, "log_splits") });
  const status = statusLine();
  const controls = html("div", { class: "dtviz-controls" }, gamma.root, power.root);
  const view = html("div", { class: "dtviz-view" }, controls, status.root, rates.root);

  const draw = () => {
    /** @type {[number, number]} */
    const [edge, splits] = [model.get("gamma"), model.get("log_splits")];
    const now = growthAt(record, edge, splits);
    rates.draw(record.curves[now.g], now.at);
    gamma.set(edge, edge.toFixed(2));
    power.set(splits, powerText(splits), `10 to the power ${splits}`);
    const write = crowded(allOf(now.rates)) ? digits : brief;
    const texts = now.rates.map(({ cost, reached, bound }) => `${cost} ${write(reached)} (bound ${write(bound)})`);
    const more = remarks(now.rates, floorOf(record.curves[now.g]));
    const noun = splits ? "splits" : "split";
    status.say(`gamma ${edge.toFixed(2)}, ${powerText(splits)} ${noun}: ${texts.join(", ")}${more}`);
  };

  return live({ model, el }, {
    view,
    handlers: { gamma: draw, log_splits: draw },
    resize(width) {
      status.makeRoom(185, width);
      rates.resize(width);
      draw();
    },
    status,
  });
};
