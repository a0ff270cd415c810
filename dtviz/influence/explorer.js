// Chapter 1: influence-greedy growth. Slide epsilon, and the tree BuildTopDownDT outputs follows; set
// the smallest tree beside it, or split the leaves yourself.

import { besideControls } from "../explorers/static/beside.js";
import {
  checkControl,
  playControl,
  rangeControl,
  statusLine,
  transport,
} from "../explorers/static/controls.js";
import { functionChooser } from "../explorers/static/chooser.js";
import { figureView, liveFigure } from "../explorers/static/figure.js";
import { calm, change, explorers, html, put, setter } from "../explorers/static/kit.js";
import { nextFrame } from "../explorers/static/later.js";
import { epsilonSlider } from "../explorers/static/level.js";
import { raceControls, raceText } from "../explorers/static/race.js";
import { clamp, count, epsilonText } from "../explorers/static/text.js";
import { errorChart, factsLine, scoreChart } from "./charts.js";
import { manySplits, pathState } from "./state.js";
import { makeTrees } from "./trees.js";

/**
 * @import { Part, figureView as Make } from "../explorers/static/figure.js"
 * @import { Later } from "../explorers/static/later.js"
 * @import { Drawn, State } from "./state.js"
 *
 * @typedef {ReturnType<typeof Make>} Figure
 *
 * @typedef {object} Charts
 * @property {ReturnType<typeof errorChart>["view"][]} views
 * @property {() => void} frame  the curves and axes
 * @property {() => void} reframe  the same, with what is drawn next
 * @property {(drawn: Drawn) => void} draw
 *
 * @typedef {object} Pictures
 * @property {Part[]} views
 * @property {HTMLElement} dock
 * @property {(figure: Figure) => void} layOut
 * @property {() => void} drawTrees
 * @property {() => string} difference  of the two trees, in words
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

// Splits one by one: the greedy ones, or, in the same place, the reader's.
/** @param {State} state */
const makeSteps = (state) => {
  const { goTo, made, complete, racing } = state;
  const splits = rangeControl({ name: "step", label: "Splits", min: 0, max: 0, step: 1, onInput: goTo });
  const play = growing(state);
  const race = raceControls({ model: state.model, made, complete });
  const steps = transport(play, splits);
  return {
    play,
    race,
    root: html("div", {}, steps, race.root),
    /** @param {Drawn} drawnNow */
    draw({ path, step }) {
      steps.hidden = racing();
      race.draw(path.costs[step] === 0);
      splits.value.style.minWidth = `${2 * String(path.steps).length + 4}ch`;
      put(splits.input, "max", path.steps);
      splits.set(step, `${step} of ${path.steps}`);
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
  const which = functionChooser({ model, trait: "function", label: "Function" });
  const facts = factsLine();
  put(which.root, "data-no-picture", "");
  return {
    /** @type {Part[]} */
    parts: [
      { name: "step", root: steps.root, first: true },
      { name: "epsilon", root: slider.root },
      { name: "function", root: html("div", { class: "dtviz-chosen-function" }, which.root, facts.root) },
      { name: "beside", root: beside.root },
      { name: "splits", root: steps.race.check },
      { name: "show_bounds", root: bounds.root },
    ],
    play: steps.play,
    /** @param {Drawn} drawn */
    draw(drawn) {
      const epsilon = model.get("epsilon");
      const text = epsilonText(epsilon);
      which.draw();
      facts.draw(drawn.known);
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
  return {
    views: [
      { name: "tree", root: first.root, first: true },
      { name: "beside", root: second.root, first: true },
      { name: "error", root: errors.root },
      { name: "score", root: scores.root },
    ],
    dock: dock.root,
    layOut(figure) {
      second.root.hidden = model.get("beside") === "nothing";
      figure.fit();
      // Nobody looks.
      if (!figure.width) return;
      first.resize(figure.room("tree"), 300);
      if (!second.root.hidden) second.resize(figure.room("beside"), 300);
      Object.assign(errors, { width: figure.room("error"), height: 190 });
      Object.assign(scores, { width: figure.room("score"), height: 190 });
      charts.frame();
    },
    drawTrees: trees.draw,
    difference: trees.difference,
    draw(drawn) {
      trees.draw();
      charts.draw(drawn);
    },
  };
};

// What the last split did.
/** @type {(drawn: Drawn) => string} */
const splitText = ({ known, path, step }) => {
  const { costs, errors, split, test, where } = path;
  const [error, cost] = [errors[step].toFixed(3), costs[step].toFixed(2)];
  if (!step) return `The tree is 1 leaf, which answers ${path.label(0)}: its error is ${error}, its cost ${cost}.`;
  const node = split[step - 1];
  const place = node ? `where ${where(node)}` : "at the root";
  const before = errors[step - 1].toFixed(3);
  const errs = before === error ? `the error stays ${error}` : `the error falls from ${before} to ${error}`;
  const least = known.leavesFor(errors[step]);
  const leaves = `${count(step + 1, "leaf", "leaves")}${least === null ? "" : `; the smallest tree with this error has ${least}`}`;
  return `This split asks ${test(node)} ${place}: ${errs}, the cost from ${costs[step - 1].toFixed(2)} to ${cost}, with ${leaves}.`;
};

// The tree on display in words, and what it is held against.
/** @type {(state: Raced, drawn: Drawn, difference: string) => string} */
const statusOf = ({ model, racing, second, dropped }, drawn, difference) => {
  const { known, path, step, stop } = drawn;
  if (racing()) {
    const left = dropped ? ` ${count(dropped, "split")} left out: this function lacks the variable.` : "";
    const { greedy } = known;
    const greed = { error: greedy.errors[Math.min(step, greedy.steps)], leaves: greedy.steps + 1 };
    return raceText(step + 1, path.errors[step], greed, { error: known.least(step + 1), leaves: known.size }) + left;
  }
  const reached = path.errors[step] ? `at most ε = ${epsilonText(model.get("epsilon"))}` : "0";
  // Whoever sets the splits asked for no error.
  const isEnd = step >= stop && (model.get("step") === null || path.errors[step] === 0);
  const end = isEnd ? ` Growth stops: the error is ${reached}.` : "";
  const best = model.get("beside") === "best";
  const other = second();
  const none = best ? " The smallest tree is not known above 12 variables." : " Nothing is kept yet.";
  const beside = other ? ` The ${best ? "smallest tree" : "tree kept"} has ${count(other.step + 1, "leaf", "leaves")}. ${difference}` : none;
  return `${splitText(drawn)}${end}${model.get("beside") === "nothing" ? "" : beside}`;
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
  const controls = makeControls(state);
  const later = nextFrame();
  const charts = makeCharts(state, later);
  const pictures = makePictures(state, charts);
  const status = statusLine();
  const figure = figureView({ views: pictures.views, controls: controls.parts, status, dock: pictures.dock });
  const draw = () => {
    later.forget();
    const drawn = state.drawn();
    pictures.draw(drawn);
    put(figure.root, "aria-busy", false);
    status.makeRoom(210 + (model.get("beside") === "nothing" ? 0 : 160), figure.width || 1000);
    status.say(statusOf(state, drawn, pictures.difference()));
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
      put(figure.root, "aria-busy", true);
      status.say(`Reading a tree of ${count(splits + 1, "leaf", "leaves")}.`);
      later.inTurn("all", [state.now, pictures.drawTrees, draw]);
    } else draw();
  };
  const refit = () => {
    pictures.layOut(figure);
    draw();
  };
  const handlers = handlersOf(state, controls.play, { draw, redraw, renew, refit });
  const cleanUp = liveFigure({ model, el }, { figure, handlers, resize: refit, status, play: controls.play });
  return () => {
    later.stop();
    cleanUp();
  };
};
