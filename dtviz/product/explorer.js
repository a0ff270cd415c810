// Chapter 3: biased bits. Slide p, and influences, tree, depths and bounds follow; then let a learner
// that only sees samples race the exact one.

import { statusLine } from "../explorers/static/controls/controls.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { change, explorers, html, keyText, say } from "../explorers/static/hosting/kit.js";
import { decimals } from "../explorers/static/computing/greedy.js";
import { ownSplits } from "../explorers/static/controls/own.js";
import { epsilonText, grouped } from "../explorers/static/computing/text.js";
import { biasRows, depthTable, sizeBars } from "./bars.js";
import { errorChart, raceChart, scoreChart } from "./charts.js";
import { makeControls } from "./controls.js";
import { FAILURE, pairsNeeded } from "./kernel_samples.js";
import { SWEEP, productState, toBias } from "./state.js";
import { movingText, reignsText, sweepChart } from "./sweep.js";
import { firstShown, productTrees, secondShown } from "./trees.js";
import { scoreVerdict, sizeVerdict, statusOf } from "./words.js";

/** @import { Now, State } from "./state.js" */

// Who wins the root while a bias moves.
/** @param {State} state */
const rootPart = (state) => {
  const sweep = sweepChart(SWEEP, (share) => state.setBias(toBias(share)));
  const note = html("p", { class: "dtviz-verdict dtviz-reigns" });
  return {
    root: html("div", {}, sweep.root, note),
    /** @type {(now: Now, width: number) => void} */
    draw(now, width) {
      const { p, path } = now;
      const [moving, swept] = [state.moving(), state.sweep(now)];
      const reigns = reignsText(swept, path.nameOf);
      say(note, reigns);
      const name = `p of ${movingText(moving, now)}`;
      const here = { t: p[moving[0]], influences: path.contest(0).scores, nameOf: path.nameOf };
      sweep.draw({ sweep: swept, axis: name, ...here, width, reigns });
    },
  };
};

// Depths, sizes and their bounds.
const boundsPart = () => {
  const [depths, sizes] = [depthTable(), sizeBars()];
  const verdict = html("p", { class: "dtviz-verdict" });
  return {
    root: html("div", { class: "dtviz-facts" }, depths.root, sizes.root, verdict),
    /** @param {Now} now */
    draw(now) {
      depths.draw(now);
      const remarks = [sizeVerdict(now, sizes.draw(now)), scoreVerdict(now)];
      say(verdict, remarks.filter(Boolean).join(" "));
    },
  };
};

// The learner from samples, for each number of draws.
/** @param {State} state */
const racePart = ({ model, budgets, runs }) => {
  const race = raceChart(budgets, (k) => change(model, { samples: budgets[k] }));
  const asked = html("span", {});
  const key = keyText(
    "Worst choice: the least true score of a split it made, as a share of the best score there was; " +
      "at 1 it follows the exact learner, up to ties. It uses the same draws at each step, and stops " +
      "when they show error ≤ ε. ",
    asked,
  );
  return {
    root: html("div", { class: "dtviz-raced" }, race.root, key),
    /** @type {(now: Now, width: number) => void} */
    draw(now, width) {
      const { f, epsilon } = now;
      const pairs = grouped(pairsNeeded(f.n, epsilon, FAILURE));
      const fresh = `for ${pairs} fresh pairs a variable before the first split (δ = ${FAILURE})`;
      say(asked, `The theory asks for a quarter, and ${epsilon > 0 ? fresh : "at ε = 0 promises nothing"}.`);
      race.draw({ runs: runs(now), chosen: budgets.indexOf(model.get("samples")), epsilon, width });
    },
  };
};

// The views besides the trees, by the value of `view` that shows them.
/** @type {Record<string, string[]>} */
const SHOWN = { exact: ["root", "error"], bounds: ["score", "bounds"], race: ["error", "race"] };

/** @param {State} state */
const makeViews = (state) => {
  const rows = biasRows(state.setOne);
  const [errors, scores] = [errorChart(state), scoreChart(state)];
  const [root, bounds, race] = [rootPart(state), boundsPart(), racePart(state)];
  const chosen = [
    { name: "root", root: root.root },
    { name: "error", root: errors.view.root },
    { name: "score", root: scores.view.root },
    { name: "bounds", root: bounds.root, broad: true },
    { name: "race", root: race.root, broad: true },
  ];
  return {
    parts: [{ name: "biases", root: rows.root }, ...chosen],
    // Those that the state asks for; where an author has chosen some, all of these.
    choose() {
      const { model } = state;
      for (const { name, root: one } of chosen) one.hidden = !model.get("views") && !SHOWN[model.get("view")].includes(name);
    },
    /** @type {(now: Now, run: import("./kernel_samples.js").SampledRun | null, figure: Figure) => void} */
    draw(now, run, figure) {
      const steps = Math.max(now.f.steps, now.path.steps, run?.path.steps ?? 0);
      rows.draw(now);
      for (const [name, { view }] of Object.entries({ error: errors, score: scores })) {
        Object.assign(view, { width: figure.room(name), height: 168 });
      }
      const draws = {
        root: () => root.draw(now, figure.room("root")),
        error: () => errors.draw(now, steps, run),
        score: () => scores.draw(now, steps),
        bounds: () => bounds.draw(now),
        race: () => race.draw(now, figure.room("race")),
      };
      for (const [name, draw] of Object.entries(draws)) if (figure.shows(name)) draw();
    },
  };
};

// What words of a page can follow.
/** @type {(now: Now) => Record<string, string>} */
const numbersOf = ({ path, stop, epsilon }) => ({
  root: stop ? path.test(0) : "nothing",
  leaves: grouped(stop + 1),
  error: decimals(path.errors[stop]),
  cost: decimals(path.costs[stop]),
  // The number of questions on average.
  depth: decimals(path.depths(stop).average),
  epsilon: epsilonText(epsilon),
});

explorers.product = ({ model, el, numbers }) => {
  const state = productState(model);
  const controls = makeControls(state);
  const { play } = controls;
  const [trees, views] = [productTrees(), makeViews(state)];
  const own = ownSplits(model, state.drawn);
  own.place(trees.first);
  const status = statusLine();
  const figure = new Figure({
    views: [
      { name: "tree", root: trees.first.root, first: true },
      { name: "beside", root: trees.beside, first: true },
      ...views.parts,
    ],
    controls: controls.parts,
    status,
    dock: trees.dock,
  });
  const draw = () => {
    if (!figure.width) return;
    const now = state.now();
    const run = state.isRace() ? state.runs(now)[state.budgets.indexOf(model.get("samples"))] : null;
    const other = state.beside(now);
    const one = firstShown(state, now, other, (node, variable) => trees.first.pick(own.ask(node, variable)));
    const two = secondShown(state, run, other);
    trees.draw(one, two);
    own.draw(state.isOwn());
    views.draw(now, run, figure);
    const room = (run ? 165 : state.isOwn() ? 220 : 150) + (model.get("biases").length ? 40 + 6 * now.f.n : 0) + (other ? 160 : 0);
    status.makeRoom(room, figure.width);
    status.say(statusOf(state, now, run, [one, two]));
    numbers?.(numbersOf(now));
    controls.draw(now);
  };
  const layOut = () => {
    views.choose();
    trees.beside.hidden = !state.isRace() && model.get("beside") === "nothing";
    figure.fit();
    const height = Math.min(76 + 62 * state.subject().n, figure.narrow ? 220 : 300);
    trees.first.resize(figure.room("tree"), height, figure.narrow);
    trees.second.resize(figure.room("beside"), height, figure.narrow);
    draw();
  };
  const beat = () => {
    draw();
    play.beat();
  };
  const handlers = {
    ...{ function: layOut, view: layOut, beside: layOut, bias: beat },
    epsilon() {
      if (model.get("splits") !== null) change(model, { splits: null });
      draw();
    },
    playing() {
      if (model.get("playing") && state.bias() > 0.98) state.setBias(0.02);
      beat();
    },
  };
  return liveFigure({ model, el }, { figure, draw, handlers, resize: layOut, status, play });
};
