// Chapter 3: biased bits. Slide p, and influences, tree, depths and bounds follow; then let a learner
// that only sees samples race the exact one.

import { statusLine } from "../explorers/static/controls.js";
import { change, explorers, html, keyText, live, say } from "../explorers/static/kit.js";
import { panesView } from "../explorers/static/panes.js";
import { grouped } from "../explorers/static/text.js";
import { biasRows, depthTable, sizeBars } from "./bars.js";
import { errorChart, scoreChart } from "./charts.js";
import { makeControls } from "./controls.js";
import { rootInfluences } from "./kernel.js";
import { pairsNeeded } from "./kernel_samples.js";
import { nextFrame } from "../explorers/static/later.js";
import { raceChart } from "./race.js";
import { productState, toBias } from "./state.js";
import { reignsText, sweepChart } from "./sweep.js";
import { treesPart } from "./trees.js";
import { scoreVerdict, sizeVerdict, words } from "./words.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Pane } from "../explorers/static/panes.js"
 * @import { Setters } from "./controls.js"
 * @import { Later } from "../explorers/static/later.js"
 * @import { Now, Other, Rival, State } from "./state.js"
 *
 * @typedef {{ all: number, left: number, right: number }} Widths
 */

const CHART_HEIGHT = 168;
const GAP = 28;

// --- what is always shown: biases, who wins the root, trees and their errors -------------------

/** @type {(state: State, setters: Setters, later: Later) => { rows: HTMLElement, sweep: HTMLElement, draw: (now: Now, width: number) => void }} */
const rootPart = (state, { setAll, setOne, setEach }, later) => {
  const rows = biasRows({ onBias: setOne, onType: setEach });
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
  const root = html("div", {}, sweep.root, note);
  say(sweep.title, "Influence");
  /** @type {(now: Now, width: number) => void} */
  const drawSweep = (now, width) => {
    const { axis, key, sweep: swept } = state.sweep(now);
    const reigns = reignsText(swept, now.path.nameOf);
    const name = axis === null ? "p of all variables" : `p of ${now.path.nameOf(axis)}`;
    say(note, reigns);
    say(sweep.note, `while ${name} moves`);
    sweep.draw({ sweep: swept, key, axis: name, n: now.f.n, nameOf: now.path.nameOf, t: now.p[axis ?? 0], width, reigns });
  };
  return {
    rows: rows.root,
    sweep: root,
    draw(now, width) {
      const { f, p, truth, facts } = now;
      rows.show(f.n, f.names ?? []);
      rows.draw(p, state.memo("influences", facts, () => rootInfluences(truth.pairs, f.n)));
      if (root.hidden) return;
      if (sweep.shows(state.sweepKey(now), width)) drawSweep(now, width);
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

/** @type {(state: State, setters: Setters, later: Later) => { root: HTMLElement, panes: Pane[], resize: (widths: Widths, n: number) => void, draw: (now: Now, run: Rival | null, other: Other | null, widths: Widths) => void }} */
const makePictures = (state, setters, later) => {
  const root = rootPart(state, setters, later);
  const trees = treesPart(state, later);
  const errors = errorChart(state);
  const bounds = boundsPart(state);
  const sampled = racePart(state);
  const scores = bounds.scores.view;
  const left = html("div", { class: "dtviz-column" }, trees.root, errors.view.root, scores.root);
  const right = html("div", { class: "dtviz-column" }, root.rows, root.sweep, bounds.root, sampled.root);
  return {
    root: html("div", { class: "dtviz-product" }, left, right),
    panes: [
      { label: "Tree", root: trees.root },
      { label: "Biases", root: root.rows },
      { label: "Root", root: root.sweep },
      { label: "Error", root: errors.view.root },
      { label: "Score", root: scores.root },
      { label: "Bounds", root: bounds.root },
      { label: "Race", root: sampled.root },
    ],
    resize(widths, n) {
      trees.resize(widths.left, n);
      // Below two trees there would be a column of its own length.
      const race = state.isRace();
      if (race) sampled.root.before(errors.view.root);
      else scores.root.before(errors.view.root);
      Object.assign(errors.view, { width: race ? widths.right : widths.left, height: CHART_HEIGHT });
      Object.assign(scores, { width: widths.left, height: CHART_HEIGHT });
    },
    draw(now, run, other, widths) {
      const view = state.model.get("view");
      errors.view.root.hidden = view === "bounds";
      root.sweep.hidden = view !== "exact";
      for (const part of [scores.root, bounds.root]) part.hidden = view !== "bounds";
      sampled.root.hidden = !run;
      root.draw(now, widths.right);
      trees.draw(now, run, other);
      const steps = Math.max(now.f.steps, now.path.steps, run?.path.steps ?? 0);
      state.memo("frame", [now.f, steps, widths, view], () => {
        errors.frame(steps);
        bounds.scores.frame(steps);
      });
      if (view === "bounds") bounds.draw(now);
      else if (!run) errors.draw(now, run);
      else {
        later.draw("race", () => {
          errors.draw(now, run);
          sampled.draw(now, widths.right);
        });
      }
    },
  };
};

/** @type {(width: number, kind: Kind) => Widths} */
const columns = (width, kind) => {
  if (kind === "narrow") return { all: width, left: width, right: width };
  const left = Math.floor((width - GAP) * (kind === "wide" ? 0.6 : 0.56));
  return { all: width, left, right: width - GAP - left };
};

// The room that the longest status of a mode takes, in letters.
/** @type {(state: State, n: number) => number} */
const longestStatus = (state, n) => (state.isRace() ? 136 : 86) + (state.ownBiases() ? 6 * n : 0);

/** @type {(state: State, draw: () => void) => { held: () => boolean, setters: Setters }} */
const makeSetters = (state, draw) => {
  // Two traits that move together are drawn once.
  let held = false;
  /** @param {Record<string, unknown>} changes */
  const together = (changes) => {
    held = true;
    change(state.model, changes);
    held = false;
    draw();
  };
  return {
    held: () => held,
    setters: {
      setAll: (bias) => together({ bias, biases: [] }),
      setEach: (biases) => together(biases.length > 1 || state.subject().n === 1 ? { biases } : { bias: biases[0], biases: [] }),
      setOne(i, bias) {
        const p = [...state.now().p];
        p[i] = bias;
        together({ biases: [...p, ...state.model.get("biases").slice(p.length)] });
      },
    },
  };
};

explorers.product = ({ model, el }) => {
  const state = productState(model);
  const { held, setters } = makeSetters(state, () => draw());
  const controls = makeControls(state, setters);
  const later = nextFrame();
  const pictures = makePictures(state, setters, later);
  const status = statusLine();
  const panes = panesView({ panes: pictures.panes, head: [controls.dials, status.root], stack: pictures.root });
  const view = html("div", { class: "dtviz-view" }, controls.choices, panes.head, pictures.root);

  /** @type {Widths | null} */
  let widths = null;
  const draw = () => {
    if (!widths || held()) return;
    later.forget();
    const now = state.now();
    const run = state.rival(now);
    const other = state.beside(now);
    pictures.draw(now, run, other, widths);
    panes.draw();
    // The status is smaller where it stays in sight.
    status.makeRoom(longestStatus(state, now.f.n) * (panes.narrow ? 0.86 : 1), widths.all);
    status.say(words(state, now, run, other));
    controls.draw(now);
  };
  const layOut = () => {
    if (!widths) return;
    pictures.resize(widths, state.subject().n);
    draw();
  };
  const traits = ["bias", "epsilon", "samples", "seed"].map((trait) => [trait, draw]);
  const handlers = {
    ...Object.fromEntries(traits),
    function: layOut,
    view: layOut,
    beside: layOut,
    kept: draw,
    biases() {
      state.noteMoved();
      draw();
    },
  };
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    widths = columns(width, kind);
    controls.resize(kind);
    panes.resize(kind);
    layOut();
  };
  const cleanUp = live({ model, el }, { view, handlers, resize, status, narrow: 660 });
  return () => {
    later.stop();
    cleanUp();
  };
};
