// The tree that FIND returns, its nodes shaded by rank; what does not fit side by side is folded.

import { html, put, setBox, svg } from "../explorers/static/kit.js";
import { drawnPart } from "../explorers/static/path.js";
import { foundPath } from "./kernel.js";

/**
 * @import { Spot } from "../explorers/static/path.js"
 * @import { FoundPath, PackedTree } from "./kernel.js"
 *
 * @typedef {{ x: number, y: number }} Place
 */

const FOUND = { slot: 30, widest: 64, row: 46, top: 22, foot: 40 };

/** @type {(path: FoundPath, spot: Spot, leaves: number, roomy: boolean) => SVGElement[]} */
const foldMarks = (path, { node }, leaves, roomy) => [
  svg("title", {}, `subtree of rank ${path.rank(node)} with ${leaves} leaves`),
  svg("path", { d: "M0 -10L15 22H-15Z" }),
  svg("text", { class: "dtviz-name", y: 18 }, String(leaves)),
  svg("text", { class: "dtviz-note", y: 35 }, roomy ? "leaves" : ""),
  svg("text", { class: "dtviz-rank-number", x: 9, y: -6 }, String(path.rank(node))),
];

/** @type {(path: FoundPath, spot: Spot) => SVGElement[]} */
const nodeMarks = (path, { node }) => {
  const [name, inner] = [path.name(node), path.inner(node)];
  const box = svg("rect", { x: -13, y: -10, width: 26, height: 20, rx: inner ? 10 : 3 });
  const text = svg("text", { class: "dtviz-name", y: 4 }, name);
  if (!inner) return [svg("title", {}, `leaf ${name}, rank 0`), box, text];
  const rank = String(path.rank(node));
  const number = svg("text", { class: "dtviz-rank-number", x: 14, y: -12 }, rank);
  return [svg("title", {}, `tests ${name}, rank ${rank}`), box, text, number];
};

/** @type {(path: FoundPath, spot: Spot, place: Place, roomy: boolean) => SVGElement} */
const drawNode = (path, spot, { x, y }, roomy) => {
  const { node, low, folded } = spot;
  const leaf = `leaf dtviz-label${path.name(node)} dtviz-pure`;
  const kind = folded.length ? "folded" : low < 0 ? leaf : "inner";
  const marks = folded.length ? foldMarks(path, spot, folded.length + 1, roomy) : nodeMarks(path, spot);
  const look = { class: `dtviz-node dtviz-${kind}`, transform: `translate(${x},${y})` };
  const group = svg("g", look, ...marks);
  const shade = path.inner(node) ? 10 + (35 * path.rank(node)) / Math.max(path.most, 1) : 100;
  group.style.setProperty("--dtviz-shade", `${shade}%`);
  return group;
};

// The edge to a node from the one above; below the root with the answer.
/** @type {(from: Place, to: Place, bit: number, level: number) => SVGElement[]} */
const drawEdge = (from, to, bit, level) => {
  const line = svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  if (level > 1) return [line];
  const at = { x: (from.x + to.x) / 2 + (bit ? 8 : -8), y: (from.y + to.y) / 2 };
  return [line, svg("text", { ...at, "text-anchor": bit ? "start" : "end" }, String(bit))];
};

export const foundTree = () => {
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img" });
  const title = html("div", { class: "dtviz-heading" });
  const root = html("div", { class: "dtviz-rank-tree" }, title, canvas);

  /** @type {(width: number, height: number, lines: string[]) => void} */
  const drawNothing = (width, height, lines) => {
    const texts = lines.map((line, k) => {
      const at = { x: width / 2, y: height / 2 - 12 + 24 * k };
      return svg("text", { class: k ? "" : "dtviz-none", ...at }, line);
    });
    put(canvas, "aria-label", lines.join(": "));
    canvas.replaceChildren(svg("g", { class: "dtviz-nothing" }, ...texts));
  };

  // Room for `levels` rows, whatever the tree; `nothing` is said where there is none.
  /** @type {(tree: PackedTree | null, levels: number, width: number, nothing: string[]) => void} */
  const draw = (tree, levels, width, nothing) => {
    const { slot, widest, row, top, foot } = FOUND;
    const height = top + levels * row + foot;
    setBox(canvas, width, height);
    if (!tree) {
      drawNothing(width, height, nothing);
      return;
    }
    const path = foundPath(tree);
    const { spots, leaves } = drawnPart(path, 0, Math.max(2, Math.floor(width / slot)), levels);
    const step = Math.min(width / leaves, widest);
    const left = (width - step * leaves) / 2;
    const places = spots.map(({ x, level }) => ({ x: left + x * step, y: top + level * row }));
    const edges = spots.flatMap(({ up, level }, k) => {
      const bit = up >= 0 && spots[up].high === k ? 1 : 0;
      return up < 0 ? [] : drawEdge(places[up], places[k], bit, level);
    });
    const nodes = spots.map((spot, k) => drawNode(path, spot, places[k], step >= 44));
    put(canvas, "aria-label", `Tree found: ${path.words}.`);
    canvas.replaceChildren(svg("g", { class: "dtviz-edges" }, ...edges), ...nodes);
  };
  return { root, title, draw };
};
