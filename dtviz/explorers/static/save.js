// The picture on display as one file that stands alone: SVG with every color and font written out,
// or PNG made of it. Drawings are copied, and what HTML there is between them is drawn again.

import { put, svg } from "./kit.js";

/**
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @typedef {{ text: string, title: string, about: string }} Words  below the picture; for the file
 */

const MARGIN = 16;
const LEFT_OUT =
  ".dtviz-controls, .dtviz-status, .dtviz-transport, .dtviz-tip, .dtviz-share, .dtviz-picture, " +
  "[data-no-picture], details:not([open]), input, select, textarea, script, button:not(:has(svg))";
// What is written out of an SVG element's style, with what a program assumes if it finds nothing.
const STYLES = {
  fill: "#000000",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "paint-order": "normal",
  "font-family": "",
  "font-size": "",
  "font-style": "normal",
  "font-weight": "400",
  "text-anchor": "start",
  "dominant-baseline": "auto",
};
const TEXT = ["font-family", "font-size", "font-style", "font-weight"];
// Attributes that say what stands in the style already, or speak to a page.
const SPENT = /^(class|style|id|role|tabindex|visibility|pointer-events|data-.*|aria-.*|lang)$/;

/** @param {string} text */
const number = (text) => Number(Number.parseFloat(text).toFixed(2));

// --- colors -----------------------------------------------------------------------------------

// Colors as every program knows them: #rrggbb, and how opaque. A canvas knows all that CSS does.
const colorReader = () => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  /** @type {Map<string, { color: string, alpha: number }>} */
  const known = new Map();
  /** @param {string} css */
  const read = (css) => {
    if (!brush) return { color: css, alpha: 1 };
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = css;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    const hex = [r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("");
    return { color: `#${hex}`, alpha: Math.round((100 * a) / 255) / 100 };
  };
  return (/** @type {string} */ css) => {
    const found = known.get(css) ?? read(css);
    known.set(css, found);
    return found;
  };
};

/** @typedef {ReturnType<typeof colorReader>} Colors */

// --- drawings ----------------------------------------------------------------------------------

/** @type {(style: CSSStyleDeclaration) => boolean} */
const unseen = (style) =>
  style.display === "none" || style.visibility === "hidden" || style.opacity === "0";

/** @type {(style: CSSStyleDeclaration, colors: Colors) => Record<string, string>} */
const writtenStyle = (style, colors) => {
  /** @type {Record<string, string>} */
  const found = {};
  for (const name of Object.keys(STYLES)) {
    found[name] = style.getPropertyValue(name).replace(/(\d)px/g, "$1");
  }
  for (const paint of ["fill", "stroke"]) {
    if (found[paint] === "none" || found[paint].startsWith("url")) continue;
    const { color, alpha } = colors(found[paint]);
    found[paint] = alpha ? color : "none";
    if (alpha < 1) found[`${paint}-opacity`] = String(number(`${alpha * Number(found[`${paint}-opacity`])}`));
  }
  return found;
};

/** @type {(source: Element, copy: Element) => void} */
const strip = (source, copy) => {
  const used = source.closest("clipPath, linearGradient, pattern, marker");
  for (const name of copy.getAttributeNames()) {
    if (name === "id" ? !used : SPENT.test(name)) copy.removeAttribute(name);
  }
};

/** @type {(copy: Element, own: Record<string, string>, above: Record<string, string>) => void} */
const dress = (copy, own, above) => {
  const writes = copy.matches("text, tspan, g, svg");
  for (const name of Object.keys(own)) {
    if (TEXT.includes(name) && !writes) own[name] = above[name];
    if (own[name] === above[name]) copy.removeAttribute(name);
    else copy.setAttribute(name, own[name]);
  }
};

/** @type {(copy: Element, style: CSSStyleDeclaration) => void} */
const move = (copy, { opacity, transform }) => {
  if (opacity !== "1") copy.setAttribute("opacity", opacity);
  if (transform !== "none" && copy.localName !== "svg") copy.setAttribute("transform", transform);
};

/** @type {(source: Element, style: CSSStyleDeclaration, own: Record<string, string>) => boolean} */
const blank = (source, style, own) => {
  // A group that is hidden may hold what is not.
  if (style.display === "none" || style.opacity === "0") return true;
  if (!source.children.length && unseen(style)) return true;
  const empty = own.fill === "none" && own.stroke === "none";
  return empty && source.matches("rect, circle, path, line, polygon, polyline");
};

/**
 * Copy an element and what is in it, with the style written out where it is not that from above.
 * @param {Element} source
 * @param {Record<string, string>} above
 * @param {Colors} colors
 * @returns {Element | null}
 */
const copied = (source, above, colors) => {
  const style = getComputedStyle(source);
  const own = writtenStyle(style, colors);
  if (blank(source, style, own)) return null;
  const copy = /** @type {Element} */ (source.cloneNode(false));
  strip(source, copy);
  dress(copy, own, above);
  move(copy, style);
  for (const child of source.childNodes) {
    const part = child instanceof Element ? copied(child, own, colors) : child.cloneNode();
    if (part && (part instanceof Element || part instanceof Text)) copy.append(part);
  }
  return copy.localName === "g" && !copy.childNodes.length ? null : copy;
};

// --- HTML --------------------------------------------------------------------------------------

/** @type {(box: DOMRect, clip: DOMRect) => boolean} */
const within = (box, clip) => box.top >= clip.top - 1 && box.bottom <= clip.bottom + 1;

// Of a list that scrolls only what is in sight.
/** @type {(box: DOMRect, clip: DOMRect | null) => boolean} */
const shows = (box, clip) => box.width > 0 && box.height > 0 && (!clip || within(box, clip));

/** Draws the HTML between the drawings: grounds, frames and lines of text. */
class Painter {
  /** @param {Element} view @param {Colors} colors */
  constructor(view, colors) {
    this.origin = view.getBoundingClientRect();
    this.colors = colors;
    this.brush = document.createElement("canvas").getContext("2d");
    /** @type {Element[]} */
    this.drawn = [];
    this.right = 0;
    this.top = Infinity;
    this.bottom = 0;
  }

  // A box from the corner of the view.
  /** @type {(box: DOMRect) => Box} */
  beside({ left, top, width, height }) {
    return { left: left - this.origin.left, top: top - this.origin.top, width, height };
  }

  // The same, of what is drawn: the picture reaches as far; of some only to a height.
  /** @type {(box: DOMRect, reach?: number) => Box} */
  place(box, reach = box.height) {
    const found = this.beside(box);
    this.right = Math.max(this.right, found.left + found.width);
    this.top = Math.min(this.top, found.top);
    this.bottom = Math.max(this.bottom, found.top + reach);
    return found;
  }

  /** @param {Element} node */
  add(node) {
    for (const { name, value } of [...node.attributes]) {
      if (/^[\d.-]+$/.test(value)) put(node, name, number(value));
    }
    this.drawn.push(node);
  }

  /** @type {(element: Element, style: CSSStyleDeclaration, clip: DOMRect | null) => void} */
  box(element, style, clip) {
    const ground = this.colors(style.backgroundColor);
    const sides = this.sides(style);
    const outer = element.getBoundingClientRect();
    if ((!ground.alpha && !sides.length) || !shows(outer, clip)) return;
    const framed = sides.length === 4;
    // An edge alone needs no room for what it stands on: that may be kept for later, and blank.
    const box = ground.alpha || framed ? this.place(outer) : this.beside(outer);
    const rx = framed || !sides.length ? number(style.borderTopLeftRadius) || null : null;
    if (ground.alpha) this.fill(box, ground, rx);
    if (framed) this.frame(box, sides[0], rx);
    else for (const side of sides) this.edge(box, side);
  }

  /** @type {(box: Box, ground: { color: string, alpha: number }, rx: number | null) => void} */
  fill({ left, top, width, height }, { color, alpha }, rx) {
    const shade = { fill: color, "fill-opacity": alpha < 1 ? alpha : null };
    this.add(svg("rect", { x: left, y: top, width, height, rx, ...shade }));
  }

  // The sides of a frame that can be seen.
  /** @param {CSSStyleDeclaration} style */
  sides(style) {
    return ["top", "right", "bottom", "left"]
      .map((side) => ({
        side,
        thick: number(style.getPropertyValue(`border-${side}-width`)),
        ...this.colors(style.getPropertyValue(`border-${side}-color`)),
      }))
      .filter(({ thick, alpha }) => thick && alpha);
  }

  /** @type {(box: Box, side: { thick: number, color: string }, rx: number | null) => void} */
  frame({ left, top, width, height }, { thick, color }, rx) {
    const inner = { x: left + thick / 2, y: top + thick / 2, width: width - thick, height: height - thick };
    this.add(svg("rect", { ...inner, rx, fill: "none", stroke: color, "stroke-width": thick }));
  }

  /** @type {(box: Box, side: { side: string, thick: number, color: string }) => void} */
  edge({ left, top, width, height }, { side, thick, color }) {
    const x = side === "right" ? left + width - thick / 2 : left + thick / 2;
    const y = side === "bottom" ? top + height - thick / 2 : top + thick / 2;
    const along = side === "top" || side === "bottom";
    const ends = along ? { x1: left, x2: left + width, y1: y, y2: y } : { x1: x, x2: x, y1: top, y2: top + height };
    this.add(svg("line", { ...ends, stroke: color, "stroke-width": thick }));
  }

  // The lines that a text is broken into, as the browser broke it.
  /** @type {(text: Text, clip: DOMRect | null) => { box: DOMRect, words: string[] }[]} */
  linesOf(text, clip) {
    const range = document.createRange();
    /** @type {{ box: DOMRect, words: string[] }[]} */
    const lines = [];
    for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const box = range.getBoundingClientRect();
      if (!shows(box, clip)) continue;
      const last = lines.at(-1);
      if (last && Math.abs(last.box.top - box.top) < 2) last.words.push(word);
      else lines.push({ box, words: [word] });
    }
    return lines;
  }

  /** @type {(text: Text, style: CSSStyleDeclaration, clip: DOMRect | null) => void} */
  write(text, style, clip) {
    const lines = this.linesOf(text, clip);
    if (!lines.length || !this.brush) return;
    const font = Object.fromEntries(TEXT.map((name) => [name, style.getPropertyValue(name).replace("px", "")]));
    this.brush.font = style.font;
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = this.brush.measureText("x");
    const { color, alpha } = this.colors(style.color);
    for (const { box, words } of lines) {
      const { left, top, height } = this.place(box);
      const y = top + (height * up) / (up + down);
      const shade = { fill: color, "fill-opacity": alpha < 1 ? alpha : null };
      this.add(svg("text", { x: left, y, ...shade, ...font }, words.join(" ")));
    }
  }

  /** @type {(drawing: Element) => void} */
  copy(drawing) {
    const box = drawing.getBoundingClientRect();
    // Room that a drawing keeps below is left out.
    const low = drawing instanceof SVGGraphicsElement ? drawing.getBBox() : null;
    const { left, top, width, height } = this.place(box, low ? Math.min(box.height, Math.max(low.y + low.height + 4, 0)) : undefined);
    const copy = copied(drawing, STYLES, this.colors);
    if (!copy || !width || !height) return;
    copy.removeAttribute("xmlns");
    for (const [name, value] of Object.entries({ x: left, y: top, width, height })) put(copy, name, number(String(value)));
    put(copy, "overflow", "visible");
    this.drawn.push(copy);
  }

  /** @type {(element: Element, clip: DOMRect | null) => void} */
  paint(element, clip) {
    if (element.matches(LEFT_OUT)) return;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.opacity === "0") return;
    if (element.localName === "svg") {
      if (!unseen(style)) this.copy(element);
      return;
    }
    if (style.visibility !== "hidden") this.box(element, style, clip);
    const room = style.overflowY === "visible" ? clip : element.getBoundingClientRect();
    for (const child of element.childNodes) {
      if (child instanceof Element) this.paint(child, room);
      else if (child instanceof Text && style.visibility !== "hidden") this.write(child, style, room);
    }
  }
}

// --- files -------------------------------------------------------------------------------------

// A color of the explorers as it is on display.
/** @type {(el: Element, name: string) => string} */
const colorOf = (el, name) => {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  el.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/** @type {(text: string, most: number, brush: CanvasRenderingContext2D | null) => string[]} */
const broken = (text, most, brush) => {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && (brush?.measureText(longer).width ?? 0) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

/**
 * The picture of an explorer, with a line of words below it, as a document that stands alone.
 * @type {(el: HTMLElement, words: Words) => { source: string, width: number, height: number }}
 */
export const picture = (el, { text, title, about }) => {
  // Where something moves, it has arrived.
  for (const animation of el.getAnimations({ subtree: true })) animation.finish();
  const colors = colorReader();
  const view = /** @type {Element} */ (el.querySelector(".dtviz-view"));
  const painter = new Painter(view, colors);
  painter.paint(view, null);
  const width = Math.ceil(Math.max(painter.right, painter.origin.width)) + 2 * MARGIN;
  const { fontFamily } = getComputedStyle(el);
  if (painter.brush) painter.brush.font = `14px ${fontFamily}`;
  const lines = broken(text, width - 2 * MARGIN, painter.brush);
  const top = Math.min(painter.top, painter.bottom);
  const below = Math.ceil(painter.bottom - top) + 2 * MARGIN;
  const height = below + 20 * lines.length + MARGIN / 2;
  const [paper, ink] = ["--dtviz-paper", "--dtviz-ink"].map((name) => colors(colorOf(el, name)).color);
  const caption = lines.map((line, k) =>
    svg("text", { x: MARGIN, y: below + 12 + 20 * k, "font-family": fontFamily, "font-size": 14, fill: ink }, line),
  );
  const root = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}` },
    svg("title", {}, title),
    svg("desc", {}, about),
    svg("rect", { width, height, fill: paper }),
    svg("g", { transform: `translate(${MARGIN},${number(String(MARGIN - top))})` }, ...painter.drawn),
    ...caption,
  );
  return { source: new XMLSerializer().serializeToString(root), width, height };
};

/** @type {(blob: Blob, name: string) => void} */
const download = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** @type {(el: HTMLElement, words: Words, name: string) => Promise<void>} */
export const saveSvg = async (el, words, name) =>
  download(new Blob([picture(el, words).source], { type: "image/svg+xml" }), `${name}.svg`);

// At twice the size, for screens and slides.
/** @type {(el: HTMLElement, words: Words, name: string) => Promise<void>} */
export const savePng = async (el, words, name) => {
  const { source, width, height } = picture(el, words);
  const image = new Image();
  // An address of the page's own kind would taint the canvas of a page on disk.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((then) => canvas.toBlob(then, "image/png"));
  if (!blob) throw new Error("this browser made no PNG of the picture");
  download(blob, `${name}.png`);
};
