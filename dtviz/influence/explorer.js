// Chapter 1: influence-greedy growth. Slide epsilon, and the tree BuildTopDownDT outputs follows.

import { chart } from "../explorers/static/chart.js";
import {
  buttonControl,
  checkControl,
  playControl,
  rangeControl,
  selectControl,
  statusLine,
  transport,
} from "../explorers/static/controls.js";
import { calm, change, explorers, html, keyText, live, put, say, setter } from "../explorers/static/kit.js";
import { epsilonLevel, epsilonSlider } from "../explorers/static/level.js";
import { growth } from "../explorers/static/path.js";
import { logScale, rootScale } from "../explorers/static/scale.js";
import { brief, clamp, count, epsilonText } from "../explorers/static/text.js";
import { treeView } from "../explorers/static/tree.js";
import { epsilonBelow, scoreBounds, scoreRange } from "./kernel.js";

/**
 * @import { Fact } from "../explorers/static/controls.js"
 * @import { Kind, Model } from "../explorers/static/kit.js"
 * @import { Growth, PackedPath } from "../explorers/static/path.js"
 *
 * @typedef {ReturnType<typeof pathState>} State
 * @typedef {{ stop: number, step: number }} Shown
 */

// The path on display, and how much of it is shown.
/** @param {Model} model */
const pathState = (model) => {
  /** @type {Record<string, PackedPath>} */
  const records = model.get("_paths");
  /** @type {Map<string, Growth>} */
  const grown = new Map();
  const now = () => {
    const name = model.get("function");
    const path = grown.get(name) ?? growth(records[name]);
    grown.set(name, path);
    return path;
  };
  // The step shown: where epsilon stops the learner, or earlier while it is still growing.
  /** @type {(path?: Growth) => Shown} */
  const shown = (path = now()) => {
    const stop = path.stop(model.get("epsilon"));
    return { stop, step: Math.min(model.get("step") ?? stop, stop) };
  };
  // Show `step` splits; beyond what epsilon asks for, ask for less error.
  /** @param {number} step */
  const goTo = (step) => {
    const path = now();
    if (step < 0 || step > path.steps) return;
    const enough = step <= shown(path).stop;
    const epsilon = enough ? model.get("epsilon") : epsilonBelow(path.errors[step - 1]);
    // epsilon first: its handler forgets the step.
    change(model, { epsilon, step: step === path.stop(epsilon) ? null : step });
  };
  return { model, names: Object.keys(records), now, shown, goTo };
};

// About twenty seconds for a large tree, an unhurried pace for a small one.
/** @param {State} state */
const growing = ({ model, shown }) => {
  const stride = () => Math.max(1, Math.ceil(shown().stop / (calm() ? 20 : 200)));
  return playControl({
    model,
    wait: () => clamp(12000 / shown().stop, 90, 900),
    advance() {
      const { step, stop } = shown();
      const next = step + stride();
      return next < stop ? { step: next } : { step: null, playing: false };
    },
  });
};

/** @param {State} state */
const makeControls = (state) => {
  const { model, goTo, shown } = state;
  /** @type {(by: number) => () => void} */
  const onClick = (by) => () => goTo(shown().step + by);
  const which = selectControl({
    name: "function",
    label: "Function",
    options: state.names,
    onChange: setter(model, "function"),
  });
  const label = "Bounds of the lemmas";
  const bounds = checkControl({ name: "show_bounds", label, onChange: setter(model, "show_bounds") });
  const slider = epsilonSlider(model);
  const splits = rangeControl({ name: "step", label: "Splits", min: 0, max: 0, step: 1, onInput: goTo });
  const back = buttonControl({ name: "back", label: "One split back", text: "‹", onClick: onClick(-1) });
  const forward = buttonControl({ name: "forward", label: "One split forward", text: "›", onClick: onClick(1) });
  const play = growing(state);
  const steps = transport(play, back, splits, forward);
  const root = html("div", { class: "dtviz-controls" }, which.root, bounds.root, slider.root, steps);
  return {
    root,
    play,
    /** @type {(path: Growth, shown: Shown) => void} */
    draw(path, { step }) {
      const epsilon = model.get("epsilon");
      const text = epsilonText(epsilon);
      slider.set(epsilon, text, `${text}, ${count(step + 1, "leaf", "leaves")}`);
      splits.value.style.minWidth = `${2 * String(path.steps).length + 4}ch`;
      put(splits.input, "max", path.steps);
      splits.set(step, `${step} of ${path.steps}`);
      which.input.value = model.get("function");
      bounds.input.checked = model.get("show_bounds");
      back.input.disabled = step === 0;
      forward.input.disabled = step === path.steps;
      play.draw();
    },
  };
};

// What is told of a node.
/** @type {(path: Growth, node: number, state: "inner" | "leaf") => Fact[]} */
const factsOf = ({ best, probability, score, label, error }, node, state) => {
  /** @type {Fact[]} */
  const lines = [["probability", `${probability(node)}`]];
  if (state === "inner") lines.push(["splits on", `x${best[node]}`]);
  lines.push(["score", score(node).toFixed(4)]);
  if (state === "leaf") {
    const variable = best[node] < 0 ? "none, f is constant here" : `x${best[node]}`;
    lines.push(["most influential", variable], ["label", label(node)]);
  }
  lines.push(["error", error(node).toFixed(4)]);
  return lines;
};

// Error, cost and half the cost, with epsilon as a level to drag.
/** @param {State} state */
const errorChart = ({ model, now, goTo }) => {
  const view = chart({
    title: "Error and cost",
    scaleName: "square-root scale",
    name: "Curves of the error, the cost and half the cost against the number of leaves.",
    keys: ["cost", "half", "error"],
    onStep: goTo,
  });
  const top = () => Math.max(now().costs[0], 0.5);
  const drawLevel = epsilonLevel(view, { top, onMove: (epsilon) => change(model, { epsilon }) });
  return {
    view,
    /** @type {(path: Growth, bounded: boolean) => void} */
    frame({ steps, costs, errors }, bounded) {
      view.frame(steps, rootScale(top()));
      view.curve(0, (j) => costs[j]);
      view.curve(1, (j) => costs[j] / 2);
      view.curve(2, (j) => errors[j]);
      view.fill(bounded && ((j) => costs[j] / 2), (j) => errors[j]);
      view.remark(bounded && "error ≤ cost/2");
    },
    /** @type {(path: Growth, step: number) => void} */
    draw({ costs, errors }, step) {
      view.point(step, [
        { value: costs[step], text: `cost ${costs[step].toFixed(2)}` },
        { value: costs[step] / 2, text: `cost/2 ${(costs[step] / 2).toFixed(2)}` },
        { value: errors[step], text: `error ${errors[step].toFixed(3)}` },
      ]);
      drawLevel(model.get("epsilon"));
    },
  };
};

// The score of each split and, where asked for, what the lemmas promise of it.
/** @param {State} state */
const scoreChart = ({ model, goTo }) => {
  const view = chart({
    title: "Score of the next split",
    scaleName: "log scale",
    name: "The score of each split against the number of leaves.",
    keys: ["score", "bound", "bound-paper", "bound-cost"],
    onStep: goTo,
  });
  return {
    view,
    /** @type {(path: Growth, bounded: boolean) => void} */
    frame(path, bounded) {
      const { steps, scores, size } = path;
      const [low, high] = scoreRange(path, bounded);
      view.frame(steps, logScale(low / 1.4, high * 1.4));
      view.curve(0, (j) => scores[j], 0, steps - 1);
      view.curve(1, bounded && scoreBounds(path, 0).sharper, 0, steps - 1);
      view.remark(bounded && `smallest tree: s = ${size}`);
    },
    /** @type {(path: Growth, shown: Shown, bounded: boolean) => void} */
    draw(path, { step, stop }, bounded) {
      const epsilon = model.get("epsilon");
      const { sharper, paper, byCost, lastLarge } = scoreBounds(path, epsilon);
      const useful = bounded && epsilon > 0;
      view.curve(2, useful && stop > 0 && paper, 0, stop - 1);
      view.curve(3, useful && lastLarge >= 0 && byCost, 0, lastLarge);
      /** @type {(name: string, value: number, speaks: boolean) => { value: number, text: string } | false} */
      const tag = (name, value, speaks) => speaks && { value, text: `${name} ${brief(value)}` };
      view.point(step, [
        tag("score", path.scores[step], step < path.steps),
        tag("by error", sharper(step), bounded && step < path.steps),
        tag("by ε", paper(step), useful && step < stop),
        tag("by cost", byCost(step), useful && step <= lastLarge),
      ]);
    },
  };
};

/** @param {State} state */
const makePictures = (state) => {
  const { model, now } = state;
  /** @type {(node: number, kind: "inner" | "leaf") => Fact[]} */
  const facts = (node, kind) => factsOf(now(), node, kind);
  const tree = treeView({ name: "Decision tree", facts });
  const key = keyText(
    "Left branch: 0, right branch: 1. A box is a leaf with its label, paler the more mixed it is; " +
      "below it stands its score. Green: split next. A triangle folds a subtree: leaves, error; click to look inside.",
  );
  const [errors, scores] = [errorChart(state), scoreChart(state)];
  const panel = html("div", { class: "dtviz-panel" }, tree.root, key);
  const root = html("div", { class: "dtviz-pictures" }, panel, errors.view.root, scores.view.root);
  const bounded = () => model.get("show_bounds") && now().steps > 0;
  const frame = () => {
    errors.frame(now(), bounded());
    scores.frame(now(), bounded());
  };
  return {
    root,
    tree,
    frame,
    /** @type {(width: number, kind: Kind) => void} */
    resize(width, kind) {
      const gap = 28;
      const half = Math.floor((width - gap) / 2);
      const side = { wide: Math.round(width * 0.38), narrow: width, medium: half }[kind];
      for (const { view } of [errors, scores]) Object.assign(view, { width: side, height: 190 });
      frame();
      tree.resize(kind === "wide" ? width - side - gap : width, kind === "medium" ? 340 : 400);
    },
    /** @type {(path: Growth, shown: Shown) => void} */
    draw(path, shown) {
      const { step } = shown;
      tree.draw(step, step < path.steps ? path.split[step] : -1);
      say(tree.title, `Tree after ${count(step, "split")}`);
      errors.draw(path, step);
      scores.draw(path, shown, bounded());
    },
  };
};

explorers.influence = ({ model, el }) => {
  const state = pathState(model);
  const controls = makeControls(state);
  const pictures = makePictures(state);
  const status = statusLine();
  const view = html("div", { class: "dtviz-view" }, controls.root, status.root, pictures.root);

  const draw = () => {
    const path = state.now();
    const shown = state.shown(path);
    const { step, stop } = shown;
    pictures.draw(path, shown);
    status.say(
      `epsilon ${epsilonText(model.get("epsilon"))}${step < stop ? ", still growing" : ""}: ` +
        `${count(step + 1, "leaf", "leaves")}, error ${path.errors[step].toFixed(3)}, ` +
        `cost ${path.costs[step].toFixed(2)}`,
    );
    controls.draw(path, shown);
  };
  const redraw = () => {
    pictures.frame();
    draw();
  };
  const handlers = {
    epsilon() {
      if (model.get("step") !== null) change(model, { step: null });
      draw();
    },
    step() {
      draw();
      controls.play.beat();
    },
    function() {
      change(model, { step: null, playing: false });
      pictures.tree.show(state.now());
      redraw();
    },
    show_bounds: redraw,
    playing() {
      const { step, stop } = state.shown();
      if (model.get("playing") && step === stop) {
        // Nothing to grow at this epsilon: ask for no error, and watch the whole growth.
        if (stop === 0) change(model, { epsilon: 0 });
        // Played to the end already: start again from one leaf.
        change(model, { step: 0 });
      }
      draw();
      controls.play.beat();
    },
  };

  pictures.tree.show(state.now());
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    pictures.resize(width, kind);
    draw();
  };
  return live({ model, el }, { view, handlers, resize, status, play: controls.play });
};
