// Chapter 3: biased bits. Slide p, and influences, tree, depths and bounds follow; then let a learner
// that only sees samples race the exact one.

import { SHARE_STEP, SCORE_TIE } from "../explorers/static/constants.js";
import {
  buttonControl,
  gridControl,
  rangeControl,
  selectControl,
  statusLine,
  transport,
} from "../explorers/static/controls.js";
import { change, explorers, html, keyText, live, say, setter } from "../explorers/static/kit.js";
import { epsilonSlider } from "../explorers/static/level.js";
import { count, epsilonText, grouped, raised } from "../explorers/static/text.js";
import { biasRows, biasText, depthTable, sizeBars } from "./bars.js";
import { errorChart, scoreChart } from "./charts.js";
import { decimals, rootInfluences } from "./kernel.js";
import { scoreFloor } from "./kernel_depths.js";
import { pairsNeeded } from "./kernel_samples.js";
import { raceChart } from "./race.js";
import { productState, toBias } from "./state.js";
import { reignsText, sweepChart } from "./sweep.js";
import { grownTree } from "./trees.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Averages } from "./kernel_depths.js"
 * @import { Now, Rival, State } from "./state.js"
 *
 * @typedef {{ all: number, trees: number, charts: number }} Widths
 * @typedef {{ setAll: (bias: number) => void, setOne: (i: number, bias: number) => void }} Setters
 */

const PANEL = { chart: 190, gap: 28 };

/** @type {(state: State, setAll: (bias: number) => void) => { root: HTMLElement, racing: HTMLElement, draw: (now: Now) => void }} */
const makeControls = ({ model, names, budgets, ownBiases }, setAll) => {
  /** @type {(name: string, label: string, options: string[]) => ReturnType<typeof selectControl>} */
  const select = (name, label, options) => selectControl({ name, label, options, onChange: setter(model, name) });
  const which = select("function", "Function", names);
  const views = select("view", "View", ["exact", "race"]);
  const ends = { min: SHARE_STEP, max: 1 - SHARE_STEP, step: SHARE_STEP };
  const common = rangeControl({ name: "bias", label: "Bias of all, p", ...ends, onInput: setAll });
  const epsilons = epsilonSlider(model);
  const samples = gridControl({ name: "samples", label: "Draws", grid: budgets, onInput: setter(model, "samples") });
  const again = buttonControl({
    name: "seed",
    label: "Draw again",
    text: "Draw again",
    onClick: () => change(model, { seed: (model.get("seed") + 1) % 1000 }),
  });
  const racing = transport(samples, again);
  const fields = [which, views, common, epsilons].map(({ root }) => root);
  return {
    root: html("div", { class: "dtviz-controls dtviz-even" }, ...fields, racing),
    racing,
    draw({ epsilon }) {
      which.input.value = model.get("function");
      views.input.value = model.get("view");
      common.set(model.get("bias"), ownBiases() ? "mixed" : biasText(model.get("bias")));
      epsilons.set(epsilon, epsilonText(epsilon));
      samples.set(model.get("samples"), grouped(model.get("samples")));
    },
  };
};

// --- what is always shown: biases, who wins the root, trees and their errors -------------------

/** @type {(state: State, setters: Setters) => { roots: HTMLElement[], draw: (now: Now, width: number) => void }} */
const rootPart = (state, { setAll, setOne }) => {
  const rows = biasRows({ onBias: setOne });
  const grid = state.model.get("_sweep");
  const sweep = sweepChart({
    grid,
    onPick(t) {
      const axis = state.axis();
      if (axis === null) setAll(toBias(t));
      else setOne(axis, toBias(t));
    },
  });
  const note = html("p", { class: "dtviz-verdict dtviz-reigns" });
  say(sweep.title, "Influence");
  return {
    roots: [rows.root, html("div", {}, sweep.root, note)],
    draw(now, width) {
      const { f, p, truth, facts } = now;
      rows.show(f.n);
      rows.draw(p, state.memo("influences", facts, () => rootInfluences(truth.pairs, f.n)));
      const { axis, key, sweep: swept } = state.sweep(now);
      const told = reignsText(swept);
      const name = axis === null ? "p of all variables" : `p of x${axis}`;
      say(note, told);
      say(sweep.note, `while ${name} moves`);
      sweep.draw({ sweep: swept, key, axis: name, n: f.n, t: p[axis ?? 0], width, told });
    },
  };
};

const KEY_OF_TREES =
  "Left branch: 0, right branch: 1. A box is a leaf with its label, paler the more mixed it is; below " +
  "it stands its score. Green: split next. A triangle folds a subtree: leaves, error; click to look inside.";

const treePart = () => {
  const exact = grownTree("Decision tree", false);
  const sampled = grownTree("Decision tree from samples", true);
  const key = keyText(KEY_OF_TREES);
  return {
    root: html("div", { class: "dtviz-panel" }, exact.view.root, sampled.view.root, key),
    /** @type {(width: number, n: number) => void} */
    resize(width, n) {
      const height = Math.min(76 + 62 * n, 340);
      for (const { view } of [exact, sampled]) {
        view.resize(width, height);
        // Smaller trees leave room: what is below them stays where it is.
        view.nodes.stage.style.minHeight = `${height}px`;
      }
    },
    /** @type {(now: Now, run: Rival | null) => void} */
    draw({ path, stop }, run) {
      sampled.view.root.hidden = !run;
      exact.draw(path, stop);
      say(exact.view.title, `${run ? "Exact tree" : "Tree"}: ${count(stop + 1, "leaf", "leaves")}`);
      if (!run) return;
      sampled.draw(run.path, run.stop);
      const size = count(run.stop + 1, "leaf", "leaves");
      say(sampled.view.title, `From ${count(run.draws, "draw")}: ${size}`);
    },
  };
};

// --- the exact view: depths, bounds on size and on scores --------------------------------------

// What the bounds on the size say here.
/** @type {(now: Now, bounds: number[]) => string} */
const sizeVerdict = ({ f, epsilon }, bounds) => {
  if (f.depth === 0) return "f is constant: there is nothing to learn.";
  if (epsilon === 0) return "At ε = 0 the bounds promise nothing.";
  if (Math.min(...bounds.slice(0, 3)) < f.n) return "";
  const enough = `2${raised(f.n)} leaves always suffice`;
  return `Vacuous here: ${enough}, and the three bounds that hold allow more.`;
};

// Where the score bound with the average depth of f first fails, if it does.
/** @type {(now: Now, averages: Averages) => string} */
const scoreVerdict = ({ f, path }, { at, least, most }) => {
  const below = path.split.findIndex(
    (_, j) => path.scores[j] < scoreFloor(path.errors, j, least) * (1 - SCORE_TIE),
  );
  if (below < 0) return f.depth > 0 ? "The score bound by Δ(f) happens to hold here; elsewhere it fails." : "";
  const when = below ? `after ${count(below, "split")}` : "before the first split";
  return (
    `The score bound by Δ(f) fails ${when}: where ${at}, f needs ${decimals(most, 3)} questions ` +
    `on average, f itself ${decimals(least, 3)}.`
  );
};

/** @param {State} state */
const exactPart = (state) => {
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
  say(race.title, "The sampled learner");
  const asked = html("span", {});
  const key = keyText(
    "Worst choice: the least true score of a split it made, as a share of the best score there was; " +
      "at 1 it follows the exact learner, up to ties. It uses the same draws at each step, and stops " +
      "when they show error ≤ ε. ",
    asked,
  );
  const failure = model.get("_failure");
  return {
    root: html("div", {}, race.root, key),
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

/** @type {(state: State, now: Now, run: Rival | null) => string} */
const words = (state, now, run) => {
  const { f, p, path, epsilon, stop } = now;
  const bias = state.ownBiases() ? `(${p.map(biasText).join(", ")})` : biasText(p[0] ?? state.model.get("bias"));
  const about = `p = ${bias}, epsilon ${epsilonText(epsilon)}`;
  const exact = `${count(stop + 1, "leaf", "leaves")}, error ${decimals(path.errors[stop], 3)}`;
  if (run) {
    const made = `${count(run.stop + 1, "leaf", "leaves")}, true error ${decimals(run.error, 3)}`;
    const splits = run.stop ? `, ${run.good} of ${count(run.stop, "split")} a best choice` : "";
    return `${about}, ${count(run.draws, "draw")}: sampled ${made}${splits}; exact ${exact}`;
  }
  const root = path.best[0] < 0 ? "constant" : `root x${path.best[0]}`;
  return (
    `${about}: ${root}, ${exact}, cost ${decimals(path.costs[stop], 2)}; ` +
    `D ${f.depth}, Δ ${decimals(state.averages(now).least, 2)}`
  );
};

/** @type {(state: State, setters: Setters) => { root: HTMLElement, resize: (widths: Widths, n: number) => void, draw: (now: Now, run: Rival | null, widths: Widths) => void }} */
const makePictures = (state, setters) => {
  const root = rootPart(state, setters);
  const trees = treePart();
  const errors = errorChart(state);
  const exact = exactPart(state);
  const race = racePart(state);
  const charts = html("div", { class: "dtviz-side-charts" }, errors.view.root, exact.scores.view.root, race.root);
  return {
    root: html("div", { class: "dtviz-product" }, ...root.roots, trees.root, charts, exact.root),
    resize(widths, n) {
      trees.resize(widths.trees, n);
      for (const { view } of [errors, exact.scores]) {
        Object.assign(view, { width: widths.charts, height: PANEL.chart });
      }
    },
    draw(now, run, widths) {
      for (const part of [exact.scores.view.root, exact.root]) part.hidden = Boolean(run);
      race.root.hidden = !run;
      root.draw(now, widths.charts);
      trees.draw(now, run);
      const steps = Math.max(now.f.steps, now.path.steps, run?.path.steps ?? 0);
      state.memo("frame", [now.f, steps, widths], () => {
        errors.frame(steps);
        exact.scores.frame(steps);
      });
      errors.draw(now, run);
      if (run) race.draw(now, widths.charts);
      else exact.draw(now);
    },
  };
};

/** @type {(width: number, kind: Kind) => Widths} */
const columns = (width, kind) => {
  const { gap } = PANEL;
  const shares = { wide: Math.floor((width - gap) * 0.4), medium: Math.floor((width - gap) / 2), narrow: width };
  return { all: width, trees: kind === "wide" ? width - shares.wide - gap : width, charts: shares[kind] };
};

// The room that the longest status of a mode takes, in letters.
/** @type {(state: State, n: number) => number} */
const longestStatus = (state, n) => (state.isRace() ? 136 : 86) + (state.ownBiases() ? 6 * n : 0);

explorers.product = ({ model, el }) => {
  const state = productState(model);
  // Two traits that move together are drawn once.
  let held = false;
  /** @param {Record<string, unknown>} changes */
  const together = (changes) => {
    held = true;
    change(model, changes);
    held = false;
    draw();
  };
  /** @type {Setters} */
  const setters = {
    setAll: (bias) => together({ bias, biases: [] }),
    setOne(i, bias) {
      const p = [...state.now().p];
      p[i] = bias;
      together({ biases: [...p, ...model.get("biases").slice(p.length)] });
    },
  };
  const controls = makeControls(state, setters.setAll);
  const pictures = makePictures(state, setters);
  const status = statusLine();
  const view = html("div", { class: "dtviz-view" }, controls.root, status.root, pictures.root);

  /** @type {Widths | null} */
  let widths = null;
  const draw = () => {
    if (!widths || held) return;
    const now = state.now();
    const run = state.rival(now);
    controls.racing.hidden = !run;
    pictures.draw(now, run, widths);
    status.makeRoom(longestStatus(state, now.f.n), widths.all);
    status.say(words(state, now, run));
    controls.draw(now);
  };
  const layOut = () => {
    if (!widths) return;
    pictures.resize(widths, state.subject().n);
    draw();
  };
  const traits = ["bias", "epsilon", "view", "samples", "seed"].map((trait) => [trait, draw]);
  const handlers = {
    ...Object.fromEntries(traits),
    function: layOut,
    biases() {
      state.noteMoved();
      draw();
    },
  };
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    widths = columns(width, kind);
    layOut();
  };
  return live({ model, el }, { view, handlers, resize, status, narrow: 660 });
};
