// The controls: what chooses the run, and what walks through its calls.

import { functionChooser } from "../explorers/static/chooser.js";
import { SHARE_STEP } from "../explorers/static/constants.js";
import { buttonControl, gridControl, playControl, rangeControl, selectControl, transport } from "../explorers/static/controls.js";
import { calm, change, html, put, setter } from "../explorers/static/kit.js";
import { clamp, epsilonText } from "../explorers/static/text.js";
import { nextAgain } from "./kernel.js";

/** @import { Now, State } from "./state.js" */

// The views, as the trait names them, in the order of their tabs.
export const VIEWS = ["tree", "calls", "sample", "many samples", "guarantee"];
// What else can stand beside the tree, by another trait.
export const KEPT = "the tree kept";

// Half a minute at most, an unhurried pace for a short run.
/** @param {State} state */
const stepping = ({ model, now }) => {
  const wait = () => clamp(30000 / now().run.calls, 150, 1000);
  return playControl({
    model,
    wait,
    advance() {
      const { run, call } = now();
      const stride = Math.max(1, Math.ceil((run.calls * (calm() ? 1000 : wait())) / 30000));
      const next = Math.min(call + stride, run.calls - 1);
      return next < run.calls - 1 ? { call: next } : { call: next, playing: false };
    },
  });
};

// The sliders and buttons that walk through the calls of a run.
/** @param {State} state */
export const callControls = (state) => {
  const { now, goTo } = state;
  const calls = rangeControl({ name: "call", label: "Call", min: 0, max: 0, step: 1, onInput: goTo });
  const play = stepping(state);
  /** @type {(name: string, label: string, text: string, onClick: () => void) => ReturnType<typeof buttonControl>} */
  const button = (name, label, text, onClick) => buttonControl({ name, label, text, onClick });
  const back = button("back", "One call back", "‹", () => goTo(now().call - 1));
  const forward = button("forward", "One call forward", "›", () => goTo(now().call + 1));
  const again = button("again", "Next second try", "↻", () => goTo(nextAgain(now().run, now().call)));
  return {
    root: transport(play, back, calls, forward, again),
    play,
    /** @param {Now} shown */
    draw({ run, call }) {
      put(calls.input, "max", run.calls - 1);
      calls.value.style.minWidth = `${2 * String(run.calls).length + 4}ch`;
      calls.set(call, `${call} of ${run.calls - 1}`);
      back.input.disabled = call === 0;
      forward.input.disabled = call === run.calls - 1;
      again.input.disabled = !run.again.includes(1);
      play.draw();
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
    root: html("div", { class: "dtviz-views dtviz-target-room", "data-no-picture": "" }, ...(names.length ? [chooser.root] : []), alone),
    draw() {
      const known = model.get("target") !== "";
      put(chooser.root, "data-front", known);
      put(alone, "data-front", !known);
      if (known) chooser.draw();
    },
  };
};

// What is shown beside the tree, where there is room for it.
/** @param {State} state */
export const viewControl = ({ model }) => {
  const views = selectControl({
    ...{ name: "view", label: "Beside the tree", options: [...VIEWS.slice(1), KEPT] },
    onChange: (view) => change(model, view === KEPT ? { beside: "kept" } : { view, beside: "nothing" }),
  });
  views.root.classList.add("dtviz-view-field");
  put(views.root, "data-no-picture", "");
  return {
    root: views.root,
    draw() {
      const view = model.get("view");
      const beside = view === VIEWS[0] ? VIEWS[1] : view;
      views.input.value = model.get("beside") === "kept" ? KEPT : beside;
    },
  };
};

// What chooses the run; another({ trait: value }) hears it.
/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, more: HTMLElement, draw: (now: Now) => void }} */
export const makeControls = ({ model, grid }, another) => {
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
  const more = html("div", {}, epsilons.root, deltas.root);
  return {
    root: html("div", { class: "dtviz-controls dtviz-even" }, examples.root, bounds.root, more),
    more,
    draw({ k, m, highest, bound, epsilon, delta }) {
      put(bounds.input, "max", highest);
      examples.set(grid[k], String(m));
      bounds.set(bound, String(bound));
      epsilons.set(epsilon, epsilonText(epsilon));
      deltas.set(delta, epsilonText(delta));
    },
  };
};
