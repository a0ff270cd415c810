// The picture of a tree that loses its twigs: all its nodes as small marks, what is cut of them faint.

import { OWN_KEYS, html, putAll, say, setBox, svg } from "../explorers/static/kit.js";
import { NodesView } from "../explorers/static/nodes.js";
import { nextTwig, twigPlaces } from "./kernel_twigs.js";

/**
 * @import { Details } from "../explorers/static/controls.js"
 * @import { AnyDock } from "../explorers/static/why.js"
 * @import { NodeState, PrunableTree } from "./kernel.js"
 * @import { TwigPlaces } from "./kernel_twigs.js"
 *
 * A node with its drawing and the line from its parent. What was last written is remembered: to ask a browser for it
 * takes as long as to write it.
 * @typedef {object} Twig
 * @property {SVGGElement} group
 * @property {SVGGElement} edge
 * @property {SVGElement} line
 * @property {SVGElement} reach
 * @property {SVGElement} dot
 * @property {SVGElement} box
 * @property {SVGElement} [ring]  where another pruning decides otherwise
 * @property {SVGElement} [text]  the test, where there is room
 * @property {Record<string, string>} written
 */

// Pixels that the edge of all examples is thicker than that of none.
const THICKEST = 7;

const WORDS = { inner: "Split", leaf: "Leaf", stump: "Cut here", gone: "Cut off" };

/** @type {() => Twig} */
const blankTwig = () => {
  const [reach, dot, box] = [svg("rect", { class: "dtviz-reach" }), svg("circle"), svg("rect")];
  const line = svg("polyline");
  return {
    ...{ reach, dot, box, line, written: {} },
    group: svg("g", { role: "treeitem", tabindex: -1, ...OWN_KEYS }, reach, dot, box),
    edge: svg("g", {}, line),
  };
};

/** @type {(twig: Twig, part: "group" | "edge" | "line" | "reach" | "dot" | "box", values: Record<string, string | number>) => void} */
const write = (twig, part, values) => {
  for (const name in values) {
    const text = String(values[name]);
    const key = part + name;
    if (twig.written[key] === text) continue;
    twig.written[key] = text;
    twig[part].setAttribute(name, text);
  }
};

/** @type {(side: { width: number, height: number }) => Record<string, number>} */
const centred = ({ width, height }) => ({ x: -width / 2, y: -height / 2, width, height });

/** @type {(twig: Twig, tree: PrunableTree, places: TwigPlaces, k: number) => void} */
const settle = (twig, tree, { x, y, mark, reach, named }, k) => {
  const [px, py] = [x[k].toFixed(1), y[k].toFixed(1)];
  write(twig, "group", { "data-node": k, "aria-level": tree.depth[k] + 1, transform: `translate(${px},${py})` });
  write(twig, "reach", centred(reach));
  write(twig, "dot", { r: Math.max(mark / 3, 1.5) });
  write(twig, "box", centred({ width: mark, height: mark }));
  const up = tree.parent[k];
  if (up >= 0) {
    const { reach: comers, size } = tree.counted.training;
    const style = `--dtviz-thick:${(1 + (THICKEST * comers[k]) / size).toFixed(1)}px`;
    write(twig, "line", { points: `${x[up].toFixed(1)},${y[up].toFixed(1)} ${px},${py}`, style });
  }
  const side = named.get(k);
  if (!side) twig.text = void twig.text?.remove();
  else {
    if (!twig.text) twig.group.append((twig.text = svg("text", { y: -5 })));
    putAll(twig.text, { x: 5 * side, "text-anchor": side > 0 ? "start" : "end" });
    say(twig.text, tree.asks[k]);
  }
};

// Let an element have the first of some children: those that it has are the first already.
/** @type {(parent: Element, children: Element[]) => void} */
const fit = (parent, children) => {
  const had = parent.childElementCount;
  parent.append(...children.slice(had));
  for (let k = had; k > children.length; k -= 1) parent.lastElementChild?.remove();
};

/** @type {(tree: PrunableTree, state: NodeState, k: number) => string} */
const shapeOf = ({ low }, state, k) => (low[k] < 0 || state === "stump" ? "box" : "dot");

class TwigView {
  /** @param {{ name: string, dock: AnyDock, details: (node: number) => Details, onActivate?: (node: number) => void }} options */
  constructor({ name, dock, details, onActivate }) {
    const items = {
      /** @param {number} k */
      group: (k) => this.twigs[k]?.group,
      /** @param {number} k */
      edge: (k) => (k > 0 ? this.twigs[k]?.edge : null),
      /** @param {number} k */
      up: (k) => this.tree?.parent[k] ?? -1,
      details,
      onActivate,
      /** @type {(k: number, key: string) => number} */
      neighbour: (k, key) => (this.tree ? nextTwig(this.tree, k, key) : -1),
    };
    this.nodes = new NodesView({ name, number: "data-node", mark: " dtviz-twigs", dock, items });
    this.title = html("span");
    this.legend = html("span", { class: "dtviz-legend" });
    const heading = html("div", { class: "dtviz-heading" }, this.title, this.legend);
    this.root = html("div", { class: "dtviz-tree" }, heading, this.nodes.stage);
    this.width = 0;
    /** @type {PrunableTree | null} */
    this.tree = null;
    // One tree's drawings are the next one's: making them takes longer than all else a slider does.
    /** @type {Twig[]} */
    this.pool = [];
    /** @type {Twig[]} */
    this.twigs = [];
    this.ring = 0;
  }

  // Lay out a tree in the room there is.
  /** @type {(tree: PrunableTree, width: number, height: number) => void} */
  layOut(tree, width, height) {
    if (tree === this.tree && width === this.width) return;
    const { nodes, pool } = this;
    nodes.pin(-1);
    nodes.enter(-1);
    while (pool.length < tree.nodes) pool.push(blankTwig());
    const twigs = pool.slice(0, tree.nodes);
    const places = twigPlaces(tree, width, height);
    this.ring = Math.max(places.mark, 7);
    fit(nodes.groups, twigs.map(({ group }) => group));
    fit(nodes.edges, twigs.slice(1).map(({ edge }) => edge));
    twigs.forEach((twig, k) => settle(twig, tree, places, k));
    Object.assign(this, { tree, width, twigs });
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
    for (let k = 0; k < tree.nodes; k += 1) this.dress(k, tree, states[k], ringed.has(k));
    if (this.nodes.active >= 0) this.nodes.activate(this.nodes.active);
  }

  /** @type {(k: number, tree: PrunableTree, state: NodeState, rings: boolean) => void} */
  dress(k, tree, state, rings) {
    const twig = this.twigs[k];
    if (rings && !twig.ring) twig.group.append((twig.ring = svg("circle", { class: "dtviz-parting", r: this.ring })));
    if (!rings) twig.ring = void twig.ring?.remove();
    const active = k === this.nodes.active ? " dtviz-active" : "";
    const marks = `dtviz-${state} dtviz-as-${shapeOf(tree, state, k)} dtviz-label${tree.label[k]}`;
    // Besides, whoever points at a node changes its class.
    if (active) delete twig.written.groupclass;
    write(twig, "group", { class: `dtviz-twig ${marks}${active}` });
    write(twig, "group", { "aria-label": `${WORDS[state]}: ${tree.where[k]}${rings ? "; decided otherwise beside" : ""}` });
    write(twig, "edge", { class: state === "gone" ? "dtviz-gone" : "" });
    if (active) delete twig.written.groupclass;
  }
}

/** @type {(options: ConstructorParameters<typeof TwigView>[0]) => TwigView} */
export const twigView = (options) => new TwigView(options);
