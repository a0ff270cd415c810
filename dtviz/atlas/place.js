// Where a function stands among all: how many functions have each pair of values, as a table of shades, with
// the function's own cell framed. A click on another cell shows a function that is there.

import { selectControl } from "../explorers/static/controls.js";
import { towards } from "../explorers/static/cube.js";
import { OWN_KEYS, html, put, say, setter } from "../explorers/static/kit.js";
import { count } from "../explorers/static/text.js";
import { cellOf, shareText } from "./kernel_place.js";
import { textOf } from "./state.js";

/**
 * @import { Cell } from "./kernel_place.js"
 * @import { Card, State } from "./state.js"
 */

// Pixels of a cell.
const CELL = { widest: 46, high: 26, lowest: 10 };
// So many numbers fit beside an axis.
const FEW = 16;

// Whether both numbers are leaves: on the diagonal they are equal.
/** @param {string} name */
const hasDiagonal = (name) => !/depth|rank/.test(name);

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// By the logarithm of how many functions there are; the rarest is still seen.
/** @type {(functions: number, most: number) => string} */
const shadeOf = (functions, most) => `${(12 + (88 * Math.log(functions)) / Math.log(most)).toFixed(1)}%`;

// The numbers at an axis, of many every fourth.
/** @type {(values: number[], scope: string) => HTMLElement[]} */
const heads = (values, scope) =>
  values.map((value, k) => html("th", { scope }, values.length > FEW && k % 4 ? "" : String(value)));

export class PlaceMap {
  /** @param {State} state */
  constructor(state) {
    const { model } = state;
    this.state = state;
    this.table = html("table", { class: "dtviz-place-map" });
    this.words = html("p", { class: "dtviz-key" });
    const options = model.get("_rules").chart.choices;
    this.choice = selectControl({ name: "chart", label: "Among all functions", options, onChange: setter(model, "chart") });
    for (const option of this.choice.input.options) say(option, this.title(option.value));
    this.root = html("div", { class: "dtviz-place-room" }, this.choice.root, this.table, this.words);
    this.drawn = "";
    this.n = 0;
    /** @type {Cell[]} */
    this.cells = [];
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.own = -1;
  }

  // How the columns of a table of pairs are called.
  /** @param {string} name */
  axesOf(name) {
    return name.split("|").map((column) => this.state.atlas.columns[column].title.replace(/, (.*)/, " ($1)"));
  }

  /** @param {string} name */
  title(name) {
    const [first, second] = this.axesOf(name);
    return `${capital(second)} against ${first}`;
  }

  /** @param {Cell} cell */
  describe({ first, second, functions, classes }) {
    const [across, up] = this.axesOf(this.state.model.get("chart"));
    const share = shareText(functions / this.state.atlas.n[this.n].functions);
    return `${capital(across)} ${first}, ${up} ${second}: ${count(functions, "function")} in ${count(classes, "class", "classes")}, ${share} of all`;
  }

  rest() {
    const even = hasDiagonal(this.state.model.get("chart")) ? ", dashed where both are equal" : "";
    say(this.words, `Framed: this function. ${this.describe(this.cells[this.own])}. The deeper the shade, the more functions${even}.`);
  }

  // Take a cell into the tab order, in place of the one before.
  /** @param {number} at */
  reach(at) {
    this.buttons.forEach((button, k) => put(button, "tabindex", k === at ? 0 : -1));
  }

  /** @type {(event: KeyboardEvent, k: number) => void} */
  onKey(event, k) {
    if (!event.key.startsWith("Arrow") || event.ctrlKey || event.altKey || event.metaKey) return;
    const spots = this.cells.map(({ first, second }) => ({ x: 9 * first, y: -9 * second }));
    const next = towards(spots, k, event.key);
    this.reach(next);
    this.buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @type {(cell: Cell, k: number) => HTMLButtonElement} */
  button(cell, k) {
    const words = this.describe(cell);
    const root = html("button", { type: "button", class: "dtviz-place-cell", "aria-label": words, ...OWN_KEYS });
    const point = () => say(this.words, `${words}. Click to see one.`);
    root.addEventListener("pointerenter", point);
    root.addEventListener("focus", point);
    root.addEventListener("pointerleave", () => this.rest());
    root.addEventListener("keydown", (event) => this.onKey(event, k));
    root.addEventListener("click", () => {
      this.reach(k);
      // A code of the tables may lack leading zeros.
      this.state.show(textOf(this.n, Number(cell.code)));
    });
    return root;
  }

  // The cells of all functions of n variables, with their axes.
  /** @param {string} name */
  frame(name) {
    const { state, n } = this;
    const { first, second } = state.atlas.n[n].joint[name];
    this.cells = state.pairs(name, n);
    this.buttons = this.cells.map((cell, k) => this.button(cell, k));
    const most = Math.max(...this.cells.map(({ functions }) => functions));
    const [across, up] = this.axesOf(name).map(capital);
    const sides = heads(second, "row");
    const rows = second.map((own, j) => {
      const cells = first.map((value) => html("td", { class: hasDiagonal(name) && value === own ? "dtviz-place-even" : null }));
      return html("tr", {}, sides[j], ...cells);
    });
    this.cells.forEach((cell, k) => {
      const at = rows[second.indexOf(cell.second)].cells[1 + first.indexOf(cell.first)];
      at.style.setProperty("--dtviz-shade", shadeOf(cell.functions, most));
      at.append(this.buttons[k]);
    });
    const foot = html("tr", {}, html("td"), ...heads(first, "col"));
    const below = html("tr", {}, html("td"), html("td", { colspan: first.length, class: "dtviz-place-name" }, `${across} →`));
    this.table.replaceChildren(html("caption", {}, `↑ ${up}`), ...rows.reverse(), foot, below);
    this.table.style.maxWidth = `${CELL.widest * (first.length + 1)}px`;
    this.table.style.setProperty("--dtviz-high", `${Math.max(Math.min(CELL.high, 300 / second.length), CELL.lowest)}px`);
    put(this.table, "aria-label", `${this.title(name)}: ${count(state.atlas.n[n].functions, "function")}, the deeper the more`);
  }

  /** @param {Card} card */
  draw({ n, measures }) {
    const name = this.state.model.get("chart");
    this.choice.input.value = name;
    const drawn = `${name} ${n}`;
    if (this.drawn !== drawn) {
      Object.assign(this, { drawn, n });
      this.frame(name);
    }
    this.own = cellOf(this.cells, name, measures);
    this.buttons.forEach((button, k) => put(button, "aria-current", k === this.own));
    if (!this.table.matches(":focus-within")) this.reach(this.own);
    this.rest();
  }
}
