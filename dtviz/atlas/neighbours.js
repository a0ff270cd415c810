// The neighbours of a function: those one point away, and its restrictions, each of which a click shows.

import { bitsOf, grayPoints, range } from "../explorers/static/cube.js";
import { OWN_KEYS, html, put, putAll, say } from "../explorers/static/kit.js";
import { count, digits } from "../explorers/static/text.js";
import { measuresOf, restricted } from "./kernel.js";
import { rangeText } from "./numbers.js";
import { textOf } from "./state.js";

/**
 * @import { Measures } from "./kernel.js"
 * @import { Card, State } from "./state.js"
 *
 * @typedef {{ root: HTMLButtonElement, leaves: HTMLElement, greed: HTMLElement }} Flip
 */

/** @type {(difference: number) => string} */
const signed = (difference) => (difference > 0 ? `+${difference}` : difference < 0 ? `−${-difference}` : "±0");

// --- one point away ----------------------------------------------------------------------------

class FlipMap {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    this.table = html("table", { class: "dtviz-flips" });
    this.words = html("p", { class: "dtviz-key", "aria-live": "off" });
    const heading = html("div", { class: "dtviz-heading" }, "One point away");
    this.root = html("div", { class: "dtviz-flip-room" }, heading, this.table, this.words);
    /** @type {Flip[]} */
    this.flips = [];
    /** @type {number[][]} */
    this.grid = [];
    this.shape = "";
    this.table.addEventListener("keydown", (event) => this.onKey(event));
    this.table.addEventListener("mouseleave", () => this.rest());
  }

  rest() {
    say(this.words, "Each box flips f at one point: the leaves of the smallest tree then, and below them of greed’s.");
  }

  /** @param {number} x */
  reach(x) {
    this.flips.forEach(({ root }, k) => put(root, "tabindex", k === x ? 0 : -1));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const at = this.flips.findIndex(({ root }) => root === event.target);
    if (!step || at < 0) return;
    const row = this.grid.findIndex((points) => points.includes(at));
    const next = this.grid[row + step[0]]?.[this.grid[row].indexOf(at) + step[1]];
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return;
    this.reach(next);
    this.flips[next].root.focus();
  }

  /** @type {(x: number) => Flip} */
  make(x) {
    const leaves = html("b");
    const greed = html("span");
    const root = html("button", { type: "button", class: "dtviz-flip-to", ...OWN_KEYS }, leaves, greed);
    root.addEventListener("click", () => {
      this.reach(x);
      this.state.show(root.value);
    });
    for (const event of ["mouseenter", "focus"]) {
      root.addEventListener(event, () => say(this.words, `${root.getAttribute("aria-label")}. Click to go there.`));
    }
    return { root, leaves, greed };
  }

  // Rows of the first variables, or on a narrow screen more rows than columns.
  /** @type {(n: number, narrow: boolean) => void} */
  build(n, narrow) {
    const down = narrow ? Math.max(n - 2, 0) : Math.floor(n / 2);
    const [rowed, columned] = [range(0, down), range(down, n)];
    const [rows, columns] = [grayPoints(rowed), grayPoints(columned)];
    this.grid = rows.map((row) => columns.map((column) => row | column));
    this.flips = range(0, 1 << n).map((x) => this.make(x));
    const names = [rowed, columned].map((variables) => variables.map((i) => `x${i}`).join(" "));
    const corner = html("td", {}, names[0]);
    const over = html("caption", {}, `across ${names[1]}`);
    const head = html("tr", {}, corner, ...columns.map((x) => html("th", { scope: "col" }, bitsOf(x, columned))));
    const body = this.grid.map((points, r) =>
      html("tr", {}, html("th", { scope: "row" }, bitsOf(rows[r], rowed)), ...points.map((x) => html("td", {}, this.flips[x].root))),
    );
    this.table.replaceChildren(over, html("thead", {}, head), html("tbody", {}, ...body));
    this.reach(0);
  }

  /** @type {(card: Card, narrow: boolean) => void} */
  draw(card, narrow) {
    const { n, table, measures } = card;
    const shape = `${n} ${narrow}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(n, narrow);
    }
    this.state.neighbours(card).forEach(({ code, measures: there }, x) => {
      const { root, leaves, greed } = this.flips[x];
      const change = there.least.leaves - measures.least.leaves;
      root.value = textOf(n, code);
      say(leaves, String(there.least.leaves));
      say(greed, rangeText(there.ties).replace(" to ", "–"));
      const told = `f(${[...bitsOf(x, range(0, n))].join(", ")}) = ${1 - table[x]}: smallest tree ${there.least.leaves} (${signed(change)}), greed ${rangeText(there.ties)}`;
      putAll(root, { "aria-label": told, "data-change": Math.sign(change), "data-waste": there.ties.best > there.least.leaves });
    });
    this.rest();
  }
}

// --- one variable less -------------------------------------------------------------------------

const HEADS = ["ask first", "influence", "if 0", "if 1", "smallest", "greed"];

class HalvesTable {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    this.body = html("tbody");
    const heads = HEADS.map((text) => html("th", { scope: "col" }, text));
    const table = html("table", { class: "dtviz-measures dtviz-halves" }, html("thead", {}, html("tr", {}, ...heads)), this.body);
    const heading = html("div", { class: "dtviz-heading" }, "One variable less");
    this.key = html("p", { class: "dtviz-key" });
    this.room = html("div", { class: "dtviz-scroll", tabindex: 0, role: "region", "aria-label": "One variable less", ...OWN_KEYS }, table);
    this.root = html("div", {}, heading, this.room, this.key);
    this.drawn = "";
  }

  buttons() {
    return [...this.body.querySelectorAll("button")];
  }

  // A restriction, by the leaves of its smallest tree.
  /** @type {(n: number, code: number, there: Measures, told: string) => HTMLElement} */
  half(n, code, there, told) {
    const text = count(there.least.leaves, "leaf", "leaves");
    // The explorer has no functions without variables.
    if (n < 1) return html("span", {}, `always ${code}`);
    const label = `${told}: smallest tree ${text}, greed ${rangeText(there.ties)}`;
    const given = { type: "button", class: "dtviz-link", "aria-label": label, ...OWN_KEYS };
    const root = html("button", given, String(there.least.leaves));
    root.addEventListener("click", () => this.state.show(textOf(n, code)));
    return root;
  }

  /** @param {Card} card */
  draw({ n, code, measures }) {
    if (this.drawn === `${n} ${code}`) return;
    this.drawn = `${n} ${code}`;
    const most = Math.max(...measures.edges);
    const constant = most === 0;
    const rows = range(0, n).map((i) => {
      const codes = [0, 1].map((bit) => restricted(n, code, i, bit));
      const halves = codes.map((half) => measuresOf(n - 1, half));
      const [smallest, best, worst] = [
        halves[0].least.leaves + halves[1].least.leaves,
        halves[0].ties.best + halves[1].ties.best,
        halves[0].ties.worst + halves[1].ties.worst,
      ];
      const first = html("th", { scope: "row" }, `x${i}`);
      const cells = [
        digits(measures.edges[i] / 2 ** (n - 1)) + (!constant && measures.edges[i] === most ? " ◂" : ""),
        ...halves.map((half, bit) => this.half(n - 1, codes[bit], half, `x${i} = ${bit}`)),
        String(smallest) + (!constant && smallest === measures.least.leaves ? " ★" : ""),
        rangeText({ best, worst }),
      ];
      return html("tr", {}, first, ...cells.map((cell) => html("td", {}, cell)));
    });
    const at = this.buttons().findIndex((button) => button === document.activeElement);
    this.body.replaceChildren(...rows);
    // The half that was pressed is gone: the keyboard goes on where it was.
    if (at >= 0) (this.buttons()[at] ?? this.buttons().at(-1) ?? this.room).focus();
    say(
      this.key,
      constant
        ? "f is constant: nothing is asked."
        : "The numbers are leaves: a tree that asks x first has those of two trees, one for each half. Click a half to see it. ◂ greed asks one of these first; ★ a smallest tree can ask this first.",
    );
  }
}

/** @param {State} state */
export const neighboursView = (state) => {
  const flips = new FlipMap(state);
  const halves = new HalvesTable(state);
  return {
    root: html("div", { class: "dtviz-neighbours" }, flips.root, halves.root),
    /** @type {(card: Card, narrow: boolean) => void} */
    draw(card, narrow) {
      flips.draw(card, narrow);
      halves.draw(card);
    },
  };
};
