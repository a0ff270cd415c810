// Points at the leaves of a growing tree: when a leaf is split, its points travel down the two branches.

import { svg } from "../explorers/static/hosting/kit.js";
import { seenPart, shareOf, tintOf } from "../explorers/static/computing/points.js";

/**
 * @import { Plane, Span } from "../explorers/static/drawing/plane.js"
 * @import { TreeView } from "../explorers/static/drawing/tree.js"
 * @import { PlanePath } from "./kernel.js"
 *
 * @typedef {TreeView["spots"][number]} Spot
 */

// Of more points, so many are shown.
const MOST = 200;
// Pixels: a point, from one to the next, from a leaf or a fold down to its heap, how wide and high a heap may be.
const HEAP = { radius: 2, step: 5, leaf: 31, folded: 58, widest: 110, tallest: 26 };
// So much lower than a tree's lowest text a heap may reach.
export const BENEATH = HEAP.tallest + HEAP.radius;

// Points spread evenly over the sample, in the order of their classes.
/** @type {(plane: Plane) => { label: number, place: Span }[]} */
const drawnPoints = (plane) => {
  const { columns: [first, second], labels } = seenPart(plane);
  const pace = Math.max(1, labels.length / MOST);
  const rows = Array.from({ length: Math.min(MOST, labels.length) }, (_, k) => Math.floor(k * pace));
  return rows
    .map((row) => ({ label: labels[row], place: /** @type {Span} */ ([first[row], second[row]]) }))
    .sort((a, b) => a.label - b.label);
};

// How wide the heap of a spot may be: no other node and no edge of the drawing is within.
/** @type {(spots: Spot[], at: number, width: number) => number} */
const roomAt = (spots, at, width) => {
  const { px, py } = spots[at];
  const near = spots.filter((spot, k) => k !== at && spot.state !== "absent" && spot.py >= py && spot.py < py + 60);
  const inside = 2 * (Math.min(px, width - px) - HEAP.radius);
  return Math.min(HEAP.widest, inside, ...near.map((spot) => Math.abs(spot.px - px) - HEAP.step));
};

// Where the k-th of so many points lies in the heap of a spot.
/** @type {(spot: Spot, k: number, size: number, width: number) => string} */
const heapPlace = ({ px, py, state }, k, size, width) => {
  const columns = Math.max(1, Math.min(Math.floor(width / HEAP.step), Math.ceil(Math.sqrt(3 * size))));
  const [row, column] = [Math.floor(k / columns), k % columns];
  const down = Math.min(HEAP.step, HEAP.tallest / Math.ceil(size / columns));
  const x = px + (column - (Math.min(columns, size) - 1) / 2) * HEAP.step;
  const y = py + (state === "folded" ? HEAP.folded : HEAP.leaf) + row * down;
  return `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
};

/** @param {TreeView} tree */
export const flowLayer = (tree) => {
  const group = svg("g", { class: "dtviz-flow", "aria-hidden": "true" });
  tree.nodes.canvas.append(group);
  let shown = /** @type {Plane | null} */ (null);
  /** @type {{ dot: SVGCircleElement, place: Span }[]} */
  let dots = [];
  return {
    /** @type {(plane: Plane, path: PlanePath, step: number) => void} */
    draw(plane, path, step) {
      const { part } = tree;
      if (!part) return;
      if (shown !== plane) {
        shown = plane;
        dots = drawnPoints(plane).map(({ label, place }) => {
          const { values } = plane;
          const style = values ? `--dtviz-label: ${tintOf(shareOf(values, values[label]))}` : null;
          return { place, dot: svg("circle", { class: `dtviz-label${label}`, style, r: HEAP.radius }) };
        });
        group.replaceChildren(...dots.map(({ dot }) => dot));
      }
      /** @type {Map<number, SVGCircleElement[]>} */
      const heaps = new Map();
      for (const { dot, place } of dots) {
        const at = part.owner[path.find(place, step)];
        heaps.set(at, [...(heaps.get(at) ?? []), dot]);
      }
      for (const [at, heap] of heaps) {
        const spot = part.spots[at];
        const width = spot ? roomAt(part.spots, at, tree.size.width) : 0;
        heap.forEach((dot, k) => {
          // Inside a subtree, the points of the others are not there.
          dot.style.display = spot ? "" : "none";
          if (spot) dot.style.transform = heapPlace(spot, k, heap.length, width);
        });
      }
    },
  };
};
