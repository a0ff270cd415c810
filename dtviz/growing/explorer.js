// Chapter 5: growing. How fast growth by some costs drives the error down, and what weak learning promises.

import { gridControl, playControl, statusLine, transport } from "../explorers/static/controls/controls.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { costControl } from "../explorers/static/controls/costs.js";
import { costAt, costName } from "../explorers/static/computing/criteria.js";
import { change, explorers, memory, setter } from "../explorers/static/hosting/kit.js";
import { costText, floorOf, growthAt, powerText } from "./kernel.js";
import { ratesChart } from "./rates.js";

/** @import { Cost } from "../explorers/static/computing/criteria.js" */
/** @import { Growth, GrowthRecord } from "./kernel.js" */

// Milliseconds for a step of the slider.
const PACE = 250;

/** @type {(growth: Growth, cost: Cost, edge: number, splits: number) => string} */
const statusText = (growth, cost, edge, splits) => {
  const { costs, bounds, at } = growth;
  const floor = floorOf(growth);
  const noun = splits ? "splits bring" : "split brings";
  const below = costs[at] < floor ? ` That is below the scale, which ends at ${costText(floor)}.` : "";
  const bound = bounds[cost]?.[at];
  const known = bound === undefined ? "nothing is guaranteed of this one" : `at most ${costText(bound)} is guaranteed`;
  const stuck = "nothing is guaranteed, and growth is stuck: no vote changes a majority";
  const by = costName(cost).replace("cost with", "with");
  return (
    `With edge ${edge.toFixed(2)}, ${powerText(splits)} ${noun} the cost down to ` +
    `${costText(costs[at])} ${by === costName(cost) ? `by ${by}` : by}; ${cost === "error" ? stuck : known}.${below}`
  );
};

// What words of a page can follow.
/** @type {(growth: Growth, cost: Cost, edge: number, splits: number) => Record<string, string>} */
const numbersOf = ({ costs, bounds, at }, cost, edge, splits) => ({
  splits: powerText(splits),
  edge: edge.toFixed(2),
  cost: costText(costs[at]),
  // What is guaranteed.
  bound: bounds[cost] ? costText(bounds[cost][at]) : "unknown",
});

explorers.growing = (host) => {
  const { model } = host;
  /** @type {GrowthRecord} */
  const record = model.get("_growth");
  const onInput = setter(model, "log_splits");
  const power = gridControl({ name: "log_splits", label: "Splits, t", grid: record.powers, onInput });
  const last = record.powers.length - 1;
  const place = () => record.powers.indexOf(model.get("log_splits"));
  const play = playControl({
    model,
    wait: () => PACE,
    advance: () => (place() < last ? { log_splits: record.powers[place() + 1] } : { playing: false }),
  });
  const cost = costControl(model);
  const recall = memory();
  const rates = ratesChart({ record, onPick: setter(model, "log_splits") });
  const status = statusLine();
  const figure = new Figure({
    views: [{ name: "rates", root: rates.root, first: true }],
    controls: [cost, { name: "log_splits", root: transport(power, play), first: true }],
    status,
  });

  const draw = () => {
    /** @type {[number, number, number]} */
    const [edge, splits, position] = [model.get("gamma"), model.get("log_splits"), model.get("cost_position")];
    const now = recall("growth", [edge, splits, position], () => growthAt(record, edge, position, splits));
    const chosen = costAt(position);
    rates.draw(now, costName(chosen));
    cost.draw(false);
    power.set(splits, powerText(splits), `10 to the power ${splits}`);
    play.draw();
    status.makeRoom(135, figure.width || 1000);
    status.say(statusText(now, chosen, edge, splits));
    host.numbers?.(numbersOf(now, chosen, edge, splits));
  };
  const move = () => {
    draw();
    play.beat();
  };
  const playing = () => {
    // Played to the end already: start again.
    if (model.get("playing") && place() === last) change(model, { log_splits: record.powers[0] });
    move();
  };
  return liveFigure(host, {
    figure,
    draw,
    handlers: { log_splits: move, playing },
    resize(width) {
      rates.resize(width);
      draw();
    },
    status,
    play,
  });
};
