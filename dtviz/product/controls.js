// What is chosen above the pictures: function, view, the common bias, the error allowed, the draws.

import { besideControls } from "../explorers/static/beside.js";
import { functionChooser } from "../explorers/static/chooser.js";
import { SHARE_STEP } from "../explorers/static/constants.js";
import {
  buttonControl,
  gridControl,
  rangeControl,
  selectControl,
  transport,
} from "../explorers/static/controls.js";
import { change, html, put, setter } from "../explorers/static/kit.js";
import { epsilonSlider } from "../explorers/static/level.js";
import { epsilonText, grouped } from "../explorers/static/text.js";
import { biasText } from "./bars.js";

/**
 * @import { Kind } from "../explorers/static/kit.js"
 * @import { Now, State } from "./state.js"
 *
 * @typedef {{ setAll: (bias: number) => void, setOne: (i: number, bias: number) => void, setEach: (biases: number[]) => void }} Setters
 */

export const VIEWS = ["exact", "bounds", "race"];

// The slider of the common bias. On a narrow screen, where the others are out of sight, it can be
// that of any variable.
/** @type {(state: State, setters: Setters) => { root: HTMLElement, resize: (kind: Kind) => void, draw: (now: Now) => void }} */
const biasControl = ({ model, ownBiases }, { setAll, setOne }) => {
  let chosen = -1;
  let offered = "";
  /** @type {Now | null} */
  let shown = null;
  const ends = { min: SHARE_STEP, max: 1 - SHARE_STEP, step: SHARE_STEP };
  /** @param {number} value */
  const onInput = (value) => (chosen < 0 ? setAll(value) : setOne(chosen, value));
  const slider = rangeControl({ name: "bias", label: "Bias of all, p", ...ends, onInput });
  /** @param {string} value */
  const onChange = (value) => {
    chosen = Number(value);
    if (shown) draw(shown);
  };
  const which = selectControl({ name: "biases", label: "Bias of", options: [], onChange });
  put(which.input, "aria-label", "Whose bias the slider moves");
  const label = /** @type {HTMLElement} */ (slider.root.querySelector("label"));
  label.before(which.root);
  /** @type {(now: Now) => void} */
  const draw = (now) => {
    shown = now;
    const { p, path } = now;
    const names = ["all", ...p.map((_, i) => path.nameOf(i))];
    if (offered !== names.join()) {
      which.input.replaceChildren(...names.map((name, k) => html("option", { value: k - 1 }, name)));
    }
    offered = names.join();
    if (chosen >= p.length) chosen = -1;
    which.input.value = String(chosen);
    put(slider.input, "aria-label", chosen < 0 ? "Bias of all, p" : `Bias of ${path.nameOf(chosen)}, above the pictures`);
    if (chosen < 0) slider.set(model.get("bias"), ownBiases() ? "mixed" : biasText(model.get("bias")));
    else slider.set(p[chosen], biasText(p[chosen]));
  };
  return {
    root: slider.root,
    resize(kind) {
      const narrow = kind === "narrow";
      if (!narrow) chosen = -1;
      which.root.hidden = !narrow;
      label.hidden = narrow;
    },
    draw,
  };
};

/** @param {State} state @param {Setters} setters */
export const makeControls = (state, setters) => {
  const { model, budgets } = state;
  const which = functionChooser({ model, trait: "function", label: "Function" });
  const views = selectControl({ name: "view", label: "View", options: VIEWS, onChange: setter(model, "view") });
  const bias = biasControl(state, setters);
  const epsilons = epsilonSlider(model);
  const samples = gridControl({ name: "samples", label: "Draws", grid: budgets, onInput: setter(model, "samples") });
  const again = buttonControl({
    name: "seed",
    label: "Draw again",
    text: "Draw again",
    onClick: () => change(model, { seed: (model.get("seed") + 1) % 1000 }),
  });
  const racing = transport(samples, again);
  const beside = besideControls({ model, keeps: ["function", "bias", "biases", "epsilon"] });
  // Best is here what asks least on average; the smallest tree may ask more.
  beside.root.querySelector("option[value=best]")?.replaceChildren("best, by Δ");
  return {
    choices: html("div", { class: "dtviz-controls dtviz-chosen-first" }, which.root, views.root, beside.root),
    dials: html("div", { class: "dtviz-controls dtviz-even" }, bias.root, epsilons.root, racing),
    resize: bias.resize,
    /** @param {Now} now */
    draw(now) {
      racing.hidden = !state.isRace();
      beside.root.hidden = state.isRace();
      beside.draw();
      which.draw();
      views.input.value = model.get("view");
      bias.draw(now);
      epsilons.set(now.epsilon, epsilonText(now.epsilon));
      samples.set(model.get("samples"), grouped(model.get("samples")));
    },
  };
};
