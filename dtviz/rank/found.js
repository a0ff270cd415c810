// The tree that FIND returns, shaded by rank; what does not fit side by side is folded.

import { html, place, put, putAll, setBox, svg } from "../explorers/static/kit.js";
import { answerOn, blankNode, edgeBetween, marksOf, spoken, writeNode } from "../explorers/static/marks.js";
import { NodesView } from "../explorers/static/nodes.js";
import { drawnPart, nextSpot } from "../explorers/static/path.js";
import { count } from "../explorers/static/text.js";
import { foundPath } from "./kernel.js";
import { whyAt } from "./why.js";

/**
 * @import { Details } from "../explorers/static/controls.js"
 * @import { AnyDock } from "../explorers/static/why.js"
 * @import { Place } from "../explorers/static/marks.js"
 * @import { Spot } from "../explorers/static/path.js"
 * @import { FoundPath } from "./kernel.js"
 * @import { Facts, FoundTree, Plan } from "./kernel_find.js"
 *
 * @typedef {{ plan: Plan, facts: Facts, tree: FoundTree | null }} Found
 * @typedef {Spot & Place & { details: Details, group: SVGGElement, edge: SVGGElement | null }} DrawnSpot
 */

// Pixels: half a fold, the narrowest and the widest column, a row, the margins.
const FOUND = { reach: 15, slot: 30, widest: 64, row: 46, top: 22, foot: 40 };

// A rank comes of the ranks of both halves.
/** @type {(path: FoundPath, node: number) => Details} */
const factsOf = (path, node) => {
  const [title, name, rank] = [path.where(node), path.name(node), path.rank(node)];
  if (!path.inner(node)) return { title, lines: [["label", name], ["rank", rank]] };
  const below = path.halves(node).map(path.rank).join(" and ");
  return { title, lines: [["tests", name], ["leaves", path.leaves(node)], ["rank", rank], ["ranks below", below]] };
};

/** @type {(path: FoundPath, spot: Spot, details: Details, roomy: boolean) => SVGGElement} */
const drawNode = (path, { node, low, folded, level }, details, roomy) => {
  const [name, rank, inner] = [path.name(node), path.rank(node), path.inner(node)];
  const state = folded.length ? "folded" : low < 0 ? "leaf" : "inner";
  const group = blankNode(FOUND.reach);
  const leaves = { name: String(path.leaves(node)), below: roomy ? "leaves" : "" };
  writeNode(marksOf(group), { state, ...(folded.length ? leaves : { name, below: "" }) });
  if (inner) {
    const at = folded.length ? { x: 9, y: -6 } : { x: 14, y: -12 };
    group.append(svg("text", { class: "dtviz-rank-number", ...at }, String(rank)));
  }
  const look = inner ? "" : ` dtviz-label${name} dtviz-pure`;
  putAll(group, { class: `dtviz-node dtviz-${state}${look}`, "data-state": state, "aria-level": level + 1 });
  put(group, "aria-label", spoken(state, details));
  group.style.setProperty("--dtviz-shade", `${inner ? 10 + (35 * rank) / Math.max(path.most, 1) : 100}%`);
  return group;
};

// The edge from the node above; below the root with the answer.
/** @type {(spots: Spot[], k: number, places: Place[]) => SVGGElement | null} */
const drawEdge = (spots, k, places) => {
  const { up, level } = spots[k];
  if (up < 0) return null;
  const side = spots[up].high === k ? 1 : 0;
  const answers = level === 1 ? [answerOn(places[up], places[k], side, String(side))] : [];
  return edgeBetween(places[up], places[k], ...answers);
};

// What of a path fits into a width, with its drawings, and where each node went.
/** @type {(path: FoundPath, levels: number, width: number) => { drawn: DrawnSpot[], owner: ArrayLike<number> }} */
const drawSpots = (path, levels, width) => {
  const { slot, widest, row, top } = FOUND;
  const { spots, leaves, owner } = drawnPart(path, 0, Math.max(2, Math.floor(width / slot)), levels);
  const step = Math.min(width / leaves, widest);
  const left = (width - step * leaves) / 2;
  const places = spots.map(({ x, level }) => ({ px: left + x * step, py: top + level * row }));
  const drawn = spots.map((spot, k) => {
    const { px, py } = places[k];
    const details = factsOf(path, spot.node);
    const group = drawNode(path, spot, details, step >= 44);
    putAll(group, { "data-spot": k, transform: `translate(${px},${py})` });
    return { ...spot, px, py, details, group, edge: drawEdge(spots, k, places) };
  });
  return { drawn, owner };
};

// A ring around a node, its rank and what is written below a fold.
/** @type {(ring: SVGRectElement, spot: DrawnSpot | undefined) => void} */
const encircled = (ring, spot) => {
  put(ring, "visibility", spot ? "inherit" : "hidden");
  if (!spot) return;
  const low = spot.folded.length ? 40 : 16;
  place(ring, { x: spot.px - 23, y: spot.py - 25, width: 52, height: 25 + low, rx: 14 });
};

// What the dock says besides: the bound of the call, what it tried, and the labels that came to it.
/** @type {(details: Details, found: Found, at: number) => Details} */
const withReasons = (details, { plan, facts, tree }, at) => {
  if (!tree) return details;
  const [c, bound] = [tree.at[at], tree.bound[at]];
  const [rows, ones] = [facts.size[c], facts.ones[c]];
  const labels = Array.from({ length: rows }, (_, k) => (k < rows - ones ? 0 : 1));
  const strip = { labels, note: `${count(rows, "example")}: ${ones} with label 1`, inOrder: true };
  return { ...details, lines: [...details.lines, ["bound given", bound]], candidates: whyAt(plan, facts, c, bound, tree.names), strip };
};

/** @type {(name: string, dock: AnyDock) => { root: HTMLElement, title: HTMLElement, draw: (found: Found, width: number, lines: string[]) => void, encircle: (node: number) => void }} */
export const foundTree = (name, dock) => {
  /** @type {DrawnSpot[]} */
  let drawn = [];
  /** @type {ArrayLike<number>} */
  let owner = [];
  /** @type {{ found: Found, path: FoundPath } | null} */
  let shown = null;
  let size = { width: 0, height: 0 };
  const items = {
    /** @param {number} k */
    group: (k) => drawn[k]?.group,
    /** @param {number} k */
    edge: (k) => drawn[k]?.edge,
    /** @param {number} k */
    up: (k) => drawn[k]?.up ?? -1,
    /** @param {number} k */
    details: (k) => {
      const { details, node } = drawn[k];
      return shown ? withReasons(details, shown.found, shown.path.at[node]) : details;
    },
    /** @type {(k: number, pressed: string) => number} */
    neighbour: (k, pressed) => nextSpot(drawn, k, pressed, ({ low }) => low < 0),
  };
  const nodes = new NodesView({ name, number: "data-spot", dock, items });
  const nothing = svg("g", { class: "dtviz-nothing", role: "img" });
  const ring = svg("rect", { class: "dtviz-ring", visibility: "hidden" });
  nodes.canvas.append(nothing, ring);
  const title = html("span");
  const heading = html("div", { class: "dtviz-heading" }, title);
  const root = html("div", { class: "dtviz-tree dtviz-rank-tree" }, heading, nodes.stage);

  /** @param {string[]} lines */
  const drawNothing = (lines) => {
    const texts = lines.map((line, k) => {
      const at = { x: size.width / 2, y: size.height / 2 - 12 + 24 * k };
      return svg("text", { class: k ? "" : "dtviz-none", ...at }, line);
    });
    put(nothing, "aria-label", lines.join(": "));
    nothing.replaceChildren(...texts);
  };

  // Room for a row for each variable, whatever the tree; `lines` are said where there is none.
  /** @type {(found: Found, width: number, lines: string[]) => void} */
  const draw = (found, width, lines) => {
    const { tree, plan: { n: levels } } = found;
    const { row, top, foot } = FOUND;
    size = { width, height: top + levels * row + foot };
    setBox(nodes.canvas, width, size.height);
    const path = tree ? foundPath(tree) : null;
    shown = path && { found, path };
    ({ drawn, owner } = path ? drawSpots(path, levels, width) : { drawn: [], owner });
    encircled(ring, undefined);
    nodes.replace(drawn.map(({ group }) => group), drawn.flatMap(({ edge }) => edge ?? []));
    nodes.enter(0);
    if (path) put(nodes.groups, "aria-label", `${name}: ${path.words}.`);
    else drawNothing(lines);
    // A tree without items would be announced as an empty one.
    nodes.groups.toggleAttribute("hidden", !path);
    nothing.toggleAttribute("hidden", Boolean(path));
  };
  // Ring a node, or the fold that hides it; -1 rings none.
  /** @param {number} node */
  const encircle = (node) => encircled(ring, node < 0 ? undefined : drawn[owner[node]]);
  return { root, title, draw, encircle };
};
