// A drawing of nodes that a reader can point at or walk with the arrow keys; what is pointed at is
// described in a dock, and the edges from the root to it stand out. A click, a tap or Enter holds it there.

import { html, put, setBox, svg } from "../hosting/kit.js";

/**
 * @import { Details } from "../controls/controls.js"
 * @import { Dock } from "./why.js"
 *
 * What such a drawing knows of its items, which are numbered from 0.
 * @typedef {object} Items
 * @property {(index: number) => SVGElement | undefined} group  its drawing
 * @property {(index: number) => boolean} [seen]  whether it is there to be pointed at
 * @property {(index: number) => SVGElement | null | undefined} edge  its edge to the item above
 * @property {(index: number) => number} up  the item above, -1 for none
 * @property {(index: number) => Details} details  what the dock says
 * @property {(index: number, key: string) => number} neighbor  where an arrow key leads, -1 for nowhere
 * @property {(index: number) => void} [onActivate]
 * @property {(index: number) => boolean} [open]  what a click or Enter does first: whether it did anything
 * @property {() => boolean} [leave]  what Escape does when nothing is described: whether it did anything
 */

// Pixels from the side of what is seen of a drawing that scrolls, beyond which nothing is brought into sight.
const ASIDE = 90;

export class NodesView {
  /**
   * @param {object} options
   * @param {string} options.name  for a screen reader
   * @param {string} options.number  the data attribute that holds an item's number
   * @param {string} [options.mark]  a further class of the drawing
   * @param {Dock} options.dock  which stands elsewhere
   * @param {Items} options.items
   */
  constructor({ name, number, mark = "", dock, items }) {
    this.edges = svg("g", { class: "dtviz-edges", "aria-hidden": "true" });
    this.groups = svg("g", { role: "tree", "aria-label": name });
    this.canvas = svg("svg", { class: `dtviz-canvas${mark}` }, this.edges, this.groups);
    this.dock = dock;
    dock.views.push(this);
    this.stage = html("div", { class: "dtviz-stage" }, this.canvas);
    this.number = number;
    this.items = items;
    this.current = -1; // the item in the tab order
    this.active = -1; // the item that stands out
    this.pinned = -1; // the item that is described while none is pointed at
    this.isSaid = false; // whether what comes into focus is described already
    this.room = 0; // the width of what is seen of a drawing
    this.hear();
  }

  /**
   * @param {SVGElement[]} groups
   * @param {SVGElement[]} edges
   */
  replace(groups, edges) {
    const isActive = this.active >= 0 || this.pinned >= 0;
    // First forget the old ones: a browser takes the focus from what goes, and says so at once.
    Object.assign(this, { current: -1, active: -1, pinned: -1 });
    this.groups.replaceChildren(...groups);
    this.edges.replaceChildren(...edges);
    if (isActive) this.dock.clear();
  }

  // Draw in a box of so many pixels; one that is wider than its room scrolls in it.
  /** @type {(width: number, height: number, room: number) => void} */
  frame(width, height, room) {
    this.room = room;
    setBox(this.canvas, width, height);
    // A bar to scroll by, where there is one, takes no further room.
    this.stage.style.height = `${height}px`;
    this.stage.toggleAttribute("data-scrolls", width > room);
  }

  // Bring into sight what is so far to the right in a drawing that scrolls.
  /** @param {number} x */
  sight(x) {
    const { stage, room } = this;
    if (!stage.hasAttribute("data-scrolls")) return;
    const off = x - stage.scrollLeft;
    if (off < ASIDE || off > room - ASIDE) stage.scrollLeft += off - room / 2;
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
    if (this.active >= 0) {
      this.items.group(this.active)?.classList.remove("dtviz-active");
      this.trail(this.active, false);
    }
    const group = this.items.group(index);
    const seen = group && (this.items.seen?.(index) ?? true);
    this.active = seen ? index : -1;
    if (!seen) return;
    group.classList.add("dtviz-active");
    this.trail(index, true);
  }

  /** @param {number} index */
  activate(index) {
    this.stress(index);
    this.items.onActivate?.(this.active);
    if (this.active < 0) this.dock.clear();
    else this.dock.say(this.items.details(index));
  }

  // Describe an item until another is held, or the same one is asked for again; -1 lets go.
  /** @param {number} index */
  pin(index) {
    for (const view of this.dock.views) view.pinned = -1;
    this.pinned = index;
    this.activate(index);
    const group = this.items.group(index);
    if (group) this.dock.reveal(group);
  }

  // Bring an item into focus, and hold its description. All is written before the page is laid out for it, once.
  /** @param {number} index */
  hold(index) {
    for (const view of this.dock.views) view.pinned = -1;
    this.pinned = index;
    this.enter(index);
    this.activate(index);
    const group = this.items.group(index);
    if (!group) return;
    this.isSaid = true;
    group.focus({ preventScroll: true });
    this.isSaid = false;
    this.dock.asked = group;
    this.dock.reveal(group);
  }

  // The reader points nowhere: describe what the keyboard points at, or what is held.
  rest() {
    const index = this.held < 0 ? this.pinned : this.held;
    if (index !== this.active) this.activate(index);
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
    if (!this.items.open?.(index)) this.pin(index === this.pinned ? -1 : index);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const index = this.indexOf(event);
    if (event.key === "Enter" || event.key === " ") {
      this.open(index);
      // From the keyboard, what can be asked at the node is what comes next.
      this.dock.box.querySelector("button")?.focus();
    } else if (event.key === "Escape" && this.dock.isOpen) this.pin(-1);
    else if (event.key !== "Escape" || !this.items.leave?.()) {
      const next = this.items.neighbor(index, event.key);
      if (next < 0) return;
      this.focus(next);
    }
    event.preventDefault();
  }

  // On HTML, not on the drawing: Chromium lets Tab stop at SVG elements that listen to focus.
  hear() {
    const { stage, dock } = this;
    stage.addEventListener("pointerover", (event) => {
      const index = this.indexOf(event);
      if (index < 0) this.rest();
      else this.activate(index);
    });
    stage.addEventListener("pointerout", ({ relatedTarget: to }) => {
      if (!(to instanceof Node && this.groups.contains(to))) this.rest();
    });
    stage.addEventListener("focusin", (event) => {
      this.enter(this.indexOf(event));
      if (!this.isSaid) this.activate(this.current);
    });
    stage.addEventListener("focusout", ({ relatedTarget: to }) => {
      // Tab may lead on into the description.
      if (!(to instanceof Node && dock.root.contains(to))) this.rest();
    });
    stage.addEventListener("click", (event) => this.open(this.indexOf(event)));
    stage.addEventListener("keydown", (event) => this.press(event));
    dock.root.addEventListener("focusout", ({ relatedTarget: to }) => {
      if (!(to instanceof Node && (dock.root.contains(to) || stage.contains(to)))) this.rest();
    });
    dock.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.active < 0) return;
      this.focus(this.active);
      event.preventDefault();
    });
  }
}
