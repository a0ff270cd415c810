// The slider of the cost: the named costs are its stops, and in between is the family that joins them.

import { STOPS, nearestStop } from "../computing/beta.js";
import { costAt, costCurve, exponentText } from "../computing/criteria.js";
import { html, put, setter, svg } from "../hosting/kit.js";
import { rangeControl } from "./controls.js";
import { NOTHING, landscape } from "./landscape.js";

/**
 * @import { Land } from "./landscape.js"
 * @import { Model } from "../hosting/kit.js"
 */

// So near to a stop within the slider, the value is the stop. At its ends it is where the slider ends.
const [STEP, NEAR, LAST] = [0.005, 0.04, STOPS.length - 1];
const SKETCH = { width: 58, height: 34, samples: 60, edge: 2 };

// What the slider sets: a key that leaves a stop goes as far as the stop reaches.
/** @type {(value: number, before: number, byKey: boolean) => number} */
export const snapped = (value, before, byKey) => {
  const stop = Math.round(value);
  if (stop === 0 || stop === LAST || Math.abs(value - stop) >= NEAR) return value;
  return byKey && before === stop ? stop + NEAR * Math.sign(value - stop) : stop;
};

// The graph of G, as small as a letter box.
const sketch = () => {
  const { width, height, samples, edge } = SKETCH;
  const line = svg("path", { class: "dtviz-curve dtviz-cost" });
  const root = svg("svg", { class: "dtviz-cost-sketch", width, height, "aria-hidden": "true" }, line);
  return {
    root,
    /** @param {number} position */
    draw(position) {
      const [across, up] = [width - 2 * edge, height - 2 * edge];
      put(line, "d", costCurve(costAt(position), samples, (q) => edge + across * q, (value) => height - edge - 2 * up * value));
    },
  };
};

// A position of the slider in short: the name of a stop, or the exponent there.
/** @param {number} position */
const costText = (position) => STOPS[position] ?? `a = ${exponentText(position)}`;

/** @param {Model} model */
export const costControl = (model) => {
  const name = "cost_position";
  const set = setter(model, name);
  let byKey = false;
  const onInput = (/** @type {number} */ value) => set(Number(snapped(value, model.get(name), byKey).toFixed(3)));
  const { label } = model.get("_rules")[name];
  const slider = rangeControl({ name, label, min: 0, max: LAST, step: STEP, onInput });
  // A mouse may click a name, keys and a screen reader have the slider.
  const stops = STOPS.map((stop, k) => {
    const text = html("span", { style: `--dtviz-stop: ${k / LAST}` }, stop);
    text.addEventListener("click", () => set(k));
    return text;
  });
  const track = html("div", { class: "dtviz-track" });
  slider.input.replaceWith(track);
  track.append(slider.input, html("div", { class: "dtviz-stops", "aria-hidden": "true" }, ...stops));
  const land = landscape(slider, { text: costText, what: "First question", which: ", all pure", onPick: set });
  const curve = sketch();
  slider.value.before(curve.root);
  slider.input.addEventListener("keydown", () => (byKey = true));
  slider.input.addEventListener("pointerdown", () => (byKey = false));
  slider.root.classList.add("dtviz-costs");
  return {
    name,
    root: slider.root,
    first: true,
    // Where there are more classes than two, there is nothing between the stops.
    /** @type {(stopsOnly: boolean, found?: Land) => void} */
    draw(stopsOnly, found = NOTHING) {
      const position = stopsOnly ? nearestStop(model.get(name)) : model.get(name);
      put(slider.input, "step", stopsOnly ? 1 : STEP);
      stops.forEach((text, k) => text.classList.toggle("dtviz-at", k === position));
      const between = `between ${STOPS[Math.floor(position)]} and ${STOPS[Math.ceil(position)]}`;
      const text = costText(position);
      slider.set(position, text, STOPS[position] ?? `${between}, ${text}`);
      land.draw(found);
      curve.draw(position);
    },
  };
};
