// The controls of pruning: what there is to learn, how noisy it is, and what each method asks for.

import { functionChooser } from "../explorers/static/chooser.js";
import { gridControl, playControl, rangeControl, selectControl, transport } from "../explorers/static/controls.js";
import { change, html, put, setter } from "../explorers/static/kit.js";
import { clamp } from "../explorers/static/text.js";
import { DIALS } from "./state.js";

/**
 * @import { Part } from "../explorers/static/figure.js"
 * @import { DialName, State } from "./state.js"
 */

/** @type {Record<DialName, string>} */
const DIAL_LABELS = { d: "Errors allowed, d", c: "Constant, c", delta: "Failure allowed, δ", alpha: "Price of a leaf, α" };

// Play what the first slider moves, as a reader would; pressed at its end, it starts again.
/** @type {(model: State["model"], first: () => HTMLInputElement) => ReturnType<typeof playControl>} */
const playFirst = (model, first) => {
  const ends = () => [first().min, first().max].map(Number);
  /** @param {number} at */
  const move = (at) => {
    first().value = String(at);
    first().dispatchEvent(new Event("input"));
  };
  const play = playControl({
    model,
    wait: () => clamp((10_000 * Number(first().step)) / (ends()[1] - ends()[0]), 100, 900),
    advance() {
      if (first().valueAsNumber >= ends()[1]) return { playing: false };
      move(first().valueAsNumber + Number(first().step));
      return {};
    },
  });
  play.input.addEventListener("click", () => {
    if (model.get("playing") && first().valueAsNumber >= ends()[1]) move(ends()[0]);
  });
  return play;
};

/** @param {State} state */
export const makeControls = (state) => {
  const { model, methods, tree, asked } = state;
  const rules = model.get("_rules");
  /** @type {(name: string, label: string, options: string[]) => ReturnType<typeof selectControl>} */
  const select = (name, label, options) => selectControl({ name, label, options, onChange: setter(model, name) });
  const sample = functionChooser({ model, trait: "sample", label: "Data" });
  const method = select("method", "Method", rules.method.choices);
  const beside = select("beside", "Beside it", rules.beside.choices);
  const noise = gridControl({ name: "noise", label: "Labels flipped", grid: rules.noise.choices, onInput: setter(model, "noise") });
  const dials = DIALS.map((name) => {
    // Each tree says where the errors allowed end, and how many prunings there are to step through.
    const [min, max, step] = model.get("_dials")[name] ?? [0, 1, 1];
    /** @param {number} at */
    const valueAt = (at) => (name === "alpha" ? tree().cheapest[at].alpha : at);
    const onInput = (/** @type {number} */ at) => change(model, { [name]: valueAt(at) });
    return { name, ...rangeControl({ name, label: DIAL_LABELS[name], min, max, step, onInput }) };
  });
  const [dialBox, noiseBox] = [html("div", { class: "dtviz-dials" }), html("div")];
  dialBox.append(...dials.map(({ root }) => root));
  const play = playFirst(model, () => /** @type {HTMLInputElement} */ (dialBox.querySelector(":scope > :not([hidden]) input")));
  const chosen = html("div", { class: "dtviz-chosen-function" }, sample.root);
  return {
    /** @type {Part[]} */
    parts: [
      { name: "dials", root: transport(play, { root: dialBox }), first: true },
      { name: "method", root: method.root },
      { name: "noise", root: noiseBox },
      { name: "sample", root: chosen },
      { name: "beside", root: beside.root },
    ],
    play,
    draw() {
      const now = asked();
      const { cheapest } = tree();
      sample.draw();
      put(chosen, "data-rows", state.rows() !== null);
      // A method that asks for nothing leaves the noise to slide, where an author has not given it a place.
      const home = methods[now.method].length || model.get("controls") ? noiseBox : dialBox;
      if (noise.root.parentElement !== home) home.append(noise.root);
      method.input.value = now.method;
      beside.input.value = now.beside;
      noise.set(now.noise, now.noise.toFixed(2));
      put(dials[0].input, "max", tree().counted.training.wrong[0]);
      put(dials[3].input, "max", cheapest.length - 1);
      for (const { name, root, set } of dials) {
        root.hidden = !methods[now.method].includes(name);
        const value = now.dials[name];
        if (name === "alpha") {
          const short = value.toFixed(4);
          set(cheapest.filter(({ price }) => price <= value).length - 1, Number(short) === value ? short : String(value));
        } else set(value, name === "d" ? String(value) : value.toFixed(2));
      }
      play.draw();
      play.root.hidden = !methods[now.method].length && home === noiseBox;
    },
  };
};
