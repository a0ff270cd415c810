// An explorer as a figure: its picture first, then the control that grows it, then one sentence; all
// else is behind "More". By the traits `views` and `controls` the author of a page chooses others.

import { OWN_KEYS, html, live, put } from "./kit.js";
import { plainControls } from "../controls/settings.js";

/**
 * @import { Host, Kind, Lively } from "./kit.js"
 *
 * A view or a control, by the name that Python knows. The first screen has those that are `first`; a
 * `broad` view has a row of its own.
 * @typedef {{ name: string, root: HTMLElement, first?: boolean, broad?: boolean }} Part
 */

const GAP = 28;

export class Figure {
  // The dock says what is known of a node that the reader points at.
  /** @param {{ views: Part[], controls: Part[], status: { root: HTMLElement }, dock?: HTMLElement }} options */
  constructor({ views, controls, status, dock }) {
    this.parts = { views, controls: [...controls] };
    const [front, rest] = [0, 1].map(() => ({
      views: html("div", { class: "dtviz-pictures" }),
      controls: html("div", { class: "dtviz-controls" }),
    }));
    this.front = front;
    this.rest = rest;
    const summary = html("summary", { "data-no-picture": "", ...OWN_KEYS }, "More");
    this.more = html("details", { class: "dtviz-more" }, summary, rest.controls, rest.views);
    const below = dock ? [dock] : [];
    this.root = html("div", { class: "dtviz-view dtviz-figure" }, front.views, front.controls, status.root, ...below, this.more);
    this.width = 0;
    this.narrow = false;
  }

  // Put each part in its place: names[kind] are those chosen, in order, null for the first screen.
  /** @param {Record<"views" | "controls", string[] | null | undefined>} names */
  arrange(names) {
    for (const kind of /** @type {const} */ (["views", "controls"])) {
      const [parts, chosen] = [this.parts[kind], names[kind]];
      for (const { name, root } of parts) put(root, `data-${kind.slice(0, -1)}`, name);
      const first = chosen ? chosen.flatMap((name) => parts.find((part) => part.name === name) ?? []) : parts.filter((part) => part.first);
      const rest = chosen ? [] : parts.filter((part) => !part.first);
      this.front[kind].replaceChildren(...first.map(({ root }) => root));
      this.rest[kind].replaceChildren(...rest.map(({ root }) => root));
    }
  }

  // Whether a view or a control is on display, or would be if its state did not hide it.
  /** @param {Part} part */
  has({ root }) {
    const where = root.parentElement;
    return where === this.front.views || where === this.front.controls || (this.more.open && this.more.contains(root));
  }

  /** @param {string} name */
  shows(name) {
    return this.parts.views.some((part) => part.name === name && !part.root.hidden && this.has(part));
  }

  // Follow the width, and views that come and go: two share a row where there is room.
  fit() {
    for (const { views, controls } of [this.front, this.rest]) {
      const seen = this.parts.views.filter(({ root, broad }) => root.parentElement === views && !root.hidden && !broad);
      put(views, "data-columns", this.narrow || seen.length < 2 ? 1 : 2);
      views.hidden = !views.querySelector(":scope > :not([hidden])");
      controls.hidden = !controls.firstChild;
    }
    for (const { root, broad } of this.parts.views) root.classList.toggle("dtviz-broad", Boolean(broad));
    this.more.hidden = this.rest.views.hidden && this.rest.controls.hidden;
  }

  // The width in pixels that a view has.
  /** @param {string} name */
  room(name) {
    const part = this.parts.views.find((one) => one.name === name);
    const shared = part && !part.broad && part.root.parentElement?.dataset.columns === "2";
    return shared ? Math.floor((this.width - GAP) / 2) : this.width;
  }
}

// Put a figure into its place, and keep it in step with its model, its width and what is unfolded; returns the clean-up.
// Traits with labels get plain controls, and every trait of a reader's without a handler draws the figure again;
// `resize` is called when `figure.room` may have changed.
/** @param {Host} host @param {Omit<Lively, "view"> & { figure: Figure, draw: () => void }} parts */
export const liveFigure = (host, { figure, draw, handlers, resize, ...parts }) => {
  const { model } = host;
  const plain = plainControls(model, figure.parts.controls);
  figure.parts.controls.push(...plain);
  const hear = Object.keys(model.get("_rules") ?? {}).map((trait) => {
    const control = plain.find(({ name }) => name === trait);
    const answer = () => {
      control?.draw();
      (handlers[trait] ?? draw)();
    };
    return [trait, answer];
  });
  /** @type {Kind} */
  let kind = "wide";
  const again = () => {
    figure.fit();
    if (figure.width) resize(figure.width, kind);
  };
  const arrange = () => {
    figure.arrange({ views: model.get("views"), controls: model.get("controls") });
    again();
  };
  for (const control of plain) control.draw();
  arrange();
  figure.more.addEventListener("toggle", again);
  return live(host, {
    ...parts,
    view: figure.root,
    handlers: { ...handlers, ...Object.fromEntries(hear), views: arrange, controls: arrange },
    resize(width, now) {
      kind = now;
      Object.assign(figure, { width, narrow: kind === "narrow" });
      again();
    },
  });
};
