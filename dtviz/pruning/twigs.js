// The picture of a tree that loses its twigs: all its nodes as small marks, what is cut of them faint.

import { OWN_KEYS, html, put, setBox, svg } from "../explorers/static/kit.js";
import { NodesView } from "../explorers/static/nodes.js";
import { answersTo } from "./kernel.js";
import { TWIGS, nextTwig, twigPlaces } from "./kernel_twigs.js";

/**
 * @import { Told } from "../explorers/static/controls.js"
 * @import { NodeState, PrunableTree } from "./kernel.js"
 * @import { TwigPlaces } from "./kernel_twigs.js"
 *
 * A node with its drawing and the line from its parent.
 * @typedef {{ x: number, y: number, group: SVGGElement, edge: SVGGElement | null }} Twig
 */

const WORDS = { inner: "Split", leaf: "Leaf", stump: "Cut here", gone: "Cut off" };

/** @type {(side: { width: number, height: number }) => Record<string, number>} */
const centred = ({ width, height }) => ({ x: -width / 2, y: -height / 2, width, height });

/** @type {(tree: PrunableTree, places: TwigPlaces, k: number) => Twig} */
const makeTwig = (tree, { x, y, mark, reach }, k) => {
  const group = svg(
    "g",
    { role: "treeitem", tabindex: -1, "data-node": k, "aria-level": tree.depth[k] + 1, ...OWN_KEYS },
    svg("rect", { class: "dtviz-reach", ...centred(reach) }),
    svg("circle", { r: Math.max(mark / 3, 1.5) }),
    svg("rect", centred({ width: mark, height: mark })),
  );
  group.setAttribute("transform", `translate(${x[k]},${y[k]})`);
  const up = tree.parent[k];
  const line = () => svg("line", { x1: x[up], y1: y[up], x2: x[k], y2: y[k] });
  return { x: x[k], y: y[k], group, edge: up < 0 ? null : svg("g", {}, line()) };
};

class TwigView {
  /** @param {{ name: string, told: (node: number) => Told }} options  what is told of a node */
  constructor({ name, told }) {
    const items = {
      /** @param {number} k */
      group: (k) => this.twigs[k]?.group,
      /** @param {number} k */
      edge: (k) => this.twigs[k]?.edge,
      /** @param {number} k */
      up: (k) => this.tree?.parent[k] ?? -1,
      told,
      /** @param {number} k */
      spot: (k) => ({ x: this.twigs[k].x, below: this.twigs[k].y + 16, above: this.twigs[k].y - 16 }),
      /** @type {(k: number, key: string) => number} */
      neighbour: (k, key) => (this.tree ? nextTwig(this.tree, k, key) : -1),
      room: () => ({ width: this.width, height: TWIGS.height }),
    };
    this.nodes = new NodesView({ name, number: "data-node", mark: " dtviz-twigs", items });
    this.title = html("div", { class: "dtviz-heading" });
    this.root = html("div", { class: "dtviz-tree" }, this.title, this.nodes.stage);
    this.width = 0;
    /** @type {PrunableTree | null} */
    this.tree = null;
    // Making them takes longer than all else a slider does: they are kept until the width changes.
    /** @type {Map<PrunableTree, Twig[]>} */
    this.made = new Map();
    /** @type {Twig[]} */
    this.twigs = [];
    /** @type {NodeState[]} */
    this.states = [];
  }

  // Lay out a tree in the width there is; the one before is left as it was made.
  /** @type {(tree: PrunableTree, width: number) => void} */
  layOut(tree, width) {
    const { nodes, made } = this;
    nodes.tell(-1);
    nodes.enter(-1);
    if (width !== this.width) made.clear();
    const places = made.has(tree) ? null : twigPlaces(tree, width);
    if (places) made.set(tree, Array.from(tree.low, (_, k) => makeTwig(tree, places, k)));
    Object.assign(this, { tree, width, twigs: made.get(tree), states: [] });
    nodes.replace(this.twigs.map(({ group }) => group), this.twigs.flatMap(({ edge }) => edge ?? []));
    nodes.enter(0);
    setBox(nodes.canvas, width, TWIGS.height);
  }

  // Show what is left of each node of a tree.
  /** @type {(tree: PrunableTree, states: NodeState[]) => void} */
  draw(tree, states) {
    this.twigs.forEach(({ group, edge }, k) => {
      const state = states[k];
      if (this.states[k] === state) return;
      const kind = tree.low[k] < 0 || state === "stump" ? "box" : "dot";
      put(group, "class", `dtviz-twig dtviz-${state} dtviz-as-${kind} dtviz-label${tree.label[k]}`);
      put(group, "aria-label", `${WORDS[state]}: ${answersTo(tree, k)}`);
      if (edge) put(edge, "class", state === "gone" ? "dtviz-gone" : "");
    });
    this.states = states;
    if (this.nodes.told >= 0) this.nodes.tell(this.nodes.told);
  }
}

/** @type {(options: ConstructorParameters<typeof TwigView>[0]) => TwigView} */
export const twigView = (options) => new TwigView(options);
