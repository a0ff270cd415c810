// Chapter 6: pruning. Slide what a method asks for, and see which subtrees go, and why.

import { statusLine } from "../explorers/static/controls.js";
import { POINT, change, explorers, html, keyText, live, put, say } from "../explorers/static/kit.js";
import { nextFrame } from "../explorers/static/later.js";
import { panesView } from "../explorers/static/panes.js";
import { slices } from "../explorers/static/slices.js";
import { count, grouped, growthText } from "../explorers/static/text.js";
import { dockBox } from "../explorers/static/why.js";
import { errorsChart, frontChart } from "./charts.js";
import { makeControls } from "./controls.js";
import { examplesPanel } from "./examples.js";
import { partings, uncut } from "./kernel_beside.js";
import { reasonAt } from "./kernel_reasons.js";
import { DIALS, FULL, NOTHING, YOURS, pruningState } from "./state.js";
import { twigView } from "./twigs.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { NodeState } from "./kernel.js"
 * @import { Outcome, State } from "./state.js"
 *
 * What stands beside, if anything: the states of its nodes, the outcome that says why.
 * @typedef {{ states: NodeState[], why: Outcome, apart: number[], title: string }} Beside
 */

const GAP = 28;
const KEY =
  "Circles are tests, boxes leaves (blue 0, orange 1). A framed box stands where a subtree was cut; what went with " +
  `it is faint. ${POINT} a node to see why.`;
const BESIDE_KEY = "The same tree with the same marks. Ringed in both: where one has a test and the other cut.";

/** @type {(state: State) => Beside | null} */
const besideOf = ({ tree, asked, outcome, outcomeOf }) => {
  const { beside } = asked();
  if (beside === NOTHING) return null;
  const why = beside === FULL ? outcome() : outcomeOf(beside);
  const states = beside === FULL ? uncut(tree()) : why.states;
  const leaves = beside === FULL ? tree().leaves[0] : why.leaves;
  const title = `${beside === FULL ? "Full tree" : beside}: ${count(leaves, "leaf", "leaves")}`;
  return { states, why, apart: partings(outcome().states, states), title };
};

// --- pictures ------------------------------------------------------------------------------------

// The pruned tree and, where it is asked for, another one beside it, with one dock.
/** @type {(state: State, onActivate: (node: number) => void) => { panel: HTMLElement, other: HTMLElement, layOut: (width: number) => void, draw: () => void }} */
const makeTrees = (state, onActivate) => {
  const { tree, outcome } = state;
  const dock = dockBox({ key: keyText(KEY) });
  const twigs = twigView({
    name: "Decision tree and what is cut of it",
    dock,
    details: (k) => reasonAt(tree(), outcome(), k),
    onActivate(k) {
      second.nodes.stress(k);
      onActivate(k);
    },
  });
  const second = twigView({
    name: "The tree beside it",
    dock,
    details: (k) => reasonAt(tree(), besideOf(state)?.why ?? outcome(), k),
    onActivate(k) {
      twigs.nodes.stress(k);
      onActivate(k);
    },
  });
  const other = html("div", { class: "dtviz-panel" }, second.root, keyText(BESIDE_KEY));
  return {
    panel: html("div", { class: "dtviz-panel" }, twigs.root, dock.root),
    other,
    layOut(width) {
      twigs.layOut(tree(), width);
      if (!other.hidden) second.layOut(tree(), width);
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
  const trees = makeTrees(state, (node) => examples.point(node));
  const errors = errorsChart();
  const front = frontChart((step) => change(model, { method: "fewest leaves", d: tree().fewest[step] }));
  const charts = [errors, front];
  const parts = [trees.panel, trees.other, errors.view.root, front.view.root, examples.root];
  const root = html("div", { class: "dtviz-pictures dtviz-prunings" }, ...parts);
  /** @type {{ width: number, kind: Kind }} */
  const room = { width: 0, kind: "wide" };
  // The widths of the trees and of the charts.
  const widths = () => {
    const { width, kind } = room;
    const half = Math.max(Math.floor((width - GAP) / 2), 0);
    if (kind === "narrow") return [width, width];
    if (!trees.other.hidden) return [half, half];
    const side = kind === "wide" ? Math.round(width * 0.38) : half;
    return [kind === "wide" ? Math.max(width - side - GAP, 0) : width, side];
  };
  const frame = () => {
    const [left, side] = widths();
    for (const { view } of charts) Object.assign(view, { width: side, height: 190 });
    trees.layOut(left);
    for (const one of charts) one.frame(tree());
  };
  return {
    root,
    frame,
    panes: [
      { label: "Tree", root: trees.panel },
      { label: "Beside", root: trees.other },
      { label: "Errors", root: errors.view.root },
      { label: "Sizes", root: front.view.root },
      { label: "Rows", root: examples.root },
    ],
    setBeside() {
      trees.other.hidden = asked().beside === NOTHING;
      put(root, "data-beside", !trees.other.hidden);
    },
    /** @type {(width: number, kind: Kind) => void} */
    resize(width, kind) {
      Object.assign(room, { width, kind });
      examples.resize(width);
      frame();
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

// "bottom up, c = 0.2, delta = 0.1, noise 0.30: 4 of 74 leaves kept; errors: ..."
/** @param {State} state */
const statusText = (state) => {
  const { model, methods, tree, asked, outcome } = state;
  const { method, beside } = asked();
  const dials = state.dials();
  const { leaves, rates } = outcome();
  const named = methods[method].map((name) => `, ${name} = ${dials[name]}`).join("");
  const turned = state.flips().length;
  const byHand = turned ? ` and ${turned} by hand` : "";
  const grown = count(tree().leaves[0], "leaf", "leaves");
  const [trained, pruned, truth] = [rates.training, rates.pruning, rates.truth].map((rate) => rate.toFixed(3));
  const other = besideOf(state);
  const apart = other ? `; beside it ${beside}, otherwise at ${count(other.apart.length, "node")}` : "";
  const none = model.get("sample") === YOURS && state.isEmpty();
  const instead = none ? "No table yet: bring one among the examples below; until then the first sample. " : "";
  return (
    `${instead}${method}${named}, noise ${state.grown().noise.toFixed(2)}${byHand}: ${leaves} of ${grown} kept; ` +
    `errors: training ${trained}, pruning sample ${pruned}, ${tree().truth} ${truth}${apart}`
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

explorers.pruning = ({ model, el }) => {
  const state = pruningState(model);
  const controls = makeControls(state);
  const pictures = makePictures(state);
  const status = statusLine();
  const panes = panesView({ panes: pictures.panes, head: [controls.root, status.root], more: controls.more });
  const view = html("div", { class: "dtviz-view" }, controls.sample, panes.head, pictures.root);

  /** @type {{ width: number, kind: Kind }} */
  const room = { width: 0, kind: "wide" };
  const draw = () => {
    controls.draw();
    pictures.draw();
    status.say(statusText(state));
  };
  const [later, work] = [nextFrame(), slices(pictures.root)];
  const show = () => {
    pictures.frame();
    draw();
    later.draw("examples", pictures.drawExamples);
  };
  const newTree = () =>
    work.run(state.growth(), {
      report: (splits) => status.say(growthText(splits)),
      done: show,
    });
  const newSample = forgetting(model, newTree);
  const newView = () => {
    pictures.setBeside();
    makeRoom(room.width, room.kind);
    show();
    panes.draw();
  };
  // Its style sheet knows how much a narrow one needs.
  /** @type {(width: number, kind: Kind) => void} */
  const makeRoom = (width, kind) => {
    if (kind === "narrow") status.root.style.minHeight = "";
    else status.makeRoom(model.get("beside") === NOTHING ? 140 : 200, width);
  };
  const redraws = Object.fromEntries(["method", ...DIALS].map((trait) => [trait, draw]));
  const trees = ["noise", "rows", "names", "flips", "prune_share", "judge_share"].map((trait) => [trait, newTree]);
  pictures.setBeside();
  const cleanUp = live({ model, el }, {
    view,
    handlers: { ...redraws, ...Object.fromEntries(trees), sample: newSample, beside: newView, row: pictures.drawExamples },
    resize(width, kind) {
      panes.resize(kind);
      Object.assign(room, { width, kind });
      makeRoom(width, kind);
      pictures.resize(width, kind);
      draw();
      pictures.drawExamples();
    },
    status,
  });
  return () => {
    work.stop();
    later.stop();
    cleanUp();
  };
};
