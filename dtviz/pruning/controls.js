// The controls of pruning: what there is to learn, how noisy it is, and what each method asks for.

import { functionChooser } from "../explorers/static/chooser.js";
import { gridControl, rangeControl, selectControl } from "../explorers/static/controls.js";
import { html, put, setter } from "../explorers/static/kit.js";
import { count } from "../explorers/static/text.js";
import { DIALS } from "./state.js";

/**
 * @import { Part } from "../explorers/static/figure.js"
 * @import { DialName, State } from "./state.js"
 */

/** @type {Record<DialName, string>} */
const DIAL_LABELS = { d: "Errors allowed, d", c: "Constant, c", delta: "Confidence, δ", alpha: "Price of a leaf, α" };

// The shares of the rows that are held out; a function has no rows.
/** @param {State} state */
const makeShares = ({ model, sizes }) => {
  const [min, max] = model.get("_shares");
  const places = [["prune_share", "Held out to prune"], ["judge_share", "Held out to test"]];
  const sliders = places.map(([name, label]) =>
    rangeControl({ name, label, min, max, step: 0.01, onInput: setter(model, name) }),
  );
  const root = html("div", {}, ...sliders.map((slider) => slider.root));
  return {
    root,
    draw() {
      const held = sizes();
      root.hidden = !held;
      if (!held) return;
      const all = held.reduce((sum, size) => sum + size, 0);
      sliders.forEach(({ set }, k) => {
        set(model.get(places[k][0]) ?? held[k + 1] / all, count(held[k + 1], "row"));
      });
    },
  };
};

/** @param {State} state */
export const makeControls = (state) => {
  const { model, noises, methods, tree, asked } = state;
  /** @type {(name: string, label: string, options: string[]) => ReturnType<typeof selectControl>} */
  const select = (name, label, options) => selectControl({ name, label, options, onChange: setter(model, name) });
  const sample = functionChooser({ model, trait: "sample", label: "Data" });
  const method = select("method", "Method", Object.keys(methods));
  const beside = select("beside", "Beside it", model.get("_besides"));
  const noise = gridControl({ name: "noise", label: "Labels flipped", grid: noises, onInput: setter(model, "noise") });
  const dials = DIALS.map((name) => {
    // The errors allowed end where those of the root do, which each tree says.
    const [min, max, step] = model.get("_dials")[name] ?? [0, 1, 1];
    const dial = rangeControl({ name, label: DIAL_LABELS[name], min, max, step, onInput: setter(model, name) });
    return { name, ...dial };
  });
  const shares = makeShares(state);
  const [dialBox, noiseBox] = [html("div", { class: "dtviz-dials" }), html("div")];
  dialBox.append(...dials.map(({ root }) => root));
  const chosen = html("div", { class: "dtviz-chosen-function" }, sample.root);
  return {
    /** @type {Part[]} */
    parts: [
      { name: "dials", root: dialBox, first: true },
      { name: "method", root: method.root },
      { name: "noise", root: noiseBox },
      { name: "sample", root: chosen },
      { name: "beside", root: beside.root },
      { name: "shares", root: shares.root },
    ],
    draw() {
      const [now, values] = [asked(), state.dials()];
      sample.draw();
      put(chosen, "data-rows", state.rows() !== null);
      // A method that asks for nothing leaves the noise to slide.
      const home = methods[now.method].length ? noiseBox : dialBox;
      if (noise.root.parentElement !== home) home.append(noise.root);
      method.input.value = now.method;
      beside.input.value = now.beside;
      noise.set(now.noise, now.noise.toFixed(2));
      put(dials[0].input, "max", tree().counted.training.wrong[0]);
      for (const { name, root, set } of dials) {
        root.hidden = !methods[now.method].includes(name);
        const value = values[name];
        set(value, name === "d" ? String(value) : value.toFixed(name === "alpha" ? 4 : 2));
      }
      shares.draw();
    },
  };
};
