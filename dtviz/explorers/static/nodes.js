// A drawing of nodes that a reader can point at or walk with the arrow keys; what is pointed at is
// told in a tip, and the edges from the root to it stand out.

import { tipBox } from "./controls.js";
import { html, put, svg } from "./kit.js";
import { clamp } from "./text.js";

/**
 * @import { Told } from "./controls.js"
 *
 * What such a drawing knows of its items, which are numbered from 0.
 * @typedef {object} Items
 * @property {(index: number) => SVGElement | undefined} group  its drawing
 * @property {(index: number) => boolean} [seen]  whether it is there to be pointed at
 * @property {(index: number) => SVGElement | null | undefined} edge  its edge to the item above
 * @property {(index: number) => number} up  the item above, -1 for none
 * @property {(index: number) => Told} told  what the tip says
 * @property {(index: number) => { x: number, below: number, above: number }} spot  its middle, and the ends of its marks
 * @property {(index: number, key: string) => number} neighbour  where an arrow key leads, -1 for nowhere
 * @property {() => { width: number, height: number }} room
 * @property {(index: number) => void} [onTell]
 * @property {(index: number) => void} [open]  what a click or Enter does, besides telling
 * @property {() => boolean} [leave]  what Escape does when no tip is open: whether it did anything
 */

export class NodesView {
  /**
   * @param {object} options
   * @param {string} options.name  for a screen reader
   * @param {string} options.number  the data attribute that holds an item's number
   * @param {string} [options.mark]  a further class of the drawing
   * @param {Items} options.items
   */
  constructor({ name, number, mark = "", items }) {
    this.edges = svg("g", { class: "dtviz-edges", "aria-hidden": "true" });
    this.groups = svg("g", { role: "tree", "aria-label": name });
    this.canvas = svg("svg", { class: `dtviz-canvas${mark}` }, this.edges, this.groups);
    this.tip = tipBox();
    this.stage = html("div", { class: "dtviz-stage" }, this.canvas, this.tip.root);
    this.number = number;
    this.items = items;
    this.current = -1; // the item in the tab order
    this.told = -1; // the item that stands out
    this.hear();
  }

  /**
   * @param {SVGElement[]} groups
   * @param {SVGElement[]} edges
   */
  replace(groups, edges) {
    this.groups.replaceChildren(...groups);
    this.edges.replaceChildren(...edges);
    this.current = -1;
    this.told = -1;
    this.tip.root.hidden = true;
  }

  // The item that the keyboard points at, if it does.
  get held() {
    return this.groups.querySelector(":focus-visible") ? this.current : -1;
  }

  /** @param {number} index @param {boolean} on */
  trail(index, on) {
    for (let at = index; at >= 0; at = this.items.up(at)) {
      const edge = this.items.edge(at);
      if (edge) put(edge, "data-trail", on);
    }
  }

  // Mark an item and the way to it; -1 marks none.
  /** @param {number} index */
  stress(index) {
    if (this.told >= 0) {
      this.items.group(this.told)?.classList.remove("dtviz-told");
      this.trail(this.told, false);
    }
    const group = this.items.group(index);
    const seen = group && (this.items.seen?.(index) ?? true);
    this.told = seen ? index : -1;
    if (!seen) return;
    group.classList.add("dtviz-told");
    this.trail(index, true);
  }

  /** @param {number} index */
  tell(index) {
    this.stress(index);
    this.items.onTell?.(this.told);
    if (this.told < 0) {
      this.tip.root.hidden = true;
      return;
    }
    this.tip.say(this.items.told(index));
    // Below what is written under the node where there is room, so that its path stays in sight.
    const { offsetWidth: wide, offsetHeight: tall, style } = this.tip.root;
    const { width, height } = this.items.room();
    const { x, below, above } = this.items.spot(index);
    style.left = `${clamp(x - wide / 2, 0, Math.max(width - wide, 0))}px`;
    style.top = `${below + tall <= height || above - tall < 0 ? below : above - tall}px`;
  }

  // Take an item into the tab order, in place of the one before.
  /** @param {number} index */
  enter(index) {
    this.items.group(this.current)?.setAttribute("tabindex", "-1");
    this.current = index;
    this.items.group(index)?.setAttribute("tabindex", "0");
  }

  /** @param {number} index */
  focus(index) {
    this.items.group(index)?.focus();
  }

  /** @param {Event} event */
  indexOf(event) {
    const { target } = event;
    const group = target instanceof Element ? target.closest("[role=treeitem]") : null;
    return group ? Number(group.getAttribute(this.number)) : -1;
  }

  /** @param {number} index */
  open(index) {
    if (this.items.open) this.items.open(index);
    else this.tell(index);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const index = this.indexOf(event);
    if (event.key === "Enter" || event.key === " ") this.open(index);
    else if (event.key === "Escape" && !this.tip.root.hidden) this.tell(-1);
    else if (event.key !== "Escape" || !this.items.leave?.()) {
      const next = this.items.neighbour(index, event.key);
      if (next < 0) return;
      this.focus(next);
    }
    event.preventDefault();
  }

  // On HTML, not on the drawing: Chromium lets Tab stop at SVG elements that listen to focus.
  hear() {
    const { stage } = this;
    stage.addEventListener("pointerover", (event) => this.tell(this.indexOf(event)));
    stage.addEventListener("pointerout", (event) => {
      const { relatedTarget: to } = event;
      if (!(to instanceof Node && this.groups.contains(to))) this.tell(this.held);
    });
    stage.addEventListener("focusin", (event) => {
      this.enter(this.indexOf(event));
      this.tell(this.current);
    });
    stage.addEventListener("focusout", () => this.tell(-1));
    stage.addEventListener("click", (event) => this.open(this.indexOf(event)));
    stage.addEventListener("keydown", (event) => this.press(event));
  }
}
