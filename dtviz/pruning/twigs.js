// The picture of a tree that loses its twigs: all its nodes as small marks, what is cut of them faint. What answers to
// a reader is an element for each node; what is seen is a path for all marks of a kind, drawn in one go.

import { OWN_KEYS, html, put, setBox, svg } from "../explorers/static/hosting/kit.js";
import { NodesView } from "../explorers/static/drawing/nodes.js";
import { nextSpot } from "../explorers/static/computing/path.js";
import { twigPlaces } from "./kernel_twigs.js";

/**
 * @import { Details } from "../explorers/static/controls/controls.js"
 * @import { Items } from "../explorers/static/drawing/nodes.js"
 * @import { Dock } from "../explorers/static/drawing/why.js"
 * @import { NodeState, PrunableTree } from "./kernel.js"
 * @import { Twig } from "./kernel_twigs.js"
 */

// Pixels that the edge of all examples is thicker than that of none.
const THICKEST = 7;

const WORDS = { inner: "Split", leaf: "Leaf", stump: "Cut here", gone: "Cut off" };

/** @type {(twig: Twig, side: number) => string} */
const square = ({ px, py }, side) => `M${(px - side / 2).toFixed(1)} ${(py - side / 2).toFixed(1)}h${side}v${side}h${-side}z`;

/** @type {(twig: Twig, radius: number) => string} */
const circle = ({ px, py }, radius) => {
  const half = `a${radius} ${radius} 0 1 0 `;
  return `M${(px - radius).toFixed(1)} ${py.toFixed(1)}${half}${2 * radius} 0${half}${-2 * radius} 0z`;
};

// A line of some thickness as an area, so that lines of many are one path.
/** @type {(from: Twig, to: Twig, thick: number) => string} */
const edge = (from, to, thick) => {
  const [dx, dy] = [to.px - from.px, to.py - from.py];
  const scale = thick / 2 / Math.hypot(dx, dy);
  const [ax, ay] = [dy * scale, -dx * scale];
  /** @type {(twig: Twig, side: 1 | -1) => string} */
  const corner = ({ px, py }, side) => `${(px + side * ax).toFixed(1)} ${(py + side * ay).toFixed(1)}`;
  return `M${corner(from, 1)}L${corner(to, 1)}L${corner(to, -1)}L${corner(from, -1)}z`;
};

export class TwigView {
  /** @param {{ name: string, dock: Dock, details: (node: number) => Details, twin: () => TwigView }} options */
  constructor({ name, dock, details, twin }) {
    /** @type {Items} */
    const items = {
      group: (k) => this.targets[k],
      // The way to a node is drawn as a whole.
      edge: () => null,
      up: () => -1,
      details,
      onActivate: (k) => {
        this.trace(k);
        twin().nodes.stress(k);
        twin().trace(k);
      },
      neighbor: (k, key) => nextSpot(this.twigs, k, key, ({ low }) => low < 0),
    };
    this.nodes = new NodesView({ name, number: "data-node", mark: " dtviz-twigs", dock, items });
    this.title = html("span");
    this.legend = html("span", { class: "dtviz-legend" });
    const heading = html("div", { class: "dtviz-heading" }, this.title, this.legend);
    this.root = html("div", { class: "dtviz-tree" }, heading, this.nodes.stage);
    this.trail = svg("polyline", { class: "dtviz-trail" });
    this.seen = svg("g", {});
    this.width = 0;
    this.mark = 0;
    /** @type {PrunableTree | null} */
    this.tree = null;
    /** @type {Twig[]} */
    this.twigs = [];
    /** @type {SVGRectElement[]} */
    this.targets = [];
  }

  // Draw the way from the root to a node; -1 draws none.
  /** @param {number} k */
  trace(k) {
    const corners = [];
    for (let twig = this.twigs[k]; twig; twig = this.twigs[twig.up]) corners.push(`${twig.px.toFixed(1)},${twig.py.toFixed(1)}`);
    put(this.trail, "points", corners.join(" "));
  }

  // Lay out a tree in the room there is.
  /** @type {(tree: PrunableTree, width: number, height: number) => void} */
  layOut(tree, width, height) {
    if (tree === this.tree && width === this.width) return;
    const { nodes } = this;
    const { twigs, mark, reach } = twigPlaces(tree, width, height);
    nodes.pin(-1);
    const targets = twigs.map(({ node, level, px, py }) => {
      const place = { x: (px - reach.width / 2).toFixed(1), y: (py - reach.height / 2).toFixed(1), ...reach };
      return svg("rect", { role: "treeitem", tabindex: -1, "data-node": node, "aria-level": level + 1, ...place, ...OWN_KEYS });
    });
    Object.assign(this, { tree, width, twigs, mark, targets });
    nodes.replace(targets, [this.seen, this.trail]);
    nodes.enter(0);
    const classes = tree.classes.map((name, k) => html("span", { class: `dtviz-class dtviz-label${k}` }, html("b", {}, "■"), ` ${name}`));
    this.legend.replaceChildren(...classes, html("span", { class: "dtviz-class" }, "▣ cut here"));
    setBox(nodes.canvas, width, height);
  }

  // Show what is left of each node of a tree; ringed are those that another pruning decides otherwise.
  /** @type {(tree: PrunableTree, states: NodeState[], ringed: Set<number>) => void} */
  draw(tree, states, ringed) {
    // What has no width, in a folded cell, say, is not laid out.
    if (tree !== this.tree) return;
    const { twigs, mark } = this;
    const { reach, size } = tree.counted.training;
    /** @type {Map<string, string>} */
    const paths = new Map([["dtviz-edge dtviz-gone", ""], ["dtviz-edge", ""]]);
    /** @type {(kind: string, drawing: string) => void} */
    const add = (kind, drawing) => void paths.set(kind, (paths.get(kind) ?? "") + drawing);
    twigs.forEach((twig, k) => {
      const faint = states[k] === "gone" ? " dtviz-gone" : "";
      if (k) add(`dtviz-edge${faint}`, edge(twigs[twig.up], twig, 1 + (THICKEST * reach[k]) / size));
      const isDot = twig.low >= 0 && states[k] !== "stump";
      if (isDot) add(`dtviz-dot${faint}`, circle(twig, Math.max(mark / 3, 1.5)));
      else add(`dtviz-${states[k]} dtviz-label${tree.label[k]}`, square(twig, mark));
      const parts = ringed.has(k) ? "; decided differently beside" : "";
      put(this.targets[k], "aria-label", `${WORDS[states[k]]}: ${tree.where[k]}${parts}`);
    });
    for (const k of ringed) add("dtviz-parting", circle(twigs[k], Math.max(mark, 7)));
    const named = twigs.filter(({ node, side }) => side && states[node] === "inner");
    this.seen.replaceChildren(
      ...[...paths].map(([kind, d]) => svg("path", { class: kind, d })),
      ...named.map(({ node, side, px, py }) =>
        svg("text", { x: px + 5 * side, y: py - 5, "text-anchor": side > 0 ? "start" : "end" }, tree.asks[node]),
      ),
    );
    if (this.nodes.active >= 0) this.nodes.activate(this.nodes.active);
  }
}
