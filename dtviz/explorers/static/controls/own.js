// A tree of the reader's own: what is asked at a node by choice, and the way back from there.

import { buttonControl } from "./controls.js";
import { change, checks, html, putAll } from "../hosting/kit.js";
import { same } from "../hosting/link.js";
import { askedAt, lawful } from "../computing/splits.js";
import { count } from "../computing/text.js";

/**
 * @import { GreedyPath, Splits } from "../computing/greedy.js"
 * @import { Model } from "../hosting/kit.js"
 */

// What Python takes, whatever the function; those that it lacks a variable for are left out.
const MOST_VARIABLES = 16;
// So many questions can be taken back one by one, whatever they replaced.
const MOST_BACK = 50;

checks.splits = (value) => {
  const pairs = Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
  if (value !== null && !pairs) return "splits are pairs of a node and a variable";
  return value === null || lawful(MOST_VARIABLES, value).length === value.length ? "" : "no tree has these splits";
};

// The trait "splits" by hand, where null is the greedy tree, beside the tree that is drawn.
/** @param {Model} model @param {() => { path: GreedyPath, step: number }} drawn */
export const ownSplits = (model, drawn) => {
  /** @type {{ before: Splits | null, after: Splits }[]} */
  const past = [];
  const shown = () => {
    const { path: { split, variable }, step } = drawn();
    return split.slice(0, step).map((node, j) => /** @type {const} */ ([node, variable[j]]));
  };
  /** @param {Splits | null} splits */
  const set = (splits) => change(model, { splits, playing: false });
  /** @type {{ focus: (node: number) => void } | null} */
  let tree = null;
  /** @type {(name: string, text: string, next: () => Splits | null) => ReturnType<typeof buttonControl>} */
  const button = (name, text, next) =>
    buttonControl({
      ...{ name, text },
      onClick({ detail }) {
        const { path, step } = drawn();
        const changed = path.restriction(path.split[step - 1] ?? 0);
        set(next());
        // By a key, the focus goes to the node that was asked last.
        if (!detail) tree?.focus(nodeAt(drawn(), changed));
      },
    });
  const undo = button("undo", "Undo", () => {
    const last = past.pop();
    return last && same(last.after, model.get("splits")) ? last.before : shown().slice(0, -1);
  });
  const back = button("back", "Back to greedy", () => null);
  // Of what is undone there is more than one.
  putAll(undo.input, { "aria-label": "Undo question", title: "Undo question" });
  const root = html("span", { class: "dtviz-own", hidden: "", "data-no-picture": "" }, undo.root, back.root);
  return {
    // Beside the title of a tree; there Control+Z takes a question back, not what was typed elsewhere.
    /** @param {{ title: HTMLElement, root: HTMLElement, focus: (node: number) => void }} view */
    place(view) {
      view.title.after(root);
      tree = view;
      view.root.addEventListener("keydown", (event) => {
        if (root.hidden || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        undo.input.click();
      });
    },
    // Ask a variable at a node of the tree on display; returns the number that the node has then.
    /** @type {(node: number, variable: number) => number} */
    ask(node, variable) {
      const [before, after] = [model.get("splits"), askedAt(shown(), node, variable)];
      past.push({ before, after });
      past.splice(0, past.length - MOST_BACK);
      set(after);
      return after[after.length - 1][0];
    },
    /** @param {boolean} isOwn  whether the reader's tree is on display */
    draw(isOwn) {
      root.hidden = !isOwn;
      undo.input.disabled = !model.get("splits")?.length;
    },
  };
};

// The node that answers lead to, [variable, bit], as far as a tree asks for them.
/** @type {(drawn: { path: GreedyPath, step: number }, answers: readonly (readonly number[])[]) => number} */
const nodeAt = ({ path: { splitAt, variable }, step }, answers) =>
  answers.reduce((node, [asked, bit]) => {
    const j = splitAt[node];
    return j < step && variable[j] === asked ? 2 * j + 1 + bit : node;
  }, 0);

/** @typedef {{ path: Pick<GreedyPath, "costs">, step: number }} Drawn */

// How many leaves more than the smallest tree this one has, or every tree for f that begins with its questions, in a
// title; nothing where nobody knows.
/** @type {(drawn: Drawn, surplus: number | null) => string} */
export const manyText = ({ path, step }, surplus) => {
  if (surplus === null) return "";
  if (path.costs[step] === 0) return `; ${surplus || "none"} too many`;
  return surplus ? `; at least ${surplus} too many` : "; none too many yet";
};

// The same in a sentence about the reader's tree.
/** @type {(drawn: Drawn, surplus: number | null) => string} */
export const surplusText = ({ path, step }, surplus) => {
  if (surplus === null) return "";
  const more = count(surplus, "leaf", "leaves");
  if (path.costs[step] === 0) return surplus ? ` The smallest tree has ${more} fewer than yours.` : " No tree has fewer leaves.";
  return surplus
    ? ` However yours goes on, it ends with at least ${more} more than the smallest tree.`
    : " Yours can still become a smallest tree.";
};
