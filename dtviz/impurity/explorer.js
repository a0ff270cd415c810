// Chapter 4: impurity. A split is a chord under a concave curve, and a tree cuts the plane.

import { SHARE_STEP } from "../explorers/static/constants.js";
import { allCosts } from "../explorers/static/criteria.js";
import { rangeControl, selectControl, statusLine } from "../explorers/static/controls.js";
import { change, explorers, html, live, setter } from "../explorers/static/kit.js";
import { panesView } from "../explorers/static/panes.js";
import { dropText, epsilonText } from "../explorers/static/text.js";
import { chordChart, smallChord } from "./chord.js";
import { splitDrop, splitText } from "./kernel.js";
import { planePart } from "./regions.js";
import { costTiles } from "./tiles.js";

/**
 * @import { Kind, Model } from "../explorers/static/kit.js"
 * @import { Cost, Split } from "./kernel.js"
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
  const four = html("div", {}, html("div", { class: "dtviz-heading" }, `The ${allCosts(costs)}`), tiles.root);
  const main = html("div", {}, chart.root);
  return {
    root: html("div", { class: "dtviz-chord-view" }, main, four),
    panes: [
      { label: "Chord", root: main },
      { label: "All costs", root: four },
    ],
    fields: Object.values(sliders).map(({ root }) => root),
    /** @type {(width: number, kind: Kind) => void} */
    resize(width, kind) {
      const side = kind === "wide" ? Math.floor((width - 32) * 0.6) : width;
      chart.resize(side);
      if (kind === "wide") tiles.resize(width - 32 - side, 2, 112);
      else tiles.resize(width, kind === "narrow" ? 2 : 4, 96);
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

explorers.impurity = ({ model, el }) => {
  const plane = planePart(model, { redraw: () => draw(), report: (text) => status.say(text) });
  const parts = { chord: chordPart(model), plane };
  /** @type {(name: string, label: string, options: string[]) => ReturnType<typeof selectControl>} */
  const select = (name, label, options) =>
    selectControl({ name, label, options, onChange: setter(model, name) });
  const views = select("view", "View", Object.keys(parts));
  const costs = select("cost", "Cost, G", model.get("_costs"));
  const status = statusLine();
  const more = html("div", {}, costs.root, plane.data);
  const fields = [views.root, more, ...parts.chord.fields, ...parts.plane.fields];
  const controls = html("div", { class: "dtviz-controls dtviz-even" }, ...fields);
  const pictures = Object.values(parts);
  const panes = panesView({ panes: pictures.flatMap((part) => part.panes), head: [controls, status.root], more });
  const roots = pictures.map((part) => part.root);
  const view = html("div", { class: "dtviz-view" }, panes.head, ...roots);

  let room = { width: 0, kind: /** @type {Kind} */ ("wide") };
  /** @type {Record<string, typeof room>} */
  const sized = {};
  const draw = () => {
    /** @type {keyof typeof parts} */
    const name = model.get("view");
    for (const [other, { root, fields: own }] of Object.entries(parts)) {
      for (const part of [root, ...own]) part.hidden = other !== name;
    }
    plane.data.hidden = name !== "plane";
    panes.draw();
    views.input.value = name;
    costs.input.value = model.get("cost");
    if (!room.width) return;
    const letters = { chord: 120, plane: model.get("splits") ? 190 : 110 }[name];
    status.makeRoom(panes.narrow ? 0.86 * letters : letters, room.width);
    if (sized[name] !== room) {
      sized[name] = room;
      parts[name].resize(room.width, room.kind);
    }
    status.say(parts[name].draw());
  };

  const drawn = ["view", "cost", "p", "r", "tau", "splits", "beside"].map((trait) => [trait, draw]);
  const grown = ["data", "points", "names", "axes"].map((trait) => [trait, plane.renew]);
  const handlers = {
    ...Object.fromEntries([...drawn, ...grown]),
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
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    room = { width, kind };
    panes.resize(kind);
    draw();
  };
  const cleanUp = live({ model, el }, { view, handlers, resize, status, play: plane.play });
  return () => {
    plane.stop();
    cleanUp();
  };
};
