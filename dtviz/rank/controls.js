// The controls: what chooses the run, and what walks through its calls.

import { functionChooser } from "../explorers/static/chooser.js";
import { SHARE_STEP } from "../explorers/static/constants.js";
import { keepButton } from "../explorers/static/beside.js";
import { buttonControl, gridControl, playControl, rangeControl, selectControl, transport } from "../explorers/static/controls.js";
import { calm, change, html, put, setter } from "../explorers/static/kit.js";
import { clamp, epsilonText } from "../explorers/static/text.js";
import { KEEPS } from "./kept.js";
import { nextAgain } from "./kernel.js";

/**
 * @import { Part } from "../explorers/static/figure.js"
 * @import { Now, State } from "./state.js"
 */

// The views, as the trait names them, in the order of their tabs.
export const VIEWS = ["tree", "calls", "sample", "many samples", "guarantee"];
// What else can stand beside the tree, by another trait.
export const KEPT = "the tree kept";

// Half a minute at most, an unhurried pace for a short run: the calls, where these are in view, or else
// one sample after the other.
/** @param {State} state */
const stepping = ({ model, grid, now }) => {
  const pace = () => clamp(30000 / now().run.calls, 150, 1000);
  return playControl({
    model,
    wait: () => (inCalls(model) ? pace() : 900),
    advance() {
      const { run, call, k } = now();
      if (!inCalls(model)) return { m: grid[Math.min(k + 1, grid.length - 1)], call: null, playing: k + 2 < grid.length };
      const stride = Math.max(1, Math.ceil((run.calls * (calm() ? 1000 : pace())) / 30000));
      const next = Math.min(call + stride, run.calls - 1);
      return next < run.calls - 1 ? { call: next } : { call: next, playing: false };
    },
  });
};

/** @type {(model: State["model"]) => boolean} */
export const inCalls = (model) => model.get("view") === VIEWS[1];

// The slider and the button that walk through the calls of a run.
/** @param {State} state */
export const callControls = (state) => {
  const { now, goTo } = state;
  const calls = rangeControl({ name: "call", label: "Call", min: 0, max: 0, step: 1, onInput: goTo });
  const onClick = () => goTo(nextAgain(now().run, now().call));
  const again = buttonControl({ name: "again", label: "Next second try", text: "↻", onClick });
  return {
    root: transport(calls, again),
    /** @param {Now} shown */
    draw({ run, call }) {
      put(calls.input, "max", run.calls - 1);
      calls.value.style.minWidth = `${2 * String(run.calls).length + 4}ch`;
      calls.set(call, `${call} of ${run.calls - 1}`);
      again.input.disabled = !run.again.includes(1);
    },
  };
};

// What labels the examples: a function offered, or the reader's own; or nothing, but for the rows.
/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: () => void }} */
export const targetControl = ({ model, names }, another) => {
  const alone = html("div", { class: "dtviz-alone" }, "Your rows are all that is known: there is no target. ");
  if (names.length) {
    const text = `Learn ${names[0]} instead`;
    alone.append(buttonControl({ name: "instead", label: text, text, onClick: () => another({ rows: [], target: names[0] }) }).root);
  }
  /** @type {Record<string, unknown>} */
  let chosen = {};
  // Another target forgets what was done to the sample of the old one.
  const chooser = functionChooser({
    model: {
      ...model,
      get: (name) => model.get(name),
      on: (event, handler) => model.on(event, handler),
      set(name, value) {
        chosen = { [name]: value };
      },
      save_changes: () => another({ ...chosen, rows: [], flipped: [] }),
    },
    ...{ trait: "target", label: "Target" },
  });
  return {
    root: html("div", { class: "dtviz-target-room", "data-no-picture": "" }, ...(names.length ? [chooser.root] : []), alone),
    draw() {
      const known = model.get("target") !== "";
      put(chooser.root, "data-front", known);
      put(alone, "data-front", !known);
      if (known) chooser.draw();
    },
  };
};

// What is shown besides the tree, and the button that keeps the tree to compare.
/** @param {State} state */
export const viewControl = ({ model }) => {
  const views = selectControl({
    ...{ name: "view", label: "Besides the tree", options: [...VIEWS, KEPT] },
    onChange: (view) => change(model, view === KEPT ? { beside: "kept" } : { view, beside: "nothing" }),
  });
  views.input.options[0].textContent = "nothing";
  const keep = keepButton({ model, keeps: KEEPS });
  return {
    root: html("div", { class: "dtviz-beside-controls", "data-no-picture": "" }, views.root, keep.root),
    draw() {
      views.input.value = model.get("beside") === "kept" ? KEPT : model.get("view");
    },
  };
};

// What chooses the run, and plays it; another({ trait: value }) hears it.
/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { parts: Part[], play: ReturnType<typeof stepping>, walk: ReturnType<typeof callControls>, draw: (now: Now) => void }} */
export const makeControls = (state, another) => {
  const { model, grid } = state;
  /** @type {(name: string, label: string) => ReturnType<typeof rangeControl>} */
  const share = (name, label) =>
    rangeControl({ name, label, min: SHARE_STEP, max: 0.5, step: SHARE_STEP, onInput: setter(model, name) });
  const examples = gridControl({ name: "m", label: "Examples, m", grid, onInput: (m) => another({ m }) });
  const bounds = rangeControl({
    ...{ name: "rank", label: "Rank bound, r", min: 0, max: 1, step: 1 },
    onInput: (rank) => another({ rank }),
  });
  const epsilons = share("epsilon", "Error allowed, ε");
  const deltas = share("delta", "Failure allowed, δ");
  const [target, view] = [targetControl(state, another), viewControl(state)];
  const [walk, play] = [callControls(state), stepping(state)];
  const sizes = transport(play, examples);
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
    draw(now) {
      const { k, m, highest, bound, epsilon, delta } = now;
      put(bounds.input, "max", highest);
      examples.set(grid[k], String(m));
      bounds.set(bound, String(bound));
      epsilons.set(epsilon, epsilonText(epsilon));
      deltas.set(delta, epsilonText(delta));
      target.draw();
      view.draw();
      walk.draw(now);
      // It plays what is in view.
      const row = inCalls(model) ? walk.root : sizes;
      if (play.root.parentElement !== row) row.prepend(play.root);
      play.draw();
    },
  };
};
