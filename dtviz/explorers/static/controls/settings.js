// Plain controls: what sets a trait is made from its label and its choices, its range or its kind.

import { checkControl, gridControl, rangeControl, selectControl } from "./controls.js";
import { setter } from "../hosting/kit.js";
import { epsilonText, grouped } from "../computing/text.js";

/**
 * @import { Part } from "../hosting/figure.js"
 * @import { Model } from "../hosting/kit.js"
 *
 * A control, and what shows the value of its trait.
 * @typedef {Part & { draw: () => void }} Plain
 */

/** @type {(model: Model, name: string) => Plain} */
export const plainControl = (model, name) => {
  const { type, label, choices, low, high, step = 1 } = model.get("_rules")[name];
  const set = setter(model, name);
  if (type === "bool") {
    const { input, root } = checkControl({ name, label, onChange: set });
    return { name, root, draw: () => (input.checked = model.get(name)) };
  }
  if (type === "text") {
    const { input, root } = selectControl({ name, label, options: choices, onChange: set });
    return { name, root, draw: () => (input.value = model.get(name)) };
  }
  // The ends of an open range are a step away.
  const [min, max] = [Math.ceil(low / step) * step, Math.floor(high / step) * step];
  const slider = choices
    ? gridControl({ name, label, grid: choices, onInput: set })
    : rangeControl({ name, label, min, max, step, onInput: set });
  const write = (choices ?? [step]).every(Number.isInteger) ? grouped : epsilonText;
  return { name, root: slider.root, draw: () => slider.set(model.get(name), write(model.get(name))) };
};

// Those of the traits with labels for which an explorer has no control of its own.
/** @type {(model: Model, own: Part[]) => Plain[]} */
export const plainControls = (model, own) =>
  Object.entries(model.get("_rules") ?? {})
    .filter(([trait, { label }]) => label && !own.some(({ name }) => name === trait))
    .map(([trait]) => plainControl(model, trait));
