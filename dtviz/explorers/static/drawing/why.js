// The dock: a box that describes what the reader points at and never covers it: its facts, the tests that
// its split won against, and the examples that come there.

import { OWN_KEYS, html, put, svg } from "../hosting/kit.js";

/**
 * @import { Candidate, Candidates, Strip, Details } from "../controls/controls.js"
 *
 * What writes into a dock; several drawings may share one.
 * @typedef {{ pinned: number, stage: HTMLElement, activate: (index: number) => void }} DockView
 */

/** @param {Candidate} row */
const candidateRow = ({ cells: [name, ...rest], chosen, runnerUp, split, share }) => {
  const asks = split ? html("button", { type: "button", "data-asks": name, ...OWN_KEYS }, name) : name;
  if (split && asks instanceof Element) {
    asks.setAttribute("aria-label", `Ask ${name} here, ${rest.join(", ")}`);
    asks.addEventListener("click", split);
  }
  const mark = chosen ? "✓" : runnerUp ? "2nd" : "";
  const word = chosen ? " chosen" : runnerUp ? " runner-up" : "";
  const cells = [
    html("span", { role: "cell", class: "dtviz-asks" }, asks),
    ...rest.map((text) => html("span", { role: "cell" }, text)),
    html("span", { role: "cell", class: "dtviz-won", "aria-label": word.trim() || null }, mark),
  ];
  const root = html("div", { role: "row", class: `dtviz-candidate${chosen ? " dtviz-winner" : ""}` }, ...cells);
  if (share !== undefined) root.style.setProperty("--dtviz-share", `${(100 * share).toFixed(1)}%`);
  return root;
};

/** @param {Candidates} candidates */
const candidateTable = ({ heads, rows, note }) => {
  const head = html("div", { role: "row", class: "dtviz-unseen" }, ...[...heads, ""].map((text) => html("span", { role: "columnheader" }, text || "place")));
  const table = html("div", { role: "table", "aria-label": `Candidates: ${heads.join(", ")}`, class: "dtviz-candidates" }, head, ...rows.map(candidateRow));
  return [html("p", {}, note), ...(rows.length ? [table] : [])];
};

// A square for each example, by label: outlined, filled, framed.
const SQUARE = { side: 7, step: 9, row: 32, most: 64 };
/** @type {((a: number) => string)[]} */
const SQUARES = [
  (a) => `h${a}v${a}h${-a}zm1.5 1.5v${a - 3}h${a - 3}v${3 - a}z`,
  (a) => `h${a}v${a}h${-a}z`,
  (a) => `h${a}v${a}h${-a}zm2.5 2.5v${a - 5}h${a - 5}v${5 - a}z`,
];

// Of more examples than fit in, of each label the share that it has, and at least one.
/** @type {(labels: Strip["labels"], most: number) => Strip["labels"]} */
const fairSample = (labels, most) => {
  if (labels.length <= most) return labels;
  const counts = SQUARES.map((_, label) => Array.from(labels).filter((one) => one === label).length);
  const shares = counts.map((all) => all && Math.max(1, Math.round((most * all) / labels.length)));
  // What rounding leaves over or takes too much, the largest share makes up for.
  shares[counts.indexOf(Math.max(...counts))] += most - shares.reduce((sum, share) => sum + share, 0);
  return shares.flatMap((share, label) => Array(share).fill(label));
};

/** @param {Strip} strip */
const stripOf = ({ labels: all, note }) => {
  const { side, step, row, most } = SQUARE;
  const labels = fairSample(all, most);
  const drawn = labels.length;
  const paths = SQUARES.map((square, label) => {
    let d = "";
    for (let k = 0; k < drawn; k += 1) {
      if (labels[k] === label) d += `M${(k % row) * step} ${Math.floor(k / row) * step + 1}${square(side)}`;
    }
    return d ? [svg("path", { class: `dtviz-label${label}`, d })] : [];
  });
  const size = { width: Math.min(drawn, row) * step, height: Math.ceil(drawn / row) * step, "aria-hidden": "true" };
  const some = drawn < all.length ? `; ${drawn} of them here, in the same proportion` : "";
  return html("div", { class: "dtviz-strip" }, svg("svg", size, ...paths.flat()), html("span", {}, `${note}${some}`));
};

export class Dock {
  /** @param {{ why?: boolean }} [options]  whether it needs room for candidates */
  constructor({ why = false } = {}) {
    // Without candidates it says what the label of the node says already.
    this.box = html("div", { class: "dtviz-tip", "aria-hidden": why ? null : "true", hidden: "" });
    const size = why ? "dtviz-dock dtviz-dock-why" : "dtviz-dock";
    const close = html("button", { type: "button", name: "close", "aria-label": "Close", ...OWN_KEYS }, "×");
    close.addEventListener("click", () => this.close());
    this.root = html("div", { class: size, role: "group", "aria-label": "About the tree" }, this.box, close);
    /** @type {DockView[]} */
    this.views = [];
    this.asked = /** @type {Element | null} */ (null);
    // Wherever the focus is: a tap on a region leaves it nowhere.
    this.onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // one key closes one thing
      this.close();
    };
    // A tap on the head of a sheet or outside of it; the drawings answer for themselves.
    this.onTap = (/** @type {MouseEvent} */ event) => {
      const path = event.composedPath();
      const isElsewhere = ![this.root, ...this.views.map(({ stage }) => stage)].some((part) => path.includes(part));
      const isHead = path.some((part) => part instanceof Element && part.matches(".dtviz-dock-title"));
      if (this.isSheet && (isElsewhere || isHead)) this.close(isHead || document.activeElement === document.body);
    };
  }

  // Whether it lies over the page, as on a phone.
  get isSheet() {
    return getComputedStyle(this.root).position === "fixed";
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /** @param {Details} details */
  say({ title, lines, hint, reason, candidates, strip }) {
    const terms = lines.flatMap(([term, value]) => [html("dt", {}, term), html("dd", {}, String(value))]);
    const facts = html("div", { class: "dtviz-dock-facts" }, html("dl", {}, ...terms));
    const why = html("div", { class: "dtviz-dock-reasons" });
    if (reason) why.append(html("p", {}, reason));
    if (candidates) why.append(...candidateTable(candidates));
    if (hint) why.append(html("em", {}, hint));
    const heading = html("div", { class: "dtviz-dock-title" }, html("strong", {}, title), ...(strip ? [stripOf(strip)] : []));
    this.box.replaceChildren(heading, facts, ...(why.firstChild ? [why] : []));
    this.box.hidden = false;
    const held = this.views.some(({ pinned }) => pinned >= 0);
    put(this.root, "data-held", held);
    if (!held) return;
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("click", this.onTap);
    if (!this.root.contains(document.activeElement)) this.asked = document.activeElement;
  }

  // Let go of what is held; the focus goes back to what was asked about.
  close(isBack = this.root.contains(document.activeElement)) {
    if (isBack && this.asked instanceof SVGElement) this.asked.focus({ preventScroll: true });
    for (const view of this.views) {
      view.pinned = -1;
      view.activate(-1);
    }
  }

  // Whoever asks about a place is to see the answer, which may begin below the screen, and the place, which the sheet
  // of a phone may cover.
  /** @param {Element} place */
  reveal(place) {
    for (const part of [this.root, place]) part.scrollIntoView({ block: "nearest" });
    const over = place.getBoundingClientRect().bottom - this.root.getBoundingClientRect().top;
    if (over > 0 && this.isSheet) scrollBy(0, over);
  }

  clear() {
    const holder = this.views.find(({ pinned }) => pinned >= 0);
    if (holder) {
      holder.activate(holder.pinned);
      return;
    }
    this.box.hidden = true;
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("click", this.onTap);
  }
}
