// Chapter 5: growing. How fast growth by three costs drives the error down, and what weak learning promises.

import { gridControl, statusLine } from "../explorers/static/controls.js";
import { explorers, html, live, setter } from "../explorers/static/kit.js";
import { brief } from "../explorers/static/text.js";
import { growthAt } from "./kernel.js";
import { ratesChart } from "./rates.js";

/** @import { GrowthRecord } from "./kernel.js" */

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
    power.set(splits, `10^${splits}`, `10 to the power ${splits}`);
    const told = now.rates.map(({ cost, reached, bound }) => `${cost} ${brief(reached)} (bound ${brief(bound)})`);
    status.say(`gamma ${edge.toFixed(2)}, 10^${splits} splits: ${told.join(", ")}`);
  };

  return live({ model, el }, {
    view,
    handlers: { gamma: draw, log_splits: draw },
    resize(width) {
      rates.resize(width);
      draw();
    },
    status,
  });
};
