// The controls: what chooses the run, and what walks through its calls.

import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { SHARE_STEP } from "../explorers/static/computing/constants.js";
import { besideControl } from "../explorers/static/controls/beside.js";
import { gridControl, playControl, rangeControl, transport } from "../explorers/static/controls/controls.js";
import { change, put, setter } from "../explorers/static/hosting/kit.js";
import { epsilonText } from "../explorers/static/computing/text.js";
import { KEEPS } from "./state.js";

/**
 * @import { Part } from "../explorers/static/hosting/figure.js"
 * @import { Now, State } from "./state.js"
 */

// The views, as the trait names them, in the order of their tabs.
export const VIEWS = ["tree", "calls", "sample", "many samples", "guarantee"];
// What else can stand beside the tree, by another trait.
export const KEPT = "the tree kept";

/** @type {(model: State["model"]) => boolean} */
export const inCalls = (model) => model.get("view") === VIEWS[1];

// Half a minute at most: the calls, where these are in view, or else one sample after the other.
/** @param {State} state */
const stepping = ({ model, grid, now }) =>
  playControl({
    model,
    wait: () => 900,
    advance() {
      const { run, call, k } = now();
      if (!inCalls(model)) {
        const m = grid[Math.min(k + 1, grid.length - 1)];
        return { m, call: null, playing: k + 2 < grid.length };
      }
      const last = run.calls.length - 1;
      const next = Math.min(call + Math.ceil(run.calls.length / 33), last);
      return { call: next, playing: next < last };
    },
  });

// What labels the examples: a function offered, or the reader's own; or nothing, but for the rows.
/** @type {(model: State["model"], another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: () => void }} */
const targetControl = (model, another) => {
  // Another target forgets what was done to the sample of the old one.
  const chooser = new FunctionChooser({ model, trait: "target", label: "Target", also: { rows: [], flipped: [] }, set: another });
  put(chooser.root, "data-no-picture", "");
  return {
    root: chooser.root,
    draw() {
      chooser.root.hidden = model.get("target") === "";
      if (!chooser.root.hidden) chooser.draw();
    },
  };
};

// What is shown besides the tree, and the button that keeps the tree to compare.
/** @param {State["model"]} model */
const viewControl = (model) => {
  const isCompared = () => model.get("beside") === "kept";
  return besideControl({
    ...{ model, keeps: KEEPS, name: "view", label: "Besides the tree", words: { [VIEWS[0]]: "nothing" } },
    options: [...VIEWS, KEPT],
    readValue: () => (isCompared() ? KEPT : model.get("view")),
    onChange: (view) => change(model, view === KEPT ? { beside: "kept" } : { view, beside: "nothing" }),
  });
};

// What chooses the run, and plays it; another({ trait: value }) hears it.
/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { parts: Part[], play: ReturnType<typeof stepping>, walk: HTMLElement, draw: (now: Now) => void }} */
export const makeControls = (state, another) => {
  const { model, grid, goTo } = state;
  /** @type {(name: string, label: string) => ReturnType<typeof rangeControl>} */
  const share = (name, label) =>
    rangeControl({ name, label, min: SHARE_STEP, max: 0.5, step: SHARE_STEP, onInput: setter(model, name) });
  const examples = gridControl({ name: "m", label: "Examples, m", grid, onInput: (m) => another({ m }) });
  const bounds = rangeControl({
    ...{ name: "rank", label: "Rank bound, r", min: 0, max: 1, step: 1 },
    onInput: (rank) => another({ rank }),
  });
  const [epsilons, deltas] = [share("epsilon", "Error allowed, ε"), share("delta", "Failure allowed, δ")];
  const calls = rangeControl({ name: "call", label: "Call", min: 0, max: 0, step: 1, onInput: goTo });
  const [target, view, play] = [targetControl(model, another), viewControl(model), stepping(state)];
  const [sizes, walk] = [transport(examples, play), transport(calls)];
  return {
    parts: [
      { name: "m", root: sizes, first: true },
      { name: "target", root: target.root },
      { name: "rank", root: bounds.root },
      { name: "epsilon", root: epsilons.root },
      { name: "delta", root: deltas.root },
      { name: "view", root: view.root },
    ],
    ...{ play, walk },
    draw({ k, highest, bound, epsilon, delta, run, call }) {
      const all = run.calls.length;
      put(bounds.input, "max", highest);
      put(calls.input, "max", all - 1);
      calls.value.style.minWidth = `${2 * String(all).length + 4}ch`;
      calls.set(call, `${call + 1} of ${all}`);
      examples.set(grid[k], String(grid[k]));
      bounds.set(bound, String(bound));
      epsilons.set(epsilon, epsilonText(epsilon));
      deltas.set(delta, epsilonText(delta));
      target.draw();
      view.draw();
      // It plays what is in view.
      const row = inCalls(model) ? walk : sizes;
      if (play.root.parentElement !== row) row.prepend(play.root);
      play.draw();
    },
  };
};
