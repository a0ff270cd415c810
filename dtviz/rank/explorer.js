// Chapter 2: FIND. Slide the sample and the rank bound, write examples of one's own, step through the
// calls as they are made.

import { statusLine } from "../explorers/static/controls.js";
import { POINT, change, explorers, html, keyText, live, memory, put, say } from "../explorers/static/kit.js";
import { panesView } from "../explorers/static/panes.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { callsView } from "./calls.js";
import { KEPT, VIEWS, callControls, makeControls, targetControl, viewControl } from "./controls.js";
import { drawsChart } from "./draws.js";
import { foundTree } from "./found.js";
import { keepThis, keptState, keptTree, keptWords } from "./kept.js";
import { examplesAsked } from "./kernel.js";
import { summaryOf } from "./kernel_samples.js";
import { promiseTable } from "./promise.js";
import { samplePane } from "./sample.js";
import { runState } from "./state.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Kept } from "./kept.js"
 * @import { Many } from "./kernel_samples.js"
 * @import { Now, State } from "./state.js"
 *
 * @typedef {(changes: Record<string, unknown>) => void} Another
 * @typedef {{ side: number, whole: number, all: boolean }} Room  for a picture and for all, whether to draw all
 * @typedef {{ name: string, label: string, root: HTMLElement, draw: (now: Now, side: number) => void }} Picture
 */

const MANY = "many samples";

/** @type {(many: Many, now: Now) => string} */
const manyWords = (many, { k, bound, epsilon }) => {
  if (!many.ready(k)) return `${many.all} samples: computing`;
  const { none, above, median, all } = summaryOf(many.column(k)[bound], epsilon);
  const middle = median === null ? "" : `median error ${median.toFixed(3)}, `;
  const failed = none ? `, ${none} without a tree` : "";
  return `${all} samples: ${middle}${above} above epsilon ${epsilonText(epsilon)}${failed}`;
};

/** @type {(state: State, now: Now) => string} */
const words = (state, now) => {
  const { rows, m, bound, run, target, k } = now;
  const named = state.model.get("target") || "rows of one's own";
  const many = state.model.get("view") === MANY && state.many();
  if (many) return `${named}, m = ${state.grid[k]}, rank ${bound}, ${manyWords(many, now)}`;
  const noisy = !rows.length && now.flipped.some((x) => now.examples.labels[x] >= 0);
  const edited = (rows.length && target) || noisy ? ", edited" : "";
  const about = `${named}${edited}, m = ${m}, rank ${bound}`;
  if (!run.tree) return `${about}: no consistent tree; ${count(run.calls, "call")}`;
  const leaves = count((run.tree.rank.length + 1) / 2, "leaf", "leaves");
  const error = state.error(now);
  const truth = error === null ? "" : `, true error ${error.toFixed(3)}`;
  return `${about}: tree of ${leaves}, rank ${run.tree.rank[0]}${truth}; ${count(run.calls, "call")}`;
};

// The room that the longest status takes, in letters.
/** @type {(state: State, now: Now) => number} */
const longestStatus = ({ model }, { rows }) =>
  (rows.length ? 25 : model.get("target").length + 8) + (model.get("view") === MANY ? 95 : 76);

const KEY_OF_TREE =
  "Left branch: 0, right branch: 1. The number beside a node is its rank, and so is its shade; " +
  "leaves have rank 0. A triangle folds a subtree of so many leaves. " +
  `${POINT} a node to see which variables were tried there.`;

/** @type {(difference: HTMLElement, keep: HTMLElement) => Picture & { ring: (node: number) => void }} */
const treePicture = (difference, keep) => {
  const tree = foundTree(html("div", {}, difference, keyText(KEY_OF_TREE)), "Tree found", keep);
  return {
    ...{ name: VIEWS[0], label: "Tree", root: tree.root, ring: tree.encircle },
    draw({ examples: { plan, facts }, run, m, bound }, side) {
      const found = run.tree;
      say(tree.title, found ? `The tree FIND returns: rank ${found.rank[0]}` : "FIND returns none");
      const examples = m === 1 ? "the example" : `all ${m} examples`;
      tree.draw({ plan, facts, tree: found }, side, ["None", `no tree of rank ≤ ${bound} agrees with ${examples}`]);
    },
  };
};

/** @type {(state: State, walk: ReturnType<typeof callControls>) => Picture} */
const callsPicture = (state, walk) => {
  const recursion = callsView({ steps: state.model.get("_steps"), onCall: state.goTo });
  return {
    ...{ name: VIEWS[1], label: "Calls", root: html("div", {}, walk.root, recursion.root) },
    draw(now, side) {
      walk.draw(now);
      recursion.draw(now.run, now.call, side, now.examples);
    },
  };
};

// The m that the theorem asks for, null where it says nothing.
/** @type {(now: Now) => number | null} */
const askedOf = ({ target, bound, logs, epsilon, delta }) => {
  const log = target && bound >= target.rank && bound > 0 ? logs.paper[bound] : null;
  return log === null ? null : examplesAsked(log, epsilon, delta);
};

// Variables of a target whose 200 samples of one size are too much work for one event.
const SLOW = 6;

/** @type {(state: State, another: Another, redraw: () => void) => Picture & { stop: () => void }} */
const manyPicture = (state, another, redraw) => {
  const { grid } = state;
  const draws = drawsChart({ grid, onPick: (k) => another({ m: grid[k] }) });
  const none = html("p", { class: "dtviz-key" }, "Many samples are drawn of a target; rows alone have none.");
  let timer = 0;
  const stop = () => clearTimeout(timer);
  /** @type {(now: Now, many: Many, side: number) => void} */
  const drawAll = (now, many, side) => {
    const { bound, epsilon, k } = now;
    const columns = grid.map((_, j) => (many.ready(j) ? many.column(j)[bound] : null));
    const ready = columns.filter(Boolean).length;
    say(draws.title, `True error of ${many.all} samples of each size`);
    say(draws.note, ready < grid.length ? `${ready} of ${grid.length} sizes` : "");
    draws.draw({ columns, epsilon, chosen: k, asked: askedOf(now), width: side });
  };
  // A few samples at a time, so that the page stays at the reader's command: first those of the size
  // on display, which the status says, too.
  /** @type {(now: Now, many: Many) => void} */
  const work = ({ k }, many) => {
    const left = many.ready(k) ? grid.findIndex((_, j) => !many.ready(j)) : k;
    if (left < 0) return;
    timer = setTimeout(() => {
      many.advance(left);
      if (many.ready(left)) redraw();
      else work(state.now(), many);
    });
  };
  return {
    ...{ name: VIEWS[3], label: "Errors", root: html("div", {}, draws.root, none) },
    stop,
    draw(now, side) {
      stop();
      const many = state.many();
      draws.root.hidden = !many;
      none.hidden = Boolean(many);
      if (!many) return;
      if (many.ready(now.k)) drawAll(now, many, side);
      else if (now.n < SLOW) {
        many.column(now.k);
        // The picture may come a moment later.
        timer = setTimeout(redraw);
        return;
      }
      work(now, many);
    },
  };
};

/** @returns {Picture} */
const promisePicture = () => {
  const promise = promiseTable();
  return {
    ...{ name: VIEWS[4], label: "Promise", root: promise.root },
    draw({ n, target, logs, weights, bound, m, examples, flipped, rows, epsilon, delta }) {
      const { points, labels } = examples;
      const wrong = rows.length ? 0 : flipped.filter((x) => labels[x] >= 0).length;
      const about = { n, rank: target && target.rank, logs, weights, bound, m, points, epsilon, delta };
      promise.draw({ ...about, flipped: wrong, own: rows.length > 0 });
    },
  };
};

// The tree, and beside it one of the others; where there is little room one of them all.
/** @type {(state: State, pictures: Picture[]) => { root: HTMLElement, front: () => Picture, show: (narrow: boolean) => void }} */
const arranged = (state, pictures) => {
  const { model } = state;
  const [tree, ...others] = pictures;
  const shown = () => (model.get("beside") === "kept" ? KEPT : model.get("view"));
  const choice = viewControl(state);
  const views = html("div", { class: "dtviz-views" }, ...others.map(({ root }) => root));
  const beside = html("div", { class: "dtviz-beside-tree" }, choice.root, views);
  const root = html("div", { class: "dtviz-find" }, tree.root, beside);
  const front = () => others.find(({ name }) => name === shown()) ?? others[0];
  return {
    root,
    front,
    show(narrow) {
      choice.draw();
      if (narrow) return;
      for (const picture of others) put(picture.root, "data-front", picture === front());
    },
  };
};

// All that is seen: controls, status and pictures, drawn as far as they are in sight.
/** @type {(state: State, kept: Kept, another: Another, redraw: () => void) => { view: HTMLElement, play: ReturnType<typeof callControls>["play"], draw: (now: Now, room: Room) => void, resize: (kind: Kind) => void, stop: () => void }} */
const makeView = (state, kept, another, redraw) => {
  const { model } = state;
  const target = targetControl(state, another);
  const controls = makeControls(state, another);
  const walk = callControls(state);
  const status = statusLine();
  const many = manyPicture(state, another, redraw);
  const sample = { name: VIEWS[2], label: "Sample", ...samplePane(state, another) };
  const second = keptTree(kept);
  const tree = treePicture(second.difference, keepThis(model));
  /** @type {Picture} */
  const secondPicture = {
    ...{ name: KEPT, label: "Kept", root: second.root },
    draw: (now, side) => second.draw(now, kept.now(), side, tree.ring),
  };
  const pictures = [tree, callsPicture(state, walk), sample, many, promisePicture(), secondPicture];
  const { root, front, show } = arranged(state, pictures);
  const panes = panesView({ panes: pictures, head: [controls.root, status.root], more: controls.more, stack: root });
  // Trees that are compared have both their tabs; any other picture ends that.
  const tabbed = () => {
    const chosen = pictures.find((picture) => picture.root === panes.chosen);
    const compared = kept.compared();
    if (!chosen || (compared && chosen === tree)) return;
    if (chosen === secondPicture) {
      if (!compared) change(model, { beside: "kept" });
    } else if (compared || chosen.name !== model.get("view")) change(model, { view: chosen.name, beside: "nothing" });
  };
  const chosenNow = () => {
    if (kept.compared()) return panes.chosen === tree.root ? tree : secondPicture;
    return pictures.find(({ name }) => name === model.get("view")) ?? tree;
  };
  for (const event of ["click", "keydown"]) panes.tabs.addEventListener(event, tabbed);
  const fresh = memory();
  return {
    view: html("div", { class: "dtviz-view" }, target.root, panes.head, root),
    play: walk.play,
    draw(now, { side, whole, all }) {
      const other = kept.now();
      second.root.hidden = !kept.any() && !kept.compared();
      second.difference.hidden = !other;
      const chosen = chosenNow();
      if (panes.narrow) panes.choose(chosen.root);
      show(panes.narrow);
      const alone = kept.compared() ? [tree, secondPicture] : [chosen];
      const seen = panes.narrow ? alone : [tree, front()];
      for (const picture of all ? pictures : seen) {
        const still = picture === tree || picture === secondPicture;
        fresh(picture.name, still ? [now.run, other?.run, side] : [{}], () => picture.draw(now, side));
      }
      // Its letters are smaller on a narrow screen.
      status.makeRoom((longestStatus(state, now) + (other ? 30 : 0)) * (panes.narrow ? 0.86 : 1), whole);
      status.say(`${words(state, now)}${keptWords(other)}`);
      target.draw();
      controls.draw(now);
    },
    resize: (kind) => panes.resize(kind),
    stop() {
      status.stop();
      many.stop();
    },
  };
};

const TRAITS = ["target", "m", "rank", "epsilon", "delta", "seed", "bias", "biases", "flipped", "rows", "view", "beside", "kept"];

explorers.rank = ({ model, el }) => {
  const state = runState(model);
  const room = { side: 0, whole: 0, all: false };
  // The reader's other run starts with its own first call to look at. Values that Python sets stay:
  // an answer to one of them would cross the next one on its way.
  let held = false;
  /** @type {Another} */
  const another = (changes) => {
    held = true;
    change(model, { ...changes, call: null, playing: false });
    held = false;
    draw();
  };
  const { view, play, ...parts } = makeView(state, keptState(model), another, () => draw());
  const draw = () => {
    if (room.side && !held) parts.draw(state.now(), room);
  };
  const handlers = {
    ...Object.fromEntries(TRAITS.map((trait) => [trait, draw])),
    call() {
      draw();
      play.beat();
    },
    playing() {
      const { run, call } = state.now();
      const started = model.get("call") !== null && call < run.calls - 1;
      if (model.get("playing") && !started) change(model, { call: 0 });
      draw();
      play.beat();
    },
  };
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    const side = kind === "narrow" ? width : Math.floor((width - 28) / 2);
    parts.resize(kind);
    // Each picture once, so that the room of the highest is kept.
    Object.assign(room, { side, whole: width, all: true });
    draw();
    room.all = false;
  };
  return live({ model, el }, { view, handlers, resize, status: parts, play, narrow: 660 });
};
