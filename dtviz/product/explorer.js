// Chapter 3: biased bits. Slide p, and influences, tree, depths and bounds follow; then let a learner
// that only sees samples race the exact one.

import { statusLine } from "../explorers/static/controls.js";
import { figureView, liveFigure } from "../explorers/static/figure.js";
import { change, explorers, html, keyText, say } from "../explorers/static/kit.js";
import { grouped } from "../explorers/static/text.js";
import { biasRows, depthTable, sizeBars } from "./bars.js";
import { errorChart, scoreChart } from "./charts.js";
import { makeControls } from "./controls.js";
import { rootInfluences } from "./kernel.js";
import { pairsNeeded } from "./kernel_samples.js";
import { nextFrame } from "../explorers/static/later.js";
import { raceChart } from "./race.js";
import { productState, toBias } from "./state.js";
import { reignsText, SweepChart } from "./sweep.js";
import { treesPart } from "./trees.js";
import { scoreVerdict, sizeVerdict, words } from "./words.js";

/**
 * @import { Part, figureView as Make } from "../explorers/static/figure.js"
 * @import { Setters } from "./controls.js"
 * @import { Later } from "../explorers/static/later.js"
 * @import { Now, Other, Rival, State } from "./state.js"
 *
 * @typedef {ReturnType<typeof Make>} Figure
 */

const CHART_HEIGHT = 168;

// --- what is always shown: biases, who wins the root, trees and their errors -------------------

/** @type {(state: State, setters: Setters, later: Later) => { rows: HTMLElement, sweep: HTMLElement, draw: (now: Now, width: number) => void }} */
const rootPart = (state, { setAll, setOne }, later) => {
  const rows = biasRows(setOne);
  const grid = state.model.get("_sweep");
  const sweep = new SweepChart({
    grid,
    onPick(t) {
      const axis = state.axis();
      if (axis === null) setAll(toBias(t));
      else setOne(axis, toBias(t));
    },
  });
  const note = html("p", { class: "dtviz-verdict dtviz-reigns" });
  const root = html("div", {}, sweep.root, note);
  say(sweep.title, "Influence");
  /** @type {(now: Now, width: number) => void} */
  const drawSweep = (now, width) => {
    const { axis, sweep: swept } = state.sweep(now);
    const reigns = reignsText(swept, now.path.nameOf);
    const name = axis === null ? "p of all variables" : `p of ${now.path.nameOf(axis)}`;
    say(note, reigns);
    say(sweep.note, `while ${name} moves`);
    sweep.draw({ sweep: swept, axis: name, n: now.f.n, nameOf: now.path.nameOf, t: now.p[axis ?? 0], width, reigns });
  };
  return {
    rows: rows.root,
    sweep: root,
    draw(now, width) {
      const { f, p, truth, facts } = now;
      rows.show(f.n, f.names ?? []);
      rows.draw(p, state.memo("influences", facts, () => rootInfluences(truth.pairs, f.n)));
      if (root.hidden || !root.isConnected) return;
      if (sweep.shows(state.sweep(now).sweep, width)) drawSweep(now, width);
      // Other curves take their time.
      else later.draw("sweep", () => drawSweep(now, width));
    },
  };
};

// --- the bounds: depths, sizes, scores ----------------------------------------------------------

/** @param {State} state */
const boundsPart = (state) => {
  const scores = scoreChart(state);
  const depths = depthTable();
  const sizes = sizeBars();
  const verdict = html("p", { class: "dtviz-verdict" });
  return {
    scores,
    root: html("div", { class: "dtviz-facts" }, depths.root, sizes.root, verdict),
    /** @param {Now} now */
    draw(now) {
      const { f, path, stop, epsilon } = now;
      const averages = state.averages(now);
      depths.draw({ tree: path.depths(stop), depth: f.depth, averages });
      const bounds = sizes.draw({ leaves: stop + 1, n: f.n, depth: f.depth, averages, epsilon });
      scores.draw(now, averages);
      const remarks = [sizeVerdict(now, bounds), scoreVerdict(now, averages)];
      say(verdict, remarks.filter(Boolean).join(" "));
    },
  };
};

// --- the race ----------------------------------------------------------------------------------

/** @param {State} state */
const racePart = ({ model, budgets, runs }) => {
  const race = raceChart({ budgets, onPick: (k) => change(model, { samples: budgets[k] }) });
  const asked = html("span", {});
  const key = keyText(
    "Worst choice: the least true score of a split it made, as a share of the best score there was; " +
      "at 1 it follows the exact learner, up to ties. It uses the same draws at each step, and stops " +
      "when they show error ≤ ε. ",
    asked,
  );
  const failure = model.get("_failure");
  return {
    root: html("div", { class: "dtviz-raced" }, race.root, key),
    /** @type {(now: Now, width: number) => void} */
    draw(now, width) {
      const { f, epsilon } = now;
      const pairs = grouped(pairsNeeded(f.n, epsilon, failure));
      const fresh = `for ${pairs} fresh pairs a variable before the first split (δ = ${failure})`;
      say(asked, `The theory asks for a quarter, and ${epsilon > 0 ? fresh : "at ε = 0 promises nothing"}.`);
      race.draw({ runs: runs(now), chosen: budgets.indexOf(model.get("samples")), epsilon, width });
    },
  };
};

// --- the explorer ------------------------------------------------------------------------------

/** @type {(state: State, setters: Setters, later: Later) => { views: Part[], trees: ReturnType<typeof treesPart>, layOut: (figure: Figure) => void, draw: (figure: Figure, now: Now, run: Rival | null, other: Other | null) => void }} */
const makePictures = (state, setters, later) => {
  const { model } = state;
  const root = rootPart(state, setters, later);
  const trees = treesPart(state, later);
  const errors = errorChart(state);
  const bounds = boundsPart(state);
  const sampled = racePart(state);
  const scores = bounds.scores.view;
  /** @type {Record<string, HTMLElement>} */
  const byView = { root: root.sweep, error: errors.view.root, score: scores.root, bounds: bounds.root, race: sampled.root };
  /** @type {Record<string, string[]>} */
  const shown = { exact: ["root", "error"], bounds: ["score", "bounds"], race: ["error", "race"] };
  return {
    views: [
      { name: "tree", root: trees.root, first: true },
      { name: "beside", root: trees.beside, first: true },
      { name: "biases", root: root.rows },
      ...Object.entries(byView).map(([name, one]) => ({ name, root: one })),
    ],
    trees,
    // The views that the state asks for; where an author has chosen some, all of these.
    layOut(figure) {
      for (const [name, one] of Object.entries(byView)) one.hidden = !model.get("views") && !shown[model.get("view")].includes(name);
      trees.beside.hidden = !state.isRace() && model.get("beside") === "nothing";
      figure.fit();
      trees.resize(figure.room("tree"), figure.room("beside"), state.subject().n);
      Object.assign(errors.view, { width: figure.room("error"), height: CHART_HEIGHT });
      Object.assign(scores, { width: figure.room("score"), height: CHART_HEIGHT });
    },
    draw(figure, now, run, other) {
      trees.draw(now, run, other);
      root.draw(now, figure.room("root"));
      const steps = Math.max(now.f.steps, now.path.steps, run?.path.steps ?? 0);
      state.memo("frame", [now.f, steps, errors.view.width, scores.width], () => {
        errors.frame(steps);
        bounds.scores.frame(steps);
      });
      const charts = () => {
        if (figure.shows("error")) errors.draw(now, run);
        if (figure.shows("race")) sampled.draw(now, figure.room("race"));
      };
      if (run) later.draw("race", charts);
      else charts();
      if (figure.shows("bounds") || figure.shows("score")) bounds.draw(now);
    },
  };
};

/** @type {(state: State) => Setters} */
const makeSetters = ({ model, now, ownBiases }) => ({
  setAll: (bias) => change(model, ownBiases() ? { biases: [], bias } : { bias }),
  setOne(i, bias) {
    const p = [...now().p];
    p[i] = bias;
    change(model, { biases: [...p, ...model.get("biases").slice(p.length)] });
  },
});

explorers.product = ({ model, el }) => {
  const state = productState(model);
  const setters = makeSetters(state);
  const controls = makeControls(state, setters);
  const later = nextFrame();
  const pictures = makePictures(state, setters, later);
  const { trees } = pictures;
  const status = statusLine();
  const figure = figureView({ views: pictures.views, controls: controls.parts, status, dock: trees.dock });
  const draw = () => {
    if (!figure.width) return;
    later.forget();
    const now = state.now();
    const run = state.rival(now);
    const other = state.beside(now);
    pictures.draw(figure, now, run, other);
    const room = (state.isRace() ? 165 : 150) + (state.ownBiases() ? 6 * now.f.n : 0) + (other ? 160 : 0);
    status.makeRoom(room, figure.width);
    status.say(words(state, now, run, other, other ? trees.difference(now, other) : ""));
    controls.draw(now);
  };
  const layOut = () => {
    pictures.layOut(figure);
    draw();
  };
  const traits = ["epsilon", "samples", "seed", "kept"].map((trait) => [trait, draw]);
  const handlers = {
    ...Object.fromEntries(traits),
    function: layOut,
    view: layOut,
    beside: layOut,
    bias() {
      draw();
      controls.play.beat();
    },
    biases() {
      state.noteMoved();
      draw();
    },
    playing() {
      if (model.get("playing") && model.get("bias") > 0.98) setters.setAll(0.02);
      draw();
      controls.play.beat();
    },
  };
  const cleanUp = liveFigure({ model, el }, { figure, handlers, resize: layOut, status, play: controls.play });
  return () => {
    later.stop();
    cleanUp();
  };
};
