// The choice of a function: one that is offered, or the reader's own, typed or clicked together.

import { buttonControl, selectControl } from "./controls.js";
import { cubeView, readingOf } from "./cube.js";
import { readFunction } from "./expressions.js";
import { aboutOf, offered, tableOf, wrongIn } from "./functions.js";
import { OWN_KEYS, change, html, onWidth, put, say, uniqueId } from "./kit.js";
import { History } from "./points.js";
import { tableText } from "./tables.js";
import { variableName } from "./text.js";

/**
 * @import { About } from "./functions.js"
 * @import { Model } from "./kit.js"
 * @import { TextError } from "./parser.js"
 *
 * @typedef {Record<"fold" | "undo" | "redo" | "draw", HTMLButtonElement> & { count: ReturnType<typeof selectControl> }} Tools
 *
 * @typedef {object} ChooserOptions
 * @property {Model} model
 * @property {string} trait  holds the name of the function, or its text
 * @property {string} label
 */

const OWN = "your own";
const FORMS =
  "A formula such as x0 & (x1 | ~x2) or maj(x0, x1, x2); bits, f at 000, 100, 010, 110, ... (x0 changes fastest); " +
  "or a number such as 0x96, whose last binary digit is f at 000";
// The order of the values, where a text is a table.
const ORDERS = {
  bits: "bits: f at 000, 100, 010, 110, …: x0 runs fastest",
  number: "a number: its last binary digit is f at 000",
};
// So much of a text is shown before and after what is wrong in it.
const AROUND = 16;
// Below so many pixels the picture is folded away; below fewer, a map of 6 variables is square.
const BESIDE = 780;
const WIDE_MAP = 470;

// How the values of f are read from a text, if it is a table.
/** @type {(text: string) => string} */
const orderOf = (text) => {
  if (/^0[xb]/i.test(text)) return ORDERS.number;
  return /^[01\s_]{2,}$/.test(text) ? ORDERS.bits : "";
};

/** @type {(about: About) => string} */
const rolesText = ({ roles, names: called }) => roles.map(([role, variables]) => {
  const names = variables.map((i) => variableName(called, i));
  const long = names.length > 3;
  return `${role}: ${long ? `${names[0]} to ${names.at(-1)}` : names.join(", ")}`;
}).join("; ");

/** @type {(chooser: Chooser) => Tools} */
const toolsOf = (chooser) => {
  /** @type {(name: string, text: string, label: string, onClick: () => void) => HTMLButtonElement} */
  const tool = (name, text, label, onClick) => {
    const { input } = buttonControl({ name, text, label, onClick });
    put(input, "title", label);
    return input;
  };
  const low = Math.max(chooser.least, 1);
  const counts = Array.from({ length: chooser.most - low + 1 }, (_, k) => String(low + k));
  const fold = html("button", { type: "button", name: "fold", "aria-expanded": false, ...OWN_KEYS }, "Change");
  fold.addEventListener("click", () => {
    put(fold, "aria-expanded", fold.getAttribute("aria-expanded") !== "true");
    chooser.drawPicture();
  });
  const count = selectControl({
    name: "variables",
    label: "n =",
    options: ["", ...counts],
    onChange: (n) => chooser.setCount(Number(n)),
  });
  put(count.input, "aria-label", "Number of variables, n");
  count.input.options[0].hidden = true;
  return {
    fold,
    count,
    undo: tool("undo", "↶", "Undo", () => chooser.step(-1)),
    redo: tool("redo", "↷", "Redo", () => chooser.step(1)),
    draw: tool("random", "Random", "Random values for f", () => chooser.choose(chooser.randomText())),
  };
};

class Chooser {
  /** @param {ChooserOptions} options */
  constructor({ model, trait, label }) {
    this.model = model;
    this.trait = trait;
    // How many variables a function of the reader's own may have.
    /** @type {[number, number]} */
    const [least, most] = model.get("_own");
    this.least = least;
    this.most = most;
    /** @type {History<string>} */
    this.history = new History();
    this.now = this.value;
    // Whether the last step was typed: the next letter replaces it.
    this.typing = false;
    // What is typed and is no function yet.
    this.draft = "";
    this.drawn = "";
    this.wide = false;
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
    this.roles = html("p", { class: "dtviz-roles" });
    this.cube = cubeView((point) => this.flip(point));
    this.reading = html("p", { class: "dtviz-reading" });
    this.tools = toolsOf(this);
    this.root = this.arranged();
    this.field.addEventListener("input", () => this.type());
    this.field.addEventListener("keydown", (event) => this.onKey(event));
    this.field.addEventListener("blur", () => {
      this.typing = false;
    });
    onWidth(this.root, (width) => {
      this.fit(width);
      this.drawPicture();
    });
  }

  // Whether the picture is out of sight: it is drawn when it is unfolded.
  get folded() {
    const { dataset } = this.root;
    return dataset.beside === "false" && this.tools.fold.getAttribute("aria-expanded") === "false";
  }

  /** @param {number} width */
  fit(width) {
    this.wide = width >= WIDE_MAP;
    put(this.root, "data-beside", width >= BESIDE);
    put(this.root, "data-wide", this.wide);
  }

  /** @returns {string} */
  get value() {
    return this.model.get(this.trait);
  }

  get table() {
    return tableOf(this.model, this.trait);
  }

  arranged() {
    const label = html("label", { for: this.field.id }, "f =");
    const typed = html("div", { class: "dtviz-field dtviz-formula" }, label, this.field);
    const { undo, redo, draw, count, fold } = this.tools;
    const tools = html("div", { class: "dtviz-tools" }, undo, redo, draw, count.root);
    const panel = html("div", { class: "dtviz-change", id: uniqueId("change") }, tools, this.reading, this.cube.root);
    put(fold, "aria-controls", panel.id);
    const named = html("div", { class: "dtviz-named" }, this.select.root, fold);
    return html("div", { class: "dtviz-chooser" }, named, typed, this.words, this.roles, panel);
  }

  // The formula of what is on display, as the field shows it.
  get formula() {
    return aboutOf(this.model, this.trait).formula;
  }

  // The function on display as one of the reader's own; another one, if it is too large.
  asOwn() {
    const given = this.table;
    if (!given) return "x0 & (x1 | ~x2)";
    try {
      const { n } = readFunction(this.formula);
      if (n === given.n && !offered(this.model).includes(this.formula)) return this.formula;
    } catch {
      // A formula that the page does not read: its table, then.
    }
    return tableText(given.table);
  }

  randomText(n = this.table?.n ?? Math.min(3, this.most)) {
    return tableText(Uint8Array.from({ length: 1 << n }, () => Number(Math.random() < 1 / 2)));
  }

  // Keep what was, to be undone.
  /** @type {(text: string, typed: boolean) => void} */
  record(text, typed) {
    if (text === this.now) return;
    if (!typed || !this.typing) this.history.push(this.now);
    this.now = text;
    this.typing = typed;
  }

  /** @type {(text: string, typed?: boolean) => void} */
  choose(text, typed = false) {
    this.record(text, typed);
    if (!typed) this.forget();
    change(this.model, { [this.trait]: text });
    // The explorer draws it if the trait has changed; the field may be wrong all the same.
    this.draw();
  }

  /** @param {number} by */
  step(by) {
    this.forget();
    this.typing = false;
    this.now = this.history.step(this.now, by > 0) ?? this.now;
    change(this.model, { [this.trait]: this.now });
    this.draw();
  }

  /** @param {number} point */
  flip(point) {
    const given = this.table;
    if (given) this.choose(tableText(given.table.map((value, x) => (x === point ? 1 - value : value))));
  }

  // More variables do not matter; those that go are set to 0.
  /** @param {number} n */
  setCount(n) {
    const given = this.table;
    if (!given) this.choose(this.randomText(n));
    else this.choose(tableText(Uint8Array.from({ length: 1 << n }, (_, x) => given.table[x % given.table.length])));
  }

  type() {
    const text = this.field.value.trim();
    this.draft = this.field.value;
    const wrong = offered(this.model).includes(text) ? null : wrongIn(text, this.least, this.most);
    const isNew = !wrong && text !== this.drawn;
    if (!wrong) this.choose(text, true);
    if (!isNew) this.drawWords(wrong);
  }

  // What is typed is given up: the field has to show what is chosen.
  forget() {
    if (this.draft) this.drawn = "";
    this.draft = "";
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Enter") event.preventDefault();
    if (event.key !== "Escape" || !this.draft) return;
    this.forget();
    this.draw();
  }

  draw() {
    const { value } = this;
    if (value === this.drawn) return;
    this.record(value, false);
    this.drawn = value;
    // What is typed stays as it is typed.
    if (this.draft.trim() !== value) {
      this.draft = "";
      this.field.value = this.formula;
    }
    this.select.input.value = offered(this.model).includes(value) ? value : OWN;
    this.drawWords(null);
    // Before it is seen for the first time: what is watched for its width hears of it too late.
    if (!this.root.dataset.wide) this.fit(this.root.clientWidth);
    this.drawPicture();
  }

  /** @param {TextError | null} wrong */
  drawWords(wrong) {
    put(this.field, "aria-invalid", wrong !== null);
    this.words.classList.toggle("dtviz-wrong", wrong !== null);
    if (!wrong) {
      const about = aboutOf(this.model, this.trait);
      // How a table is read.
      const order = orderOf(this.field.value.trim());
      this.words.replaceChildren(about.words, ...(order ? [html("span", { class: "dtviz-remark" }, order)] : []));
      say(this.roles, rolesText(about));
      return;
    }
    const { at, length } = wrong;
    const text = this.field.value.trim();
    const start = Math.max(at - AROUND, 0);
    const end = at + Math.min(length, AROUND);
    this.words.replaceChildren(
      html("code", {}, (start ? "…" : "") + text.slice(start, at), html("u", {}, text.slice(at, end) || "\u00a0"), text.slice(end, end + AROUND)),
      ` A${wrong.place.slice(1)}: it must ${wrong.rule}`,
    );
  }

  drawPicture() {
    const given = this.table;
    put(this.root, "data-drawn", given !== null);
    const { undo, redo, count } = this.tools;
    count.input.value = given ? String(given.n) : "";
    // Not disabled: that would take the focus from who presses them.
    put(undo, "aria-disabled", !this.history.past.length);
    put(redo, "aria-disabled", !this.history.future.length);
    const { wide } = this;
    const large = aboutOf(this.model, this.trait).n ? "Too large to draw: n draws a random one" : "";
    say(this.reading, given ? `${readingOf(given.n, wide, aboutOf(this.model, this.trait).names)}; click to flip` : large);
    if (given && !this.folded) this.cube.draw(given, wide);
  }
}

/** @type {(options: ChooserOptions) => Chooser} */
export const functionChooser = (options) => new Chooser(options);
