// Where a function stands among all: how many functions have each pair of values, as a table of shades, with
// the function's own cell framed. A click on another cell shows a function that is there.

import { selectControl } from "../explorers/static/controls/controls.js";
import { towards } from "../explorers/static/drawing/cube.js";
import { OWN_KEYS, html, put, putAll, say, setter } from "../explorers/static/hosting/kit.js";
import { capital, count } from "../explorers/static/computing/text.js";
import { cellOf, cellsOf, shareText } from "./kernel_place.js";
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
    this.table = html("table", { class: "dtviz-place-map", role: "grid" });
    this.words = html("p", { class: "dtviz-key" });
    const options = model.get("_rules").chart.choices;
    this.choice = selectControl({ name: "chart", label: "Among all functions", options, onChange: setter(model, "chart") });
    for (const option of this.choice.input.options) say(option, this.title(option.value));
    this.root = html("div", { class: "dtviz-place-room" }, this.choice.root, this.table, this.words);
    this.drawn = "";
    this.n = 0;
    /** @type {Cell[]} */
    this.cells = [];
    /** @type {HTMLElement[]} */
    this.marks = [];
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
    this.marks.forEach((mark, k) => put(mark, "tabindex", k === at ? 0 : -1));
  }

  /** @param {number} k */
  open(k) {
    this.reach(k);
    // A code of the tables may lack leading zeros.
    this.state.show(textOf(this.n, Number(this.cells[k].code)));
  }

  /** @type {(event: KeyboardEvent, k: number) => void} */
  onKey(event, k) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.open(k);
    else if (event.key.startsWith("Arrow")) {
      const next = towards(this.cells.map(({ first, second }) => ({ x: 9 * first, y: -9 * second })), k, event.key);
      this.reach(next);
      this.marks[next].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @type {(mark: HTMLElement, k: number, most: number) => void} */
  fill(mark, k, most) {
    const words = this.describe(this.cells[k]);
    mark.classList.add("dtviz-place-cell");
    mark.style.setProperty("--dtviz-shade", shadeOf(this.cells[k].functions, most));
    putAll(mark, { "aria-label": words, ...OWN_KEYS });
    const point = () => say(this.words, `${words}. Click to see one.`);
    mark.addEventListener("pointerenter", point);
    mark.addEventListener("focus", point);
    mark.addEventListener("pointerleave", () => this.rest());
    mark.addEventListener("click", () => this.open(k));
    mark.addEventListener("keydown", (event) => this.onKey(event, k));
  }

  // The cells of all functions of n variables, with their axes.
  /** @param {string} name */
  frame(name) {
    const { state, n } = this;
    const joint = state.atlas.n[n].joint[name];
    const { first, second } = joint;
    this.cells = cellsOf(joint);
    const most = Math.max(...this.cells.map(({ functions }) => functions));
    const [across, up] = this.axesOf(name).map(capital);
    const sides = heads(second, "row");
    const rows = second.map((own, j) => {
      const cells = first.map((value) => html("td", { "data-even": hasDiagonal(name) && value === own }));
      return html("tr", {}, sides[j], ...cells);
    });
    this.marks = this.cells.map((cell) => rows[second.indexOf(cell.second)].cells[1 + first.indexOf(cell.first)]);
    this.marks.forEach((mark, k) => this.fill(mark, k, most));
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
    this.marks.forEach((mark, k) => put(mark, "aria-selected", k === this.own));
    if (!this.table.matches(":focus-within")) this.reach(this.own);
    this.rest();
  }
}
