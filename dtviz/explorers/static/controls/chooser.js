// The choice of a function: one that is offered, or the reader's own, typed or clicked together.

import { buttonControl, selectControl } from "./controls.js";
import { CubeView, readingOf } from "../drawing/cube.js";
import { aboutOf, offered, tableOf, wrongIn } from "../hosting/functions.js";
import { OWN_KEYS, change, html, put, say, uniqueId } from "../hosting/kit.js";
import { History } from "../computing/points.js";
import { tableText } from "../computing/tables.js";

/**
 * @import { Model } from "../hosting/kit.js"
 * @import { TextError } from "../computing/parser.js"
 *
 * @typedef {object} ChooserOptions
 * @property {Model} model
 * @property {string} trait  holds the name of the function, or its text
 * @property {Record<string, unknown>} [also]  what is set with it
 * @property {(changes: Record<string, unknown>) => void} [set]  sets them
 * @property {string} label
 *
 * @typedef {{ text: string, also: Record<string, unknown> }} Chosen
 */

const OWN = "your own";
const FORMS =
  "A formula such as x0 & (x1 | ~x2) or maj(x0, x1, x2); bits, f at 000, 100, 010, 110, ... (x0 changes fastest); " +
  "or a number such as 0x96, whose last binary digit is f at 000";
// So much of a text is shown before and after what is wrong in it.
const AROUND = 16;

// How the values of f are read from a text, if it is a table.
/** @type {(text: string) => string} */
const orderOf = (text) => {
  if (/^0[xb]/i.test(text)) return "; a number: its last binary digit is f at 000";
  return /^[01\s_]{2,}$/.test(text) ? "; bits: f at 000, 100, 010, 110, …: x0 runs fastest" : "";
};

/** @type {(name: string, text: string, label: string, onClick: () => void) => HTMLButtonElement} */
const tool = (name, text, label, onClick) => {
  const { input } = buttonControl({ name, text, label, onClick });
  put(input, "title", label);
  return input;
};

export class FunctionChooser {
  /** @param {ChooserOptions} options */
  constructor({ model, trait, label, also = {}, set = (changes) => change(model, changes) }) {
    this.model = model;
    this.trait = trait;
    this.also = also;
    this.change = (/** @type {Chosen} */ { text, also: others }) => set({ [trait]: text, ...others });
    // How many variables a function of the reader's own may have.
    /** @type {[number, number]} */
    const [least, most] = model.get("_own");
    this.least = least;
    this.most = most;
    /** @type {History<Chosen>} */
    this.history = new History();
    this.now = this.chosen;
    // Whether the last step was typed: the next letter replaces it.
    this.typing = false;
    this.select = selectControl({
      name: trait,
      label,
      options: [...offered(model), OWN],
      onChange: (name) => this.choose(name === OWN ? this.asOwn() : name),
    });
    // Two lines, so that nearly every formula is seen whole.
    this.field = html("textarea", {
      ...{ name: "formula", id: uniqueId("formula"), rows: 2, spellcheck: "false", autocomplete: "off" },
      ...{ autocapitalize: "off", title: FORMS, ...OWN_KEYS },
    });
    this.words = html("p", { class: "dtviz-words", id: uniqueId("words") });
    put(this.field, "aria-describedby", this.words.id);
    this.cube = new CubeView((point) => this.flip(point));
    this.reading = html("p", { class: "dtviz-reading" });
    this.undo = tool("undo", "↶", "Undo change of f", () => this.step(false));
    this.redo = tool("redo", "↷", "Redo change of f", () => this.step(true));
    const low = Math.max(least, 1);
    const counts = Array.from({ length: most - low + 1 }, (_, k) => String(low + k));
    const onChange = (/** @type {string} */ n) => this.setCount(Number(n));
    this.count = selectControl({ name: "variables", label: "n =", options: ["", ...counts], onChange });
    put(this.count.input, "aria-label", "Number of variables, n");
    this.count.input.options[0].hidden = true;
    this.root = this.arranged();
    this.field.addEventListener("input", () => this.type());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
      // What is typed is given up.
      if (event.key === "Escape") this.show();
    });
    this.field.addEventListener("blur", () => {
      this.typing = false;
    });
    this.show();
  }

  /** @returns {string} */
  get value() {
    return this.model.get(this.trait);
  }

  // What is on display, with all that a change of it sets: what Undo brings back.
  /** @returns {Chosen} */
  get chosen() {
    const also = Object.keys(this.also).map((trait) => [trait, this.model.get(trait)]);
    return { text: this.value, also: Object.fromEntries(also) };
  }

  get about() {
    return aboutOf(this.model, this.value);
  }

  get table() {
    return tableOf(this.model, this.trait);
  }

  arranged() {
    const label = html("label", { for: this.field.id }, "f =");
    const typed = html("div", { class: "dtviz-field dtviz-formula" }, label, this.field);
    const random = tool("random", "Random", "Random values for f", () => this.choose(this.randomText()));
    const tools = html("div", { class: "dtviz-tools" }, this.undo, this.redo, random, this.count.root);
    const panel = html("div", { class: "dtviz-change", id: uniqueId("change") }, tools, this.reading, this.cube.root);
    // Where there is no room beside, the picture is folded.
    const fold = html("button", { type: "button", name: "fold", "aria-expanded": false, "aria-controls": panel.id, ...OWN_KEYS }, "Change");
    fold.addEventListener("click", () => put(fold, "aria-expanded", fold.getAttribute("aria-expanded") !== "true"));
    const named = html("div", { class: "dtviz-named" }, this.select.root, fold);
    return html("div", { class: "dtviz-chooser" }, html("div", { class: "dtviz-choice" }, named, typed, this.words, panel));
  }

  // The function on display as one of the reader's own; another one, if it is too large.
  asOwn() {
    const { table: given } = this;
    if (!given) return "x0 & (x1 | ~x2)";
    const { formula } = this.about;
    const isOffered = offered(this.model).includes(formula);
    return isOffered || wrongIn(formula, given.n, given.n) ? tableText(given.table) : formula;
  }

  randomText(n = this.table?.n ?? Math.min(3, this.most)) {
    return tableText(Uint8Array.from({ length: 1 << n }, () => Number(Math.random() < 1 / 2)));
  }

  /** @type {(text: string, typed?: boolean) => void} */
  choose(text, typed = false) {
    if (text !== this.now.text && !(typed && this.typing)) this.history.push(this.chosen);
    this.set({ text, also: this.also }, typed);
  }

  /** @param {boolean} forward */
  step(forward) {
    this.set(this.history.step(this.chosen, forward) ?? this.chosen);
  }

  /** @type {(chosen: Chosen, typed?: boolean) => void} */
  set(chosen, typed = false) {
    this.now = chosen;
    this.typing = typed;
    this.change(chosen);
    this.show(typed);
  }

  /** @param {number} point */
  flip(point) {
    const { table: given } = this;
    if (given) this.choose(tableText(given.table.map((value, x) => (x === point ? 1 - value : value))));
  }

  // More variables do not matter; those that go are set to 0.
  /** @param {number} n */
  setCount(n) {
    const { table: given } = this;
    if (!given) this.choose(this.randomText(n));
    else this.choose(tableText(Uint8Array.from({ length: 1 << n }, (_, x) => given.table[x % given.table.length])));
  }

  type() {
    const text = this.field.value.trim();
    const wrong = offered(this.model).includes(text) ? null : wrongIn(text, this.least, this.most);
    if (wrong) this.drawWords(wrong);
    else this.choose(text, true);
  }

  // Show what was chosen elsewhere.
  draw() {
    const before = this.now;
    this.now = this.chosen;
    if (before.text === this.now.text) return;
    this.history.push(before);
    this.typing = false;
    this.show();
  }

  // Show the function on display; what is typed stays as it is typed.
  show(typed = false) {
    const { about, table: given } = this;
    if (!typed) this.field.value = about.formula;
    this.select.input.value = offered(this.model).includes(this.value) ? this.value : OWN;
    this.drawWords(null);
    put(this.root, "data-drawn", given !== null);
    this.count.input.value = given ? String(given.n) : "";
    // Not disabled: that would take the focus from who presses them.
    put(this.undo, "aria-disabled", !this.history.past.length);
    put(this.redo, "aria-disabled", !this.history.future.length);
    const large = about.n ? "Too large to draw: n draws a random one" : "";
    say(this.reading, given ? `${readingOf(given.n, about.names)}; click to flip` : large);
    if (given) this.cube.draw(given);
  }

  /** @param {TextError | null} wrong */
  drawWords(wrong) {
    put(this.field, "aria-invalid", wrong !== null);
    this.words.classList.toggle("dtviz-wrong", wrong !== null);
    const text = this.field.value.trim();
    if (!wrong) {
      say(this.words, `${this.about.words}${orderOf(text)}`);
      return;
    }
    const { at, length } = wrong;
    const start = Math.max(at - AROUND, 0);
    const end = at + Math.min(length, AROUND);
    this.words.replaceChildren(
      html("code", {}, (start ? "…" : "") + text.slice(start, at), html("u", {}, text.slice(at, end) || "\u00a0"), text.slice(end, end + AROUND)),
      ` A${wrong.place.slice(1)}: it must ${wrong.rule}`,
    );
  }
}
