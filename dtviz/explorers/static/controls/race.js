// Split it yourself: the reader's splits in order, and how they fare against the greedy tree and the best.

import { buttonControl, checkControl } from "./controls.js";
import { change, html } from "../hosting/kit.js";
import { count } from "../computing/text.js";

/**
 * @import { Model } from "../hosting/kit.js"
 *
 * @typedef {readonly (readonly number[])[]} Splits  each begins with the node split
 *
 * A tree that takes part: its leaves and its error, or of the greedy and the best the error of a tree of
 * as many leaves as the reader's, and the leaves that they need for none.
 * @typedef {{ error: number | null, leaves: number | null }} Rival
 */

/**
 * @param {object} options
 * @param {Model} options.model
 * @param {() => Splits} options.made  those of the reader's splits that stand
 * @param {() => Splits} options.complete  those, and the greedy ones after them
 * @param {(splits: Splits | null) => void} [options.onChange]  sets the trait; may set others with it
 */
export const raceControls = ({ model, made, complete, onChange = (splits) => change(model, { splits }) }) => {
  const own = checkControl({
    name: "splits",
    label: "Split it yourself",
    onChange: (on) => onChange(on ? [] : null),
  });
  /** @type {(name: string, text: string, label: string, next: () => Splits) => ReturnType<typeof buttonControl>} */
  const button = (name, text, label, next) => {
    const control = buttonControl({ name, label, text, onClick: () => onChange(next()) });
    // What was pressed may have nothing left to do: the focus stays among its neighbors.
    control.input.addEventListener("click", () => {
      const other = [undo, again, giveUp].find(({ input }) => !input.disabled);
      if (control.input.disabled) other?.input.focus();
    });
    return control;
  };
  const undo = button("undo", "Undo", "Take the last split back", () => made().slice(0, -1));
  const again = button("restart", "Start again", "Start again from one leaf", () => []);
  const giveUp = button("give-up", "Give up", "Give up: the greedy algorithm completes your tree", complete);
  const hint = html("span", { class: "dtviz-aside" }, "Click a leaf, then choose what to ask there.");
  const root = html("div", { class: "dtviz-transport dtviz-race", hidden: "", "data-no-picture": "" });
  root.append(undo.root, again.root, giveUp.root, hint);
  return {
    check: own.root,
    root,
    /** @param {boolean} done  whether there is nothing left to split */
    draw(done) {
      const racing = model.get("splits") !== null;
      own.input.checked = racing;
      root.hidden = !racing;
      if (!racing) return;
      const none = made().length === 0;
      undo.input.disabled = none;
      again.input.disabled = none;
      giveUp.input.disabled = done;
    },
  };
};

// How the race stands, in words.
/** @type {(leaves: number, error: number, greed: Rival, best: Rival) => string} */
export const raceText = (leaves, error, greed, best) => {
  /** @param {number | null} number */
  const plain = (number) => (number === null ? "?" : String(number));
  if (error === 0) {
    const least = best.leaves === null ? "" : `, the smallest tree ${plain(best.leaves)}`;
    return `Your tree is f, with ${count(leaves, "leaf", "leaves")}; the greedy tree takes ${plain(greed.leaves)}${least}.`;
  }
  const yours = `Your tree: ${count(leaves, "leaf", "leaves")}, error ${error.toFixed(3)}`;
  const rivals = [
    greed.error === null ? "" : `the greedy tree ${greed.error.toFixed(3)}`,
    best.error === null ? "" : `the best tree ${best.error.toFixed(3)}`,
  ].filter(Boolean);
  return `${yours}. With as many leaves, ${rivals.join(", ")}.`;
};
