// The settings kept beside those on display: the tree that FIND returns for them, and the first node
// where the two part.

import { firstDifference, keptBeside, keptText } from "../explorers/static/controls/beside.js";
import { say } from "../explorers/static/hosting/kit.js";
import { count } from "../explorers/static/computing/text.js";
import { foundTree } from "./found.js";
import { foundPath } from "./kernel.js";
import { runState } from "./state.js";

/**
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Dock } from "../explorers/static/drawing/why.js"
 * @import { FoundTree } from "./kernel_find.js"
 * @import { Now } from "./state.js"
 *
 * @typedef {ReturnType<typeof keptState>} Kept
 */

/** @param {Model} model */
export const keptState = (model) => {
  /** @returns {Record<string, any>} */
  const kept = () => model.get("kept");
  const get = (/** @type {string} */ trait) => (Object.hasOwn(kept(), trait) ? kept()[trait] : model.get(trait));
  const state = runState({ get, set() {}, save_changes() {}, on() {} });
  return {
    compared: () => model.get("beside") === "kept",
    text: () => keptText(model),
    // The state of the settings kept; null where there are none, or they have neither target nor rows.
    /** @returns {Now | null} */
    now() {
      return keptBeside(model) && (get("target") || get("rows").length) ? state.now() : null;
    },
  };
};

// The first node where two trees ask different things, or where one has ended; else where their labels
// differ; null where they are the same.
/** @type {(one: { tree: FoundTree, names: string[] }, other: { tree: FoundTree, names: string[] }) => { one: number, other: number, words: [string, string], where: string } | null} */
export const parting = (one, other) => {
  const [a, b] = [one, other].map(({ tree, names }) => foundPath(tree, names));
  const asked = firstDifference({ path: a, step: a.steps }, { path: b, step: b.steps });
  // Of trees that ask the same all nodes have the same numbers.
  const labeled = asked ? -1 : a.nodes.findIndex((_, node) => a.name(node) !== b.name(node));
  const at = asked ?? (labeled < 0 ? null : { one: labeled, other: labeled });
  if (!at) return null;
  /** @type {(path: typeof a, node: number) => string} */
  const words = (path, node) => `${path.nodes[node].halves.length ? "asks" : "answers"} ${path.name(node)}`;
  const where = at.one ? `at ${a.where(at.one)}` : "at the root";
  return { ...at, words: [words(a, at.one), words(b, at.other)], where };
};

/** @type {(now: Now, other: Now) => ReturnType<typeof parting>} */
const apartOf = ({ run: { tree: here, names } }, { run: { tree: there, names: called } }) =>
  here && there && parting({ tree: here, names }, { tree: there, names: called });

// The settings kept, as far as they make the sample.
/** @type {(other: Now) => string} */
const settingsText = ({ own, named, m, bound, wrong }) => {
  const noise = wrong.length ? `, ${count(wrong.length, "label")} flipped` : "";
  return `${own ? "rows" : named}, m = ${m}, rank ${bound}${noise}`;
};

// The second tree; both are ringed at the first place where they part.
/** @type {(dock: Dock) => { root: HTMLElement, draw: (now: Now, other: Now, side: number, ring: (node: number) => void) => void }} */
export const keptTree = (dock) => {
  const tree = foundTree("Tree kept", dock);
  return {
    root: tree.root,
    draw(now, other, side, ring) {
      say(tree.title, `Kept: ${settingsText(other)}`);
      tree.draw(other, side);
      const apart = apartOf(now, other);
      ring(apart?.one ?? -1);
      tree.encircle(apart?.other ?? -1);
    },
  };
};

// What the status says of the tree kept.
/** @type {(kept: Kept, now: Now, other: Now | null) => string} */
export const keptWords = (kept, now, other) => {
  if (!other) return kept.text();
  const [here, there] = [now.run.tree, other.run.tree];
  const size = there ? ` The tree kept has ${count(there.leaves, "leaf", "leaves")}.` : "";
  if (!here && !there) return " FIND returns none for both settings.";
  if (!here || !there) return `${size} FIND returns a tree for the settings ${there ? "kept" : "on display"} alone.`;
  const apart = apartOf(now, other);
  if (!apart) return `${size} Both trees are the same.`;
  const [one, two] = apart.words;
  return `${size} First difference, ringed in both: ${apart.where} this tree ${one}; the tree kept ${two}.`;
};
