// Chapter 1: influence-greedy growth. Slide epsilon, and the tree BuildTopDownDT outputs follows; set
// the smallest tree beside it, or split the leaves yourself.

import { besideControls } from "../explorers/static/beside.js";
import {
  buttonControl,
  checkControl,
  playControl,
  rangeControl,
  statusLine,
  transport,
} from "../explorers/static/controls.js";
import { functionChooser } from "../explorers/static/chooser.js";
import { calm, change, explorers, html, live, put, setter } from "../explorers/static/kit.js";
import { epsilonSlider } from "../explorers/static/level.js";
import { panesView } from "../explorers/static/panes.js";
import { raceControls, raceText } from "../explorers/static/race.js";
import { clamp, count, epsilonText } from "../explorers/static/text.js";
import { errorChart, factsLine, scoreChart } from "./charts.js";
import { pathState } from "./state.js";
import { makeTrees } from "./trees.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Drawn, State } from "./state.js"
 *
 * So many of the reader's splits another function could not make.
 * @typedef {State & { dropped?: number }} Raced
 */

// About twenty seconds for a large tree, an unhurried pace for a small one.
/** @param {State} state */
const growing = ({ model, drawn }) => {
  const stride = () => Math.max(1, Math.ceil(drawn().stop / (calm() ? 20 : 200)));
  return playControl({
    model,
    wait: () => clamp(12000 / drawn().stop, 90, 900),
    advance() {
      const { step, stop } = drawn();
      const next = step + stride();
      return next < stop ? { step: next } : { step: null, playing: false };
    },
  });
};

// Splits one by one: greed's, or, in the same place, the reader's.
/** @param {State} state */
const makeSteps = (state) => {
  const { goTo, drawn, made, complete, racing } = state;
  /** @type {(by: number) => () => void} */
  const onClick = (by) => () => goTo(drawn().step + by);
  const splits = rangeControl({ name: "step", label: "Splits", min: 0, max: 0, step: 1, onInput: goTo });
  const back = buttonControl({ name: "back", label: "One split back", text: "‹", onClick: onClick(-1) });
  const forward = buttonControl({ name: "forward", label: "One split forward", text: "›", onClick: onClick(1) });
  const play = growing(state);
  const race = raceControls({ model: state.model, made, complete });
  const steps = transport(play, back, splits, forward);
  return {
    play,
    race,
    roots: [steps, race.root],
    /** @param {Drawn} drawnNow */
    draw({ path, step }) {
      steps.hidden = racing();
      race.draw(path.costs[step] === 0);
      splits.value.style.minWidth = `${2 * String(path.steps).length + 4}ch`;
      put(splits.input, "max", path.steps);
      splits.set(step, `${step} of ${path.steps}`);
      back.input.disabled = step === 0;
      forward.input.disabled = step === path.steps;
      play.draw();
    },
  };
};

/** @param {State} state */
const makeControls = (state) => {
  const { model } = state;
  const label = "Bounds of the lemmas";
  const bounds = checkControl({ name: "show_bounds", label, onChange: setter(model, "show_bounds") });
  const slider = epsilonSlider(model);
  const beside = besideControls({ model, keeps: ["function", "epsilon", "step", "splits"] });
  const steps = makeSteps(state);
  const checks = html("div", { class: "dtviz-checks" }, bounds.root, steps.race.check);
  const more = html("div", {}, beside.root, checks);
  const root = html("div", { class: "dtviz-controls" }, slider.root, ...steps.roots, more);
  return {
    root,
    more,
    play: steps.play,
    /** @param {Drawn} drawn */
    draw(drawn) {
      const epsilon = model.get("epsilon");
      const text = epsilonText(epsilon);
      slider.set(epsilon, text, `${text}, ${count(drawn.step + 1, "leaf", "leaves")}`);
      bounds.input.checked = model.get("show_bounds");
      steps.draw(drawn);
      beside.draw();
    },
  };
};

/** @param {State} state */
const makePictures = (state) => {
  const { model, now, racing } = state;
  const trees = makeTrees(state);
  const { first, second, dock } = trees;
  const [errors, scores] = [errorChart(state), scoreChart(state)];
  const left = html("div", { class: "dtviz-left" }, first.root, dock.root);
  const right = html("div", { class: "dtviz-right" }, second.root, errors.view.root, scores.view.root);
  const root = html("div", { class: "dtviz-pictures dtviz-grown" }, left, right);
  const panes = [
    { label: "Tree", root: first.root },
    { label: "Beside", root: second.root },
    { label: "Error", root: errors.view.root },
    { label: "Score", root: scores.view.root },
  ];
  const size = { width: 0, kind: /** @type {Kind} */ ("wide") };
  const bounded = () => !racing() && model.get("show_bounds") && now().greedy.steps > 0 && now().size !== null;
  const frame = () => {
    errors.frame(bounded());
    scores.frame(bounded());
  };
  const layOut = () => {
    const { width, kind } = size;
    // Nobody looks.
    if (!width) return;
    const two = model.get("beside") !== "nothing";
    root.classList.toggle("dtviz-two", two);
    second.root.hidden = !two;
    scores.view.root.hidden = two && kind === "wide";
    const gap = 28;
    const half = Math.floor((width - gap) / 2);
    const side = { wide: two ? half : Math.round(width * 0.38), narrow: width, medium: half }[kind];
    const height = { wide: two ? 120 : 203, narrow: 190, medium: 190 }[kind];
    for (const { view } of [errors, scores]) Object.assign(view, { width: side, height });
    const room = { wide: width - side - gap, narrow: width, medium: two ? half : width }[kind];
    const tall = { wide: 286, narrow: 300, medium: 320 }[kind];
    first.resize(room, tall);
    second.resize(kind === "wide" ? side : room, tall);
    frame();
  };
  return {
    root,
    panes,
    frame,
    layOut,
    /** @type {(width: number, kind: Kind) => void} */
    resize(width, kind) {
      Object.assign(size, { width, kind });
      layOut();
    },
    /** @param {Drawn} drawn */
    draw(drawn) {
      trees.draw();
      errors.draw(drawn);
      scores.draw(drawn, bounded());
    },
  };
};

// The tree on display in words, and what it is held against.
/** @type {(state: Raced, drawn: Drawn) => string} */
const statusOf = ({ model, racing, second, dropped }, { known, path, step, stop }) => {
  if (racing()) {
    const left = dropped ? ` ${count(dropped, "split")} left out: this function lacks the variable.` : "";
    const { greedy } = known;
    const greed = { error: greedy.errors[Math.min(step, greedy.steps)], leaves: greedy.steps + 1 };
    return raceText(step + 1, path.errors[step], greed, { error: known.least(step + 1), leaves: known.size }) + left;
  }
  const other = second();
  const than = model.get("beside") === "best" ? "the smallest tree has" : "the tree kept has";
  const unknown = model.get("beside") === "best" ? "; the smallest tree is not known above 12 variables" : "; nothing is kept yet";
  const none = model.get("beside") === "nothing" ? "" : unknown;
  return (
    `epsilon ${epsilonText(model.get("epsilon"))}${step < stop ? ", still growing" : ""}: ` +
    `${count(step + 1, "leaf", "leaves")}, error ${path.errors[step].toFixed(3)}, ` +
    `cost ${path.costs[step].toFixed(2)}${other ? `; ${than} ${count(other.step + 1, "leaf", "leaves")}` : none}`
  );
};

// What each trait changes: `draw` the numbers, `redraw` the curves too, `refit` the places of all.
/** @type {(state: Raced, play: { beat: () => void }, draws: Record<"draw" | "redraw" | "refit", () => void>) => Record<string, () => void>} */
const handlersOf = (state, play, { draw, redraw, refit }) => ({
  epsilon() {
    const { model } = state;
    if (model.get("step") !== null) change(model, { step: null });
    draw();
  },
  step() {
    draw();
    play.beat();
  },
  // The reader's splits stay as far as the other function can make them.
  function() {
    const { model, made, racing } = state;
    const before = racing() ? model.get("splits").length : 0;
    const left = before > made().length ? { splits: made() } : {};
    change(model, { step: null, playing: false, ...left });
    state.dropped = before - (racing() ? made().length : 0);
    redraw();
  },
  splits() {
    const { model } = state;
    state.dropped = 0;
    if (model.get("playing")) change(model, { playing: false });
    redraw();
  },
  show_bounds: redraw,
  beside: refit,
  kept: draw,
  playing() {
    const { model, drawn } = state;
    const { step, stop } = drawn();
    if (model.get("playing") && step === stop) {
      // Nothing to grow at this epsilon: ask for no error, and watch the whole growth.
      if (stop === 0) change(model, { epsilon: 0 });
      // Played to the end already: start again from one leaf.
      change(model, { step: 0 });
    }
    draw();
    play.beat();
  },
});

explorers.influence = ({ model, el }) => {
  const state = pathState(model);
  const which = functionChooser({ model, trait: "function", label: "Function" });
  const facts = factsLine();
  put(which.root, "data-no-picture", "");
  const chosen = html("div", { class: "dtviz-chosen-function" }, which.root, facts.root);
  const controls = makeControls(state);
  const pictures = makePictures(state);
  const status = statusLine();
  const panes = panesView({
    panes: pictures.panes,
    head: [controls.root, status.root],
    more: controls.more,
    stack: pictures.root,
  });
  const view = html("div", { class: "dtviz-view dtviz-grown-view" }, chosen, panes.head, pictures.root);
  const draw = () => {
    const drawn = state.drawn();
    which.draw();
    facts.draw(drawn.known);
    pictures.draw(drawn);
    status.say(statusOf(state, drawn));
    controls.draw(drawn);
  };
  const redraw = () => {
    pictures.frame();
    draw();
  };
  const refit = () => {
    pictures.layOut();
    panes.draw();
    draw();
  };
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    pictures.resize(width, kind);
    panes.resize(kind);
    draw();
  };
  const handlers = handlersOf(state, controls.play, { draw, redraw, refit });
  return live({ model, el }, { view, handlers, resize, status, play: controls.play });
};
