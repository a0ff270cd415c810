// Chapter 1: influence-greedy growth. Slide epsilon, and the tree BuildTopDownDT outputs follows; set
// the smallest tree beside it, or ask at a node what you want.

import { besideControl, besideText } from "../explorers/static/controls/beside.js";
import { keptText } from "../explorers/static/controls/kept.js";
import { playControl, statusLine, transport } from "../explorers/static/controls/controls.js";
import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { Figure, liveFigure } from "../explorers/static/hosting/figure.js";
import { decimals } from "../explorers/static/computing/greedy.js";
import { calm, change, explorers, html, put } from "../explorers/static/hosting/kit.js";
import { landscape } from "../explorers/static/controls/landscape.js";
import { epsilonSlider } from "../explorers/static/controls/level.js";
import { ownSplits, surplusText } from "../explorers/static/controls/own.js";
import { apart, clamp, count, epsilonText, grouped } from "../explorers/static/computing/text.js";
import { errorChart, factsLine, scoreChart } from "./charts.js";
import { pathState } from "./state.js";
import { firstShown, influenceTrees, secondShown } from "./trees.js";

/**
 * @import { Part } from "../explorers/static/hosting/figure.js"
 * @import { Shown } from "../explorers/static/drawing/pair.js"
 * @import { Drawn, State } from "./state.js"
 */

// About twenty seconds for a large tree, an unhurried pace for a small one.
/** @param {State} state */
const growing = ({ model, drawn, isOwn, complete }) => {
  const stride = () => Math.max(1, Math.ceil(drawn().stop / (calm() ? 20 : 200)));
  return playControl({
    model,
    wait: () => clamp(12000 / drawn().stop, 90, 900),
    advance() {
      const { step, stop } = drawn();
      const next = step + stride();
      if (isOwn()) {
        const all = complete();
        return { splits: all.slice(0, next), playing: next < all.length };
      }
      return next < stop ? { step: next } : { step: null, playing: false };
    },
  });
};

/** @param {State} state */
const makeControls = (state) => {
  const { model } = state;
  const play = growing(state);
  const slider = epsilonSlider(model);
  const land = landscape(slider, { text: epsilonText, onPick: (epsilon) => change(model, { epsilon }) });
  // Play stands beside epsilon where that is in sight.
  const [level, steps] = [transport(slider), html("div")];
  const beside = besideControl({ model, keeps: ["function", "epsilon", "step", "splits"] });
  const which = new FunctionChooser({ model, trait: "function", label: "Function", also: { splits: null } });
  const facts = factsLine();
  put(which.root, "data-no-picture", "");
  return {
    /** @type {Part[]} */
    parts: [
      { name: "epsilon", root: level, first: true },
      { name: "step", root: steps, first: true },
      { name: "function", root: html("div", { class: "dtviz-chosen-function" }, which.root, facts.root) },
      beside,
    ],
    play,
    /** @param {Figure} figure */
    place(figure) {
      const isBeside = figure.parts.controls.some((part) => part.root === level && figure.has(part));
      const row = isBeside ? level : steps;
      if (play.root.parentElement !== row) row.append(play.root);
    },
    /** @param {Drawn} drawn */
    draw({ known, step }) {
      const epsilon = model.get("epsilon");
      const text = epsilonText(epsilon);
      which.draw();
      facts.draw(known);
      slider.set(epsilon, text, `${text}, ${count(step + 1, "leaf", "leaves")}`);
      land.draw({ key: model.get("function"), band: null, size: (value) => known.greedy.stop(value) + 1 });
      play.draw();
      beside.draw();
    },
  };
};

// What the last split did.
/** @type {(drawn: Drawn) => string} */
const splitText = ({ path, step }) => {
  const { costs, errors, split, test, where } = path;
  if (!step) return `The tree is 1 leaf, which answers ${path.label(0)}: its error is ${decimals(errors[0])}, its cost ${decimals(costs[0])}.`;
  const node = split[step - 1];
  const place = node ? `where ${where(node)}` : "at the root";
  const [before, error] = apart(errors[step - 1], errors[step], 3, decimals);
  const errs = before === error ? `the error stays ${error}` : `the error falls from ${before} to ${error}`;
  const [from, to] = apart(costs[step - 1], costs[step], 3, decimals);
  return `This split asks ${test(node)} ${place}: ${errs}, the cost from ${from} to ${to}, with ${count(step + 1, "leaf", "leaves")}.`;
};

// How the reader's tree stands; splits that another function cannot make are left out.
/** @type {(state: State, drawn: Drawn) => string} */
const ownText = ({ model, made }, { known, path, step }) => {
  const { greedy } = known;
  const [leaves, complete] = [count(step + 1, "leaf", "leaves"), path.costs[step] === 0];
  const error = decimals(greedy.errors[Math.min(step, greedy.steps)]);
  const text = complete
    ? `Your tree is f, with ${leaves}; the greedy tree has ${greedy.steps + 1}.`
    : `Your tree: ${leaves}, error ${decimals(path.errors[step])}; with as many the greedy tree has error ${error}.`;
  const surplus = surplusText({ path, step }, known.surplus(path, step));
  const dropped = model.get("splits").length - made().length;
  return `${text}${surplus}${dropped ? ` ${count(dropped, "split")} left out: this function lacks the variable.` : ""}`;
};

// The tree on display in words, and what it is held against.
/** @type {(state: State, drawn: Drawn, one: Shown, other: Shown | null) => string} */
const statusOf = (state, drawn, one, other) => {
  const { model, isOwn } = state;
  const unknown = model.get("beside") === "best" ? " The smallest tree is not known above 12 variables." : keptText(model);
  const beside = other ? besideText(one, other) : unknown;
  if (isOwn()) return `${ownText(state, drawn)}${beside}`;
  const { path, step, stop } = drawn;
  const reached = path.errors[step] ? `at most ε = ${epsilonText(model.get("epsilon"))}` : "0";
  // Whoever sets the splits asked for no error.
  const isEnd = step >= stop && (model.get("step") === null || path.errors[step] === 0);
  const end = isEnd ? ` Growth stops: the error is ${reached}.` : "";
  return `${splitText(drawn)}${end}${beside}`;
};

// What traits change besides the picture.
/** @type {(state: State) => Record<string, () => void>} */
const handlersOf = ({ model, drawn, isOwn }) => ({
  epsilon() {
    if (model.get("step") !== null || isOwn()) change(model, { step: null, splits: null });
  },
  function: () => change(model, { step: null, playing: false }),
  playing() {
    const { path, step, stop } = drawn();
    // Greedy splits go on from the reader's.
    if (!model.get("playing") || (isOwn() ? path.costs[step] > 0 : step < stop)) return;
    change(model, { splits: null });
    // Nothing to grow at this epsilon: ask for no error, and watch the whole growth.
    if (drawn().stop === 0) change(model, { epsilon: 0 });
    // Played to the end already: start again from one leaf.
    change(model, { step: 0 });
  },
});

// What words of a page can follow.
/** @type {(state: State, drawn: Drawn) => Record<string, string>} */
const numbersOf = ({ model }, { known, path, step }) => ({
  leaves: grouped(step + 1),
  splits: grouped(step),
  error: decimals(path.errors[step]),
  cost: decimals(path.costs[step]),
  epsilon: epsilonText(model.get("epsilon")),
  // The leaves that every tree with these splits has more than the smallest one.
  surplus: String(known.surplus(path, step) ?? "unknown"),
  root: step ? path.test(0) : "nothing",
});

explorers.influence = ({ model, el, numbers }) => {
  const state = pathState(model);
  const controls = makeControls(state);
  const { play } = controls;
  const trees = influenceTrees();
  const own = ownSplits(model, state.drawn);
  own.place(trees.first);
  const [errors, scores] = [errorChart(state), scoreChart(state)];
  const status = statusLine();
  const figure = new Figure({
    views: [
      { name: "tree", root: trees.first.root, first: true },
      { name: "beside", root: trees.beside, first: true },
      { name: "error", root: errors.view.root },
      { name: "score", root: scores.view.root },
    ],
    controls: controls.parts,
    status,
    dock: trees.dock,
  });
  const draw = () => {
    const drawn = state.drawn();
    const one = firstShown(state, drawn, (node, variable) => trees.first.pick(own.ask(node, variable)));
    const other = secondShown(state);
    trees.draw(one, other);
    own.draw(state.isOwn());
    if (figure.shows("error")) errors.draw(drawn);
    if (figure.shows("score")) scores.draw(drawn);
    status.makeRoom(210 + (model.get("beside") === "nothing" ? 0 : 190), figure.width || 1000);
    status.say(statusOf(state, drawn, one, other));
    numbers?.(numbersOf(state, drawn));
    controls.draw(drawn);
  };
  const layOut = () => {
    const beside = model.get("beside");
    trees.beside.hidden = beside === "nothing" || (beside === "best" && state.now().size === null);
    controls.place(figure);
    figure.fit();
    // Hidden, nothing has a size.
    if (figure.width) {
      // On a phone the slider is to stay near both.
      const height = figure.narrow && !trees.beside.hidden ? 196 : 300;
      trees.first.resize(figure.room("tree"), height, figure.narrow);
      trees.second.resize(figure.room("beside"), height, figure.narrow);
      Object.assign(errors.view, { width: figure.room("error"), height: 190 });
      Object.assign(scores.view, { width: figure.room("score"), height: 190 });
    }
    draw();
  };
  const changes = handlersOf(state);
  const traits = ["epsilon", "step", "function", "splits", "beside", "playing"];
  const handlers = Object.fromEntries(traits.map((trait) => [trait, () => {
    changes[trait]?.();
    if (trait === "beside" || trait === "function") layOut();
    else draw();
    if (["step", "splits", "playing"].includes(trait)) play.beat();
  }]));
  return liveFigure({ model, el }, { figure, draw, handlers, resize: layOut, status, play });
};
