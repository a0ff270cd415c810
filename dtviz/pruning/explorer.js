// Chapter 6: pruning. Slide what a method asks for, and see which subtrees go, and why.

import { statusLine } from "../explorers/static/controls.js";
import { figureView, liveFigure } from "../explorers/static/figure.js";
import { change, explorers, html, say } from "../explorers/static/kit.js";
import { nextFrame } from "../explorers/static/later.js";
import { count, grouped } from "../explorers/static/text.js";
import { dockBox } from "../explorers/static/why.js";
import { errorsChart, frontChart } from "./charts.js";
import { makeControls } from "./controls.js";
import { examplesPanel } from "./examples.js";
import { leftOf } from "./kernel.js";
import { partings, reasonAt } from "./kernel_reasons.js";
import { DIALS, FULL, NOTHING, YOURS, pruningState } from "./state.js";
import { twigView } from "./twigs.js";

/**
 * @import { Part, figureView as Make } from "../explorers/static/figure.js"
 * @import { Decided } from "./kernel_reasons.js"
 * @import { State } from "./state.js"
 *
 * @typedef {ReturnType<typeof Make>} Figure
 * @typedef {ReturnType<typeof twigView>} Twigs
 */

// What stands beside, if anything: what is left of its nodes, the outcome that says why, and where the two part.
/** @param {State} state */
const besideOf = ({ tree, asked, outcome, outcomeOf }) => {
  const { beside } = asked();
  if (beside === NOTHING) return null;
  const isFull = beside === FULL;
  const why = isFull ? outcome() : outcomeOf(beside);
  const { states, leaves, rates } = isFull ? leftOf(tree(), new Uint8Array(tree().nodes)) : why;
  const title = `${isFull ? "Full tree" : beside}: ${count(leaves, "leaf", "leaves")}`;
  return { states, why, apart: partings(outcome().states, states), title, rates };
};

// --- pictures ------------------------------------------------------------------------------------

// The pruned tree and, where it is asked for, another one beside it, with one dock.
/** @param {State} state */
const makeTrees = (state) => {
  const { tree, outcome } = state;
  const dock = dockBox();
  /** @type {(name: string, decided: () => Decided, other: () => Twigs) => Twigs} */
  const view = (name, decided, other) =>
    twigView({ name, dock, details: (k) => reasonAt(tree(), decided(), k), onActivate: (k) => other().nodes.stress(k) });
  const twigs = view("Decision tree and what is cut of it", outcome, () => second);
  const second = view("The tree beside it", () => besideOf(state)?.why ?? outcome(), () => twigs);
  const [panel, other] = [twigs, second].map(({ root }) => html("div", { class: "dtviz-prunings" }, root));
  return {
    ...{ panel, other, dock: dock.root },
    /** @param {Figure} figure */
    layOut(figure) {
      const height = figure.narrow ? 250 : 330;
      twigs.layOut(tree(), figure.room("tree"), height);
      if (!other.hidden) second.layOut(tree(), figure.room("beside"), height);
    },
    draw() {
      const { states, leaves, method } = outcome();
      const beside = besideOf(state);
      const ringed = new Set(beside?.apart);
      twigs.draw(tree(), states, ringed);
      const kept = `${count(tree().leaves[0], "leaf", "leaves")} grown, ${grouped(leaves)} kept`;
      say(twigs.title, beside ? `${method}: ${kept}` : kept);
      if (!beside) return;
      second.draw(tree(), beside.states, ringed);
      say(second.title, beside.title);
    },
  };
};

/** @param {State} state */
const makePictures = (state) => {
  const { model, tree, asked, outcome } = state;
  const examples = examplesPanel(state);
  const trees = makeTrees(state);
  const errors = errorsChart();
  const front = frontChart((step) => change(model, { method: "fewest leaves", d: tree().fewest[step] }));
  const charts = [errors, front];
  /** @param {Figure} figure */
  const frame = (figure) => {
    trees.other.hidden = asked().beside === NOTHING;
    figure.fit();
    if (!figure.width) return;
    // As high as the tree beside it, or in a row of its own.
    const height = figure.narrow ? 150 : trees.other.hidden ? 330 : 190;
    Object.assign(errors.view, { width: figure.room("errors"), height });
    Object.assign(front.view, { width: figure.room("sizes"), height: 190 });
    trees.layOut(figure);
    for (const one of charts) one.frame(tree(), asked().method);
  };
  return {
    /** @type {Part[]} */
    views: [
      { name: "tree", root: trees.panel, first: true },
      { name: "beside", root: trees.other, first: true },
      { name: "errors", root: errors.view.root, first: true },
      { name: "sizes", root: front.view.root },
      { name: "rows", root: examples.root, broad: true },
    ],
    dock: trees.dock,
    frame,
    /** @param {Figure} figure */
    resize(figure) {
      examples.resize(figure.width);
      frame(figure);
    },
    draw() {
      const { leaves, rates } = outcome();
      trees.draw();
      errors.draw(tree(), leaves, rates);
      front.draw(tree(), leaves);
    },
    drawExamples: examples.draw,
  };
};

/** @param {State} state */
const statusText = (state) => {
  const { model, tree, asked, outcome } = state;
  const { method, beside } = asked();
  const { leaves, rates } = outcome();
  const title = method[0].toUpperCase() + method.slice(1);
  const [trained, pruned, truth] = [rates.training, rates.pruning, rates.truth].map((rate) => rate.toFixed(3));
  const other = besideOf(state);
  const turned = state.flips().length;
  const byHand = turned ? ` ${count(turned, "label is", "labels are")} flipped by hand.` : "";
  const none = model.get("sample") === YOURS && state.isEmpty();
  const instead = none ? "No table yet: bring one below; until then the first sample is shown. " : "";
  const judge = tree().truth === "true" ? "in truth" : "on the test set";
  const [fresh, judged] = other ? [other.rates.pruning, other.rates.truth].map((rate) => rate.toFixed(3)) : [];
  const parted = other?.apart.length ? `decides ${count(other.apart.length, "node")} otherwise` : "leaves the same tree";
  const apart = other ? ` Beside it, ${beside} ${parted}: ${fresh} on the pruning sample, ${judged} ${judge}.` : "";
  return (
    `${instead}${title} keeps ${leaves} of ${count(tree().leaves[0], "leaf", "leaves")}: the error is ` +
    `${trained} in training, ${pruned} on the pruning sample and ${truth} ${judge}.${byHand}${apart}`
  );
};

// --- the explorer --------------------------------------------------------------------------------

// Of another sample: rows flipped by hand are those of one. A reader's own labels are not flipped by
// noise unless asked for; those of the next sample are, as before.
/** @type {(model: State["model"], newTree: () => void) => () => void} */
const forgetting = (model, newTree) => {
  let [sample, noise] = [model.get("sample"), model.get("noise")];
  return () => {
    if (model.get("flips").length) change(model, { flips: [] });
    const left = sample;
    sample = model.get("sample");
    if (sample === YOURS) noise = model.get("noise");
    else if (left === YOURS && model.get("noise") === 0) change(model, { noise });
    newTree();
  };
};

explorers.pruning = (host) => {
  const { model } = host;
  const state = pruningState(model);
  const controls = makeControls(state);
  const pictures = makePictures(state);
  const status = statusLine();
  const figure = figureView({ views: pictures.views, controls: controls.parts, status, dock: pictures.dock });

  const draw = () => {
    controls.draw();
    pictures.draw();
    status.say(statusText(state));
    controls.play.beat();
  };
  const later = nextFrame();
  const show = () => {
    pictures.frame(figure);
    draw();
    later.draw("examples", pictures.drawExamples);
  };
  const redraws = Object.fromEntries([...DIALS, "playing"].map((trait) => [trait, draw]));
  const trees = ["noise", "rows", "names", "flips"].map((trait) => [trait, show]);
  const others = { sample: forgetting(model, show), method: show, beside: show, row: pictures.drawExamples };
  const cleanUp = liveFigure(host, {
    figure,
    handlers: { ...redraws, ...Object.fromEntries(trees), ...others },
    resize() {
      pictures.resize(figure);
      draw();
      pictures.drawExamples();
    },
    status,
    play: controls.play,
    narrow: 800, // the heading of a tree of passengers needs more than half of less
  });
  return () => {
    later.stop();
    cleanUp();
  };
};
