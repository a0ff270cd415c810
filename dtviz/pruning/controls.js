// The controls of pruning: what there is to learn, how noisy it is, and what each method asks for.

import { functionChooser } from "../explorers/static/chooser.js";
import { gridControl, rangeControl, selectControl } from "../explorers/static/controls.js";
import { html, put, setter } from "../explorers/static/kit.js";
import { DIALS } from "./state.js";

/** @import { DialName, State } from "./state.js" */

/** @type {Record<DialName, string>} */
const DIAL_LABELS = { d: "Errors allowed, d", c: "Constant, c", delta: "Confidence, δ", alpha: "Price of a leaf, α" };

// The shares of the rows that are held out; a function has no rows.
/** @param {State} state */
const makeShares = ({ model, sizes }) => {
  const [min, max] = model.get("_shares");
  const places = [["prune_share", "Held out to prune"], ["judge_share", "Held out to judge"]];
  const sliders = places.map(([name, label]) =>
    rangeControl({ name, label, min, max, step: 0.01, onInput: setter(model, name) }),
  );
  return {
    roots: sliders.map(({ root }) => root),
    draw() {
      const held = sizes();
      const all = held?.reduce((sum, size) => sum + size, 0) ?? 1;
      sliders.forEach(({ input, set }, k) => {
        const share = model.get(places[k][0]) ?? (held ? held[k + 1] / all : min);
        input.disabled = !held;
        set(share, held ? `${held[k + 1]} rows` : "no rows");
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
  const dialBox = html("div", { class: "dtviz-dials" }, ...dials.map(({ root }) => root));
  const more = html("div", {}, html("div", { class: "dtviz-shares" }, beside.root, noise.root, ...shares.roots));
  const top = html("div", { class: "dtviz-controls" }, sample.root);
  return {
    sample: top,
    root: html("div", { class: "dtviz-controls" }, method.root, more, dialBox),
    more,
    draw() {
      const [now, values] = [asked(), state.dials()];
      sample.draw();
      put(top, "data-rows", state.rows() !== null);
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
