// The picture of a tree that loses its twigs: all its nodes as small marks, what is cut of them faint.

import { html, put, putAll, svg } from "../explorers/static/hosting/kit.js";
import { blankEdge, blankNode, layEdge, thickOf, writeMark } from "../explorers/static/drawing/marks.js";
import { NodesView } from "../explorers/static/drawing/nodes.js";
import { markPlaces } from "../explorers/static/computing/layout.js";
import { nextSpot, placeSpots } from "../explorers/static/computing/path.js";

/**
 * @import { Details } from "../explorers/static/controls/controls.js"
 * @import { Items } from "../explorers/static/drawing/nodes.js"
 * @import { Dock } from "../explorers/static/drawing/why.js"
 * @import { Layout, Place } from "../explorers/static/computing/layout.js"
 * @import { Spot } from "../explorers/static/computing/path.js"
 * @import { Marks } from "../explorers/static/drawing/marks.js"
 * @import { NodeState, PrunableTree } from "./kernel.js"
 *
 * @typedef {Spot & Place & Marks & { edge: SVGLineElement | null, key: string }} Twig
 */

const WORDS = { inner: "Split", leaf: "Leaf", stump: "Cut here", gone: "Cut off" };

// The nodes of a tree in their columns and rows, the k-th at place k.
/** @type {(tree: Pick<PrunableTree, "low" | "high" | "parent" | "depth">) => Spot[]} */
export const spotsOf = ({ low, high, parent, depth }) => {
  const spots = Array.from(low, (child, node) => {
    return { node, up: parent[node], level: depth[node], low: child, high: high[node], x: 0, folded: [] };
  });
  placeSpots(spots);
  return spots;
};

// Pixels from a node in a ring to its name.
const RINGED = 11;

/** @type {(layout: Layout, at: Place, radius?: number) => string} */
const ring = ({ mark }, { px, py }, radius = Math.max(mark, 7)) => {
  const half = `a${radius} ${radius} 0 1 0 `;
  return `M${(px - radius).toFixed(1)} ${py.toFixed(1)}${half}${2 * radius} 0${half}${-2 * radius} 0z`;
};

export class TwigView {
  /** @param {{ name: string, dock: Dock, details: (node: number) => Details, twin: () => TwigView }} options */
  constructor({ name, dock, details, twin }) {
    /** @type {Items} */
    const items = {
      group: (k) => this.twigs[k]?.group,
      edge: (k) => this.twigs[k]?.edge,
      up: (k) => this.twigs[k]?.up ?? -1,
      details,
      onActivate: (k) => twin().nodes.stress(k),
      neighbor: (k, key) => nextSpot(this.twigs, k, key, ({ low }) => low < 0),
    };
    this.nodes = new NodesView({ name, number: "data-node", mark: " dtviz-small", dock, items });
    this.title = html("span");
    this.legend = html("span", { class: "dtviz-legend" });
    const ringed = html("b", { style: "--dtviz-label: var(--dtviz-bound)" }, "○");
    this.keys = [["▣ cut here"], [ringed, " decided differently"]].map((key) => html("span", { class: "dtviz-class" }, ...key));
    const heading = html("div", { class: "dtviz-heading" }, this.title, this.legend);
    this.root = html("div", { class: "dtviz-tree" }, heading, this.nodes.stage);
    this.rings = svg("path", { class: "dtviz-parting" });
    this.nodes.canvas.append(this.rings);
    this.width = 0;
    /** @type {PrunableTree | null} */
    this.tree = null;
    /** @type {Twig[]} */
    this.twigs = [];
    /** @type {Layout | null} */
    this.layout = null;
  }

  // Lay out a tree in the room there is.
  /** @type {(tree: PrunableTree, room: { width: number, height: number, narrow: boolean, beneath: number }) => void} */
  layOut(tree, room) {
    if (tree === this.tree && room.width === this.width) return;
    const { nodes } = this;
    const spots = spotsOf(tree);
    const extent = { leaves: tree.leaves[0], levels: Math.max(...tree.depth) };
    const layout = markPlaces(spots, extent, room, (node) => tree.asks[node]);
    const { reach, size } = tree.counted.training;
    nodes.pin(-1);
    const twigs = spots.map((spot, k) => {
      const node = blankNode();
      const { px, py } = layout.places[k];
      putAll(node.group, { "data-node": k, "aria-level": spot.level + 1, transform: `translate(${px},${py})` });
      const edge = k ? blankEdge(thickOf(reach[k] / size)) : null;
      if (edge) layEdge(edge, layout.places[spot.up], layout.places[k]);
      return { ...spot, ...layout.places[k], ...node, edge, key: "" };
    });
    Object.assign(this, { tree, width: room.width, twigs, layout });
    nodes.replace(twigs.map(({ group }) => group), twigs.flatMap(({ edge }) => edge ?? []));
    nodes.enter(0);
    const classes = tree.classes.map((name, k) => html("span", { class: `dtviz-class dtviz-label${k}` }, html("b", {}, "■"), ` ${name}`));
    this.legend.replaceChildren(...classes, ...this.keys);
    nodes.frame(layout.width, room.height, room.width);
    nodes.sight(twigs[0].px);
  }

  // Show what is left of each node of a tree; ringed are those that another pruning decides otherwise.
  /** @type {(tree: PrunableTree, states: NodeState[], ringed: Set<number>) => void} */
  draw(tree, states, ringed) {
    const { layout, twigs } = this;
    // What has no width, in a folded cell, say, is not laid out.
    if (tree !== this.tree || !layout) return;
    twigs.forEach((twig, k) => {
      const [state, { group, edge, side, low }] = [states[k], twig];
      const parts = ringed.has(k) ? "; decided differently beside" : "";
      if (twig.key === state + parts) return;
      twig.key = state + parts;
      const kind = low >= 0 && state !== "stump" ? "inner" : "leaf";
      put(group, "class", `dtviz-node dtviz-${kind} dtviz-${state} dtviz-label${tree.label[k]}`);
      if (edge) put(edge, "class", `dtviz-${state}`);
      writeMark(twig, { state: kind, name: tree.asks[k], side: state === "inner" ? side : 0 }, layout);
      if (twig.text && parts) put(twig.text, "x", RINGED * side);
      put(group, "aria-label", `${WORDS[state]}: ${tree.where[k]}${parts}`);
    });
    [states.includes("stump"), ringed.size > 0].forEach((there, k) => (this.keys[k].hidden = !there));
    put(this.rings, "d", [...ringed].map((k) => ring(layout, twigs[k])).join(""));
    if (this.nodes.active >= 0) this.nodes.activate(this.nodes.active);
  }
}
