// The figure on display as one file that stands alone: its views and its status, one below the other, as SVG with
// every color and font written out, or as PNG made of that.

import { html, place, put, svg } from "./kit.js";

/**
 * @typedef {{ title: string, about: string }} Words  for the file
 * @typedef {ReturnType<typeof colorReader>} Colors
 */

const MARGIN = 16;
const GAP = 12;
// What is drawn: all of the atlas, which is no figure.
const PARTS = ".dtviz-figure :is(.dtviz-pictures, .dtviz-status), .dtviz-view:not(.dtviz-figure)";
const LEFT_OUT = ".dtviz-transport, .dtviz-tip, [data-no-picture], details:not([open]), input, select, textarea, button:not(:has(svg))";
const TEXT = ["font-family", "font-size", "font-style", "font-weight"];
// What is written out of an SVG element's style, where it is not that of the element around it.
const STYLE = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"],
  ...["stroke-linejoin", "paint-order", "text-anchor", "dominant-baseline", ...TEXT],
];
// Attributes that say what stands in the style already, or speak to a page.
const SPENT = /^(class|style|id|role|tabindex|visibility|pointer-events|data-.*|aria-.*|lang)$/;

// Colors as every program knows them, #rrggbb or none. A canvas knows all that CSS does.
const colorReader = () => {
  const canvas = html("canvas", { width: 1, height: 1 });
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  return (/** @type {string} */ css) => {
    if (css === "none") return css;
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = css;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = brush.getImageData(0, 0, 1, 1).data;
    return alpha ? `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}` : "none";
  };
};

/** @type {(element: Element) => boolean} */
const isSeen = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

/** @type {(style: CSSStyleDeclaration, names: string[]) => Record<string, string>} */
const written = (style, names) =>
  Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).replace(/(\d)px/g, "$1")]));

/**
 * A copy of what is seen of a drawing, with its style written out.
 * @type {(source: Element, above: Record<string, string>, colors: Colors) => Element | ""}
 */
const copied = (source, above, colors) => {
  if (!isSeen(source)) return "";
  const style = getComputedStyle(source);
  const own = written(style, STYLE);
  for (const paint of ["fill", "stroke"]) own[paint] = colors(own[paint]);
  const copy = /** @type {Element} */ (source.cloneNode(false));
  for (const name of copy.getAttributeNames()) if (SPENT.test(name) || name in own) copy.removeAttribute(name);
  for (const [name, value] of Object.entries(own)) if (value !== above[name]) put(copy, name, value);
  if (style.opacity !== "1") put(copy, "opacity", style.opacity);
  if (style.transform !== "none") put(copy, "transform", style.transform);
  const parts = [...source.childNodes].map((child) =>
    child instanceof Element ? copied(child, own, colors) : (child.textContent ?? ""),
  );
  copy.append(...parts);
  return copy;
};

/** Draws the parts of a figure below each other: copies of drawings, grounds of boxes and lines of text. */
class Painter {
  constructor() {
    this.colors = colorReader();
    /** @type {Element[]} */
    this.drawn = [];
    this.width = 0;
    this.height = MARGIN;
    this.move = { x: 0, y: 0 };
  }

  /** @param {Element} part */
  add(part) {
    const { left, top } = part.getBoundingClientRect();
    this.move = { x: MARGIN - left, y: this.height - top };
    const before = this.drawn.length;
    this.paint(part, null);
    if (this.drawn.length > before) this.height += GAP;
  }

  // Where a box of the page comes in the picture, which is to reach as far.
  /** @param {DOMRect} box */
  at({ left, top, width, height }) {
    const [x, y] = [left + this.move.x, top + this.move.y];
    this.width = Math.max(this.width, Math.ceil(x + width));
    this.height = Math.max(this.height, Math.ceil(y + height));
    return { x, y };
  }

  // The lines that a text is broken into, as the browser broke it; of a list that scrolls those in sight.
  /** @type {(text: Text, style: CSSStyleDeclaration, clip: DOMRect | null) => void} */
  write(text, style, clip) {
    const range = document.createRange();
    /** @type {{ box: DOMRect, words: string[] }[]} */
    const lines = [];
    for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const box = range.getBoundingClientRect();
      if (clip && (box.top < clip.top - 1 || box.bottom > clip.bottom + 1)) continue;
      const last = lines.at(-1);
      if (last && Math.abs(last.box.top - box.top) < 2) last.words.push(word);
      else lines.push({ box, words: [word] });
    }
    for (const { box, words } of lines) {
      const line = svg("text", { fill: this.colors(style.color), ...written(style, TEXT) }, words.join(" "));
      const { x, y } = this.at(box);
      // So far down is the baseline of most fonts.
      place(line, { x, y: y + 0.8 * box.height });
      this.drawn.push(line);
    }
  }

  /** @param {Element} drawing */
  copy(drawing) {
    const box = drawing.getBoundingClientRect();
    const copy = copied(drawing, {}, this.colors);
    if (!copy || !box.width || !box.height) return;
    copy.removeAttribute("xmlns");
    put(copy, "overflow", "visible");
    place(copy, { ...this.at(box), width: box.width, height: box.height });
    this.drawn.push(copy);
  }

  /** @type {(element: Element, clip: DOMRect | null) => void} */
  paint(element, clip) {
    if (element.matches(LEFT_OUT) || !isSeen(element)) return;
    if (element.localName === "svg") {
      this.copy(element);
      return;
    }
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const ground = this.colors(style.backgroundColor);
    if (ground !== "none" && box.width && box.height) {
      const rect = svg("rect", { fill: ground, rx: Number.parseFloat(style.borderTopLeftRadius) || null });
      place(rect, { ...this.at(box), width: box.width, height: box.height });
      this.drawn.push(rect);
    }
    const room = style.overflowY === "visible" ? clip : box;
    for (const child of element.childNodes) {
      if (child instanceof Element) this.paint(child, room);
      else if (child instanceof Text) this.write(child, style, room);
    }
  }
}

/** @type {(el: HTMLElement, words: Words) => { source: string, width: number, height: number }} */
const picture = (el, { title, about }) => {
  // Where something moves, it has arrived.
  for (const animation of el.getAnimations({ subtree: true })) animation.finish();
  const painter = new Painter();
  for (const part of el.querySelectorAll(PARTS)) painter.add(part);
  const [width, height] = [painter.width + MARGIN, painter.height];
  const paper = html("i", { style: "background: var(--dtviz-paper)" });
  el.append(paper);
  const fill = painter.colors(getComputedStyle(paper).backgroundColor);
  paper.remove();
  const root = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}` },
    svg("title", {}, title),
    svg("desc", {}, about),
    svg("rect", { width, height, fill }),
    ...painter.drawn,
  );
  return { source: new XMLSerializer().serializeToString(root), width, height };
};

/** @type {(blob: Blob, name: string) => void} */
const download = (blob, name) => {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** @type {(el: HTMLElement, words: Words) => Promise<void>} */
export const saveSvg = async (el, words) =>
  download(new Blob([picture(el, words).source], { type: "image/svg+xml" }), `${words.title}.svg`);

// At twice the size, for screens and slides.
/** @type {(el: HTMLElement, words: Words) => Promise<void>} */
export const savePng = async (el, words) => {
  const { source, width, height } = picture(el, words);
  const image = new Image();
  // An address of the page's own kind would taint the canvas of a page on disk.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = html("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((then) => canvas.toBlob(then, "image/png"));
  if (!blob) throw new Error("this browser made no PNG of the picture");
  download(blob, `${words.title}.png`);
};
