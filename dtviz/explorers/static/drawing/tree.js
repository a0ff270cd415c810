// The drawing of a tree that grows in place along a path: boxes while there is room for what they say, then small marks.

import { OWN_KEYS, html, put, putAll, say, svg } from "../hosting/kit.js";
import { spoken } from "./marks.js";
import { NodesView } from "./nodes.js";
import { boxPlaces, leafCaps, markPlaces, pileBox } from "../computing/layout.js";
import { drawnPart, foldAt, nextSpot, widthOf } from "../computing/path.js";
import { count } from "../computing/text.js";
import { isEnd, makeSpot, putSpot, shadeOf, writeSpot } from "./spots.js";
import { Dock } from "./why.js";

/**
 * @import { Fact, Details } from "../controls/controls.js"
 * @import { Items } from "./nodes.js"
 * @import { DrawnSpot, State } from "./spots.js"
 * @import { Layout } from "../computing/layout.js"
 * @import { TreePath } from "../computing/path.js"
 *
 * @typedef {Layout & { spots: DrawnSpot[], owner: Int32Array }} Part
 */

// Pixels from child to child where their answers have room.
const APART = 40;

// Milliseconds from step to step below which nothing is on its way to its place; only large trees are played as fast.
const BRISK = 120;

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
    this.moved = -Infinity;
    this.key = html("p", { class: "dtviz-key" });
    this.root = html("div", { class: "dtviz-tree" }, heading, this.nodes.stage, this.key, ...(dock ? [] : [box.root]));

    /** @type {TreePath | null} */
    this.path = null;
    /** @type {Part | null} */
    this.part = null;
    this.size = { width: 0, height: 0, narrow: false }; // what there is room for
    this.height = 0; // what the tree takes of it
    this.shown = { step: 0, next: -1, enough: Infinity };
    this.zoomed = 0;
    /** @type {number[]} */
    this.inside = []; // the splits of the subtree on display, if not of the whole tree
    /** @type {number[]} */
    this.caps = []; // how many leaves each form of the drawing holds
    this.boxes = 0; // up to so many as boxes
    this.cap = 0; // that of the form on display
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

  // Another tree, another part of it, or another room: start over.
  layOut() {
    const { zoomed } = this;
    this.inside = zoomed ? drawnPart(this.onPath, zoomed, 1, 0).spots[0].folded : [];
    Object.assign(this, leafCaps(this.onPath, zoomed, this.room()));
    this.cap = 0;
    this.part = null;
    this.nodes.replace([], []);
    this.out.hidden = zoomed === 0;
    say(this.where, zoomed ? `inside ${this.onPath.where(zoomed)}` : "");
  }

  room() {
    const height = this.zoomed ? this.height - this.beneath : this.size.height;
    return { ...this.size, height, beneath: this.beneath };
  }

  // Draw as many leaves as the tree has now in the form that holds them: nodes that stand stay, and go to their places.
  /** @param {number} step */
  reform(step) {
    const leaves = this.zoomed ? this.inside.filter((j) => j < step).length + 1 : step + 1;
    const cap = this.caps.find((most) => leaves <= most) ?? this.caps[this.caps.length - 1];
    if (cap === this.cap) return;
    this.cap = cap;
    const { onPath: path, beneath, nodes, spots: before } = this;
    const { spots, owner, ...extent } = drawnPart(path, this.zoomed, cap, Infinity);
    const { places, ...layout } =
      cap <= this.boxes ? boxPlaces(path, spots, extent, this.room()) : markPlaces(spots, extent, this.room(), path.test);
    // The nodes of fewer leaves are the first of those of more.
    const drawn = spots.map((spot, k) => Object.assign(before[k] ?? makeSpot(path, spots, k), spot, places[k]));
    drawn.forEach(putSpot);
    this.part = { ...layout, places, owner, spots: drawn };
    const [more, less] = [drawn.slice(before.length), before.slice(drawn.length)];
    nodes.groups.append(...more.map(({ group }) => group));
    nodes.edges.append(...more.flatMap(({ edge, bit }) => (edge && bit ? [edge, bit] : [])));
    for (const { group, edge, bit } of less) for (const gone of [group, edge, bit]) gone?.remove();
    // Looking into a subtree must not move what is below the tree.
    if (!this.zoomed) this.height = (this.steady ? this.size.height : layout.height) + beneath;
    nodes.frame(layout.width, this.height, this.size.width);
    nodes.canvas.classList.toggle("dtviz-small", layout.mark > 0);
    nodes.sight(drawn[0].px);
  }

  // Where points may lie below a leaf or a fold.
  /** @param {DrawnSpot} spot */
  pileOf(spot) {
    const { part, spots } = this;
    if (!part) throw new Error("a pile of a tree that is not drawn");
    return pileBox(part, spots, spots.indexOf(spot), this.beneath);
  }

  // --- drawing

  // Dress one node for its state; `last` marks the split just made, `next` the one to come.
  /** @type {(spot: DrawnSpot, last: boolean, next: boolean) => void} */
  dress(spot, last, next) {
    const { group, node, state, box } = spot;
    const absent = state === "absent";
    group.style.transform = absent ? spot.birth : spot.home;
    const marks = { "data-state": state, "data-leaves": spot.leaves, "data-surplus": spot.surplus };
    putAll(group, { ...marks, "aria-level": spot.level + 1, "aria-hidden": absent });
    if (absent) {
      put(group, "class", "dtviz-node");
      return;
    }
    const impurity = this.onPath.mixed(node);
    const pure = impurity === 0 ? " dtviz-pure" : "";
    const kind = state === "leaf" ? `dtviz-label${this.onPath.label(node)}${pure}` : "";
    const played = `${last ? "dtviz-last" : ""} ${next ? "dtviz-next" : ""}`;
    put(group, "class", `dtviz-node dtviz-${state} ${kind} ${played}`);
    if (this.part) writeSpot(spot, this.onPath, this.part, { state, large: last });
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

  // What the marks of its nodes are, and which leaves are hatched.
  /** @type {(step: number, enough: number) => void} */
  explain(step, enough) {
    const isSmall = (this.part?.mark ?? 0) > 0;
    const folds = this.spots.map(({ leaves }) => leaves).filter((leaves) => leaves > 1);
    const sizes = [...new Set([Math.min(...folds), Math.max(...folds)])].join(" to ");
    const parts = [
      isSmall && "Dots: splits. Squares: leaves.",
      folds.length > 0 && `Triangles: subtrees of ${sizes} leaves, to open.`,
      !isSmall && !this.still && !this.path?.below && "Below leaves: scores.",
      step + 1 > enough && `Hatched: ${count(step + 1 - enough, "surplus leaf", "surplus leaves")}.`,
    ];
    say(this.key, parts.filter(Boolean).join(" "));
  }

  // For who slides fast nodes stand where they belong at once: many on their way make each frame late.
  /** @param {unknown} moves */
  hurry(moves) {
    if (!moves) return;
    const now = performance.now();
    this.nodes.canvas.classList.toggle("dtviz-brisk", now - this.moved < BRISK);
    this.moved = now;
  }

  // Show the tree after `step` splits, mark the leaf `next`, -1 for none, and hatch leaves beyond those that are enough.
  /** @type {(step: number, next: number, enough?: number) => void} */
  draw(step, next, enough = Infinity) {
    // Where it opens, the root is in sight; later, the split just made.
    const moves = this.part && step !== this.shown.step;
    this.hurry(moves);
    this.shown = { step, next, enough };
    if (!this.caps.length) return;
    // Sliding back before the node we look into was made leads out again.
    if (this.zoomed && (this.zoomed - 1) >> 1 >= step) {
      this.zoomed = 0;
      this.layOut();
    }
    this.reform(step);
    const { part } = this;
    if (!part) return;
    const made = step > 0 && !this.still ? part.owner[this.onPath.split[step - 1]] : -1;
    this.dressAll(made, next >= 0 ? part.owner[next] : -1, step, enough);
    this.explain(step, enough);
    this.freshen(made, part.spots);
    this.encircle(this.ringed);
    this.keepPlace(part.spots);
    if (moves && made >= 0) this.nodes.sight(part.spots[made].px);
  }

  // Which edges say their answers: those of boxes that are far apart, of marks those of the root.
  /** @type {(spots: DrawnSpot[]) => (up: number) => boolean} */
  answering(spots) {
    const isSmall = (this.part?.mark ?? 0) > 0;
    return (up) => {
      const { node, low, high, side } = spots[up];
      const apart = spots[high].px - spots[low].px;
      // Beside a mark its test may take the room.
      return isSmall ? up === 0 && (!side || apart > 4 * widthOf([this.onPath.test(node)])) : apart >= APART;
    };
  }

  // The edges below the split just made stand out.
  /** @type {(made: number, spots: DrawnSpot[]) => void} */
  freshen(made, spots) {
    const answers = this.answering(spots);
    for (const { edge, bit, state, up } of spots) {
      if (!edge || !bit) continue;
      const seen = state !== "absent";
      put(edge, "class", seen ? (up === made && spots[up].state === "inner" ? "dtviz-fresh" : "") : "dtviz-absent");
      put(bit, "display", seen && answers(up) ? "inline" : "none");
    }
  }

  // Tab leads to the root, or to where the reader was.
  /** @param {DrawnSpot[]} spots */
  keepPlace(spots) {
    if ((spots[this.nodes.current]?.state ?? "absent") === "absent") this.nodes.enter(0);
  }

  // Ring a node, or the fold that holds it; -1 rings none.
  /** @param {number} node */
  encircle(node) {
    this.ringed = node;
    const at = node < 0 || !this.part ? -1 : this.part.owner[node];
    const spot = this.spots[at];
    put(this.ring, "visibility", spot ? "inherit" : "hidden");
    if (!spot) return;
    const isSmall = this.part?.mark;
    // What is written below a leaf, or beside a mark, is within.
    const [left, right] = isSmall ? [spot.left + 6, spot.right + 6] : [spot.left + 7, spot.right + 7];
    const [high, low] = isSmall ? [spot.around + 4, 12] : [17, spot.state === "leaf" ? 30 : 17];
    putAll(this.ring, { x: spot.px - left, y: spot.py - high, width: left + right, height: high + low, rx: 14 });
  }

  /** @param {number} node */
  focus(node) {
    this.nodes.focus(this.part?.owner[node] ?? -1);
  }

  // Bring a node into focus, and hold its description.
  /** @param {number} node */
  pick(node) {
    const at = this.part?.owner[node] ?? -1;
    if (at >= 0) this.nodes.hold(at);
  }

  // Mark a node, or the fold that holds it, and the way to it; -1 marks none.
  /** @param {number} node */
  point(node) {
    if (this.part) this.nodes.stress(node < 0 ? this.nodes.held : this.part.owner[node]);
  }

  /** @type {(width: number, height: number, narrow?: boolean) => void} */
  resize(width, height, narrow = false) {
    const { size } = this;
    const stays = this.caps.length && size.width === width && size.height === height && size.narrow === narrow;
    this.size = { width, height, narrow };
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
