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
import { nextFrame } from "../explorers/static/later.js";
import { epsilonSlider } from "../explorers/static/level.js";
import { panesView } from "../explorers/static/panes.js";
import { raceControls, raceText } from "../explorers/static/race.js";
import { clamp, count, epsilonText } from "../explorers/static/text.js";
import { errorChart, factsLine, scoreChart } from "./charts.js";
import { manySplits, pathState } from "./state.js";
import { makeTrees } from "./trees.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Later } from "../explorers/static/later.js"
 * @import { Drawn, State } from "./state.js"
 *
 * @typedef {object} Charts
 * @property {ReturnType<typeof errorChart>["view"][]} views
 * @property {() => void} frame  the curves and axes
 * @property {() => void} reframe  the same, with what is drawn next
 * @property {(drawn: Drawn) => void} draw
 *
 * @typedef {object} Pictures
 * @property {HTMLElement} root
 * @property {{ label: string, root: HTMLElement }[]} panes
 * @property {() => void} layOut
 * @property {(width: number, kind: Kind) => void} resize
 * @property {() => void} drawTrees
 * @property {(drawn: Drawn) => void} draw  trees and charts
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

// The two charts; those of another function come a frame after its tree.
/** @type {(state: State, later: Later) => Charts} */
const makeCharts = (state, later) => {
  const { model, now, racing } = state;
  const [errors, scores] = [errorChart(state), scoreChart(state)];
  const bounded = () => !racing() && model.get("show_bounds") && now().greedy.steps > 0 && now().size !== null;
  let framed = false;
  const frame = () => {
    framed = true;
    errors.frame(bounded());
    scores.frame(bounded());
  };
  /** @param {Drawn} drawn */
  const drawNow = (drawn) => {
    if (!framed) frame();
    errors.draw(drawn);
    scores.draw(drawn, bounded());
  };
  return {
    views: [errors.view, scores.view],
    frame,
    reframe() {
      framed = false;
    },
    draw(drawn) {
      if (framed) drawNow(drawn);
      else later.draw("charts", () => drawNow(drawn));
    },
  };
};

/** @type {(state: State, charts: Charts) => Pictures} */
const makePictures = (state, charts) => {
  const { model } = state;
  const trees = makeTrees(state);
  const { first, second, dock } = trees;
  const [errors, scores] = charts.views;
  const left = html("div", { class: "dtviz-left" }, first.root, dock.root);
  const right = html("div", { class: "dtviz-right" }, second.root, errors.root, scores.root);
  const root = html("div", { class: "dtviz-pictures dtviz-grown" }, left, right);
  const panes = [
    { label: "Tree", root: first.root },
    { label: "Beside", root: second.root },
    { label: "Error", root: errors.root },
    { label: "Score", root: scores.root },
  ];
  const size = { width: 0, kind: /** @type {Kind} */ ("wide") };
  const layOut = () => {
    const { width, kind } = size;
    // Nobody looks.
    if (!width) return;
    const two = model.get("beside") !== "nothing";
    root.classList.toggle("dtviz-two", two);
    second.root.hidden = !two;
    scores.root.hidden = two && kind === "wide";
    const gap = 28;
    const half = Math.floor((width - gap) / 2);
    const side = { wide: two ? half : Math.round(width * 0.38), narrow: width, medium: half }[kind];
    const height = { wide: two ? 120 : 203, narrow: 190, medium: 190 }[kind];
    for (const view of charts.views) Object.assign(view, { width: side, height });
    const room = { wide: width - side - gap, narrow: width, medium: two ? half : width }[kind];
    const tall = { wide: 286, narrow: 300, medium: 320 }[kind];
    first.resize(room, tall);
    if (two) second.resize(kind === "wide" ? side : room, tall);
    charts.frame();
  };
  return {
    root,
    panes,
    layOut,
    resize(width, kind) {
      Object.assign(size, { width, kind });
      layOut();
    },
    drawTrees: trees.draw,
    draw(drawn) {
      trees.draw();
      charts.draw(drawn);
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

// What each trait changes: `draw` the numbers, `redraw` the curves too, `renew` those a frame later,
// `refit` the places of all.
/** @type {(state: Raced, play: { beat: () => void }, draws: Record<"draw" | "redraw" | "renew" | "refit", () => void>) => Record<string, () => void>} */
const handlersOf = (state, play, { draw, redraw, renew, refit }) => ({
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
    change(model, { step: null, playing: false });
    const dropped = racing() ? model.get("splits").length - made().length : 0;
    if (dropped) change(model, { splits: made() });
    state.dropped = dropped;
    renew();
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
  const later = nextFrame();
  const charts = makeCharts(state, later);
  const pictures = makePictures(state, charts);
  const status = statusLine();
  const panes = panesView({
    panes: pictures.panes,
    head: [controls.root, status.root],
    more: controls.more,
    stack: pictures.root,
  });
  const view = html("div", { class: "dtviz-view dtviz-grown-view" }, chosen, panes.head, pictures.root);
  const draw = () => {
    later.forget();
    const drawn = state.drawn();
    which.draw();
    facts.draw(drawn.known);
    pictures.draw(drawn);
    put(pictures.root, "aria-busy", false);
    status.say(statusOf(state, drawn));
    controls.draw(drawn);
  };
  const redraw = () => {
    charts.frame();
    draw();
  };
  const renew = () => {
    charts.reframe();
    const splits = manySplits(model);
    if (splits) {
      put(pictures.root, "aria-busy", true);
      status.say(`Reading a tree of ${count(splits + 1, "leaf", "leaves")}.`);
      later.inTurn("all", [state.now, pictures.drawTrees, draw]);
    } else draw();
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
  const handlers = handlersOf(state, controls.play, { draw, redraw, renew, refit });
  const cleanUp = live({ model, el }, { view, handlers, resize, status, play: controls.play });
  return () => {
    later.stop();
    cleanUp();
  };
};
