// The tree that FIND returns, shaded by rank; what does not fit side by side is folded.

import { html, place, put, putAll, setBox, svg } from "../explorers/static/hosting/kit.js";
import { answerAt, blankEdge, blankNode, layEdge, spoken, writeBox, writeFold } from "../explorers/static/drawing/marks.js";
import { NodesView } from "../explorers/static/drawing/nodes.js";
import { drawnPart, nextSpot } from "../explorers/static/computing/path.js";
import { clamp, count } from "../explorers/static/computing/text.js";
import { bitsOf } from "./kernel_samples.js";
import { whyAt } from "./why.js";

/**
 * @import { Details, Fact } from "../explorers/static/controls/controls.js"
 * @import { Items } from "../explorers/static/drawing/nodes.js"
 * @import { Dock } from "../explorers/static/drawing/why.js"
 * @import { Point } from "../explorers/static/drawing/marks.js"
 * @import { Spot } from "../explorers/static/computing/path.js"
 * @import { FoundPath } from "./kernel.js"
 * @import { Now } from "./state.js"
 *
 * @typedef {Spot & Point & { details: Details, group: SVGGElement, edges: SVGElement[] }} DrawnSpot
 */

// Pixels: half a fold, the narrowest and the widest column, a row, the margins.
const FOUND = { reach: 15, slot: 30, widest: 64, row: 46, top: 22, foot: 34 };
// Rows that conflict: the first one, how far apart they stand, a letter of theirs.
const ROWS = { top: 88, apart: 18, letter: 7.4 };

// A rank comes of the ranks of both halves. What the dock says besides: the bound of the call, what it tried,
// and the labels that came to it.
/** @type {(path: FoundPath, node: number, now: Now) => Details} */
const detailsOf = (path, node, { examples, run }) => {
  const { rank, leaves, halves, at, bound } = path.nodes[node];
  const [rows, ones] = [examples.facts.size[at], examples.facts.ones[at]];
  const labels = Array.from({ length: rows }, (_, k) => (k < rows - ones ? 0 : 1));
  const below = halves.map((half) => half.rank).join(" and ");
  /** @type {Fact[]} */
  const tests = [["tests", path.name(node)], ["leaves", leaves], ["rank", rank], ["ranks below", below]];
  /** @type {Fact[]} */
  const label = [["label", path.name(node)], ["rank", rank]];
  return {
    title: path.where(node),
    lines: [...(halves.length ? tests : label), ["bound given", bound]],
    candidates: whyAt(examples, at, bound, run.names),
    strip: { labels, note: `${count(rows, "example")}: ${ones} with label 1` },
  };
};

/** @type {(path: FoundPath, spot: Spot, details: Details, roomy: boolean) => SVGGElement} */
const drawNode = (path, { node, low, folded, level }, details, roomy) => {
  const { rank, leaves, label, halves } = path.nodes[node];
  const inner = halves.length > 0;
  const state = folded.length ? "folded" : low < 0 ? "leaf" : "inner";
  const drawn = blankNode();
  const { group } = drawn;
  const below = state === "folded" && roomy ? "leaves" : "";
  if (folded.length) writeFold(drawn, FOUND.reach, -10, 22);
  writeBox(drawn, { state, name: state === "folded" ? String(leaves) : path.name(node), below });
  if (inner) {
    const at = folded.length ? { x: 9, y: -6 } : { x: 14, y: -12 };
    group.append(svg("text", { class: "dtviz-rank-number", ...at }, String(rank)));
  }
  const look = inner ? "" : ` dtviz-label${label} dtviz-pure`;
  putAll(group, { class: `dtviz-node dtviz-${state}${look}`, "data-state": state, "aria-level": level + 1 });
  put(group, "aria-label", spoken(state, details));
  group.style.setProperty("--dtviz-shade", `${inner ? 10 + (35 * rank) / path.nodes[0].rank : 100}%`);
  return group;
};

// The edge from the node above; below the root with the answer.
/** @type {(spots: Spot[], k: number, places: Point[]) => SVGElement[]} */
const drawEdge = (spots, k, places) => {
  const { up, level } = spots[k];
  if (up < 0) return [];
  const edge = blankEdge();
  layEdge(edge, places[up], places[k]);
  const side = spots[up].high === k ? 1 : 0;
  return level === 1 ? [edge, svg("text", answerAt(places[up], places[k], side), String(side))] : [edge];
};

// What of a path fits into a width, with its drawings, and where each node went.
/** @type {(path: FoundPath, now: Now, width: number) => { drawn: DrawnSpot[], owner: ArrayLike<number> }} */
const drawSpots = (path, now, width) => {
  const { slot, widest, row, top } = FOUND;
  const { spots, leaves, owner } = drawnPart(path, 0, Math.max(2, Math.floor(width / slot)), now.n);
  const step = Math.min(width / leaves, widest);
  const left = (width - step * leaves) / 2;
  const places = spots.map(({ x, level }) => ({ px: left + x * step, py: top + level * row }));
  const drawn = spots.map((spot, k) => {
    const { px, py } = places[k];
    const details = detailsOf(path, spot.node, now);
    const group = drawNode(path, spot, details, step >= 44);
    putAll(group, { "data-spot": k, transform: `translate(${px},${py})` });
    return { ...spot, px, py, details, group, edges: drawEdge(spots, k, places) };
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

/** @type {(name: string, dock: Dock) => { root: HTMLElement, title: HTMLElement, draw: (now: Now, width: number) => void, encircle: (node: number) => void }} */
export const foundTree = (name, dock) => {
  /** @type {DrawnSpot[]} */
  let drawn = [];
  /** @type {ArrayLike<number>} */
  let owner = [];
  /** @type {Items} */
  const items = {
    group: (k) => drawn[k]?.group,
    edge: (k) => drawn[k]?.edges[0],
    up: (k) => drawn[k]?.up ?? -1,
    details: (k) => drawn[k].details,
    neighbor: (k, pressed) => nextSpot(drawn, k, pressed, ({ low }) => low < 0),
  };
  const nodes = new NodesView({ name, number: "data-spot", dock, items });
  const nothing = svg("g", { class: "dtviz-nothing", role: "img" });
  const ring = svg("rect", { class: "dtviz-ring", visibility: "hidden" });
  nodes.canvas.append(nothing, ring);
  const title = html("span");
  const heading = html("div", { class: "dtviz-heading" }, title);
  const root = html("div", { class: "dtviz-tree dtviz-rank-tree" }, heading, nodes.stage);

  // What stands where FIND returns none: the rows that are to blame, as many as there is room for.
  /** @type {(now: Now, width: number, height: number) => void} */
  const drawNothing = ({ n, m, bound, conflict, examples: { labels } }, width, height) => {
    const [some, middle] = [conflict.length, width / 2];
    const why = `no tree of rank ≤ ${bound} agrees with ${m === 1 ? "the example" : `all ${m} examples`},`;
    const few = `nor with these ${some}; with any ${some - 1} of them, one does:`;
    put(nothing, "aria-label", `none: ${why} ${few} ${conflict.map((x) => bitsOf(n, x)).join(", ")}`);
    const wide = (2 * n + 5) * ROWS.letter;
    const most = Math.max(1, Math.floor((height - ROWS.top) / ROWS.apart) + 1);
    const across = clamp(Math.ceil(some / most), 1, Math.max(1, Math.floor(width / wide)));
    const down = Math.min(most, Math.ceil(some / across));
    const rows = conflict.slice(0, down * across).map((x, k) => {
      const cut = k === down * across - 1 && some > k + 1;
      const at = { x: middle + (Math.floor(k / down) - (across - 1) / 2) * wide, y: ROWS.top + (k % down) * ROWS.apart };
      if (cut) return svg("text", at, `and ${some - k} more`);
      const label = svg("tspan", { class: `dtviz-label${labels[x]}` }, ` ${labels[x]}`);
      return svg("text", at, `${[...bitsOf(n, x)].join(" ")} →`, label);
    });
    const lines = [why, few].map((text, k) => svg("text", { x: middle, y: 44 + 18 * k }, text));
    nothing.replaceChildren(svg("text", { class: "dtviz-none", x: middle, y: 20 }, "none"), ...lines, ...rows);
  };

  // Room for a row for each variable, whatever the tree.
  /** @type {(now: Now, width: number) => void} */
  const draw = (now, width) => {
    const { n, path } = now;
    const height = FOUND.top + n * FOUND.row + FOUND.foot;
    setBox(nodes.canvas, width, height);
    ({ drawn, owner } = path ? drawSpots(path, now, width) : { drawn: [], owner });
    encircled(ring, undefined);
    nodes.replace(drawn.map(({ group }) => group), drawn.flatMap(({ edges }) => edges));
    nodes.enter(0);
    if (path) put(nodes.groups, "aria-label", `${name}: ${path.words}.`);
    else drawNothing(now, width, height);
    // A tree without items would be announced as an empty one.
    nodes.groups.toggleAttribute("hidden", !path);
    nothing.toggleAttribute("hidden", Boolean(path));
  };
  // Ring a node, or the fold that hides it; -1 rings none.
  /** @param {number} node */
  const encircle = (node) => encircled(ring, node < 0 ? undefined : drawn[owner[node]]);
  return { root, title, draw, encircle };
};
