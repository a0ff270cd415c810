// Dots that fall along the edges of a tree on one canvas, and lie in heaps below its leaves.

import { heapPlaces, pitchOf, rightSoFar, wayBetween } from "../computing/falls.js";

/**
 * @import { Heap } from "../computing/falls.js"
 *
 * @typedef {object} People
 * @property {ArrayLike<number>} kind  the color of each dot, by its place among the colors
 * @property {string[]} colors  as CSS writes them: they may be variables
 * @property {ArrayLike<number>} [group]  the group of each; those of group 1 are rings
 *
 * @typedef {object} Fall
 * @property {{ px: number, py: number, up: number }[]} stops  the nodes of the drawing
 * @property {ArrayLike<number>} owner  the node in whose heap each dot belongs, -1 for a dot that is not there
 * @property {Heap[]} heaps  those of the nodes; then those of the second group, if there is one
 * @property {ArrayLike<number>} [right]  1 where the answer to it is right
 */

// Milliseconds for each edge of a way, and until the last dot starts: a first time, and later.
const PACE = { edge: 300, first: 1200, later: 350 };
// Pixels from dot to dot at most, and how wide a stream is.
const MOST_PITCH = 6;
const STREAM = 9;
// Pixels of the screen for one of the page: more are not seen.
const SHARPEST = 2;
// Milliseconds between counts: each is written into the page, which then is laid out again.
const COUNT = 150;

// Any numbers between 0 and 1, the same each time.
/** @type {(dot: number) => number} */
const scatter = (dot) => (dot * 0.618034) % 1;

/** @param {People} people */
const makeCrowd = ({ kind, colors, group = new Uint8Array(kind.length) }) => {
  const many = kind.length;
  const [at, from, to] = [0, 1, 2].map(() => new Float32Array(2 * many).fill(NaN));
  const [before, landed] = [0, 1].map(() => new Uint8Array(many));
  const owner = new Int32Array(many).fill(-1);
  const ways = /** @type {number[][]} */ (Array(many).fill([]));
  const groups = Math.max(0, ...Array.from(group)) + 1;
  return { kind, colors, group, groups, many, at, from, to, before, landed, owner, ways, delay: new Float32Array(many) };
};

export class Falling {
  /** @param {{ onCount?: (right: number[], done: boolean) => void }} [options] */
  constructor({ onCount } = {}) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "dtviz-falling";
    this.canvas.setAttribute("aria-hidden", "true");
    this.onCount = onCount;
    this.frame = 0;
    this.began = 0; // with the first frame, for all that start at once; -1 while a fall waits to be seen
    this.counted = 0;
    this.pitch = 0;
    this.size = { width: 0, height: 0, sharp: 1 };
    this.seen = true;
    this.crowd = makeCrowd({ kind: [], colors: [] });
    /** @type {Fall | null} */
    this.fall = null;
    /** @type {string[]} */
    this.inks = [];
    this.watch();
  }

  watch() {
    // Another theme has other colors.
    this.themes = new MutationObserver(() => {
      this.inks = [];
      this.paint();
    });
    const attributeFilter = ["data-theme", "data-jp-theme-light"];
    for (const root of [document.documentElement, document.body]) this.themes.observe(root, { attributeFilter });
    // What nobody sees does not move.
    this.sight = new IntersectionObserver(([{ isIntersecting }]) => {
      this.seen = isIntersecting;
      if (!this.canvas.isConnected) this.stop();
      if (isIntersecting && this.began < 0) this.start();
      else if (!isIntersecting && this.frame) this.wait();
    });
    this.sight.observe(this.canvas);
    // On paper all have landed.
    this.print = () => {
      if (this.fall && (this.frame || this.began < 0)) this.land();
    };
    addEventListener("beforeprint", this.print);
  }

  // Dots come: they are above the tree.
  /** @param {People} people */
  people(people) {
    this.crowd = makeCrowd(people);
    this.fall = null;
    this.inks = [];
  }

  // Lie behind a drawing: whether that has another size now.
  /** @param {SVGSVGElement} drawing */
  cover(drawing) {
    const [width, height] = ["width", "height"].map((side) => Number(drawing.getAttribute(side)));
    const old = this.size;
    if (old.width === width && old.height === height) return false;
    if (!this.canvas.parentElement) drawing.before(this.canvas);
    this.resize(width, height);
    return old.width > 0;
  }

  /** @type {(width: number, height: number) => void} */
  resize(width, height) {
    const sharp = Math.min(devicePixelRatio || 1, SHARPEST);
    this.size = { width, height, sharp };
    Object.assign(this.canvas, { width: Math.round(width * sharp), height: Math.round(height * sharp) });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
  }

  // Let the dots fall to other nodes; `still` puts those there that rest, as another layout does.
  /** @type {(fall: Fall, still?: boolean) => void} */
  go(fall, still = false) {
    const { stops, owner, heaps, right } = fall;
    const { group, before, landed, from, to, at } = this.crowd;
    const last = this.fall?.right;
    if (last) landed.forEach((isThere, dot) => isThere && (before[dot] = last[dot]));
    const heap = Int32Array.from(owner, (node, dot) => (node < 0 ? -1 : node + group[dot] * stops.length));
    this.pitch = pitchOf(heap, heaps, MOST_PITCH);
    from.set(at);
    to.set(heapPlaces(heap, heaps, this.pitch));
    this.findWays(fall);
    this.crowd.owner.set(owner);
    this.fall = right ? { ...fall, right: Uint8Array.from(right) } : fall;
    // Who stays is there.
    landed.forEach((_, dot) => (landed[dot] = Number([2 * dot, 2 * dot + 1].every((k) => Object.is(from[k], to[k])))));
    const rests = !this.frame && this.began >= 0;
    if ((still && rests) || matchMedia("(prefers-reduced-motion: reduce)").matches) this.land();
    else if (this.seen) this.start();
    else this.wait();
  }

  /** @param {Fall} fall */
  findWays({ stops, owner }) {
    const { crowd } = this;
    const up = stops.map((stop) => stop.up);
    // In another tree no way leads from the nodes of the old one.
    const known = this.fall?.stops === stops;
    /** @type {Map<number, number[]>} */
    const ways = new Map();
    for (let dot = 0; dot < crowd.many; dot += 1) {
      const [from, to] = [crowd.owner[dot], owner[dot]];
      const key = (from + 1) * stops.length + to;
      if (!ways.has(key)) {
        const stays = to < 0 || from === to || (from >= 0 && !known);
        ways.set(key, stays ? [] : wayBetween(up, from, to));
      }
      crowd.ways[dot] = ways.get(key) ?? [];
      crowd.delay[dot] = scatter(dot) * (from < 0 ? PACE.first : PACE.later);
      if (from >= 0) continue;
      crowd.from[2 * dot] = stops[0].px + (scatter(dot) - 0.5) * STREAM;
      crowd.from[2 * dot + 1] = -5;
    }
  }

  wait() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.began = -1;
  }

  start() {
    this.began = 0;
    this.frame ||= requestAnimationFrame((now) => this.move(now));
  }

  // Put each dot where it ends.
  land() {
    cancelAnimationFrame(this.frame);
    this.frame = this.began = 0;
    this.crowd.at.set(this.crowd.to);
    this.crowd.landed.fill(1);
    this.paint();
    this.count(true);
  }

  /** @param {number} now */
  move(now) {
    this.frame = 0;
    if (!this.began) Object.assign(this, { began: now, counted: 0 });
    const { many, landed, delay, ways, at, to } = this.crowd;
    let falling = 0;
    for (let dot = 0; dot < many; dot += 1) {
      if (landed[dot]) continue;
      const part = (now - this.began - delay[dot]) / (PACE.edge * (ways[dot].length + 1));
      if (part >= 1) {
        landed[dot] = 1;
        at[2 * dot] = to[2 * dot];
        at[2 * dot + 1] = to[2 * dot + 1];
      } else {
        falling += 1;
        this.pass(dot, Math.max(part, 0));
      }
    }
    if (!falling) {
      this.land();
      return;
    }
    this.frame = requestAnimationFrame((then) => this.move(then));
    this.paint();
    if (now - this.counted <= COUNT) return;
    this.counted = now;
    this.count(false);
  }

  // Where a dot is on its way, after a part of its time.
  /** @type {(dot: number, part: number) => void} */
  pass(dot, part) {
    const { at, from, to, ways } = this.crowd;
    if (!this.fall) return;
    const way = ways[dot];
    const far = part * part * (3 - 2 * part) * (way.length + 1);
    const edge = Math.min(Math.floor(far), way.length);
    const [last, next] = [this.fall.stops[way[edge - 1]], this.fall.stops[way[edge]]];
    const [x, y, aside] = [2 * dot, 2 * dot + 1, (scatter(dot) - 0.5) * STREAM];
    const [startX, startY] = last ? [last.px + aside, last.py] : [from[x], from[y]];
    const [endX, endY] = next ? [next.px + aside, next.py] : [to[x], to[y]];
    at[x] = startX + (far - edge) * (endX - startX);
    at[y] = startY + (far - edge) * (endY - startY);
  }

  /** @param {boolean} done */
  count(done) {
    const { group, groups } = this.crowd;
    const right = this.fall?.right;
    if (right) this.onCount?.(rightSoFar(group, groups, right, this.crowd), done);
  }

  // The colors as they are here and now.
  readInks() {
    return this.crowd.colors.map((color) => {
      this.canvas.style.color = color;
      return getComputedStyle(this.canvas).color;
    });
  }

  paint() {
    const pen = this.canvas.getContext("2d");
    const { width, height, sharp } = this.size;
    if (!pen || !width) return;
    if (!this.inks.length) this.inks = this.readInks();
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    for (let group = 0; group < this.crowd.groups; group += 1) {
      this.inks.forEach((ink, kind) => this.paintKind(pen, { group, kind, ink }));
    }
  }

  /** @type {(pen: CanvasRenderingContext2D, look: { group: number, kind: number, ink: string }) => void} */
  paintKind(pen, look) {
    const { at, kind, group, many } = this.crowd;
    const thick = look.group ? 1 : 0;
    const radius = Math.max(0.75, 0.42 * this.pitch) - thick / 2;
    pen.beginPath();
    for (let dot = 0; dot < many; dot += 1) {
      const [x, y] = [at[2 * dot], at[2 * dot + 1]];
      if (kind[dot] !== look.kind || group[dot] !== look.group || !(y > 0)) continue;
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, 2 * Math.PI);
    }
    pen.fillStyle = pen.strokeStyle = look.ink;
    pen.lineWidth = thick;
    if (thick) pen.stroke();
    else pen.fill();
  }

  // Nobody sees it any more.
  stop() {
    this.wait();
    this.seen = true;
    this.themes?.disconnect();
    this.sight?.disconnect();
    if (this.print) removeEventListener("beforeprint", this.print);
  }
}
