// The settings kept beside those on display: the tree that FIND returns for them, and the first node
// where the two part.

import { firstDifference } from "../explorers/static/beside.js";
import { say } from "../explorers/static/kit.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { foundTree } from "./found.js";
import { foundPath } from "./kernel.js";
import { runState } from "./state.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { AnyDock } from "../explorers/static/why.js"
 * @import { FoundTree } from "./kernel_find.js"
 * @import { Now } from "./state.js"
 *
 * @typedef {ReturnType<typeof keptState>} Kept
 */

// What makes a tree; the rest of the settings only judge it.
export const KEEPS = ["target", "m", "rank", "seed", "bias", "biases", "flipped", "rows"];

/** @param {Model} model */
export const keptState = (model) => {
  /** @returns {Record<string, any>} */
  const kept = () => model.get("kept");
  const get = (/** @type {string} */ trait) => (Object.hasOwn(kept(), trait) ? kept()[trait] : model.get(trait));
  const state = runState({ get, set() {}, save_changes() {}, on() {} });
  const any = () => Object.keys(kept()).length > 0;
  return {
    any,
    compared: () => model.get("beside") === "kept",
    // The state of the settings kept; null where there are none, or they have neither target nor rows.
    /** @returns {Now | null} */
    now: () => (model.get("beside") === "kept" && any() && (get("target") || get("rows").length) ? state.now() : null),
    named: () => get("target") || "rows of one's own",
  };
};

// The first node where two trees ask different things, or where one has ended; else where their labels
// differ; null where they are the same.
/** @type {(one: FoundTree, other: FoundTree) => { one: number, other: number, words: [string, string], where: string } | null} */
export const parting = (one, other) => {
  const [a, b] = [foundPath(one), foundPath(other)];
  const asked = firstDifference({ path: a, step: a.steps }, { path: b, step: b.steps });
  // Of trees that ask the same all nodes have the same numbers.
  const labelled = asked ? -1 : Array.from(a.at).findIndex((_, node) => a.name(node) !== b.name(node));
  const at = asked ?? (labelled < 0 ? null : { one: labelled, other: labelled });
  if (!at) return null;
  /** @type {(path: typeof a, node: number) => string} */
  const words = (path, node) => (path.inner(node) ? `asks ${path.name(node)}` : `answers ${path.name(node)}`);
  return { ...at, words: [words(a, at.one), words(b, at.other)], where: at.one ? `at ${a.where(at.one)}` : "at the root" };
};

/** @type {(now: Now, other: Now, apart: ReturnType<typeof parting>) => string} */
const differenceText = (now, other, apart) => {
  const [here, there] = [now.run.tree, other.run.tree];
  if (!here && !there) return "FIND returns none for both settings.";
  if (!here || !there) return `FIND returns a tree for the settings ${there ? "kept" : "on display"} alone.`;
  if (!apart) return "Both trees are the same.";
  const [one, two] = apart.words;
  return `First difference, ringed in both: ${apart.where} this tree ${one}; the tree kept ${two}.`;
};

// The settings kept, as far as they make the sample.
/** @type {(kept: Kept, other: Now) => string} */
const settingsText = (kept, { rows, m, bound, p, flipped, examples }) => {
  const biased = p.some((one) => one !== 0.5);
  const biases = p.every((one) => one === p[0]) ? epsilonText(p[0]) : `(${p.map(epsilonText).join(", ")})`;
  const noisy = rows.length ? 0 : flipped.filter((x) => examples.labels[x] >= 0).length;
  return [
    `${rows.length ? "rows" : kept.named()}, m = ${m}, rank ${bound}`,
    ...(biased && !rows.length ? [`p = ${biases}`] : []),
    ...(noisy ? [`${count(noisy, "label")} flipped`] : []),
  ].join(", ");
};

// The second tree; both are ringed at the first place where they part.
/** @type {(kept: Kept, dock: AnyDock) => { root: HTMLElement, draw: (now: Now, other: Now, side: number, ring: (node: number) => void) => void }} */
export const keptTree = (kept, dock) => {
  const tree = foundTree("Tree kept", dock);
  return {
    root: tree.root,
    draw(now, other, side, ring) {
      const { examples: { plan, facts }, run, bound, m } = other;
      say(tree.title, `Kept: ${settingsText(kept, other)}`);
      tree.draw({ plan, facts, tree: run.tree }, side, noneLines(m, bound));
      const apart = now.run.tree && run.tree ? parting(now.run.tree, run.tree) : null;
      ring(apart?.one ?? -1);
      tree.encircle(apart?.other ?? -1);
    },
  };
};

// What stands where FIND returns none.
/** @type {(m: number, bound: number) => string[]} */
export const noneLines = (m, bound) => ["none", `no tree of rank ≤ ${bound} agrees with ${m === 1 ? "the example" : `all ${m} examples`}`];

// What the status says of the tree kept.
/** @type {(kept: Kept, now: Now, other: Now | null) => string} */
export const keptWords = (kept, now, other) => {
  if (!other) return kept.compared() ? " Nothing is kept yet." : "";
  const { tree } = other.run;
  const size = tree ? ` The tree kept has ${count((tree.rank.length + 1) / 2, "leaf", "leaves")}. ` : " ";
  const apart = now.run.tree && tree ? parting(now.run.tree, tree) : null;
  return `${size}${differenceText(now, other, apart)}`;
};
