// Chapter 6: pruning. Slide what a method asks for, and see which subtrees go, and why.

import { gridControl, rangeControl, selectControl, statusLine } from "../explorers/static/controls.js";
import { change, explorers, html, keyText, live, memory, put, say, setter } from "../explorers/static/kit.js";
import { count, grouped } from "../explorers/static/text.js";
import { errorsChart, frontChart } from "./charts.js";
import { PRUNERS, answersTo, decisionAt, prunable, prunedBy } from "./kernel.js";
import { twigView } from "./twigs.js";

/**
 * @import { Fact, Told } from "../explorers/static/controls.js"
 * @import { Kind, Model } from "../explorers/static/kit.js"
 * @import { Dials, PackedTree, PrunableTree, PruningRecord } from "./kernel.js"
 *
 * @typedef {keyof Dials} DialName
 * @typedef {{ method: string, dials: Dials, noise: number }} Asked
 * @typedef {ReturnType<typeof pruningState>} State
 */

/** @type {DialName[]} */
const DIALS = ["d", "c", "delta", "alpha"];
/** @type {Record<DialName, string>} */
const DIAL_LABELS = { d: "Errors allowed, d", c: "Constant, c", delta: "Confidence, δ", alpha: "Price of a leaf, α" };

// What is on display: the tree, each made once, what is asked of it and what comes of that.
/** @param {Model} model */
const pruningState = (model) => {
  /** @type {Record<string, PackedTree[]>} */
  const records = model.get("_paths");
  /** @type {number[]} */
  const noises = model.get("_noises");
  /** @type {Record<string, DialName[]>} */
  const methods = model.get("_methods");
  /** @type {Map<PackedTree, PrunableTree>} */
  const made = new Map();
  const tree = () => {
    const packed = records[model.get("sample")][noises.indexOf(model.get("noise"))];
    const known = made.get(packed) ?? prunable(packed);
    made.set(packed, known);
    return known;
  };
  /** @returns {Asked} */
  const asked = () => {
    const [d, c, delta, alpha] = DIALS.map((name) => model.get(name));
    return { method: model.get("method"), dials: { d, c, delta, alpha }, noise: model.get("noise") };
  };
  const memo = memory();
  const outcome = () => {
    const { method, dials } = asked();
    const facts = [tree(), method, ...Object.values(dials)];
    return memo("outcome", facts, () => prunedBy(tree(), method, dials));
  };
  return { model, samples: Object.keys(records), noises, methods, tree, asked, outcome };
};

// --- controls ------------------------------------------------------------------------------------

/** @param {State} state */
const makeControls = ({ model, samples, noises, methods, tree, asked }) => {
  const choices = { sample: samples, method: Object.keys(methods) };
  const sample = selectControl({ name: "sample", label: "Data", options: choices.sample, onChange: setter(model, "sample") });
  const method = selectControl({ name: "method", label: "Method", options: choices.method, onChange: setter(model, "method") });
  const noise = gridControl({ name: "noise", label: "Labels flipped", grid: noises, onInput: setter(model, "noise") });
  const dials = DIALS.map((name) => {
    // The errors allowed end where those of the root do, which each tree says.
    const [min, max, step] = model.get("_dials")[name] ?? [0, 1, 1];
    const dial = rangeControl({ name, label: DIAL_LABELS[name], min, max, step, onInput: setter(model, name) });
    return { name, ...dial };
  });
  const dialBox = html("div", { class: "dtviz-dials" }, noise.root, ...dials.map(({ root }) => root));
  const choiceBox = html("div", { class: "dtviz-choices" }, sample.root, method.root);
  return {
    root: html("div", { class: "dtviz-controls" }, choiceBox, dialBox),
    draw() {
      const now = asked();
      sample.input.value = model.get("sample");
      method.input.value = now.method;
      noise.set(now.noise, now.noise.toFixed(2));
      put(dials[0].input, "max", tree().counted.training.wrong[0]);
      for (const { name, root, set } of dials) {
        root.hidden = !methods[now.method].includes(name);
        const value = now.dials[name];
        set(value, name === "d" ? String(value) : value.toFixed(name === "alpha" ? 4 : 2));
      }
    },
  };
};

// --- pictures ------------------------------------------------------------------------------------

const SAMPLE_WORDS = { training: "training", pruning: "pruning sample" };

// What the tip tells of node k.
/** @type {(tree: PrunableTree, method: string, record: PruningRecord, k: number) => Told} */
const twigFacts = (tree, method, record, k) => {
  const title = answersTo(tree, k);
  const { judge } = PRUNERS[method];
  const { reach, wrong, size } = tree.counted[judge];
  /** @type {Fact} */
  const here = [`${SAMPLE_WORDS[judge]}, here`, `${reach[k]} of ${size}`];
  if (tree.low[k] < 0) return { title, lines: [here, ["label", tree.label[k]], ["errors", wrong[k]]] };
  const { size: leaves, below, fine, alone, cut } = decisionAt(tree, method, record, k);
  /** @type {Fact[]} */
  const penalty = fine !== null && method === "bottom up" ? [["penalty", `+ ${fine.toFixed(1)}`]] : [];
  /** @type {Fact[]} */
  const lines = [here, [`errors, ${count(leaves, "leaf", "leaves")}`, below], ...penalty, ["errors, one leaf", alone]];
  if (fine === null) return { title, lines, hint: cut ? "Cut." : "Kept." };
  const sum = below + fine;
  const shown = Number.isInteger(sum) ? String(sum) : sum.toFixed(1);
  return { title, lines, hint: cut ? `Cut: ${shown} ≥ ${alone}.` : `Kept: ${shown} < ${alone}.` };
};

/** @param {State} state */
const makePictures = ({ model, tree, asked, outcome }) => {
  const twigs = twigView({
    name: "Decision tree and what is cut of it",
    told: (k) => twigFacts(tree(), asked().method, outcome().record, k),
  });
  const errors = errorsChart();
  const front = frontChart((step) => change(model, { method: "fewest leaves", d: tree().fewest[step] }));
  const key = keyText(
    "Circles are tests, boxes leaves (blue 0, orange 1). A framed box stands where a subtree was cut; " +
      "what went with it is faint. Point at a node to see why.",
  );
  const panel = html("div", { class: "dtviz-panel" }, twigs.root, key);
  const charts = [errors, front];
  let room = 0; // for the tree
  const frame = () => {
    twigs.layOut(tree(), room);
    for (const one of charts) one.frame(tree());
  };
  return {
    root: html("div", { class: "dtviz-pictures" }, panel, errors.view.root, front.view.root),
    frame,
    /** @type {(width: number, kind: Kind) => void} */
    resize(width, kind) {
      const gap = 28;
      const half = Math.floor((width - gap) / 2);
      const side = { wide: Math.round(width * 0.38), narrow: width, medium: half }[kind];
      for (const { view } of charts) Object.assign(view, { width: side, height: 190 });
      room = kind === "wide" ? width - side - gap : width;
      frame();
    },
    draw() {
      const { states, leaves, rates } = outcome();
      twigs.draw(tree(), states);
      say(twigs.title, `${count(tree().leaves[0], "leaf", "leaves")} grown, ${grouped(leaves)} kept`);
      errors.draw(tree(), leaves, rates);
      front.draw(tree(), leaves);
    },
  };
};

// "bottom up, c = 0.2, delta = 0.1, noise 0.30: 4 of 74 leaves kept; errors: ..."
/** @param {State} state */
const statusText = ({ methods, tree, asked, outcome }) => {
  const { method, dials, noise } = asked();
  const { leaves, rates } = outcome();
  const named = methods[method].map((name) => `, ${name} = ${dials[name]}`).join("");
  const grown = count(tree().leaves[0], "leaf", "leaves");
  const [trained, pruned, truth] = [rates.training, rates.pruning, rates.truth].map((rate) => rate.toFixed(3));
  return (
    `${method}${named}, noise ${noise.toFixed(2)}: ${leaves} of ${grown} kept; ` +
    `errors: training ${trained}, pruning sample ${pruned}, ${tree().truth} ${truth}`
  );
};

// --- the explorer --------------------------------------------------------------------------------

explorers.pruning = ({ model, el }) => {
  const state = pruningState(model);
  const controls = makeControls(state);
  const pictures = makePictures(state);
  const status = statusLine();
  const view = html("div", { class: "dtviz-view" }, controls.root, status.root, pictures.root);

  const draw = () => {
    controls.draw();
    pictures.draw();
    status.say(statusText(state));
  };
  const newTree = () => {
    pictures.frame();
    draw();
  };
  const redraws = Object.fromEntries(["method", ...DIALS].map((trait) => [trait, draw]));
  return live({ model, el }, {
    view,
    handlers: { ...redraws, sample: newTree, noise: newTree },
    resize(width, kind) {
      pictures.resize(width, kind);
      draw();
    },
    status,
  });
};
