// The atlas: type or click a function, see its card, its place among all, its trees and its neighbours.

import { functionChooser } from "../explorers/static/chooser.js";
import { chart } from "../explorers/static/chart.js";
import { selectControl, statusLine } from "../explorers/static/controls.js";
import { change, explorers, html, live, put, setter } from "../explorers/static/kit.js";
import { epsilonLevel, epsilonSlider } from "../explorers/static/level.js";
import { rootScale } from "../explorers/static/scale.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { makeTrees } from "../influence/trees.js";
import { nextFrame } from "../explorers/static/later.js";
import { extremesView } from "./extremes.js";
import { neighboursView } from "./neighbours.js";
import { numbersView, rangeText } from "./numbers.js";
import { placeMap } from "./place.js";
import { cardState } from "./state.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Growth } from "../explorers/static/path.js"
 * @import { Card, State } from "./state.js"
 *
 * A part below the card, one of which is in front; steps: what draws it, each in a frame of its own.
 * @typedef {(card: Card, narrow: boolean) => void} Step
 * @typedef {{ root: HTMLElement, steps: Step[], resize: (width: number, kind: Kind) => void }} Part
 */

// The views, as the trait names them.
const VIEWS = { trees: "the trees", neighbours: "the neighbours", extremes: "extreme functions" };

// The error of greed's tree and the least there can be, leaf by leaf.
/** @param {State} state */
const errorCurves = ({ model, grown }) => {
  const view = chart({
    title: "Error against leaves",
    scaleName: "square-root scale",
    name: "The error of the greedy tree and the least possible error, against the number of leaves.",
    keys: ["error", "least"],
    onStep: grown.goTo,
  });
  const drawLevel = epsilonLevel(view, { top: () => 0.5, onMove: (epsilon) => change(model, { epsilon }) });
  return {
    view,
    draw() {
      const { known, path, step } = grown.drawn();
      view.frame(Math.max(path.steps, 1), rootScale(0.5));
      view.curve(0, (j) => path.errors[Math.min(j, path.steps)]);
      view.curve(1, (j) => known.least(j + 1) ?? 0);
      view.remark(false);
      const least = known.least(step + 1) ?? 0;
      view.point(step, [
        { value: path.errors[step], text: `greed ${path.errors[step].toFixed(3)}` },
        { value: least, text: `least ${least.toFixed(3)}` },
      ]);
      drawLevel(model.get("epsilon"));
    },
  };
};

/** @type {(tree: { path: unknown, show: (path: Growth) => void }, path: Growth | undefined) => void} */
const layOut = (tree, path) => {
  if (path && tree.path !== path) tree.show(path);
};

// Greed's tree beside a smallest one.
/** @type {(state: State) => Part} */
const treesPart = (state) => {
  const slider = epsilonSlider(state.model);
  const trees = makeTrees(state.grown);
  const { first, second, dock } = trees;
  second.root.hidden = false;
  const pair = html("div", { class: "dtviz-atlas-trees" }, first.root, second.root);
  return {
    root: html("div", {}, html("div", { class: "dtviz-controls" }, slider.root), pair, dock.root),
    // Trees are laid out one by one: each takes some milliseconds.
    steps: [
      () => {
        const epsilon = state.model.get("epsilon");
        slider.set(epsilon, epsilonText(epsilon));
      },
      () => layOut(first, state.grown.drawn().path),
      () => layOut(second, state.grown.second()?.path),
      () => trees.draw(),
    ],
    resize(width, kind) {
      const half = kind === "narrow" ? width : Math.floor((width - 28) / 2);
      first.resize(half, 280);
      second.resize(half, 280);
    },
  };
};

/** @type {(state: State, card: Card) => string} */
const statusOf = ({ model, grown }, { measures: { least, ties }, known }) => {
  const epsilon = model.get("epsilon");
  const { step } = grown.drawn();
  let needed = 1;
  while ((known.least(needed) ?? 0) > epsilon) needed += 1;
  const whole = `Smallest tree ${count(least.leaves, "leaf", "leaves")}, greed ${rangeText(ties)}, rank ${least.rank}`;
  return `${whole}; epsilon ${epsilonText(epsilon)}: greed takes ${count(step + 1, "leaf", "leaves")}, ${needed} would do`;
};

// The keys and titles of all lists of extremes, in the order in which they come.
/** @type {(state: State) => [string, string][]} */
const titlesOf = ({ atlas }) => {
  const all = Object.values(atlas.n).reverse().flatMap(({ extremes }) => extremes);
  return [...new Map(all.map(({ key, title }) => [key, title]))];
};

/** @type {(state: State) => { root: HTMLElement, select: HTMLElement, front: () => Part, draw: () => void, all: Part[] }} */
const partsBelow = (state) => {
  const { model } = state;
  const neighbours = neighboursView(state);
  const extremes = extremesView(state, titlesOf(state));
  const none = () => {};
  /** @type {Record<string, Part>} */
  const parts = {
    trees: treesPart(state),
    neighbours: { root: neighbours.root, steps: [neighbours.draw], resize: none },
    extremes: { root: extremes.root, steps: [extremes.draw], resize: none },
  };
  const which = selectControl({ name: "view", label: "Below", options: Object.keys(VIEWS), onChange: setter(model, "view") });
  for (const option of which.input.options) {
    option.textContent = VIEWS[/** @type {keyof typeof VIEWS} */ (option.value)];
  }
  put(which.root, "data-no-picture", "");
  return {
    root: html("div", { class: "dtviz-atlas-parts" }, ...Object.values(parts).map(({ root }) => root)),
    select: which.root,
    front: () => parts[model.get("view")],
    all: Object.values(parts),
    draw() {
      which.input.value = model.get("view");
      for (const [name, { root }] of Object.entries(parts)) root.hidden = name !== model.get("view");
    },
  };
};

explorers.atlas = ({ model, el }) => {
  const state = cardState(model);
  const which = functionChooser({ model, trait: "function", label: "Function" });
  put(which.root, "data-no-picture", "");
  const numbers = numbersView(state);
  const errors = errorCurves(state);
  const place = placeMap(state, model.get("_charts"));
  const below = partsBelow(state);
  const [status, later] = [statusLine(), nextFrame()];
  const size = { width: 0, kind: /** @type {Kind} */ ("wide") };
  const card = html("div", { class: "dtviz-atlas-card" }, html("div", {}, numbers.root, errors.view.root), place.root);
  const view = html("div", { class: "dtviz-view dtviz-atlas" }, which.root, card, status.root, below.select, below.root);
  const answer = () => {
    const now = state.now();
    which.draw();
    status.say(statusOf(state, now));
    numbers.draw(now);
    below.draw();
  };
  const fillCard = () => {
    place.draw(state.now());
    errors.draw();
  };
  /** @param {number} k */
  const step = (k) =>
    later.draw("part", () => {
      const { steps } = below.front();
      steps[k](state.now(), size.kind === "narrow");
      if (k + 1 < steps.length) step(k + 1);
    });
  const fillPart = () => below.front().steps.forEach((one) => one(state.now(), size.kind === "narrow"));
  // First what answers, then a frame later what takes time.
  const draw = () => {
    if (!size.width) return;
    answer();
    later.draw("card", fillCard);
    step(0);
  };
  const slide = () => {
    if (!size.width) return;
    status.say(statusOf(state, state.now()));
    errors.draw();
    fillPart();
  };
  // All at once: a page that loads in parts would move under its reader.
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    Object.assign(size, { width, kind });
    const half = kind === "narrow" ? width : Math.floor((width - 28) / 2);
    place.resize(half);
    Object.assign(errors.view, { width: half, height: 180 });
    for (const part of below.all) part.resize(width, kind);
    later.forget();
    answer();
    fillCard();
    fillPart();
  };
  const handlers = { function: draw, chart: draw, view: draw, extreme: draw, epsilon: slide };
  const stop = () => {
    status.stop();
    later.stop();
  };
  return live({ model, el }, { view, handlers, resize, status: { stop } });
};
