// The controls: what chooses the run, and what walks through its calls.

import { SHARE_STEP } from "../explorers/static/constants.js";
import { buttonControl, gridControl, playControl, rangeControl, selectControl, transport } from "../explorers/static/controls.js";
import { calm, change, html, put, setter } from "../explorers/static/kit.js";
import { clamp, epsilonText } from "../explorers/static/text.js";
import { nextAgain } from "./kernel.js";

/** @import { Now, State } from "./state.js" */

// The views, as the trait names them, in the order of their tabs.
export const VIEWS = ["tree", "calls", "sample", "many samples", "guarantee"];
const NO_TARGET = "none: the rows alone";

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

// What chooses the run; another({ trait: value }) hears it.
/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, more: HTMLElement, draw: (now: Now) => void }} */
export const makeControls = ({ model, grid, names }, another) => {
  /** @type {(name: string, label: string) => ReturnType<typeof rangeControl>} */
  const share = (name, label) =>
    rangeControl({ name, label, min: SHARE_STEP, max: 0.5, step: SHARE_STEP, onInput: setter(model, name) });
  const which = selectControl({
    ...{ name: "target", label: "Target", options: names },
    onChange: (target) => another({ target, ...(target ? { rows: [], flipped: [] } : {}) }),
  });
  const alone = html("option", { value: "" }, NO_TARGET);
  const views = selectControl({
    ...{ name: "view", label: "Beside the tree", options: VIEWS.slice(1) },
    onChange: (view) => change(model, { view }),
  });
  views.root.classList.add("dtviz-view-field");
  const examples = gridControl({ name: "m", label: "Examples, m", grid, onInput: (m) => another({ m }) });
  const bounds = rangeControl({
    ...{ name: "rank", label: "Rank bound, r", min: 0, max: 1, step: 1 },
    onInput: (rank) => another({ rank }),
  });
  const epsilons = share("epsilon", "Error allowed, ε");
  const deltas = share("delta", "Failure allowed, δ");
  const more = html("div", {}, epsilons.root, deltas.root);
  const fields = [which, views, examples, bounds].map(({ root }) => root);
  return {
    root: html("div", { class: "dtviz-controls dtviz-even" }, ...fields, more),
    more,
    draw({ rows, k, m, highest, bound, epsilon, delta }) {
      if (rows.length && !alone.isConnected) which.input.append(alone);
      else if (!rows.length) alone.remove();
      which.input.value = model.get("target");
      const view = model.get("view");
      views.input.value = view === VIEWS[0] ? VIEWS[1] : view;
      put(bounds.input, "max", highest);
      examples.set(grid[k], String(m));
      bounds.set(bound, String(bound));
      epsilons.set(epsilon, epsilonText(epsilon));
      deltas.set(delta, epsilonText(delta));
    },
  };
};
