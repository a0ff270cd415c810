// The drawing of a tree that grows in place along a path.

import { OWN_KEYS, html, put, putAll, say, setBox, svg } from "../hosting/kit.js";
import { answerOn, blankNode, edgeBetween, hatching, marksOf, spoken, writeNode } from "./marks.js";
import { NodesView } from "./nodes.js";
import { drawnPart, foldAt, nextSpot, widthOf } from "../computing/path.js";
import { count, small } from "../computing/text.js";
import { Dock } from "./why.js";

/**
 * @import { Fact, Details } from "../controls/controls.js"
 * @import { Marks, Shown } from "./marks.js"
 * @import { Items } from "./nodes.js"
 * @import { Spot, TreePath } from "../computing/path.js"
 *
 * @typedef {"absent" | Shown} State
 *
 * A spot with its drawing: the node's group and what is in it, the edge to the node above.
 * @typedef {object} Drawing
 * @property {State} state
 * @property {number} leaves  of the subtree that it stands for
 * @property {number} error  of it
 * @property {number} surplus  how many of its leaves are hatched
 * @property {string} key  what it was last drawn for
 * @property {number} px
 * @property {number} py
 * @property {string} home
 * @property {string} birth
 * @property {SVGGElement} group
 * @property {SVGTextElement} lower
 * @property {SVGTextElement | null} bit
 * @property {SVGGElement | null} edge
 *
 * @typedef {Spot & Drawing & Marks} DrawnSpot
 * @typedef {{ spots: DrawnSpot[], owner: Int32Array, leaves: number, levels: number, slot: number }} Part
 */

// Pixels that the edge of all the data is thicker than that of none.
const THICKEST = 7;
// Pixels between nodes side by side.
const BETWEEN = 6;
// Pixels: the narrowest columns, the widest one, the lowest and highest row, the margins.
const TREE = {
  slot: 34,
  foldedSlot: 40,
  widest: 84,
  row: 32,
  tallest: 62,
  top: 18,
  foot: 58,
};

/** @param {State | undefined} state */
const isEnd = (state) => state === "leaf" || state === "folded";

// Pure leaves are solid; mixed ones are a tint, the paler the closer to half and half.
/** @param {number} mixed */
const shadeOf = (mixed) => `${(mixed > 0 ? 60 - 48 * mixed : 100).toFixed(1)}%`;

export class TreeView {
  /**
   * @param {object} options
   * @param {string} options.name  for a screen reader
   * @param {(node: number, state: "inner" | "leaf") => Fact[]} options.facts  facts of a node
   * @param {(node: number, state: "inner" | "leaf") => Partial<Details>} [options.why]  candidates, examples
   * @param {(node: number) => void} [options.onActivate]  hears which node the reader points at, -1 for none
   * @param {Dock} [options.dock]  a dock that stands elsewhere, and may serve two trees
   * @param {boolean} [options.steady]  whether a shallow tree takes as much room as a deep one
   * @param {number} [options.beneath]  pixels kept below it for what others draw there
   * @param {boolean} [options.still]  whether it does not grow: no split is its last one
   */
  constructor({ name, facts, why, onActivate, dock, steady = false, beneath = 0, still = false }) {
    /** @type {Items} */
    const items = {
      group: (k) => this.spots[k]?.group,
      seen: (k) => this.spots[k].state !== "absent",
      edge: (k) => this.spots[k]?.edge,
      up: (k) => this.spots[k]?.up ?? -1,
      details: (k) => this.describe(this.spots[k]),
      neighbor: (k, key) => nextSpot(this.spots, k, key, ({ state }) => isEnd(state)),
      onActivate: (k) => onActivate?.(k < 0 ? -1 : this.spots[k].node),
      open: (k) => {
        if (k <= 0 || this.spots[k].state !== "folded") return false;
        this.zoom(this.spots[k].node);
        return true;
      },
      leave: () => {
        if (!this.zoomed) return false;
        this.zoom(0);
        return true;
      },
    };
    const box = dock ?? new Dock({ why: Boolean(why) });
    this.nodes = new NodesView({ name, number: "data-spot", dock: box, items });
    this.facts = facts;
    this.why = why;
    this.steady = steady;
    this.beneath = beneath;
    this.still = still;
    this.out = html("button", { type: "button", class: "dtviz-out", hidden: "", ...OWN_KEYS }, "Whole tree");
    this.out.addEventListener("click", () => this.zoom(0));
    this.title = html("span", { class: "dtviz-title" });
    this.where = html("span", { class: "dtviz-aside dtviz-where" });
    const heading = html("div", { class: "dtviz-heading dtviz-crumbs" }, this.title, this.where, this.out);
    this.ring = svg("rect", { class: "dtviz-ring", visibility: "hidden" });
    this.nodes.canvas.append(this.ring);
    this.ringed = -1;
    this.key = html("p", { class: "dtviz-key" });
    this.root = html("div", { class: "dtviz-tree" }, heading, this.nodes.stage, this.key, ...(dock ? [] : [box.root]));
    // Copied for each node: far quicker than to make one piece by piece.
    this.blank = blankNode(17, svg("text", { class: "dtviz-note dtviz-error", y: 49 }));

    /** @type {TreePath | null} */
    this.path = null;
    /** @type {Part | null} */
    this.part = null;
    this.size = { width: 0, height: 0 }; // what there is room for
    this.height = 0; // what the tree takes of it
    this.shown = { step: 0, next: -1, enough: Infinity };
    this.zoomed = 0;
  }

  // A path is shown before anything of it is asked for.
  get onPath() {
    if (!this.path) throw new Error("a tree view without a path");
    return this.path;
  }

  get spots() {
    return this.part?.spots ?? [];
  }

  /** @type {(spot: DrawnSpot, step: number) => State} */
  stateOf(spot, step) {
    if (spot.node > 0 && (spot.node - 1) >> 1 >= step) return "absent";
    if (spot.low >= 0) return this.onPath.splitAt[spot.node] < step ? "inner" : "leaf";
    return spot.folded.length > 0 && spot.folded[0] < step ? "folded" : "leaf";
  }

  /** @type {(spot: DrawnSpot) => Details} */
  summary(spot) {
    const title = this.onPath.where(spot.node);
    if (spot.state === "folded") {
      const hint = "Click or press Enter to look inside.";
      return { title, lines: [["leaves", String(spot.leaves)], ["error", spot.error.toFixed(4)]], hint };
    }
    return { title, lines: this.facts(spot.node, spot.state === "inner" ? "inner" : "leaf") };
  }

  // What the dock says is more than what a screen reader says at every step.
  /** @type {(spot: DrawnSpot) => Details} */
  describe(spot) {
    const state = spot.state === "leaf" ? "leaf" : "inner";
    return { ...this.summary(spot), ...this.why?.(spot.node, state) };
  }

  // Draw what is below a node alone, or with node 0 the whole tree again.
  /** @param {number} node */
  zoom(node) {
    this.zoomed = node;
    this.layOut();
    this.draw(this.shown.step, this.shown.next, this.shown.enough);
    this.nodes.enter(0);
    this.nodes.focus(0);
    // Its name stands in the heading.
    this.nodes.activate(-1);
  }

  // --- layout

  /** @type {(spot: Spot, index: number, spots: Spot[], at: { px: (spot: Spot) => number, py: (spot: Spot) => number }) => DrawnSpot} */
  makeSpot(spot, index, spots, { px, py }) {
    const group = /** @type {SVGGElement} */ (this.blank.cloneNode(true));
    const lower = /** @type {SVGTextElement} */ (group.lastChild);
    const above = spots[Math.max(spot.up, 0)];
    const [from, to] = [above, spot].map((one) => ({ px: px(one), py: py(one) }));
    /** @type {SVGTextElement | null} */
    let bit = null;
    /** @type {SVGGElement | null} */
    let edge = null;
    if (spot.up >= 0) {
      const side = above.low === index ? 0 : 1;
      const share = this.onPath.probability?.(spot.node);
      const thick = share === undefined ? 1.5 : 1 + THICKEST * share;
      bit = answerOn(from, to, side, this.onPath.answers[side], thick / 2);
      edge = edgeBetween(from, to, bit);
      edge.style.setProperty("--dtviz-thick", `${thick.toFixed(1)}px`);
    }
    group.setAttribute("data-spot", String(index));
    const [birth, home] = [from, to].map(({ px: x, py: y }) => `translate(${x}px,${y}px)`);
    const place = { ...to, home, birth };
    const drawing = { group, ...marksOf(group), lower, bit, edge };
    return { ...spot, ...place, ...drawing, state: "absent", leaves: 0, error: 0, surplus: 0, key: "" };
  }

  layOut() {
    const { zoomed, size: { width } } = this;
    const all = this.onPath.steps + 1;
    // Two tests side by side are two columns apart at the least; leaves say their class where there is room.
    const { testWidth = 0, leafWidth = 0 } = this.onPath;
    const least = Math.max((testWidth + BETWEEN) / 2, width < 480 ? 0 : Math.min(leafWidth + BETWEEN, TREE.widest));
    const roomy = !zoomed && all * Math.max(TREE.slot, least) <= width;
    const slots = roomy ? all : Math.max(2, Math.floor(width / Math.max(TREE.foldedSlot, least)));
    const room = (zoomed ? this.height - this.beneath : this.size.height) - TREE.top - TREE.foot;
    const part = drawnPart(this.onPath, zoomed, slots, Math.floor(room / TREE.row));
    const slot = Math.min(width / part.leaves, Math.max(TREE.widest, least, leafWidth + BETWEEN));
    const row = Math.min(room / Math.max(part.levels, 1), TREE.tallest);
    // Looking into a subtree must not move what is below the tree.
    if (!zoomed) this.height = Math.ceil(TREE.top + part.levels * row + TREE.foot + this.beneath);
    const left = (width - slot * part.leaves) / 2;
    /** @param {Spot} spot */
    const px = (spot) => left + spot.x * slot;
    /** @param {Spot} spot */
    const py = (spot) => TREE.top + spot.level * row;
    const spots = part.spots.map((spot, k) => this.makeSpot(spot, k, part.spots, { px, py }));
    this.part = { ...part, spots, slot };
    this.nodes.replace(spots.map(({ group }) => group), spots.flatMap(({ edge }) => edge ?? []));
    setBox(this.nodes.canvas, width, this.height);
    if (this.steady) this.nodes.stage.style.minHeight = `${this.size.height + this.beneath}px`;
    this.out.hidden = zoomed === 0;
    say(this.where, zoomed ? `inside ${this.onPath.where(zoomed)}` : "");
  }

  // --- drawing

  // Write what a node that is there says.
  /** @type {(spot: DrawnSpot, state: Shown) => void} */
  write(spot, state) {
    const { leaves, node, error, lower, surplus, hatch } = spot;
    const slot = this.part?.slot ?? 0;
    const { test, testWidth, mark, label, score, leafWidth = Infinity, className, below } = this.onPath;
    const named = className && leafWidth + BETWEEN <= slot;
    /** @type {{ name: string, below: string, wide?: number }} */
    const said = {
      inner: () => ({ name: test(node), below: "", wide: testWidth && widthOf([test(node)]) }),
      leaf: () => ({
        name: named ? className(label(node)) : mark(label(node)),
        below: below ? below(node) : small(score(node)),
        wide: named ? leafWidth : undefined,
      }),
      folded: () => ({ name: String(leaves), below: "leaves" }),
    }[state]();
    writeNode(spot, { state, ...said });
    put(hatch, "d", hatching(surplus / leaves, state, said.wide));
    say(lower, state === "folded" ? small(error) : "");
  }

  // Dress one node for its state; `last` marks the split just made, `next` the one to come.
  /** @type {(spot: DrawnSpot, last: boolean, next: boolean) => void} */
  dress(spot, last, next) {
    const { group, node, state, box } = spot;
    const absent = state === "absent";
    group.style.transform = absent ? spot.birth : spot.home;
    const marks = { "data-state": state, "data-leaves": spot.leaves, "data-surplus": spot.surplus };
    putAll(group, { ...marks, "aria-level": spot.level + 1, "aria-hidden": absent });
    if (spot.edge) put(spot.edge, "class", absent ? "dtviz-absent" : "");
    if (absent) {
      put(group, "class", "dtviz-node");
      return;
    }
    const impurity = this.onPath.mixed(node);
    const pure = impurity === 0 ? " dtviz-pure" : "";
    const kind = state === "leaf" ? `dtviz-label${this.onPath.label(node)}${pure}` : "";
    const played = `${last ? "dtviz-last" : ""} ${next ? "dtviz-next" : ""}`;
    put(group, "class", `dtviz-node dtviz-${state} ${kind} ${played}`);
    this.write(spot, state);
    box.style.setProperty("--dtviz-shade", shadeOf(impurity));
    if (this.onPath.tint) box.style.setProperty("--dtviz-label", this.onPath.tint(node));
    put(group, "aria-label", spoken(state, this.summary(spot)));
  }

  // A split puts one of its leaves into the place of the leaf that it splits, and adds the other, 1: that is leaf
  // j + 2 of the tree after split j. How many leaves of a spot came after as many as are enough.
  /** @type {(spot: DrawnSpot, step: number, enough: number) => number} */
  surplusOf({ node, folded }, step, enough) {
    let first = node;
    while (first % 2) first = this.onPath.split[first >> 1];
    const late = folded.filter((j) => j < step && j + 2 > enough).length;
    return late + (first / 2 + 1 > enough ? 1 : 0);
  }

  /** @type {(made: number, coming: number, step: number, enough: number) => void} */
  dressAll(made, coming, step, enough) {
    this.spots.forEach((spot, index) => {
      const state = this.stateOf(spot, step);
      const { leaves, error } = isEnd(state) ? foldAt(this.onPath, spot, step) : { leaves: 0, error: 0 };
      const surplus = leaves ? this.surplusOf(spot, step, enough) : 0;
      const [last, next] = [index === made, index === coming];
      const key = `${state} ${leaves} ${surplus} ${last} ${next}`;
      if (spot.key === key) return;
      Object.assign(spot, { key, state, leaves, error, surplus });
      this.dress(spot, last, next);
      if (index === this.nodes.active) this.nodes.activate(index);
    });
  }

  // What the marks below its leaves and folds are, and which leaves are hatched.
  /** @type {(step: number, enough: number) => void} */
  explain(step, enough) {
    const [scored, folds] = [!this.still && !this.path?.below, this.spots.some(({ leaves }) => leaves > 1)];
    const parts = [
      scored && "Below leaves: scores.",
      folds && "Red: errors of folds.",
      step + 1 > enough && `Hatched: ${count(step + 1 - enough, "surplus leaf", "surplus leaves")}.`,
    ];
    say(this.key, parts.filter(Boolean).join(" "));
  }

  // Show the tree after `step` splits, mark the leaf `next`, -1 for none, and hatch leaves beyond those that are enough.
  /** @type {(step: number, next: number, enough?: number) => void} */
  draw(step, next, enough = Infinity) {
    this.shown = { step, next, enough };
    // Sliding back before the node we look into was made leads out again.
    if (this.zoomed && (this.zoomed - 1) >> 1 >= step) {
      this.zoomed = 0;
      this.layOut();
    }
    const { part } = this;
    if (!part) return;
    const made = step > 0 && !this.still ? part.owner[this.onPath.split[step - 1]] : -1;
    this.dressAll(made, next >= 0 ? part.owner[next] : -1, step, enough);
    this.explain(step, enough);
    this.freshen(made, part.spots);
    this.encircle(this.ringed);
    this.keepPlace(part.spots);
  }

  // The edges below the split just made stand out, and say their answers as those of the root do, and where there
  // is room as all do.
  /** @type {(made: number, spots: DrawnSpot[]) => void} */
  freshen(made, spots) {
    for (const { edge, bit, state, up } of spots) {
      if (!edge || !bit || state === "absent") continue;
      const fresh = up === made && spots[made].state === "inner";
      put(edge, "class", fresh ? "dtviz-fresh" : "");
      put(bit, "visibility", fresh || up === 0 || (this.part?.slot ?? 0) >= 40 ? "inherit" : "hidden");
    }
  }

  // Tab leads to the leftmost leaf, or to where the reader was.
  /** @param {DrawnSpot[]} spots */
  keepPlace(spots) {
    const state = spots[this.nodes.current]?.state;
    if (isEnd(state) || (state === "inner" && this.nodes.groups.matches(":focus-within"))) return;
    const ends = spots.filter((spot) => isEnd(spot.state));
    this.nodes.enter(spots.indexOf(ends.reduce((a, b) => (b.x < a.x ? b : a))));
  }

  // Ring a node, or the fold that holds it; -1 rings none.
  /** @param {number} node */
  encircle(node) {
    this.ringed = node;
    const at = node < 0 || !this.part ? -1 : this.part.owner[node];
    const spot = this.spots[at];
    put(this.ring, "visibility", spot ? "inherit" : "hidden");
    if (!spot) return;
    // What is written below a fold or a leaf is within.
    const [wide, low] = spot.state === "folded" ? [52, 42] : spot.state === "leaf" ? [56, 30] : [(this.onPath.testWidth ?? 28) + 14, 17];
    putAll(this.ring, { x: spot.px - wide / 2, y: spot.py - 17, width: wide, height: 17 + low, rx: 14 });
  }

  // Bring a node into focus, and hold its description.
  /** @param {number} node */
  pick(node) {
    const at = this.part?.owner[node] ?? -1;
    if (at < 0) return;
    this.nodes.enter(at);
    this.nodes.focus(at);
    this.nodes.pin(at);
  }

  // Mark a node, or the fold that holds it, and the way to it; -1 marks none.
  /** @param {number} node */
  point(node) {
    if (this.part) this.nodes.stress(node < 0 ? this.nodes.held : this.part.owner[node]);
  }

  /** @type {(width: number, height: number) => void} */
  resize(width, height) {
    const stays = this.part && this.size.width === width && this.size.height === height;
    this.size = { width, height };
    if (!this.path) return;
    if (!stays) this.layOut();
    this.draw(this.shown.step, this.shown.next, this.shown.enough);
  }

  /** @param {TreePath} path */
  show(path) {
    this.path = path;
    this.zoomed = 0;
    if (this.size.width) this.layOut();
  }

  // A path of the same splits: other numbers on the nodes that stand.
  /** @param {TreePath} path */
  update(path) {
    this.path = path;
    for (const spot of this.spots) spot.key = "";
  }
}
