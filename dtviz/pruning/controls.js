// The controls of pruning: what there is to learn, how noisy it is, and what each method asks for.

import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { SAME_PRICE } from "../explorers/static/computing/constants.js";
import { besideControl } from "../explorers/static/controls/beside.js";
import { playControl, rangeControl, transport } from "../explorers/static/controls/controls.js";
import { change, html, put } from "../explorers/static/hosting/kit.js";
import { plainControl } from "../explorers/static/controls/settings.js";
import { clamp } from "../explorers/static/computing/text.js";
import { ownTablePanel } from "./examples.js";
import { PRUNERS } from "./kernel.js";

/**
 * @import { Part } from "../explorers/static/hosting/figure.js"
 * @import { State } from "./state.js"
 */

// Each tree says where the errors allowed end, and how many prunings there are to step through.
export const DIALS = /** @type {const} */ ([
  { name: "d", label: "Errors allowed, d", min: 0, max: 1, step: 1 },
  { name: "c", label: "Constant, c", min: 0.02, max: 2, step: 0.02 },
  { name: "delta", label: "Failure allowed, δ", min: 0.01, max: 0.5, step: 0.01 },
  { name: "alpha", label: "Price of a leaf, α", min: 0, max: 1, step: 1 },
]);

// Play what the first slider moves, as a reader would; pressed at its end, it starts again.
/** @type {(model: State["model"], first: () => HTMLInputElement) => ReturnType<typeof playControl>} */
const playFirst = (model, first) => {
  const atEnd = () => first().value === first().max;
  const play = playControl({
    model,
    wait: () => clamp((10_000 * Number(first().step)) / (Number(first().max) - Number(first().min)), 100, 900),
    advance() {
      if (atEnd()) return { playing: false };
      first().stepUp();
      first().dispatchEvent(new Event("input"));
      return {};
    },
  });
  play.input.addEventListener("click", () => {
    if (!model.get("playing") || !atEnd()) return;
    first().value = first().min;
    first().dispatchEvent(new Event("input"));
  });
  return play;
};

// A slider for each number that a method asks for.
/** @param {State} state */
const makeDials = ({ model, tree, dials }) =>
  DIALS.map((range) => {
    const { name } = range;
    const isPrice = name === "alpha";
    const onInput = (/** @type {number} */ at) => change(model, { [name]: isPrice ? tree().cheapest[at].alpha : at });
    const { root, input, set } = rangeControl({ ...range, onInput });
    return {
      root,
      draw() {
        const { cheapest, counted } = tree();
        const value = dials()[name];
        root.hidden = !PRUNERS[model.get("method")].asks.includes(name);
        if (name === "d") put(input, "max", counted.training.wrong[0]);
        if (!isPrice) return set(value, name === "d" ? String(value) : value.toFixed(2));
        put(input, "max", cheapest.length - 1);
        const short = value.toFixed(4);
        return set(cheapest.filter(({ price }) => price <= value + SAME_PRICE).length - 1, Number(short) === value ? short : String(value));
      },
    };
  });

/** @param {State} state */
export const makeControls = (state) => {
  const { model, tree } = state;
  const sample = new FunctionChooser({ model, trait: "sample", label: "Data" });
  const [method, noise, beside] = [plainControl(model, "method"), plainControl(model, "noise"), besideControl({ model })];
  const dials = makeDials(state);
  const dialBox = html("div", { class: "dtviz-dials" }, ...dials.map(({ root }) => root));
  const noiseBox = html("div");
  const play = playFirst(model, () => /** @type {HTMLInputElement} */ (dialBox.querySelector(":scope > :not([hidden]) input")));
  const table = ownTablePanel(model);
  const bring = html("div", { class: "dtviz-edit-tools", "data-no-picture": "" }, "Your own table:", table.paste.root, table.file.root);
  const chosen = html("div", { class: "dtviz-chosen-function" }, sample.root, bring, table.panel);
  table.dropOn(chosen);
  return {
    /** @type {Part[]} */
    parts: [
      { name: "dials", root: transport({ root: dialBox }, play), first: true },
      method,
      { name: "noise", root: noiseBox },
      { name: "sample", root: chosen },
      beside,
    ],
    play,
    draw() {
      sample.draw();
      put(chosen, "data-rows", tree().truth === "test");
      // A method that asks for nothing leaves the noise to slide, where an author has not given it a place.
      const asks = PRUNERS[model.get("method")].asks.length > 0;
      const home = asks || model.get("controls") ? noiseBox : dialBox;
      if (noise.root.parentElement !== home) home.append(noise.root);
      for (const one of [method, beside, noise, ...dials]) one.draw();
      play.draw();
      play.root.hidden = !asks && home === noiseBox;
    },
  };
};
