// Chapter 5: growing. How fast growth by some costs drives the error down, and what weak learning promises.

import { gridControl, playControl, statusLine, transport } from "../explorers/static/controls/controls.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { change, explorers, setter } from "../explorers/static/hosting/kit.js";
import { listed } from "../explorers/static/computing/text.js";
import { costText, floorOf, growthAt, powerText } from "./kernel.js";
import { ratesChart } from "./rates.js";

/** @import { GrowthRecord, Rate } from "./kernel.js" */

// Milliseconds for a step of the slider.
const PACE = 250;

/** @type {(rates: Rate[], edge: number, splits: number, floor: number) => string} */
const statusText = (rates, edge, splits, floor) => {
  const reached = listed(rates.map(({ cost, reached: value }) => `${costText(value)} by ${cost}`));
  const bounds = listed(rates.map(({ bound }) => costText(bound)));
  const noun = splits ? "splits bring" : "split brings";
  const below = rates.filter(({ reached: value }) => value < floor).map(({ cost }) => cost);
  const remark = below.length ? ` Below the scale, which ends at ${costText(floor)}: ${listed(below)}.` : "";
  return (
    `With edge ${edge.toFixed(2)}, ${powerText(splits)} ${noun} the cost down to ${reached}; ` +
    `at most ${bounds} are guaranteed.${remark}`
  );
};

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
  const rates = ratesChart({ record, onPick: setter(model, "log_splits") });
  const status = statusLine();
  const figure = new Figure({
    views: [{ name: "rates", root: rates.root, first: true }],
    controls: [{ name: "log_splits", root: transport(power, play), first: true }],
    status,
  });

  const draw = () => {
    /** @type {[number, number]} */
    const [edge, splits] = [model.get("gamma"), model.get("log_splits")];
    const now = growthAt(record, edge, splits);
    rates.draw(record.curves[now.g], now.at);
    power.set(splits, powerText(splits), `10 to the power ${splits}`);
    play.draw();
    status.say(statusText(now.rates, edge, splits, floorOf(record.curves[now.g])));
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
