// Labeled native controls, the line of status and the tip: what every explorer is worked with.
// A control is { root, input, ... }; the input's name is the trait it sets.

import { OWN_KEYS, calm, change, html, put, say, uniqueId } from "../hosting/kit.js";

/**
 * @import { Model } from "../hosting/kit.js"
 *
 * The trait that a control sets, and what the reader sees it called.
 * @typedef {{ name: string, label: string }} Named
 */

/** @type {(kind: string, label: string, input: HTMLInputElement | HTMLSelectElement, ...extras: Node[]) => HTMLElement} */
const labeled = (kind, label, input, ...extras) => {
  input.id = uniqueId(input.name);
  const name = html("label", { for: input.id }, label);
  return html("div", { class: `dtviz-field dtviz-${kind}` }, name, input, ...extras);
};

/** @param {Named & { options: string[], onChange: (value: string) => void }} options */
export const selectControl = ({ name, label, options, onChange }) => {
  const choices = options.map((option) => html("option", { value: option }, option));
  const input = html("select", { name, ...OWN_KEYS }, ...choices);
  input.addEventListener("change", () => onChange(input.value));
  return { input, root: labeled("select", label, input) };
};

/** @param {Named & { min: number, max: number, step: number, onInput: (value: number) => void }} options */
export const rangeControl = ({ name, label, min, max, step, onInput }) => {
  const input = html("input", { type: "range", name, min, max, step, ...OWN_KEYS });
  const value = html("span", { class: "dtviz-value" });
  input.addEventListener("input", () => onInput(input.valueAsNumber));
  const root = labeled("range", label, input, value);
  return {
    input,
    value,
    root,
    /** @param {string} text */
    rename: (text) => say(/** @type {Element} */ (root.firstElementChild), text),
    // Show a value, as the text beside the slider and as a screen reader says it.
    /** @type {(number: number, text: string, spoken?: string) => void} */
    set(number, text, spoken = text) {
      input.value = String(number);
      say(value, text);
      put(input, "aria-valuetext", spoken);
    },
  };
};

// A slider over a list of numbers.
/** @param {Named & { grid: number[], onInput: (value: number) => void }} options */
export const gridControl = ({ name, label, grid, onInput }) => {
  const places = { min: 0, max: grid.length - 1, step: 1 };
  const control = rangeControl({ name, label, ...places, onInput: (at) => onInput(grid[at]) });
  return {
    ...control,
    /** @type {(number: number, text: string, spoken?: string) => void} */
    set: (number, text, spoken) => control.set(grid.indexOf(number), text, spoken),
  };
};

/** @param {Named & { onChange: (value: boolean) => void }} options */
export const checkControl = ({ name, label, onChange }) => {
  const input = html("input", { type: "checkbox", name, id: uniqueId(name), ...OWN_KEYS });
  input.addEventListener("change", () => onChange(input.checked));
  const root = html("label", { class: "dtviz-field dtviz-check", for: input.id }, input, label);
  return { input, root };
};

// Its label is for a screen reader, if it says more than the text.
/** @param {{ name: string, text: string, label?: string, onClick: (event: MouseEvent) => void }} options */
export const buttonControl = ({ name, text, label = text, onClick }) => {
  const input = html("button", { type: "button", name, "aria-label": label, ...OWN_KEYS }, text);
  input.addEventListener("click", onClick);
  return { input, root: input };
};

/** @type {(...controls: { root: Node }[]) => HTMLElement} */
export const transport = (...controls) =>
  html("div", { class: "dtviz-transport" }, ...controls.map(({ root }) => root));

// The button that plays and pauses, and what it plays: after wait() milliseconds, or a second where the reader wants
// little motion, the changes that advance() names are made. Who listens to them asks for the next beat.
/** @param {{ model: Model, wait: () => number, advance: () => Record<string, unknown> }} options */
export const playControl = ({ model, wait, advance }) => {
  const onClick = () => change(model, { playing: !model.get("playing") });
  const { input, root } = buttonControl({ name: "playing", label: "Play", text: "", onClick });
  let timer = 0;
  const stop = () => clearTimeout(timer);
  return {
    input,
    root,
    stop,
    beat() {
      stop();
      if (!model.get("playing")) return;
      timer = setTimeout(() => change(model, advance()), calm() ? 1000 : wait());
    },
    draw() {
      const text = model.get("playing") ? "Pause" : "Play";
      say(input, text);
      put(input, "aria-label", text);
    },
  };
};

// The state in words. Readers see each change at once; a screen reader reads it once it settles.
export const statusLine = () => {
  const root = html("p", { role: "status", "aria-live": "polite", class: "dtviz-status" });
  let timer = 0;
  return {
    root,
    /** @param {string} text */
    say(text) {
      if (root.textContent === text) return;
      root.setAttribute("aria-busy", "true");
      say(root, text);
      clearTimeout(timer);
      timer = setTimeout(() => root.setAttribute("aria-busy", "false"), 500);
    },
    // Room for the longest text, so that nothing below it moves.
    /** @type {(letters: number, width: number) => void} */
    makeRoom(letters, width) {
      root.style.minHeight = `${8 + 21 * Math.ceil((7.7 * letters) / width)}px`;
    },
    stop: () => clearTimeout(timer),
  };
};

/**
 * What the dock says of a node: a title, terms with their values, a sentence why, a hint; and where there
 * was a choice, the candidates and the examples that come there.
 * @typedef {[string, string | number]} Fact
 * @typedef {object} Candidate
 * @property {string[]} cells  the test first
 * @property {boolean} [chosen]
 * @property {boolean} [runnerUp]
 * @property {number} [share]  of the best score
 * @property {() => void} [split]  ask it there
 * @typedef {{ heads: string[], rows: Candidate[], note: string }} Candidates
 * @typedef {{ labels: ArrayLike<number>, note: string }} Strip  a square for each label, and what they are
 *
 * @typedef {object} Details
 * @property {string} title
 * @property {Fact[]} lines
 * @property {string} [hint]
 * @property {string} [reason]
 * @property {Candidates} [candidates]
 * @property {Strip} [strip]
 */
