// Chapter 2: FIND. Slide the sample and the rank bound, write examples of one's own, step through the
// calls as they are made.

import { statusLine } from "../explorers/static/controls.js";
import { figureView, liveFigure } from "../explorers/static/figure.js";
import { change, explorers, html, memory, say } from "../explorers/static/kit.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { dockBox } from "../explorers/static/why.js";
import { callsView } from "./calls.js";
import { VIEWS, inCalls, makeControls } from "./controls.js";
import { drawsChart } from "./draws.js";
import { foundTree } from "./found.js";
import { keptState, keptTree, keptWords, noneLines } from "./kept.js";
import { examplesAsked } from "./kernel.js";
import { summaryOf } from "./kernel_samples.js";
import { promiseTable } from "./promise.js";
import { samplePane } from "./sample.js";
import { runState } from "./state.js";

/**
 * @import { AnyDock } from "../explorers/static/why.js"
 * @import { Kept } from "./kept.js"
 * @import { Many } from "./kernel_samples.js"
 * @import { Now, State } from "./state.js"
 *
 * @typedef {(changes: Record<string, unknown>) => void} Another
 * @typedef {{ name: string, root: HTMLElement, first?: boolean, draw: (now: Now, side: number) => void }} Picture
 */

const MANY = "many samples";

/** @type {(many: Many, now: Now, named: string) => string} */
const manyWords = (many, { k, m, bound, epsilon }, named) => {
  const samples = `${many.all} samples of ${count(m, "example")} of ${named}`;
  if (!many.ready(k)) return `Computing ${samples}.`;
  const { none, above, median } = summaryOf(many.column(k)[bound], epsilon);
  const failed = none ? `${none} return none, and ` : "";
  const middle = median === null ? "" : `; the median error is ${median.toFixed(3)}`;
  return `Of ${samples} with rank bound ${bound}, ${failed}${above} err on more than ε = ${epsilonText(epsilon)}${middle}.`;
};

/** @type {(state: State, now: Now, many: Many | null) => string} */
const words = (state, now, many) => {
  const { rows, m, bound, run, target } = now;
  const named = state.model.get("target");
  if (many) return manyWords(many, now, named);
  const noisy = !rows.length && now.flipped.some((x) => now.examples.labels[x] >= 0);
  const edited = (rows.length && target) || noisy ? ", edited" : "";
  const from = named ? `From ${count(m, "example")} of ${named}${edited}` : `From your ${count(m, "example")}`;
  const find = `${from}, FIND with rank bound ${bound}`;
  if (!run.tree) return `${find} returns none, after ${count(run.calls, "call")}.`;
  const leaves = count((run.tree.rank.length + 1) / 2, "leaf", "leaves");
  const error = state.error(now);
  const truth = error === null ? "" : `, true error ${error.toFixed(3)}`;
  return `${find} builds a tree of ${leaves}: rank ${run.tree.rank[0]}${truth}, ${count(run.calls, "call")}.`;
};

/** @type {(dock: AnyDock, named: () => string) => Picture & { ring: (node: number) => void }} */
const treePicture = (dock, named) => {
  const tree = foundTree("Tree found", dock);
  return {
    ...{ name: VIEWS[0], root: tree.root, first: true, ring: tree.encircle },
    draw({ examples: { plan, facts }, run, m, bound }, side) {
      say(tree.title, named());
      tree.draw({ plan, facts, tree: run.tree }, side, noneLines(m, bound));
    },
  };
};

/** @type {(state: State, walk: HTMLElement) => Picture} */
const callsPicture = (state, walk) => {
  const recursion = callsView({ steps: state.model.get("_steps"), onCall: state.goTo });
  return {
    ...{ name: VIEWS[1], root: html("div", {}, walk, recursion.root) },
    draw: (now, side) => recursion.draw(now.run, now.call, side, now.examples),
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
    ...{ name: VIEWS[3], root: html("div", {}, draws.root, none) },
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
    ...{ name: VIEWS[4], root: promise.root },
    draw({ n, target, logs, weights, bound, m, examples, flipped, rows, epsilon, delta }) {
      const { points, labels } = examples;
      const wrong = rows.length ? 0 : flipped.filter((x) => labels[x] >= 0).length;
      const about = { n, rank: target && target.rank, logs, weights, bound, m, points, epsilon, delta };
      promise.draw({ ...about, flipped: wrong, own: rows.length > 0 });
    },
  };
};

// The trees, and what else can be seen besides.
/** @type {(state: State, kept: Kept, another: Another, walk: HTMLElement, redraw: () => void) => { dock: HTMLElement, tree: ReturnType<typeof treePicture>, second: Picture, others: Picture[], stop: () => void }} */
const makePictures = (state, kept, another, walk, redraw) => {
  const { model } = state;
  const dock = dockBox({ why: true });
  const many = manyPicture(state, another, redraw);
  const tree = treePicture(dock, () => (kept.compared() ? "On display" : model.get("target") || "rows of one's own"));
  const old = keptTree(kept, dock);
  return {
    ...{ dock: dock.root, tree, stop: many.stop },
    second: {
      ...{ name: "kept", root: old.root, first: true },
      draw(now, side) {
        const other = kept.now();
        if (other) old.draw(now, other, side, tree.ring);
      },
    },
    others: [callsPicture(state, walk), { name: VIEWS[2], ...samplePane(state, another) }, many, promisePicture()],
  };
};

const TRAITS = ["target", "rank", "epsilon", "delta", "seed", "bias", "biases", "flipped", "rows", "beside", "kept"];

// What each trait changes.
/** @type {(state: State, play: { beat: () => void }, draw: () => void, refit: () => void) => Record<string, () => void>} */
const handlersOf = ({ model, grid, now }, play, draw, refit) => ({
  ...Object.fromEntries(TRAITS.map((trait) => [trait, refit])),
  view: refit,
  m() {
    draw();
    play.beat();
  },
  call() {
    draw();
    play.beat();
  },
  playing() {
    const { run, call, k } = now();
    const started = model.get("call") !== null && call < run.calls - 1;
    if (model.get("playing") && inCalls(model) && !started) change(model, { call: 0 });
    if (model.get("playing") && !inCalls(model) && k === grid.length - 1) change(model, { m: grid[0] });
    draw();
    play.beat();
  },
});

explorers.rank = ({ model, el }) => {
  const state = runState(model);
  const kept = keptState(model);
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
  const controls = makeControls(state, another);
  const { play } = controls;
  const status = statusLine();
  const { dock, tree, second, others, stop } = makePictures(state, kept, another, controls.walk.root, () => draw());
  const pictures = [tree, second, ...others];
  const figure = figureView({ views: pictures, controls: controls.parts, status, dock });
  const fresh = memory();
  const draw = () => {
    if (!figure.width || held) return;
    const now = state.now();
    const other = kept.now();
    if (!other) tree.ring(-1);
    for (const picture of pictures) {
      if (!figure.shows(picture.name)) continue;
      const side = figure.room(picture.name);
      const still = picture === tree || picture === second;
      fresh(picture.name, still ? [now.run, other?.run, side] : [{}], () => picture.draw(now, side));
    }
    status.makeRoom(120 + model.get("target").length + (other ? 150 : 0), figure.width);
    // Of samples that are folded away nothing is computed.
    const many = model.get("view") === MANY && figure.shows(MANY) ? state.many() : null;
    status.say(`${words(state, now, many)}${keptWords(kept, now, other)}`);
    controls.draw(now);
  };
  // The views that the state asks for; where an author has chosen some, all of these.
  const refit = () => {
    for (const { name, root } of others) root.hidden = !model.get("views") && name !== model.get("view");
    second.root.hidden = !kept.now();
    figure.fit();
    draw();
  };
  const handlers = handlersOf(state, play, draw, refit);
  const cleanUp = liveFigure({ model, el }, { figure, handlers, resize: refit, status, play });
  return () => {
    stop();
    cleanUp();
  };
};
