// The view of the plane: points, the regions of a tree, and the tree.

import { firstChoice, pointsOf } from "../explorers/static/computing/csv.js";
import { buttonControl, playControl, rangeControl, selectControl, transport } from "../explorers/static/controls/controls.js";
import { besideControl } from "../explorers/static/controls/beside.js";
import { PointsEditor } from "../explorers/static/controls/editor.js";
import { change, html, put, say } from "../explorers/static/hosting/kit.js";
import { nextFrame } from "../explorers/static/hosting/later.js";
import { PlaneView } from "../explorers/static/drawing/plane.js";
import { categoriesOf } from "../explorers/static/computing/points.js";
import { TablePanel } from "../explorers/static/controls/table.js";
import { CLASS_MARKS, clamp, count, dropText } from "../explorers/static/computing/text.js";
import { TreeView } from "../explorers/static/drawing/tree.js";
import { Dock } from "../explorers/static/drawing/why.js";
import { ROUNDING } from "../explorers/static/computing/constants.js";
import { costName } from "../explorers/static/computing/criteria.js";
import { alongCost } from "./lands.js";
import { curvesOf } from "./curves.js";
import { BENEATH, flowLayer } from "./flow.js";
import { decimals, differing, lowersText, pointsIn, whySplit } from "./kernel.js";
import { Cutter } from "./cutter.js";
import { MOST_LEAVES, planeState } from "./state.js";

/**
 * @import { Fact, Details } from "../explorers/static/controls/controls.js"
 * @import { Figure, Part } from "../explorers/static/hosting/figure.js"
 * @import { Land } from "../explorers/static/controls/landscape.js"
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Cost } from "./kernel.js"
 * @import { Now, State } from "./state.js"
 */

/** @param {State} state */
const makeControls = ({ model, names, now, stepOn, goTo }) => {
  const data = selectControl({
    name: "data",
    label: "Data",
    options: names,
    onChange: (value) => change(model, { data: value, splits: null, playing: false }),
  });
  // Ten seconds, or an unhurried pace for a short path.
  const play = playControl({
    model,
    wait: () => clamp(10000 / now().path.steps, 300, 900),
    advance() {
      const [next, most] = [stepOn() + 2, now().path.steps + 1];
      return next <= most ? { leaves: next } : { leaves: most, playing: false };
    },
  });
  const leaves = rangeControl({ name: "leaves", label: "Leaves", min: 1, max: 1, step: 1, onInput: goTo });
  leaves.value.style.minWidth = "8ch";
  return {
    data: data.root,
    steps: transport(leaves, play),
    play,
    // Played to the end already: start again from one leaf.
    rewind() {
      if (model.get("playing") && stepOn() === now().path.steps) change(model, { leaves: 1 });
    },
    draw() {
      const [at, most] = [stepOn() + 1, now().path.steps + 1];
      data.input.value = model.get("data");
      put(leaves.input, "max", most);
      leaves.input.disabled = most === 1;
      leaves.set(at, `${at} of ${most}`);
      play.draw();
    },
  };
};

/** @type {(now: Now, node: number, state: "inner" | "leaf") => Fact[]} */
const factsOf = ({ plane, path, cost }, node, state) => {
  /** @type {Fact[]} */
  const numbers = [["mean", path.write(path.label(node))], ["points", path.below(node)]];
  /** @type {Fact[]} */
  const lines = plane.values ? numbers : Array.from(path.counts(node), (often, k) => [`${CLASS_MARKS[k]} ${plane.classes[k]}`, String(often)]);
  lines.push([plane.values ? "squared loss" : costName(cost), plane.values ? path.write(path.impurity(node)) : path.impurity(node).toFixed(3)]);
  if (state === "inner") lines.push(["splits on", path.fullTest(node)]);
  lines.push(["gain of its split", plane.values ? path.write(path.score(node)) : dropText(path.score(node))]);
  return lines;
};

// The tree of another cost beside: the plane is hatched where the two trees part.
/** @type {(state: State, map: PlaneView) => { root: HTMLElement, draw: (now: Now, step: number) => void }} */
const besidePart = ({ model, pathOf, stepOn }, map) => {
  const control = besideControl({ model, label: "Compare with" });
  const note = html("p", { class: "dtviz-key" });
  return {
    root: html("div", { class: "dtviz-beside-cost" }, control.root, note),
    draw({ path, plane, cost }, step) {
      const name = model.get("beside");
      control.draw();
      const other = name === "nothing" ? null : pathOf(name);
      const boxes = other ? differing({ path, step }, { path: other, step: stepOn(other) }) : [];
      map.hatch(boxes);
      const parts = count(pointsIn(plane, boxes), "point");
      const same = name === cost && path === other;
      say(note, !other || same ? "" : `By ${name}, ${parts} of ${plane.labels.length} have another label, where the plane is hatched.`);
    },
  };
};

// A table of the reader's, of which three columns become points.
/** @param {State} state */
const tablePart = (state) =>
  new TablePanel({
    choices: [
      { name: "target", label: "Target, the class" },
      { name: "across", label: "Feature x0" },
      { name: "up", label: "Feature x1" },
    ],
    offer(table) {
      const { target, axes } = firstChoice(table);
      const options = table.columns.map(({ name }) => name);
      return [target, ...axes].map((chosen) => ({ options, chosen }));
    },
    take(table, [target, across, up]) {
      const { points, names, note } = pointsOf(table, { target, axes: [across, up] }, Math.random);
      state.replace(points, names, { table, columns: [target, across, up] });
      return note;
    },
  });

/** @param {State} state */
const chordButton = ({ model, now, stepOn }) =>
  buttonControl({
    name: "chord",
    label: "Show the last split as a chord",
    text: "The last split as a chord",
    onClick: () => change(model, { ...now().path.chord(stepOn()), view: "chord" }),
  });

/** @type {(name: string, first: boolean, ...nodes: Node[]) => Part} */
const view = (name, first, ...nodes) => ({ name, first, root: html("div", { class: "dtviz-plane-view" }, ...nodes) });

// The plane and the tree: what the reader points at or holds in one stands out in the other.
/** @type {(state: State, redraw: () => void) => { tree: TreeView, map: PlaneView, cutter: Cutter, dock: HTMLElement }} */
const makeMaps = (state, redraw) => {
  const { now } = state;
  /** @type {(node: number, kind: "inner" | "leaf") => Fact[]} */
  const facts = (node, kind) => factsOf(now(), node, kind);
  // Whoever is about to make the first cut is not shown the best one, unless on request.
  /** @param {number} node */
  const isSecret = (node) => now().splits?.length === 0 && map.pinned !== node && tree.nodes.pinned !== node;
  /** @type {(node: number, kind: "inner" | "leaf") => Partial<Details>} */
  const why = (node, kind) => isSecret(node) ? {} : whySplit(now(), node, kind === "inner", kind === "leaf" ? ask : undefined);
  /** @param {number[]} cut */
  const ask = ([node, feature, threshold]) => {
    if (!cutter.begin(node)) return;
    cutter.set(feature, threshold);
    state.settle();
    tree.pick(node);
  };
  const dock = new Dock({ why: true });
  const tree = new TreeView({ name: "Decision tree", facts, why, dock, steady: true, beneath: BENEATH, onActivate: (node) => map.point(node) });
  const map = new PlaneView({
    name: "The plane",
    details: (node, kind) => ({ title: now().path.where(node), lines: facts(node, kind), ...why(node, kind) }),
    dock,
    onActivate: (node) => tree.point(node),
  });
  const cutter = new Cutter(map, state, redraw);
  tree.nodes.stage.addEventListener("keydown", ({ key }) => {
    const spot = tree.spots[tree.nodes.current];
    if (key !== "Delete" || spot?.state !== "inner" || !cutter.begin(spot.node)) return;
    // The tree is drawn again: the plane goes on with the keys.
    cutter.handle.focus({ preventScroll: true });
    cutter.takeAway();
  });
  return { tree, map, cutter, dock: dock.root };
};

// What an author gave has no name but those of its columns.
/** @type {(plane: Now["plane"], data: string) => string} */
const titleOf = ({ features }, data) =>
  data === "data" ? features.map((feature) => categoriesOf(feature)?.name ?? feature).join(" and ") : data;

const HELP =
  "Drag a line of the plane, or press in a box and move: a cut. A finger rests there before it moves up or down. Keys: Enter cuts, arrow keys move the cut, T turns it, Escape takes the best one, then lets go, Delete (also in the tree) takes it away.";

/** @param {State} state @param {() => void} redraw */
const makePictures = (state, redraw) => {
  const { model } = state;
  const { tree, map, cutter, dock } = makeMaps(state, redraw);
  const flow = flowLayer(tree);
  // Points set by hand have classes.
  const editor = state.plane().values ? null : new PointsEditor(map, state);
  const table = tablePart(state);
  table.dropOn(map.root);
  const curves = curvesOf(state);
  const beside = besidePart(state, map);
  const asChord = chordButton(state);
  return {
    ...{ tree, map, curves, cutter },
    views: [
      view("plane", true, map.root),
      view("tree", true, tree.root),
      view("curves", false, curves.view.root),
    ],
    controls: [
      ...(editor ? [{ name: "points", root: editor.root }] : []),
      { name: "beside", root: beside.root },
      { name: "splits", root: html("p", { class: "dtviz-key", "data-no-picture": "" }, HELP) },
      { name: "chord", root: html("div", {}, asChord.root) },
    ],
    // Beside the data that can be chosen: how to bring others.
    own: html("div", { class: "dtviz-edit-tools", "data-no-picture": "" }, ...(editor ? [editor.pen] : []), table.paste.root, table.file.root),
    panel: table.panel,
    dock,
    /** @type {(shown: Now, step: number) => void} */
    draw(shown, step) {
      if (map.show(shown.plane, shown.path)) curves.show(shown);
      // Whoever cuts is not shown where growth would.
      map.draw(step, !shown.splits);
      cutter.draw();
      beside.draw(shown, step);
      editor?.draw();
      curves.draw(shown, step);
      table.show(state.choice());
      say(map.title, state.choice()?.table.title ?? titleOf(shown.plane, model.get("data")));
      // A chord is about two classes.
      asChord.input.hidden = shown.plane.classes.length !== 2;
      asChord.input.disabled = step === 0;
    },
    /** @type {(shown: Now, step: number) => void} */
    drawTree(shown, step) {
      const { path, plane, splits } = shown;
      if (tree.path !== path) tree.show(path);
      tree.draw(step, !splits && step < path.steps ? path.split[step] : -1);
      flow.draw(plane, path, step);
      say(tree.title, `${splits ? "Your tree" : "Tree"} of ${count(step + 1, "leaf", "leaves")}`);
    },
  };
};

// What comes after the tree on display.
/** @type {(now: Now, step: number) => string} */
const outlook = ({ path: { steps, costs, errors }, cost }, step) => {
  if (step === steps && errors[step] === 0) return "every leaf is pure";
  if (step === steps) return step + 1 < MOST_LEAVES ? "the tree is complete" : "no larger tree is grown here";
  const gains = costs[step] - costs[step + 1] > ROUNDING * costs[0];
  if (gains) return `the next split ${lowersText(cost, costs[step], costs[step + 1])}`;
  return `the next split gains nothing${straightWhere(cost)}`;
};

// Why nothing gains where the curve of a cost is straight, or all but straight.
/** @type {(cost: Cost) => string} */
const straightWhere = (cost) => {
  if (cost === "error") return ": every cut leaves the larger classes as they are";
  return typeof cost === "number" ? `: so far from 1/2 the ${costName(cost)} is straight, but for less than can be seen` : "";
};

/** @type {(state: State, step: number, gain: string) => string} */
const planeText = ({ now, pathOf }, step, gain) => {
  const { cost, path, held, plane, splits } = now();
  if (!plane.labels.length) return "No points yet: click in the plane to add some, or drop a file on it.";
  const onHeld = held ? `, ${decimals(held[step])} on the points held out` : "";
  const error = `${plane.values ? "mean squared " : ""}error is ${path.write(path.errors[step])}`;
  const leaves = `With ${count(step + 1, "leaf", "leaves")}`;
  if (!splits) return `${leaves} the ${error}${onHeld}; ${gain || outlook(now(), step)}.`;
  const { errors } = pathOf(cost);
  return `${leaves} your ${error}${onHeld}, that of the greedy tree ${path.write(errors[Math.min(step, errors.length - 1)])}${gain && `; ${gain}`}.`;
};

// What words of a page can follow.
/** @type {(now: Now, step: number) => Record<string, string>} */
const numbersOf = ({ path }, step) => ({
  leaves: String(step + 1),
  root: step ? path.fullTest(0) : "nothing",
  // How many points the tree is wrong about, their share, and what the next split gains.
  wrong: String(Math.round(path.errors[step] * path.size(0))),
  error: path.write(path.errors[step]),
  gain: path.steps > step ? dropText(path.costs[step] - path.costs[step + 1]) : "0",
});

/** @type {(model: Model, redraw: () => void) => { numbers: () => Record<string, string>, views: Part[], controls: Part[], dock: HTMLElement, play: ReturnType<typeof makeControls>["play"], stopsOnly: () => boolean, alongCost: () => Land, rewind: () => void, stop: () => void, resize: (figure: Figure) => void, draw: () => string }} */
export const planePart = (model, redraw) => {
  const state = planeState(model);
  const controls = makeControls(state);
  const pictures = makePictures(state, redraw);
  const { map, tree, curves, cutter } = pictures;
  const drawTree = () => pictures.drawTree(state.now(), state.stepOn());
  const later = nextFrame(drawTree);
  return {
    views: pictures.views,
    controls: [
      { name: "leaves", root: html("div", {}, controls.steps), first: true },
      { name: "data", root: html("div", {}, html("div", { class: "dtviz-choice-row" }, controls.data, pictures.own), pictures.panel), first: true },
      ...pictures.controls,
    ],
    dock: pictures.dock,
    play: controls.play,
    rewind: controls.rewind,
    stopsOnly: state.stopsOnly,
    alongCost: () => alongCost(state),
    stop: later.stop,
    resize(figure) {
      const height = figure.narrow ? 250 : 360;
      map.resize(figure.room("plane"), height);
      Object.assign(curves.view, { width: figure.room("curves"), height: 190 });
      // As high as the plane, with what is drawn and written beneath it.
      tree.resize(figure.room("tree"), (figure.narrow ? 302 : height) - BENEATH - 20, figure.narrow);
      drawTree();
    },
    numbers: () => numbersOf(state.now(), state.stepOn()),
    // Draws, and returns the state in words.
    draw() {
      const [now, step] = [state.now(), state.stepOn()];
      pictures.draw(now, step);
      // Another tree follows a frame later: with its regions it would take too long.
      if (tree.path === now.path) drawTree();
      else later.draw();
      controls.draw();
      return planeText(state, step, cutter.words());
    },
  };
};
