// Chapter 2: FIND. Slide the sample and the rank bound, write examples of one's own, step through the
// calls as they are made.

import { besideText, firstDifference } from "../explorers/static/controls/beside.js";
import { keptText } from "../explorers/static/controls/kept.js";
import { statusLine } from "../explorers/static/controls/controls.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { change, explorers, html, memory, say } from "../explorers/static/hosting/kit.js";
import { count, epsilonText, grouped } from "../explorers/static/computing/text.js";
import { Dock } from "../explorers/static/drawing/why.js";
import { callsView } from "./calls.js";
import { VIEWS, inCalls, makeControls } from "./controls.js";
import { drawsView } from "./draws.js";
import { foundTree } from "./found.js";
import { summaryOf } from "./kernel_samples.js";
import { promiseTable } from "./promise.js";
import { samplePane } from "./sample.js";
import { keptState, runState } from "./state.js";

/**
 * @import { Compared } from "../explorers/static/controls/beside.js"
 * @import { Many } from "./kernel_samples.js"
 * @import { Now, State } from "./state.js"
 *
 * @typedef {{ name: string, root: HTMLElement, first?: boolean, draw: (now: Now, side: number) => void }} Picture
 */

const MANY = VIEWS[3];

/** @type {(many: Many, now: Now) => string} */
const manyWords = (many, { k, named, bound, epsilon }) => {
  const { all, none, above, median } = summaryOf(many.column(k)[bound], epsilon);
  const failed = none ? `${none} return none, and ` : "";
  const middle = median === null ? "" : `; the median error is ${median.toFixed(3)}`;
  const samples = `${all} samples of ${count(many.grid[k], "example")} of ${named}`;
  return `Of ${samples} with rank bound ${bound}, ${failed}${above} err on more than ε = ${epsilonText(epsilon)}${middle}.`;
};

/** @type {(now: Now) => string} */
const runWords = ({ own, wrong, named, m, bound, run, error }) => {
  const examples = count(m, "example");
  const edited = wrong.length ? ", edited" : "";
  const sample = own ? `your ${examples}` : `${examples} of ${named}${edited}`;
  const find = `From ${sample}, FIND with rank bound ${bound}`;
  const calls = count(run.calls.length, "call");
  if (!run.tree) return `${find} returns none, after ${calls}.`;
  const truth = error === null ? "" : `, ${own ? `error on ${named}` : "true error"} ${error.toFixed(3)}`;
  const leaves = count(run.tree.leaves, "leaf", "leaves");
  return `${find} builds a tree of ${leaves}: rank ${run.tree.rank}${truth}, ${calls}.`;
};

// Both trees as they are compared, if there are both.
/** @type {(now: Now, other: Now | null) => [Compared, Compared] | null} */
const comparedOf = ({ path: here, named }, other) => {
  const there = other?.path;
  if (!here || !there) return null;
  return [
    { path: here, step: here.steps, who: "the tree found" },
    { path: there, step: there.steps, who: "the tree kept", another: other.named !== named },
  ];
};

// What the status says of the tree kept.
/** @type {(model: State["model"], now: Now, other: Now | null) => string} */
const keptWords = (model, now, other) => {
  if (!other) return keptText(model);
  const compared = comparedOf(now, other);
  if (compared) return besideText(...compared);
  return ` FIND returns none for ${now.path ? "the settings kept" : other.path ? "those on display" : "both settings"}.`;
};

// The leaves of a tree, "none" where there is none.
/** @type {(shown: Now) => string} */
const sizeText = ({ run: { tree } }) => (tree ? count(tree.leaves, "leaf", "leaves") : "none");

// The settings kept, as far as they make the sample.
/** @type {(other: Now) => string} */
const settingsText = ({ own, named, m, bound, wrong }) => {
  const noise = wrong.length ? `, ${count(wrong.length, "label")} flipped` : "";
  return `${own ? "rows" : named}, m = ${m}, rank ${bound}${noise}`;
};

// The tree, the one kept, and what else can be seen besides.
/** @type {(state: State, kept: () => Now | null, another: (changes: Record<string, unknown>) => void, walk: HTMLElement, redraw: () => void) => { dock: HTMLElement, ring: (now: Now, other: Now | null) => void, trees: Picture[], others: Picture[], stop: () => void }} */
const makePictures = (state, kept, another, walk, redraw) => {
  const dock = new Dock({ why: true });
  const tree = foundTree("Tree found", dock);
  const old = foundTree("Tree kept", dock);
  const calls = callsView(state.goTo);
  const draws = drawsView(state, (m) => another({ m }), redraw);
  return {
    ...{ dock: dock.root, stop: draws.stop },
    ring(now, other) {
      const compared = comparedOf(now, other);
      const at = compared && firstDifference(...compared);
      tree.encircle(at?.one ?? -1);
      old.encircle(at?.other ?? -1);
    },
    trees: [
      {
        ...{ name: VIEWS[0], root: tree.root, first: true },
        draw(shown, side) {
          say(tree.title, state.model.get("beside") === "kept" ? `On display: ${sizeText(shown)}` : shown.own ? "rows of one's own" : shown.named);
          tree.draw(shown, side);
        },
      },
      {
        ...{ name: "kept", root: old.root, first: true },
        draw(_, side) {
          const other = kept();
          if (!other) return;
          say(old.title, `Kept: ${sizeText(other)}, ${settingsText(other)}`);
          old.draw(other, side);
        },
      },
    ],
    others: [
      { name: VIEWS[1], root: html("div", {}, walk, calls.root), draw: calls.draw },
      { name: VIEWS[2], first: true, ...samplePane(state, another) },
      { name: MANY, ...draws },
      { name: VIEWS[4], ...promiseTable() },
    ],
  };
};

// What words of a page can follow.
/** @type {(now: Now) => Record<string, string>} */
const numbersOf = ({ m, bound, run: { calls, tree }, error }) => ({
  examples: grouped(m),
  bound: String(bound),
  calls: grouped(calls.length),
  leaves: tree ? grouped(tree.leaves) : "no",
  rank: String(tree?.rank ?? "none"),
  // The true error of the tree found.
  error: error?.toFixed(3) ?? "unknown",
});

explorers.rank = ({ model, el, numbers = () => undefined }) => {
  const state = runState(model);
  const kept = keptState(model);
  const { grid, now } = state;
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
  const { play } = controls;
  const status = statusLine();
  const { dock, ring, trees, others, stop } = makePictures(state, kept, another, controls.walk, () => draw());
  const figure = new Figure({ views: [...trees, ...others], controls: controls.parts, status, dock });
  const fresh = memory();
  const draw = () => {
    if (!figure.width || held) return;
    const [shown, other] = [now(), kept()];
    for (const picture of [...trees, ...others]) {
      if (!figure.shows(picture.name)) continue;
      const side = figure.room(picture.name);
      // What the reader points at in a tree stays, as long as the tree does.
      const facts = trees.includes(picture) ? [shown.run, other?.run, model.get("beside"), side] : [{}];
      fresh(picture.name, facts, () => picture.draw(shown, side));
    }
    ring(shown, other);
    status.makeRoom(120 + model.get("target").length + (other ? 150 : 0), figure.width);
    // Of samples that are folded away nothing is computed.
    const many = model.get("view") === MANY && figure.shows(MANY) ? state.many() : null;
    status.say(`${many ? manyWords(many, shown) : runWords(shown)}${keptWords(model, shown, other)}`);
    numbers(numbersOf(shown));
    controls.draw(shown);
  };
  // The views that the state asks for; where an author has chosen some, all of these.
  const refit = () => {
    for (const { name, root } of others) root.hidden = !model.get("views") && name !== model.get("view");
    trees[1].root.hidden = !kept();
    figure.fit();
    draw();
    play.beat();
  };
  // Play begins at the start where there is nothing left to play.
  const playing = () => {
    const { run, call, k } = now();
    const calls = inCalls(model);
    const called = model.get("call") === null || call === run.calls.length - 1;
    const ended = calls ? called : k === grid.length - 1;
    if (model.get("playing") && ended) change(model, calls ? { call: 0 } : { m: grid[0] });
    refit();
  };
  const cleanUp = liveFigure({ model, el }, { figure, draw: refit, handlers: { playing }, resize: refit, status, play });
  return () => {
    stop();
    cleanUp();
  };
};
