// Chapter 4: impurity. A split is a chord under a concave curve, and a tree cuts the plane.

import { costControl } from "../explorers/static/controls/costs.js";
import { statusLine } from "../explorers/static/controls/controls.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { change, explorers, html } from "../explorers/static/hosting/kit.js";
import { plainControl } from "../explorers/static/controls/settings.js";
import { costAt } from "../explorers/static/computing/criteria.js";
import { ChordChart } from "./chord.js";
import { splitText } from "./kernel.js";
import { planePart } from "./regions.js";

/**
 * @import { Part } from "../explorers/static/hosting/figure.js"
 * @import { Model } from "../explorers/static/hosting/kit.js"
 */

/** @param {Model} model */
const chordPart = (model) => {
  const sliders = ["p", "r", "tau"].map((name) => ({ ...plainControl(model, name), first: name === "p" }));
  const chart = new ChordChart({ onMove: (changes) => change(model, changes) });
  /** @type {Part[]} */
  const views = [{ name: "chord", root: html("div", { class: "dtviz-chord-view" }, chart.root), first: true }];
  return {
    views,
    controls: sliders,
    /** @param {Figure} figure */
    resize: (figure) => chart.resize(figure.room("chord")),
    // Draws, and returns the state in words.
    draw() {
      const split = { p: model.get("p"), r: model.get("r"), tau: model.get("tau") };
      const cost = costAt(model.get("cost_position"));
      chart.draw(cost, split);
      for (const slider of sliders) slider.draw();
      return splitText(cost, split);
    },
    // There is no tree.
    numbers: () => ({}),
  };
};

// What is about classes alone: with numbers for labels there is one view, one cost and one plane.
const OF_CLASSES = new Set(["chord", "p", "r", "tau", "view", "cost_position", "data", "points", "beside"]);
/** @type {(model: Model, parts: Part[]) => Part[]} */
const offered = (model, parts) =>
  model.get("_rules").view.choices.length < 2 ? parts.filter(({ name }) => !OF_CLASSES.has(name)) : parts;

explorers.impurity = (host) => {
  const { model } = host;
  const plane = planePart(model, () => draw());
  const parts = { chord: chordPart(model), plane };
  const cost = costControl(model);
  const choice = plainControl(model, "view");
  const status = statusLine();
  const both = Object.values(parts);
  const figure = new Figure({
    views: offered(model, both.flatMap((one) => one.views)),
    controls: offered(model, [cost, choice, ...both.flatMap((one) => one.controls)]),
    status,
    dock: plane.dock,
  });

  const part = () => parts[/** @type {keyof typeof parts} */ (model.get("view"))];
  /** @type {ReturnType<typeof part> | null} */
  let shown = null;
  // Show the parts of one view, and those of the other not.
  const turn = () => {
    shown = part();
    for (const one of both) {
      for (const { root } of [...one.views, ...one.controls]) root.hidden = one !== shown;
    }
    plane.dock.hidden = shown !== plane;
    figure.fit();
    if (figure.width) shown.resize(figure);
  };
  const draw = () => {
    if (shown !== part()) turn();
    choice.draw();
    const isPlane = part() === plane;
    cost.draw(isPlane && plane.stopsOnly(), isPlane ? plane.alongCost() : undefined);
    if (!figure.width) return;
    status.makeRoom(135, figure.width);
    status.say(part().draw());
    host.numbers?.(part().numbers());
  };

  const handlers = {
    _paths: draw,
    leaves() {
      draw();
      plane.play.beat();
    },
    playing() {
      plane.rewind();
      draw();
      plane.play.beat();
    },
  };
  const resize = () => {
    turn();
    draw();
  };
  const cleanUp = liveFigure(host, { figure, draw, handlers, resize, status, play: plane.play });
  return () => {
    plane.stop();
    cleanUp();
  };
};
