// The view of the plane: points, the regions of a tree, the tree, and how four costs grow it.

import { chart } from "../explorers/static/chart.js";
import { buttonControl, playControl, rangeControl, selectControl, transport } from "../explorers/static/controls.js";
import { change, html, keyText, put, say } from "../explorers/static/kit.js";
import { planeView, smallPlane } from "../explorers/static/plane.js";
import { plainScale } from "../explorers/static/scale.js";
import { CLASS_MARKS, clamp, count, dropText } from "../explorers/static/text.js";
import { treeView } from "../explorers/static/tree.js";
import { ROUNDING } from "../explorers/static/constants.js";
import { planePath } from "./kernel.js";
import { costTiles } from "./tiles.js";

/**
 * @import { Fact } from "../explorers/static/controls.js"
 * @import { Kind, Model } from "../explorers/static/kit.js"
 * @import { Plane } from "../explorers/static/plane.js"
 * @import { Cost, PackedCuts, PlanePath } from "./kernel.js"
 *
 * @typedef {Plane & { paths: Record<Cost, PackedCuts> }} Record_
 * @typedef {ReturnType<typeof planeState>} State
 * @typedef {ReturnType<State["now"]>} Now
 */

// The chosen data with its four paths, and the most splits that one of them has.
/** @param {Model} model */
const planeState = (model) => {
  /** @type {Record<string, Record_>} */
  const planes = model.get("_paths");
  /** @type {Map<string, { paths: Record<Cost, PlanePath>, longest: number }>} */
  const grown = new Map();
  /** @param {string} name */
  const grow = (name) => {
    const made = Object.entries(planes[name].paths).map(([cost, packed]) => [
      cost,
      planePath(packed, /** @type {Cost} */ (cost)),
    ]);
    /** @type {Record<Cost, PlanePath>} */
    const paths = Object.fromEntries(made);
    const longest = Math.max(...Object.values(paths).map(({ steps }) => steps));
    grown.set(name, { paths, longest });
    return { paths, longest };
  };
  const now = () => {
    /** @type {string} */
    const name = model.get("data");
    const { paths, longest } = grown.get(name) ?? grow(name);
    /** @type {Cost} */
    const cost = model.get("cost");
    return { name, cost, plane: planes[name], paths, longest, path: paths[cost] };
  };
  const asked = () => Math.min(model.get("leaves"), now().longest + 1);
  /** @param {number} leaves */
  const goTo = (leaves) => {
    if (leaves >= 1 && leaves <= now().longest + 1) change(model, { leaves });
  };
  /** @param {PlanePath} path */
  const stepOn = ({ steps }) => Math.min(model.get("leaves") - 1, steps);
  return { model, names: Object.keys(planes), now, asked, goTo, stepOn };
};

/** @param {State} state */
const makeControls = ({ model, names, now, asked, goTo }) => {
  const data = selectControl({
    name: "data",
    label: "Data",
    options: names,
    onChange: (value) => change(model, { data: value, playing: false }),
  });
  // Ten seconds, or an unhurried pace for a short path.
  const play = playControl({
    model,
    wait: () => clamp(10000 / now().longest, 300, 900),
    advance() {
      const [next, { longest }] = [asked() + 1, now()];
      return next <= longest ? { leaves: next } : { leaves: longest + 1, playing: false };
    },
  });
  /** @type {(name: string, label: string, text: string, by: number) => ReturnType<typeof buttonControl>} */
  const button = (name, label, text, by) =>
    buttonControl({ name, label, text, onClick: () => goTo(asked() + by) });
  const back = button("back", "One leaf fewer", "‹", -1);
  const forward = button("forward", "One leaf more", "›", 1);
  const leaves = rangeControl({ name: "leaves", label: "Leaves", min: 1, max: 1, step: 1, onInput: goTo });
  return {
    fields: [data.root, transport(play, back, leaves, forward)],
    play,
    // Played to the end already: start again from one leaf.
    rewind() {
      if (model.get("playing") && asked() === now().longest + 1) change(model, { leaves: 1 });
    },
    /** @param {Now} shown */
    draw({ name, longest }) {
      data.input.value = name;
      put(leaves.input, "max", longest + 1);
      leaves.set(asked(), `${asked()} of ${longest + 1}`);
      leaves.value.style.minWidth = "8ch";
      back.input.disabled = asked() === 1;
      forward.input.disabled = asked() === longest + 1;
      play.draw();
    },
  };
};

/** @type {(now: Now, node: number, state: "inner" | "leaf") => Fact[]} */
const factsOf = ({ plane, path, cost }, node, state) => {
  /** @type {Fact[]} */
  const lines = path.counts(node).map((often, k) => [`${CLASS_MARKS[k]} ${plane.classes[k]}`, String(often)]);
  lines.push([cost, path.impurity(node).toFixed(3)]);
  if (state === "inner") lines.push(["splits on", path.fullTest(node)]);
  lines.push(["gain of its split", dropText(path.score(node))]);
  return lines;
};

// The curves of impurity and error.
/** @param {State} state */
const curvesOf = ({ goTo }) => {
  const view = chart({
    title: "Impurity and error",
    scaleName: "",
    name: "Curves of the impurity and of the error against the number of leaves.",
    keys: ["cost", "error"],
    onStep: (step) => goTo(step + 1),
  });
  return {
    view,
    /** @param {Now} now */
    show({ paths, path, longest }) {
      const top = Math.max(...Object.values(paths).map(({ costs }) => costs[0]));
      view.frame(longest, plainScale(top, 4));
      view.curve(0, (j) => path.costs[j], 0, path.steps);
      view.curve(1, (j) => path.errors[j], 0, path.steps);
    },
    /** @type {(path: PlanePath, step: number) => void} */
    draw({ costs, errors }, step) {
      view.point(step, [
        { value: costs[step], text: `impurity ${costs[step].toFixed(3)}` },
        { value: errors[step], text: `error ${errors[step].toFixed(3)}` },
      ]);
    },
  };
};

const KEY =
  "Left branch: yes. Below a leaf: what its best split would gain. Green: the next split, dashed in " +
  "the plane. A triangle folds a subtree: leaves, error; click to look inside. Point at a region " +
  "or at a node, or walk the tree with the arrow keys, and the other picture answers.";

/** @param {State} state */
const makePictures = (state) => {
  const { model, now, stepOn, asked } = state;
  /** @type {(node: number, kind: "inner" | "leaf") => Fact[]} */
  const facts = (node, kind) => factsOf(now(), node, kind);
  const tree = treeView({ name: "Decision tree", facts, onTell: (node) => map.point(node) });
  const map = planeView({ name: "The plane", facts, onTell: (node) => tree.point(node) });
  const curves = curvesOf(state);
  /** @param {Cost} cost */
  const onPick = (cost) => change(model, { cost });
  const tiles = costTiles({ label: "The regions under the four costs", picture: smallPlane, onPick });
  const fourTitle = html("div", { class: "dtviz-heading" });
  const asChord = buttonControl({
    name: "chord",
    label: "Show the last split as a chord",
    text: "The last split as a chord",
    onClick: () => change(model, { ...now().path.chord(stepOn(now().path)), view: "chord" }),
  });
  const parts = [[map.root, asChord.root], [tree.root, keyText(KEY)], [curves.view.root], [fourTitle, tiles.root]];
  const boxes = parts.map((nodes) => html("div", {}, ...nodes));
  return {
    ...{ tree, map, curves, tiles },
    root: html("div", { class: "dtviz-plane-view" }, ...boxes),
    /** @type {(shown: Now, step: number) => void} */
    draw({ cost, plane, path, paths, name }, step) {
      map.draw(step);
      tree.draw(step, step < path.steps ? path.split[step] : -1);
      curves.draw(path, step);
      /** @param {Cost} other */
      const stepOf = (other) => stepOn(paths[other]);
      tiles.draw(cost, stepOf, (other) => `error ${paths[other].errors[stepOf(other)].toFixed(3)}`);
      say(map.title, name);
      say(tree.title, `Tree of ${count(step + 1, "leaf", "leaves")}`);
      say(fourTitle, `The four costs, at most ${count(asked(), "leaf", "leaves")}`);
      // A chord is about two classes.
      asChord.input.hidden = plane.classes.length > 2;
      asChord.input.disabled = step === 0;
    },
  };
};

// What comes after the tree on display.
/** @type {(path: PlanePath, step: number) => string} */
const outlook = (path, step) => {
  if (step < path.steps) {
    const gain = path.costs[step] - path.costs[step + 1];
    return gain > ROUNDING ? `the next split gains ${dropText(gain)}` : "the next split gains nothing";
  }
  return path.errors[step] === 0 ? "every leaf is pure" : "the path ends here";
};

/** @param {Model} model */
export const planePart = (model) => {
  const state = planeState(model);
  const controls = makeControls(state);
  const pictures = makePictures(state);
  const { map, tree, curves, tiles } = pictures;

  // What is drawn once for a path; the rest follows the slider.
  let sized = 0;
  let shown = { name: "", path: /** @type {PlanePath | null} */ (null), sized: 0 };
  const show = () => {
    const now = state.now();
    const { name, plane, paths, path } = now;
    if (shown.name === name && shown.path === path && shown.sized === sized) return;
    map.show(plane, path);
    if (shown.path !== path) tree.show(path);
    if (shown.name !== name || shown.sized !== sized) tiles.each((one, cost) => one.show(plane, paths[cost]));
    curves.show(now);
    shown = { name, path, sized };
  };

  return {
    root: pictures.root,
    fields: controls.fields,
    play: controls.play,
    rewind: controls.rewind,
    /** @type {(width: number, kind: Kind) => void} */
    resize(width, kind) {
      const narrow = kind === "narrow";
      const side = narrow ? width : Math.floor((width - 32) / 2);
      const height = clamp(Math.round(side * 0.78), 280, 420);
      sized = side;
      map.resize(side, height);
      // Four tiles in a row, or two above two and a higher chart beside them.
      const roomy = side > 520;
      Object.assign(curves.view, { width: side, height: roomy || narrow ? 190 : 300 });
      tiles.resize(side, roomy ? 4 : 2, roomy ? 124 : 104);
      show();
      tree.resize(side, height - 20);
    },
    // Draws, and returns the state in words.
    draw() {
      const now = state.now();
      const { name, cost, path } = now;
      const step = state.stepOn(path);
      show();
      pictures.draw(now, step);
      controls.draw(now);
      return (
        `${name}, ${cost}: ${count(step + 1, "leaf", "leaves")}, impurity ${path.costs[step].toFixed(3)}, ` +
        `error ${path.errors[step].toFixed(3)}; ${outlook(path, step)}`
      );
    },
  };
};
