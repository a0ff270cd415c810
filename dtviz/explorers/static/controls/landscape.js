// The landscape under a slider: along its axis what is found at each place, so that a reader sees where
// something happens before going there, and can go there at once. Bands have names, sizes are stairs.

import { clamp, count } from "../computing/text.js";
import { html, onDrag, put, say, svg } from "../hosting/kit.js";

/**
 * @typedef {object} Land
 * @property {string} key  what all of it hangs on: while this stays, nothing is looked for
 * @property {((value: number) => string) | null} band  the name of what is found at a value of the slider
 * @property {((value: number) => number) | null} size  how many leaves the tree has there
 *
 * @typedef {{ names: string[], sizes: number[] }} Found  at the first of all places, as far as it is known
 */

/** @type {Land} */
export const NOTHING = { key: "nothing", band: null, size: null };

const MOST_PLACES = 61;
// Milliseconds of idle time that are taken at once, and landscapes that a slider keeps.
const SLICE = 8;
const MOST_KEPT = 12;
const HEIGHT = 20;

// While a reader drags anything, nothing is looked for.
let pressed = false;
for (const [type, is] of /** @type {const} */ ([["pointerdown", true], ["pointerup", false], ["pointercancel", false]])) {
  globalThis.addEventListener?.(type, () => (pressed = is), { capture: true, passive: true });
}

/** @type {(job: () => void) => void} */
const whenIdle = (job) => {
  // Safari has no idle time; and who drags is waited for.
  if (pressed || !globalThis.requestIdleCallback) setTimeout(job, 60);
  else requestIdleCallback(job, { timeout: 1000 });
};

// The values at which a slider is looked at: all, or evenly placed ones.
/** @type {(slider: { min: number, max: number, step: number }) => number[]} */
export const placesOf = ({ min, max, step }) => {
  const steps = Math.round((max - min) / step);
  const last = Math.min(steps, MOST_PLACES - 1);
  return Array.from({ length: last + 1 }, (_, k) => min + Math.round((k * steps) / Math.max(last, 1)) * step);
};

// Names that hold over neighboring places, with the first and the last of these.
/** @type {(names: string[]) => { name: string, from: number, to: number }[]} */
export const bandsOf = (names) => {
  const starts = names.flatMap((name, k) => (name === names[k - 1] ? [] : [k]));
  return starts.map((from, k) => ({ name: names[from], from, to: (starts[k + 1] ?? names.length) - 1 }));
};

// Stairs through the sizes on a logarithmic scale, each halfway to its neighbors, in a box 100 wide.
/** @type {(sizes: number[], places: number) => string} */
export const stairsOf = (sizes, places) => {
  const most = Math.max(...sizes, 2);
  const across = (/** @type {number} */ k) => ((100 * clamp(k, 0, places - 1)) / Math.max(places - 1, 1)).toFixed(2);
  const steps = sizes.map((size, k) => {
    const y = (HEIGHT - 1 - ((HEIGHT - 4) * Math.log(size)) / Math.log(most)).toFixed(1);
    return `${across(k - 0.5)} ${y}L${across(k + 0.5)} ${y}`;
  });
  return sizes.length ? `M0 ${HEIGHT}L${steps.join("L")}L${across(sizes.length - 0.5)} ${HEIGHT}` : "";
};

// The strip itself, over the places of a slider.
/** @type {(places: number[], text: (value: number) => string, what: string, which: string) => { root: HTMLElement, draw: (land: Land, found: Found) => void }} */
const stripOf = (places, text, what, which) => {
  const bands = html("div", { class: "dtviz-bands" });
  const stairs = svg("path", { class: "dtviz-stairs", d: "" });
  const canvas = svg("svg", { class: "dtviz-along", viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none" }, stairs);
  const [first, top, last] = [html("span"), html("span"), html("span")];
  const sizes = html("div", { class: "dtviz-counts" }, canvas, first, top, last);
  const root = html("div", { class: "dtviz-landscape", role: "img", "aria-label": "What lies along it" }, bands, sizes);
  return {
    root,
    draw(land, { names, sizes: counts }) {
      root.hidden = !land.band && !land.size;
      bands.hidden = !land.band;
      sizes.hidden = !land.size;
      // Old bands stay, dimmed, until all new ones are known.
      const isWhole = !land.band || names.length === places.length;
      root.classList.toggle("dtviz-stale", !isWhole);
      if (!isWhole) return;
      const named = bandsOf(names);
      bands.replaceChildren(...named.map(({ name, from, to }) => {
        const band = html("span", { title: name }, name);
        band.style.flexGrow = String(Math.min(to + 0.5, places.length - 1) - Math.max(from - 0.5, 0));
        return band;
      }));
      // No name that its band cannot hold.
      for (const band of bands.children) if (band.scrollWidth > band.clientWidth) say(band, "");
      put(stairs, "d", stairsOf(counts, places.length));
      const held = named.map(({ name, from, to }) => `${name} ${from === to ? "at" : `from ${text(places[from])} to`} ${text(places[to])}`);
      const words = held.length ? [`${what}: ${held.join(", ")}`] : [];
      if (counts.length === places.length) {
        const most = Math.max(...counts);
        const share = counts.indexOf(most) / places.length;
        say(first, count(counts[0], "leaf", "leaves"));
        say(last, `${count(counts[places.length - 1], "leaf", "leaves")}${which}`);
        say(top, share > 0.08 && share < 0.8 ? String(most) : "");
        top.style.left = `${100 * share}%`;
        words.push(`from ${Math.min(...counts)} to ${count(most, "leaf", "leaves")}${which}`);
      }
      if (words.length) put(root, "aria-label", words.join("; "));
    },
  };
};

/**
 * A value of the slider in words, what a band names, and of which tree the leaves are, if not of that on display.
 * @typedef {{ text: (value: number) => string, what?: string, which?: string, onPick: (value: number) => void }} Options
 */
/** @param {{ input: HTMLInputElement, root: HTMLElement }} slider @param {Options} options */
export const landscape = ({ input, root }, { text, what = "", which = "", onPick }) => {
  const [min, max, step] = [input.min, input.max, input.step].map(Number);
  const places = placesOf({ min, max, step });
  const strip = stripOf(places, text, what, which);
  const track = input.closest(".dtviz-track") ?? html("div", { class: "dtviz-track" });
  if (!track.contains(input)) {
    input.replaceWith(track);
    track.append(input);
  }
  track.append(strip.root);
  root.classList.add("dtviz-over");
  onDrag(strip.root, strip.root, (px) => {
    const share = clamp(px / strip.root.clientWidth, 0, 1);
    onPick(places[Math.round(share * (places.length - 1))]);
  });
  /** @type {Map<string, Found>} */
  const kept = new Map();
  /** @type {Land} */
  let land = { ...NOTHING, key: "" };
  let found = /** @type {Found} */ ({ names: [], sizes: [] });
  let isAsked = false;
  // Bands first, then sizes, for a moment; whether anything is left to do.
  const look = () => {
    const { names, sizes } = found;
    const end = performance.now() + SLICE;
    do {
      if (land.band && names.length < places.length) names.push(land.band(places[names.length]));
      else if (land.size && sizes.length < places.length) sizes.push(land.size(places[sizes.length]));
      else return false;
    } while (performance.now() < end);
    return true;
  };
  const ask = () => {
    if (!isAsked) whenIdle(work);
    isAsked = true;
  };
  const work = () => {
    isAsked = false;
    if (!strip.root.isConnected) return;
    const isLeft = pressed || look();
    if (!pressed) strip.draw(land, found);
    if (isLeft) ask();
  };
  /** @param {Land} now */
  const draw = (now) => {
    const isSame = now.key === land.key;
    land = now;
    if (isSame) return;
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
    found = kept.get(now.key) ?? { names: [], sizes: [] };
    kept.set(now.key, found);
    strip.draw(land, found);
    ask();
  };
  return { draw };
};
