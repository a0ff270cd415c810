// On a narrow screen an explorer shows its controls, which stay in sight, and one picture at a time.
// Wider ones show all: there the tabs are gone, and pictures stand where the explorer puts them.

import { OWN_KEYS, html, put, putAll, uniqueId } from "./kit.js";

/**
 * @import { Kind } from "./kit.js"
 *
 * A picture; a hidden one has no tab.
 * @typedef {{ label: string, root: HTMLElement }} Pane
 * @typedef {Pane & { tab: HTMLButtonElement }} Tabbed
 */

// Where a key leads in a list of so many tabs, -1 for nowhere.
/** @type {(key: string, at: number, length: number) => number} */
export const tabAfter = (key, at, length) => {
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  return step ? (at + step + length) % length : -1;
};

/** @type {(head: HTMLElement, more: HTMLElement) => HTMLButtonElement} */
const moreButton = (head, more) => {
  more.id ||= uniqueId("more");
  more.classList.add("dtviz-more");
  const button = html("button", { type: "button", class: "dtviz-fold", "aria-controls": more.id, ...OWN_KEYS }, "More");
  /** @param {boolean} open */
  const fold = (open) => {
    put(more, "data-open", open);
    put(button, "aria-expanded", open);
  };
  fold(false);
  button.addEventListener("click", () => fold(more.dataset.open !== "true"));
  // They lie on the pictures, so they go when the reader does.
  head.addEventListener("focusout", ({ relatedTarget: to }) => {
    if (to instanceof Node && !head.contains(to)) fold(false);
  });
  head.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || more.dataset.open !== "true") return;
    if (more.contains(document.activeElement)) button.focus();
    fold(false);
  });
  return button;
};

class Panes {
  /**
   * @param {object} options
   * @param {string} [options.name]  of the tabs, for a screen reader
   * @param {Pane[]} options.panes  the first one is shown at the start
   * @param {HTMLElement[]} options.head  what stays in sight: controls, status
   * @param {HTMLElement} [options.more]  within it, the controls less used, which a button unfolds
   * @param {HTMLElement} [options.stack]  what holds the pictures, if not as its children
   */
  constructor({ name = "Pictures", panes, head, more, stack }) {
    /** @type {Tabbed[]} */
    this.panes = panes.map(({ label, root }) => {
      root.id ||= uniqueId("pane");
      root.classList.add("dtviz-pane");
      const role = { type: "button", role: "tab", "aria-controls": root.id };
      const tab = html("button", { ...role, id: uniqueId("tab"), ...OWN_KEYS }, label);
      tab.addEventListener("click", () => this.choose(root));
      return { label, root, tab };
    });
    this.tabs = html("div", { role: "tablist", "aria-label": name }, ...this.panes.map(({ tab }) => tab));
    this.tabs.addEventListener("keydown", (event) => this.press(event));
    this.head = html("div", { class: "dtviz-sticky" }, ...head);
    this.bar = html("div", { class: "dtviz-tabs", "data-no-picture": "", hidden: "" }, this.tabs);
    if (more) this.bar.append(moreButton(this.head, more));
    this.head.append(this.bar);
    this.chosen = this.panes[0].root;
    this.stack = stack;
    this.narrow = false;
  }

  // Those that the state has.
  get there() {
    return this.panes.filter(({ root }) => !root.hidden && !root.parentElement?.hidden);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { there } = this;
    const next = tabAfter(event.key, there.findIndex(({ root }) => root === this.chosen), there.length);
    if (next < 0) return;
    this.choose(there[next].root);
    there[next].tab.focus();
    event.preventDefault();
  }

  // Bring a picture to the front, where only one is.
  /** @param {HTMLElement} root */
  choose(root) {
    this.chosen = root;
    this.draw();
  }

  // Follow a state that hides pictures or brings them back.
  draw() {
    const { there } = this;
    const front = there.find(({ root }) => root === this.chosen) ?? there[0];
    for (const pane of this.panes) {
      const on = pane === front;
      pane.tab.hidden = !there.includes(pane);
      putAll(pane.tab, { "aria-selected": on, tabindex: on ? 0 : -1 });
      put(pane.root, "data-front", on);
    }
  }

  // Follow the width of the explorer.
  /** @param {Kind} kind */
  resize(kind) {
    this.narrow = kind === "narrow";
    // As on the view, for the rules of what stands in it.
    this.head.dataset.width = kind;
    this.bar.hidden = !this.narrow;
    for (const { root, tab } of this.panes) {
      (this.stack ?? root.parentElement)?.classList.toggle("dtviz-stack", this.narrow);
      if (this.narrow) putAll(root, { role: "tabpanel", "aria-labelledby": tab.id });
      else for (const name of ["role", "aria-labelledby"]) root.removeAttribute(name);
    }
    this.draw();
  }
}

/** @type {(options: ConstructorParameters<typeof Panes>[0]) => Panes} */
export const panesView = (options) => new Panes(options);
