// The atlas: type or click a function, see its card, its place among all, and its trees; or choose an extreme one.

import { differenceText } from "../explorers/static/controls/beside.js";
import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { statusLine } from "../explorers/static/controls/controls.js";
import { explorers, html, live, put } from "../explorers/static/hosting/kit.js";
import { nextFrame } from "../explorers/static/hosting/later.js";
import { count } from "../explorers/static/computing/text.js";
import { influenceTrees, wholeShown } from "../influence/trees.js";
import { extremesView } from "./extremes.js";
import { numbersView, rangeText } from "./numbers.js";
import { PlaceMap } from "./place.js";
import { cardState } from "./state.js";

/** @import { Kind } from "../explorers/static/hosting/kit.js" */

explorers.atlas = ({ model, el }) => {
  const state = cardState(model);
  const which = new FunctionChooser({ model, trait: "function", label: "Function" });
  put(which.root, "data-no-picture", "");
  const numbers = numbersView(state);
  const place = new PlaceMap(state);
  const { draw: drawTrees, first, second, dock } = influenceTrees();
  const extremes = extremesView(state);
  const [status, later] = [statusLine(), nextFrame(() => fill())];
  const card = html("div", { class: "dtviz-pictures" }, numbers.root, place.root);
  const pair = html("div", { class: "dtviz-pictures" }, first.root, second.root);
  const view = html("div", { class: "dtviz-view dtviz-atlas" }, pair, status.root, dock, which.root, card, extremes.root);
  const shown = () => {
    const { greedy, smallest } = state.now().known;
    return { greedy: wholeShown(greedy, "greedy tree"), best: wholeShown(smallest ?? greedy, "smallest tree") };
  };
  const answer = () => {
    const now = state.now();
    const { greedy, best } = shown();
    const { least, ties } = now.measures;
    which.draw();
    numbers.draw(now);
    const leaves = count(least.leaves, "leaf", "leaves");
    status.say(`The smallest tree has ${leaves}, the greedy one ${rangeText(ties)}; the rank is ${least.rank}. ${differenceText(greedy, best)}`);
  };
  const fill = () => {
    place.draw(state.now());
    const { greedy, best } = shown();
    drawTrees(greedy, best);
    answer();
    extremes.draw(state.now());
  };
  let sized = false;
  // First what answers, then a frame later what takes time.
  const draw = () => {
    if (!sized) return;
    answer();
    later.draw();
  };
  // All at once: a page that loads in parts would move under its reader.
  /** @type {(width: number, kind: Kind) => void} */
  const resize = (width, kind) => {
    sized = width > 0;
    for (const row of [pair, card]) put(row, "data-columns", kind === "narrow" ? 1 : 2);
    const half = kind === "narrow" ? width : Math.floor((width - 28) / 2);
    for (const tree of [first, second]) tree.resize(half, kind === "narrow" ? 220 : 280);
    later.stop();
    fill();
  };
  const stop = () => {
    status.stop();
    later.stop();
  };
  return live({ model, el }, { view, handlers: { function: draw, chart: draw, extreme: draw }, resize, status: { stop } });
};
