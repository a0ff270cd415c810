// The figure on display as a PNG: its pictures and its status, one below the other. The browser draws a copy with
// every style written out, within an SVG.

import { html, put, svg } from "./kit.js";

/** @typedef {(element: Element) => CSSStyleDeclaration} Styles */

const MARGIN = 16;
// What is drawn: all of the atlas, which is no figure.
const PARTS = ".dtviz-figure :is(.dtviz-pictures, .dtviz-status), .dtviz-view:not(.dtviz-figure)";
const LEFT_OUT = ".dtviz-transport, .dtviz-tip, [data-no-picture], details:not([open]), input, select, textarea, button:not(:has(svg), :is(td, p) *)";
// A tree that scrolls is whole in the picture.
const SCROLLS = "[data-scrolls]";
// So that what is left out takes no room.
const HEIGHTS = new Set(["height", "block-size", "grid-template-rows"]);

// The style that a browser gives an element by itself, in a place that the page does not style.
/** @type {(place: ShadowRoot) => Styles} */
const usualStyles = (place) => {
  /** @type {Map<string, CSSStyleDeclaration>} */
  const known = new Map();
  return ({ namespaceURI, localName }) => {
    const style = known.get(localName) ?? getComputedStyle(place.appendChild(document.createElementNS(namespaceURI, localName)));
    known.set(localName, style);
    return style;
  };
};

// A copy of an element with its style, as far as this is not that of any such element; none of what is not seen.
/** @type {(source: Element, above: CSSStyleDeclaration | null, usual: Styles) => Element | ""} */
const copied = (source, above, usual) => {
  if (source.matches(LEFT_OUT) || !source.checkVisibility()) return "";
  const [style, plain] = [getComputedStyle(source), usual(source)];
  const isWhole = source.matches(SCROLLS);
  const isCut = style.overflowY !== "visible" && !isWhole;
  const isFree = source instanceof HTMLElement && source.childElementCount > 0 && !isCut;
  /** @type {(name: string) => boolean} */
  const isNeeded = (name) => {
    const [value, ...others] = [style, plain, above].map((one) => one?.getPropertyValue(name));
    return others.some((other) => other !== value) && !(isFree && HEIGHTS.has(name));
  };
  const written = [...style].filter(isNeeded).map((name) => `${name}: ${style.getPropertyValue(name)}`);
  const isPainted = source instanceof HTMLCanvasElement;
  const copy = isPainted ? html("img", { src: source.toDataURL() }) : /** @type {Element} */ (source.cloneNode(false));
  copy.removeAttribute("class");
  // A list that scrolls shows what is in sight.
  const shown = isWhole ? ["overflow: visible; mask: none"] : isCut ? ["overflow: hidden"] : [];
  put(copy, "style", [...written, ...shown].join("; "));
  const parts = [...source.childNodes].map((child) => (child instanceof Element ? copied(child, style, usual) : (child.textContent ?? "")));
  copy.append(...parts);
  return copy;
};

/** @type {(el: HTMLElement) => { source: string, width: number, height: number }} */
const picture = (el) => {
  // Where something moves, it has arrived.
  for (const animation of el.getAnimations({ subtree: true })) animation.finish();
  const host = html("div", { style: "all: initial; color-scheme: inherit; position: absolute; background: var(--dtviz-paper)" });
  const place = host.attachShadow({ mode: "open" });
  el.append(host);
  const wide = Math.max(0, ...Array.from(el.querySelectorAll(SCROLLS), ({ scrollWidth }) => scrollWidth));
  const paper = html("div", { style: `width: max-content; min-width: ${wide}px; padding: ${MARGIN}px; background: ${getComputedStyle(host).backgroundColor}` });
  place.append(paper);
  const usual = usualStyles(place);
  paper.append(...[...el.querySelectorAll(PARTS)].map((part) => copied(part, null, usual)));
  // Whole pixels: the edge of a part of one would be all but transparent.
  const box = paper.getBoundingClientRect();
  const [width, height] = [box.width, box.height].map(Math.ceil);
  paper.style.cssText += `; box-sizing: border-box; width: ${width}px; height: ${height}px`;
  host.remove();
  const root = svg("svg", { width, height }, svg("foreignObject", { width, height }, paper));
  return { source: new XMLSerializer().serializeToString(root), width, height };
};

// At twice the size, for screens and slides.
/** @type {(el: HTMLElement, title: string) => Promise<void>} */
export const savePng = async (el, title) => {
  const { source, width, height } = picture(el);
  const image = new Image();
  // An address of the page's own kind would taint the canvas of a page on disk.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = html("canvas", { width: Math.round(2 * width), height: Math.round(2 * height) });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((then) => canvas.toBlob(then, "image/png"));
  if (!blob) throw new Error("this browser made no PNG of the picture");
  const link = html("a", { href: URL.createObjectURL(blob), download: `${title}.png` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
