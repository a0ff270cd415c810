// Points at the leaves of a growing tree: when a leaf is split, its points fall down the two branches.

import { html, say } from "../explorers/static/hosting/kit.js";
import { Falling } from "../explorers/static/drawing/falling.js";
import { shareOf, tintOf } from "../explorers/static/computing/points.js";

/**
 * @import { Plane, Span } from "../explorers/static/drawing/plane.js"
 * @import { TreeView } from "../explorers/static/drawing/tree.js"
 * @import { PlanePath } from "./kernel.js"
 */

// So high may a heap of them be, below the tree's lowest text.
export const BENEATH = 28;

const COLORS = ["zero", "one", "two"].map((name) => `var(--dtviz-${name})`);

/** @param {TreeView} tree */
export const flowLayer = (tree) => {
  const count = html("span", { class: "dtviz-aside" });
  tree.title.after(count);
  let [words, size] = ["", 0];
  const falling = new Falling({
    onCount: ([right], done) => say(count, words && `${words}${right} of ${size}${done ? "" : " so far"}`),
  });
  let shown = /** @type {Plane | null} */ (null);
  /** @type {number[]} */
  let rows = [];
  return {
    /** @type {(plane: Plane, path: PlanePath, step: number) => void} */
    draw(plane, path, step) {
      const { points: [first, second], labels, values, held } = plane;
      if (!tree.part) return;
      if (shown !== plane) {
        shown = plane;
        // Those that the tree grows on, in the order of their classes.
        rows = labels.map((_, row) => row).filter((row) => !held?.[row]).sort((a, b) => labels[a] - labels[b]);
        const colors = values ? values.map((value) => tintOf(shareOf(values, value))) : COLORS;
        falling.people({ kind: rows.map((row) => labels[row]), colors });
        [words, size] = [values ? "" : "right: ", rows.length];
      }
      const { spots } = tree.part;
      const resized = falling.cover(tree.nodes.canvas);
      const leaves = rows.map((row) => path.find(/** @type {Span} */ ([first[row], second[row]]), step));
      // Inside a subtree, the points of the others are not there.
      const owner = leaves.map((leaf) => tree.part?.owner[leaf] ?? -1);
      const used = new Set(owner);
      falling.go(
        {
          stops: spots,
          owner,
          heaps: spots.map((spot, at) => {
            const { x, y, width, height } = used.has(at) ? tree.pileOf(spot) : { x: 0, y: 0, width: 0, height: 0 };
            return { px: x + width / 2, py: y, width, height };
          }),
          right: leaves.map((leaf, k) => Number(path.label(leaf) === labels[rows[k]])),
        },
        resized,
      );
    },
  };
};
