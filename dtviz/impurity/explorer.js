// Chapter 4: impurity. A split is a chord under a concave curve, and a tree cuts the plane.

import { SHARE_STEP } from "../explorers/static/constants.js";
import { allCosts } from "../explorers/static/criteria.js";
import { rangeControl, selectControl, statusLine } from "../explorers/static/controls.js";
import { figureView, liveFigure } from "../explorers/static/figure.js";
import { change, explorers, html, setter } from "../explorers/static/kit.js";
import { dropText, epsilonText } from "../explorers/static/text.js";
import { chordChart, smallChord } from "./chord.js";
import { splitDrop, splitText } from "./kernel.js";
import { planePart } from "./regions.js";
import { costTiles } from "./tiles.js";

/**
 * @import { Part, figureView as Make } from "../explorers/static/figure.js"
 * @import { Model } from "../explorers/static/kit.js"
 * @import { Cost, Split } from "./kernel.js"
 *
 * @typedef {ReturnType<typeof Make>} Figure
 */

/** @param {Model} model */
const shareSliders = (model) => {
  /** @type {(name: string, label: string, min?: number) => ReturnType<typeof rangeControl>} */
  const share = (name, label, min = 0) =>
    rangeControl({ name, label, min, max: 1 - min, step: SHARE_STEP, onInput: setter(model, name) });
  return {
    p: share("p", "First child, p"),
    r: share("r", "Second child, r"),
    tau: share("tau", "Weight of r, τ", SHARE_STEP),
  };
};

/** @param {Model} model */
const chordPart = (model) => {
  /** @type {() => Split} */
  const splitNow = () => ({ p: model.get("p"), r: model.get("r"), tau: model.get("tau") });
  const sliders = shareSliders(model);
  const chart = chordChart({ onMove: (changes) => change(model, changes) });
  /** @type {Cost[]} */
  const costs = model.get("_costs");
  const tiles = costTiles({
    costs,
    label: `The same split under the ${allCosts(costs)}`,
    picture: smallChord,
    onPick: (cost) => change(model, { cost }),
  });
  const title = html("div", { class: "dtviz-heading" }, `The ${allCosts(costs)}`);
  /** @type {Part[]} */
  const views = [
    { name: "chord", root: html("div", { class: "dtviz-chord-view" }, chart.root), first: true },
    { name: "chords", root: html("div", { class: "dtviz-chord-view" }, title, tiles.root) },
  ];
  return {
    views,
    /** @type {Part[]} */
    controls: Object.entries(sliders).map(([name, { root }]) => ({ name, root, first: name === "p" })),
    /** @param {Figure} figure */
    resize(figure) {
      chart.resize(figure.room("chord"));
      tiles.resize(figure.room("chords"), figure.narrow ? 2 : 4, 96);
    },
    // Draws, and returns the state in words.
    draw() {
      const split = splitNow();
      /** @type {Cost} */
      const cost = model.get("cost");
      chart.draw(cost, split);
      tiles.draw(cost, () => split, (other) => `drop ${dropText(splitDrop(other, split).drop)}`);
      for (const name of /** @type {(keyof Split)[]} */ (["p", "r", "tau"])) {
        sliders[name].set(split[name], epsilonText(split[name]));
      }
      return splitText(cost, split);
    },
  };
};

explorers.impurity = (host) => {
  const { model } = host;
  const plane = planePart(model, () => draw());
  const parts = { chord: chordPart(model), plane };
  /** @type {(name: string, label: string, options: string[]) => ReturnType<typeof selectControl>} */
  const select = (name, label, options) =>
    selectControl({ name, label, options, onChange: setter(model, name) });
  const views = select("view", "View", Object.keys(parts));
  const costs = select("cost", "Cost, G", model.get("_costs"));
  const status = statusLine();
  const both = Object.values(parts);
  const figure = figureView({
    views: both.flatMap((one) => one.views),
    controls: [
      { name: "view", root: views.root },
      { name: "cost", root: costs.root },
      ...both.flatMap((one) => one.controls),
    ],
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
    figure.fit();
    if (figure.width) shown.resize(figure);
  };
  const draw = () => {
    if (shown !== part()) turn();
    views.input.value = model.get("view");
    costs.input.value = model.get("cost");
    if (figure.width) status.say(part().draw());
  };

  const drawn = ["view", "cost", "p", "r", "tau", "splits", "beside", "data", "points", "names", "axes"];
  const handlers = {
    ...Object.fromEntries(drawn.map((trait) => [trait, draw])),
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
  const cleanUp = liveFigure(host, { figure, handlers, resize, status, play: plane.play });
  return () => {
    plane.stop();
    cleanUp();
  };
};
