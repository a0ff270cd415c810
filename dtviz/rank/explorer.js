// Chapter 2: FIND. Slide the sample and the rank bound, step through the calls as they were made.

import { SHARE_STEP } from "../explorers/static/constants.js";
import {
  buttonControl,
  gridControl,
  playControl,
  rangeControl,
  selectControl,
  statusLine,
  transport,
} from "../explorers/static/controls.js";
import { calm, change, explorers, html, keyText, live, memory, put, say, setter } from "../explorers/static/kit.js";
import { clamp, count, epsilonText } from "../explorers/static/text.js";
import { callsView } from "./calls.js";
import { drawsChart } from "./draws.js";
import { foundTree } from "./found.js";
import { drawn, examplesAsked, mostLevels, nextAgain, recordedRun } from "./kernel.js";
import { promiseTable } from "./promise.js";

/**
 * @import { Kind, Model } from "../explorers/static/kit.js"
 * @import { PackedRun, Run } from "./kernel.js"
 * @import { LogCounts } from "./promise.js"
 *
 * A target as the Python side packs it; lists are by the number of examples, then by the bound.
 * @typedef {object} Target
 * @property {number} n
 * @property {number} rank
 * @property {LogCounts} log_counts
 * @property {number[]} distinct  points seen, for each number of examples
 * @property {number[][]} run  which run it is
 * @property {PackedRun[]} runs
 * @property {number[][][]} draws  histograms, by the bound, then by the number of examples
 *
 * @typedef {ReturnType<typeof runState>} State
 * @typedef {ReturnType<State["now"]>} Now
 */

const MANY = "many samples";

// What is on display, looked up from the traits.
/** @param {Model} model */
const runState = (model) => {
  /** @type {Record<string, Target>} */
  const records = model.get("_paths");
  /** @type {number[]} */
  const grid = model.get("_grid");
  /** @type {Map<PackedRun, Run>} */
  const runs = new Map();
  /** @param {PackedRun} packed */
  const recorded = (packed) => {
    const run = runs.get(packed) ?? recordedRun(packed);
    runs.set(packed, run);
    return run;
  };
  const known = memory();
  const now = () => {
    const record = records[model.get("target")];
    const levels = known("levels", [record], () => mostLevels(record.runs));
    const k = Math.max(0, grid.indexOf(model.get("m")));
    const highest = record.run[k].length - 1;
    /** @type {number} */
    const bound = Math.min(model.get("rank"), highest);
    const run = recorded(record.runs[record.run[k][bound]]);
    /** @type {number} */
    const call = Math.min(model.get("call") ?? Math.max(0, run.again.indexOf(1)), run.calls - 1);
    /** @type {[number, number]} */
    const [epsilon, delta] = [model.get("epsilon"), model.get("delta")];
    return { record, levels, k, m: grid[k], highest, bound, run, call, epsilon, delta, points: 2 ** record.n };
  };
  /** @param {number} call */
  const goTo = (call) => {
    if (call >= 0 && call < now().run.calls) change(model, { call });
  };
  return { model, grid, targets: Object.keys(records), now, goTo, many: () => model.get("view") === MANY };
};

// Half a minute at most, an unhurried pace for a short run.
/** @param {State} state */
const stepping = ({ model, now }) => {
  const wait = () => clamp(30000 / now().run.calls, 150, 1000);
  return playControl({
    model,
    wait,
    advance() {
      const { run, call } = now();
      const stride = Math.max(1, Math.ceil((run.calls * (calm() ? 1000 : wait())) / 30000));
      const next = Math.min(call + stride, run.calls - 1);
      return next < run.calls - 1 ? { call: next } : { call: next, playing: false };
    },
  });
};

// The sliders and buttons that walk through the calls of a run.
/** @param {State} state */
const callControls = (state) => {
  const { now, goTo } = state;
  const calls = rangeControl({ name: "call", label: "Call", min: 0, max: 0, step: 1, onInput: goTo });
  const play = stepping(state);
  /** @type {(name: string, label: string, text: string, onClick: () => void) => ReturnType<typeof buttonControl>} */
  const button = (name, label, text, onClick) => buttonControl({ name, label, text, onClick });
  const back = button("back", "One call back", "‹", () => goTo(now().call - 1));
  const forward = button("forward", "One call forward", "›", () => goTo(now().call + 1));
  const again = button("again", "Next second try", "↻", () => goTo(nextAgain(now().run, now().call)));
  return {
    root: transport(play, back, calls, forward, again),
    play,
    /** @param {Now} shown */
    draw({ run, call }) {
      put(calls.input, "max", run.calls - 1);
      calls.value.style.minWidth = `${2 * String(run.calls).length + 4}ch`;
      calls.set(call, `${call} of ${run.calls - 1}`);
      back.input.disabled = call === 0;
      forward.input.disabled = call === run.calls - 1;
      again.input.disabled = !run.again.includes(1);
      play.draw();
    },
  };
};

// What chooses the run; another({ trait: value }) hears it.
/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: (now: Now) => void }} */
const makeControls = ({ model, grid, targets }, another) => {
  /** @type {(name: string, label: string) => ReturnType<typeof rangeControl>} */
  const share = (name, label) =>
    rangeControl({ name, label, min: SHARE_STEP, max: 0.5, step: SHARE_STEP, onInput: setter(model, name) });
  const which = selectControl({
    name: "target",
    label: "Target",
    options: targets,
    onChange: (value) => another({ target: value }),
  });
  const views = selectControl({
    name: "view",
    label: "View",
    options: ["one sample", MANY],
    onChange: setter(model, "view"),
  });
  const examples = gridControl({ name: "m", label: "Examples, m", grid, onInput: (m) => another({ m }) });
  const bounds = rangeControl({
    ...{ name: "rank", label: "Rank bound, r", min: 0, max: 1, step: 1 },
    onInput: (rank) => another({ rank }),
  });
  const epsilons = share("epsilon", "Error allowed, ε");
  const deltas = share("delta", "Failure allowed, δ");
  const fields = [which, views, examples, bounds, epsilons, deltas].map(({ root }) => root);
  return {
    root: html("div", { class: "dtviz-controls dtviz-even" }, ...fields),
    draw({ m, highest, bound, epsilon, delta }) {
      which.input.value = model.get("target");
      views.input.value = model.get("view");
      put(bounds.input, "max", highest);
      examples.set(m, String(m));
      bounds.set(bound, String(bound));
      epsilons.set(epsilon, epsilonText(epsilon));
      deltas.set(delta, epsilonText(delta));
    },
  };
};

/** @type {(state: State, now: Now) => string} */
const words = ({ model, many }, { record, k, m, bound, run, epsilon, points }) => {
  const about = `${model.get("target")}, m = ${m}, rank ${bound}`;
  if (many()) {
    const { none, above, median, all } = drawn(record.draws[bound][k], points, epsilon);
    const middle = median === null ? "" : `median error ${median.toFixed(3)}, `;
    const failed = none ? `, ${none} without a tree` : "";
    return `${about}, ${all} samples: ${middle}${above} above epsilon ${epsilonText(epsilon)}${failed}`;
  }
  const found = run.tree
    ? `tree of ${count((run.tree.rank.length + 1) / 2, "leaf", "leaves")}, rank ${run.tree.rank[0]}, ` +
      `true error ${(run.tree.wrong / points).toFixed(3)}`
    : "no consistent tree";
  return `${about}: ${found}; ${count(run.calls, "call")}`;
};

// The room that the longest status takes, in letters.
/** @param {State} state */
const longestStatus = ({ model, many }) => model.get("target").length + (many() ? 95 : 76);

/** @type {(state: State, walk: HTMLElement, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: (now: Now, side: number) => void }} */
const makePictures = (state, walk, another) => {
  const { model, grid } = state;
  const tree = foundTree();
  const promise = promiseTable();
  const recursion = callsView({ steps: model.get("_steps"), onCall: state.goTo });
  const draws = drawsChart({ grid, onPick: (k) => another({ m: grid[k] }) });
  const treeKey = keyText(
    "Left branch: 0, right branch: 1. The number beside a node is its rank, and so is its shade; " +
      "leaves have rank 0. A triangle folds a subtree of so many leaves.",
  );
  const left = html("div", {}, tree.root, treeKey);
  const oneSample = html("div", {}, walk, recursion.root);
  const right = html("div", { class: "dtviz-right" }, oneSample, draws.root);

  /** @type {(now: Now, side: number) => void} */
  const drawTree = ({ record, run, m, bound }, side) => {
    say(tree.title, run.tree ? `The tree FIND returns: rank ${run.tree.rank[0]}` : "FIND returns none");
    const examples = m === 1 ? "the example" : `all ${m} examples`;
    const nothing = ["None", `no tree of rank ≤ ${bound} agrees with ${examples}`];
    tree.draw(run.tree, record.n, side, nothing);
  };
  /** @type {(now: Now, asked: number | null, side: number) => void} */
  const drawMany = ({ record, bound, points, epsilon, k }, asked, side) => {
    const histograms = record.draws[bound];
    say(draws.title, `True error of ${drawn(histograms[k], 1, 0).all} samples of each size`);
    draws.draw({ histograms, points, epsilon, chosen: k, asked, width: side });
  };
  const fresh = memory();
  return {
    root: html("div", { class: "dtviz-pair" }, left, right, promise.root),
    // Redraw a part only when something it shows has changed.
    draw(now, side) {
      const { record, levels, k, m, bound, run, call, epsilon, delta } = now;
      const many = state.many();
      fresh("tree", [run, m, side], () => drawTree(now, side));
      const seen = record.distinct[k];
      const facts = [record, bound, m, epsilon, delta];
      fresh("promise", facts, () => promise.draw({ record, bound, m, seen, epsilon, delta }));
      oneSample.hidden = many;
      draws.root.hidden = !many;
      right.classList.toggle("dtviz-first", many);
      const log = bound >= record.rank && bound > 0 ? record.log_counts.paper[bound] : null;
      const asked = log === null ? null : examplesAsked(log, epsilon, delta);
      if (many) fresh("draws", [record, bound, k, epsilon, asked, side], () => drawMany(now, asked, side));
      else fresh("calls", [run, call, side], () => recursion.draw(run, call, side, levels));
    },
  };
};

explorers.rank = ({ model, el }) => {
  const state = runState(model);
  // The reader's other run starts with its own first call to look at. Values that Python sets stay:
  // an answer to one of them would cross the next one on its way.
  let held = false;
  /** @param {Record<string, unknown>} changes */
  const another = (changes) => {
    held = true;
    change(model, { ...changes, call: null, playing: false });
    held = false;
    draw();
  };
  const controls = makeControls(state, another);
  const walk = callControls(state);
  const status = statusLine();
  const pictures = makePictures(state, walk.root, another);
  const view = html("div", { class: "dtviz-view" }, controls.root, status.root, pictures.root);

  let [side, whole] = [0, 0];
  const draw = () => {
    if (!side || held) return;
    const now = state.now();
    status.makeRoom(longestStatus(state), whole);
    status.say(words(state, now));
    pictures.draw(now, side);
    controls.draw(now);
    walk.draw(now);
  };
  const traits = ["target", "m", "rank", "epsilon", "delta", "view"].map((trait) => [trait, draw]);
  const handlers = {
    ...Object.fromEntries(traits),
    call() {
      draw();
      walk.play.beat();
    },
    playing() {
      const { run, call } = state.now();
      const started = model.get("call") !== null && call < run.calls - 1;
      if (model.get("playing") && !started) change(model, { call: 0 });
      draw();
      walk.play.beat();
    },
  };
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    whole = width;
    side = kind === "wide" ? Math.floor((width - 32) / 2) : width;
    draw();
  };
  return live({ model, el }, { view, handlers, resize, status, play: walk.play });
};
