// Where a function stands among all: how many functions have each pair of values, as a map of shades, with
// the function's own cell ringed. A click on another cell shows a function that is there.

import { selectControl } from "../explorers/static/controls.js";
import { range, towards } from "../explorers/static/cube.js";
import { OWN_KEYS, html, put, putAll, say, setBox, setter, svg } from "../explorers/static/kit.js";
import { count } from "../explorers/static/text.js";
import { cellOf, shareText } from "./kernel_place.js";
import { textOf } from "./state.js";

/**
 * @import { Cell } from "./kernel_place.js"
 * @import { Card, State } from "./state.js"
 *
 * @typedef {{ x: number, y: number }} Spot
 */

const MARGIN = { left: 46, right: 8, top: 20, bottom: 40 };
const CELL = { widest: 46, high: 26, lowest: 10 };
// Both axes count leaves: on the diagonal they are equal.
const DIAGONAL = ["optimal|greedy_best", "greedy_best|greedy_worst", "greedy_best|gini_best", "optimal|gini_best"];

// All whole numbers between the first value and the last.
/** @param {number[]} values */
const everyStep = (values) => range(values[0], values[values.length - 1] + 1);

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// By the logarithm of how many functions there are; the rarest is still seen.
/** @type {(functions: number, most: number) => string} */
const opacityOf = (functions, most) => (0.12 + (0.88 * Math.log(functions)) / Math.log(most)).toFixed(3);

export class PlaceMap {
  /** @param {State} state @param {string[]} names */
  constructor(state, names) {
    this.state = state;
    this.cover = svg("g");
    this.axes = svg("g", { class: "dtviz-axes" });
    this.ring = svg("rect", { class: "dtviz-place-ring", rx: 3 });
    this.even = svg("line", { class: "dtviz-place-even" });
    const marks = [this.axes, this.cover, this.even, this.ring];
    this.canvas = svg("svg", { class: "dtviz-canvas dtviz-place-map", role: "group" }, ...marks);
    this.words = html("p", { class: "dtviz-key" });
    this.choice = selectControl({ name: "chart", label: "Among all functions", options: names, onChange: setter(state.model, "chart") });
    for (const option of this.choice.input.options) option.textContent = this.title(option.value);
    this.root = html("div", { class: "dtviz-place-room" }, this.choice.root, this.canvas, this.words);
    this.width = 0;
    this.size = { wide: 0, high: 0 };
    this.drawn = "";
    /** @type {Cell[]} */
    this.cells = [];
    /** @type {Spot[]} */
    this.spots = [];
    /** @type {SVGGElement[]} */
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

  /** @type {(n: number, cell: Cell) => string} */
  describe(n, { first, second, functions, classes }) {
    const [across, up] = this.axesOf(this.state.model.get("chart"));
    const { functions: all } = this.state.atlas.n[n];
    const share = shareText(functions / all);
    return `${capital(across)} ${first}, ${up} ${second}: ${count(functions, "function")} in ${count(classes, "class", "classes")}, ${share} of all`;
  }

  /** @param {number} at */
  reach(at) {
    this.marks.forEach((mark, k) => put(mark, "tabindex", k === at ? 0 : -1));
  }

  /** @type {(event: KeyboardEvent, k: number, n: number) => void} */
  onKey(event, k, n) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.open(k, n);
    else if (event.key.startsWith("Arrow")) {
      const next = towards(this.spots, k, event.key);
      this.reach(next);
      this.marks[next].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @type {(k: number, n: number) => void} */
  open(k, n) {
    // A code of the tables may lack leading zeros.
    this.state.show(textOf(n, Number(this.cells[k].code)));
  }

  /** @type {(n: number, k: number, size: Spot, most: number) => SVGGElement} */
  mark(n, k, { x: width, y: height }, most) {
    const cell = this.cells[k];
    const { x, y } = this.spots[k];
    const box = svg("rect", { x: x - width / 2 + 0.5, y: y - height / 2 + 0.5, width: width - 1, height: height - 1, rx: 2 });
    box.style.fillOpacity = opacityOf(cell.functions, most);
    const words = this.describe(n, cell);
    const root = svg("g", { role: "button", "aria-label": words, class: "dtviz-place-cell", ...OWN_KEYS }, box);
    const point = () => say(this.words, `${words}. Click to see one.`);
    root.addEventListener("pointerenter", point);
    root.addEventListener("focus", point);
    root.addEventListener("pointerleave", () => this.rest(n));
    root.addEventListener("click", () => {
      this.reach(k);
      this.open(k, n);
    });
    root.addEventListener("keydown", (event) => this.onKey(event, k, n));
    return root;
  }

  /** @param {number} n */
  rest(n) {
    const even = DIAGONAL.includes(this.state.model.get("chart")) ? ", dashed where both are equal" : "";
    say(this.words, `Ringed: this function. ${this.describe(n, this.cells[this.own])}. The deeper the shade, the more functions${even}.`);
  }

  // The cells of all functions of n variables, with their axes.
  /** @type {(name: string, n: number) => void} */
  frame(name, n) {
    const cells = this.state.pairs(name, n);
    const joint = this.state.atlas.n[n].joint[name];
    const [across, up] = [everyStep(joint.first), everyStep(joint.second)];
    const wide = Math.min((this.width - MARGIN.left - MARGIN.right) / across.length, CELL.widest);
    const high = Math.max(Math.min(CELL.high, 300 / up.length), CELL.lowest);
    const low = MARGIN.top + high * up.length;
    /** @param {number} value */
    const x = (value) => MARGIN.left + wide * (value - across[0] + 1 / 2);
    /** @param {number} value */
    const y = (value) => low - high * (value - up[0] + 1 / 2);
    const most = Math.max(...cells.map(({ functions }) => functions));
    this.cells = cells;
    this.size = { wide, high };
    this.spots = cells.map(({ first, second }) => ({ x: x(first), y: y(second) }));
    this.marks = cells.map((_, k) => this.mark(n, k, { x: wide, y: high }, most));
    this.cover.replaceChildren(...this.marks);
    setBox(this.canvas, this.width, low + MARGIN.bottom);
    const all = this.state.atlas.n[n].functions;
    put(this.canvas, "aria-label", `${this.title(name)}: ${count(all, "function")}, the deeper the more`);
    this.drawAxes(name, { across, up, x, y, low });
    const ends = [Math.max(across[0], up[0]), Math.min(across[across.length - 1], up[up.length - 1])];
    put(this.even, "visibility", DIAGONAL.includes(name) ? "inherit" : "hidden");
    putAll(this.even, { x1: x(ends[0]), y1: y(ends[0]), x2: x(ends[1]), y2: y(ends[1]) });
    this.reach(0);
  }

  /** @type {(name: string, frame: { across: number[], up: number[], x: (value: number) => number, y: (value: number) => number, low: number }) => void} */
  drawAxes(name, { across, up, x, y, low }) {
    const [first, second] = this.axesOf(name);
    const [every, each] = [Math.ceil(20 / this.size.wide), Math.ceil(15 / this.size.high)];
    const columns = across.filter((value) => (value - across[0]) % every === 0);
    const rows = up.filter((value) => (value - up[0]) % each === 0);
    const middle = (x(across[0]) + x(across[across.length - 1])) / 2;
    this.axes.replaceChildren(
      ...columns.map((value) => svg("text", { x: x(value), y: low + 16, "text-anchor": "middle" }, String(value))),
      ...rows.map((value) => svg("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value))),
      svg("text", { x: middle, y: low + 34, "text-anchor": "middle", class: "dtviz-place-name" }, `${capital(first)} →`),
      svg("text", { x: 0, y: 12, class: "dtviz-place-name" }, `↑ ${capital(second)}`),
    );
  }

  /** @param {Card} card */
  draw({ n, measures }) {
    const name = this.state.model.get("chart");
    this.choice.input.value = name;
    const drawn = `${name} ${n} ${this.width}`;
    if (this.drawn !== drawn) {
      this.drawn = drawn;
      this.frame(name, n);
    }
    this.own = cellOf(this.cells, name, measures);
    const { wide, high } = this.size;
    const { x, y } = this.spots[this.own];
    putAll(this.ring, { x: x - wide / 2 - 1, y: y - high / 2 - 1, width: wide + 2, height: high + 2 });
    if (!this.cover.matches(":focus-within")) this.reach(this.own);
    this.rest(n);
  }
}
