// Chapter 6: pruning. Slide what a method asks for, and see which subtrees go, and why.

import { statusLine } from "../explorers/static/controls/controls.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { change, explorers, html, say } from "../explorers/static/hosting/kit.js";
import { capital, count, grouped } from "../explorers/static/computing/text.js";
import { Dock } from "../explorers/static/drawing/why.js";
import { errorsChart, frontChart } from "./charts.js";
import { DIALS, makeControls } from "./controls.js";
import { examplesPanel } from "./examples.js";
import { HEAP, freshRows } from "./fresh.js";
import { leftOf } from "./kernel.js";
import { partings, reasonAt } from "./kernel_reasons.js";
import { FULL, NOTHING, pruningState } from "./state.js";
import { TwigView } from "./twigs.js";

/**
 * @import { Decided } from "./kernel_reasons.js"
 * @import { State } from "./state.js"
 *
 * @typedef {TwigView} Twigs
 */

// Pixels: on a screen that is less wide a large tree scrolls.
const PHONE = 480;

// What stands beside, if anything: what is left of its nodes, the outcome that says why, and where the two part.
/** @param {State} state */
const besideOf = ({ model, tree, outcome, outcomeOf }) => {
  const beside = model.get("beside");
  if (beside === NOTHING) return null;
  const isFull = beside === FULL;
  const why = isFull ? outcome() : outcomeOf(beside);
  const { states, leaves, rates } = isFull ? leftOf(tree(), new Uint8Array(tree().nodes)) : why;
  const title = `${isFull ? "Full tree" : capital(beside)}: ${count(leaves, "leaf", "leaves")}`;
  return { states, why, apart: partings(outcome().states, states), title, rates };
};

// The pruned tree and, where it is asked for, another one beside it, with one dock.
/** @param {State} state */
const makeTrees = (state) => {
  const { model, tree, outcome } = state;
  const dock = new Dock();
  /** @type {(name: string, decided: () => Decided, twin: () => Twigs) => Twigs} */
  const view = (name, decided, twin) =>
    new TwigView({ name, dock, details: (k) => reasonAt(tree(), decided(), k), twin });
  const twigs = view("Decision tree and what is cut of it", outcome, () => second);
  const second = view("The tree beside it", () => besideOf(state)?.why ?? outcome(), () => twigs);
  const [fresh, freshBeside] = [freshRows(twigs), freshRows(second)];
  let isAlone = true;
  const [panel, other] = [twigs, second].map(({ root }) => html("div", { class: "dtviz-prunings" }, root));
  return {
    ...{ panel, other, dock: dock.root },
    /** @param {{ narrow: boolean, room: (view: string) => number }} figure */
    layOut(figure) {
      const height = figure.narrow ? 250 : 330;
      const width = figure.room("tree");
      const room = { width, height, narrow: figure.narrow && width < PHONE, beneath: HEAP.below + HEAP.tallest };
      twigs.layOut(tree(), room);
      if (!other.hidden) second.layOut(tree(), room);
    },
    draw() {
      const { states, leaves } = outcome();
      const beside = besideOf(state);
      const ringed = new Set(beside?.apart);
      // Beside another tree both fall in step.
      if (isAlone && beside) for (const rows of [fresh, freshBeside]) rows.again();
      isAlone = !beside;
      twigs.draw(tree(), states, ringed);
      fresh.draw(state.grown(), states);
      const kept = `${count(tree().leaves[0], "leaf", "leaves")} grown, ${grouped(leaves)} kept`;
      say(twigs.title, beside ? `${capital(model.get("method"))}: ${kept}` : kept);
      if (!beside) return;
      second.draw(tree(), beside.states, ringed);
      freshBeside.draw(state.grown(), beside.states);
      say(second.title, beside.title);
    },
  };
};

/** @param {State} state */
const statusText = (state) => {
  const { model, tree, outcome } = state;
  const [method, beside] = [model.get("method"), model.get("beside")];
  const { leaves, rates } = outcome();
  const judge = tree().truth === "true" ? "in truth" : "on the test set";
  const other = besideOf(state);
  const turned = state.flips().length;
  const byHand = turned ? ` ${count(turned, "label is", "labels are")} flipped by hand.` : "";
  const instead = state.isEmpty() ? "No table yet: paste one, or choose a file; until then the first sample is shown. " : "";
  const parted = other?.apart.length ? `decides ${count(other.apart.length, "node")} differently` : "leaves the same tree";
  const apart = other
    ? ` Beside it, ${beside} ${parted}: ${other.rates.pruning.toFixed(3)} on the pruning sample, ${other.rates.truth.toFixed(3)} ${judge}.`
    : "";
  return (
    `${instead}${capital(method)} keeps ${leaves} of ${count(tree().leaves[0], "leaf", "leaves")}: the error is ` +
    `${rates.training.toFixed(3)} in training, ${rates.pruning.toFixed(3)} on the pruning sample and ` +
    `${rates.truth.toFixed(3)} ${judge}.${byHand}${apart}`
  );
};

// What words of a page can follow.
/** @type {(state: State) => Record<string, string>} */
const numbersOf = ({ tree, outcome, dials }) => ({
  grown: grouped(tree().leaves[0]),
  leaves: grouped(outcome().leaves),
  // Error rates: in training, on the second sample, and on the test set or in truth.
  training: outcome().rates.training.toFixed(3),
  second: outcome().rates.pruning.toFixed(3),
  test: outcome().rates.truth.toFixed(3),
  alpha: Number(dials().alpha.toFixed(4)).toString(),
});

explorers.pruning = (host) => {
  const { model } = host;
  const state = pruningState(model);
  const { tree, outcome } = state;
  const controls = makeControls(state);
  const trees = makeTrees(state);
  const errors = errorsChart();
  const front = frontChart((step) => change(model, { method: "fewest leaves", d: tree().fewest[step] }));
  const examples = examplesPanel(state);
  const status = statusLine();
  const figure = new Figure({
    views: [
      { name: "tree", root: trees.panel, first: true },
      { name: "beside", root: trees.other, first: true },
      { name: "errors", root: errors.view.root, first: true },
      { name: "sizes", root: front.view.root },
      { name: "rows", root: examples.root, broad: true },
    ],
    controls: controls.parts,
    status,
    dock: trees.dock,
  });

  // What a dial moves.
  const draw = () => {
    controls.draw();
    trees.draw();
    errors.draw(tree(), outcome());
    front.draw(tree(), outcome());
    status.say(statusText(state));
    host.numbers?.(numbersOf(state));
    controls.play.beat();
  };
  // Another tree, or another room for it.
  const frame = () => {
    trees.other.hidden = model.get("beside") === NOTHING;
    figure.fit();
    if (figure.width) {
      // As high as the tree beside it, or in a row of its own.
      const height = figure.narrow ? 150 : trees.other.hidden ? 330 : 190;
      errors.frame(tree(), model.get("method"), { width: figure.room("errors"), height });
      front.frame(tree(), figure.room("sizes"));
      trees.layOut(figure);
      examples.resize(figure.width);
    }
    draw();
  };
  const dials = Object.fromEntries([...DIALS.map(({ name }) => name), "playing"].map((trait) => [trait, draw]));
  return liveFigure(host, {
    figure,
    draw: frame,
    handlers: {
      ...dials,
      sample() {
        // Rows flipped by hand are those of one sample.
        if (model.get("flips").length) change(model, { flips: [] });
        frame();
      },
    },
    resize: frame,
    status,
    play: controls.play,
    narrow: 800, // the heading of a tree of passengers needs more than half of less
  });
};
