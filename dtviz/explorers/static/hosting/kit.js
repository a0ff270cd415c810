// The kit of the explorers: elements, dragging, and what differs between the hosts.
// An explorer is a function of { model, el } that draws into el and returns its clean-up.

/**
 * What anywidget gives and host.js imitates: the traits of an explorer by name.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, handler: () => void) => void} on
 * @property {(event: string, handler: () => void) => void} [off]
 *
 * A host that has an address of its own gives the link to what is on display.
 * @typedef {{ text: string, left: string[] }} Link
 * It may want to know what is shown, too, for words of its text that follow: texts by name.
 * @typedef {{ model: Model, el: HTMLElement, link?: () => Link, numbers?: (texts: Record<string, string>) => void }} Host
 * @typedef {(host: Host) => () => void} Explorer
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes
 * @typedef {"wide" | "medium" | "narrow"} Kind
 */

/** @type {Record<string, Explorer>} */
export const explorers = {};
// What stands below every explorer, drawn after it.
/** @type {Explorer[]} */
export const extras = [];
// Judges of values that a link brings, by the tag "check" of their trait: "", or what is wrong.
/** @type {Record<string, (value: any, model: Model) => string>} */
export const checks = {};

/** @type {Explorer} */
export const render = (host) => {
  const { model, el } = host;
  const name = model.get("_explorer");
  el.classList.add("dtviz-explorer");
  el.dataset.explorer = name;
  const cleanUps = [explorers[name], ...extras].map((draw) => draw(host));
  el.classList.add("dtviz-live");
  return () => cleanUps.forEach((cleanUp) => cleanUp());
};

const SVG = "http://www.w3.org/2000/svg";
// Every widget of a notebook loads its own copy of this file, so a counter alone is not unique.
const COPY = Math.random().toString(36).slice(2, 8);
let serial = 0;
/** @type {(stem: string) => string} */
export const uniqueId = (stem) => `dtviz-${stem}-${COPY}${(serial += 1)}`;

/** @type {<Made extends Element>(node: Made, attributes: Attributes, children: (Node | string)[]) => Made} */
const furnish = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
};

/**
 * @template {Record<string, any>} Map
 * @typedef {<Tag extends keyof Map>(tag: Tag, attributes?: Attributes, ...children: (Node | string)[]) => Map[Tag]} Maker
 */
/** @type {Maker<HTMLElementTagNameMap>} */
export const html = (tag, attributes = {}, ...children) =>
  furnish(document.createElement(tag), attributes, children);

/** @type {Maker<SVGElementTagNameMap>} */
export const svg = (tag, attributes = {}, ...children) =>
  furnish(document.createElementNS(SVG, tag), attributes, children);

// Write only what changed: most of a drawing stays as it is from one slider event to the next.
/** @type {(node: Element, name: string, value: unknown) => void} */
export const put = (node, name, value) => {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
};
/** @type {(node: Element, values: Record<string, unknown>) => void} */
export const putAll = (node, values) => {
  for (const [name, value] of Object.entries(values)) put(node, name, value);
};
// Coordinates to a tenth of a pixel.
/** @type {(node: Element, places: Record<string, number>) => void} */
export const place = (node, places) => {
  for (const [name, value] of Object.entries(places)) put(node, name, value.toFixed(1));
};
// The same text node with other words: for a new one browsers try every rule with :has() again.
/** @type {(node: Node, text: string) => void} */
export const say = (node, text) => {
  if (node.textContent === text) return;
  const { firstChild: old } = node;
  if (old instanceof Text && old === node.lastChild) old.data = text;
  else node.textContent = text;
};
/** @type {(canvas: SVGSVGElement, width: number, height: number) => void} */
export const setBox = (canvas, width, height) =>
  putAll(canvas, { width, height, viewBox: `0 0 ${width} ${height}` });

// What stands below a picture, and explains its marks.
/** @type {(...text: (Node | string)[]) => HTMLParagraphElement} */
export const keyText = (...text) => html("p", { class: "dtviz-key" }, ...text);

// Whatever takes the focus needs these: else JupyterLab keeps its arrow keys and Enter for itself.
export const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

// One handler per trait, removed together.
/** @type {(model: Model, handlers: Record<string, () => void>) => () => void} */
export const listen = (model, handlers) => {
  const entries = Object.entries(handlers);
  for (const [trait, handler] of entries) model.on(`change:${trait}`, handler);
  return () => {
    for (const [trait, handler] of entries) model.off?.(`change:${trait}`, handler);
  };
};

/** @type {(model: Model, changes: Record<string, unknown>) => void} */
export const change = (model, changes) => {
  for (const [trait, value] of Object.entries(changes)) model.set(trait, value);
  model.save_changes();
};

// What a control does whose value is that of a trait.
/** @type {(model: Model, trait: string) => (value: unknown) => void} */
export const setter = (model, trait) => (value) => change(model, { [trait]: value });

/** @type {() => boolean} */
export const calm = () =>
  globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

// Call draw(width) now and whenever the width of an element changes, but not while it is hidden.
/** @type {(element: Element, draw: (width: number) => void) => () => void} */
export const onWidth = (element, draw) => {
  let last = 0;
  const check = () => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) draw((last = width));
  };
  const observer = new ResizeObserver(check);
  observer.observe(element);
  check();
  return () => observer.disconnect();
};

// Dragging on an element: move(x, y) in pixels of the frame, while a finger or the button is down.
/** @type {(element: SVGElement | HTMLElement, frame: Element, move: (x: number, y: number) => void) => void} */
export const onDrag = (element, frame, move) => {
  const part = /** @type {HTMLElement} */ (element);
  /** @param {PointerEvent} event */
  const at = (event) => {
    const box = frame.getBoundingClientRect();
    move(event.clientX - box.left, event.clientY - box.top);
  };
  part.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    part.setPointerCapture(event.pointerId);
    at(event);
  });
  part.addEventListener("pointermove", (event) => {
    if (part.hasPointerCapture(event.pointerId)) at(event);
  });
};

/**
 * A view with its handlers by trait; `narrow` is the least width in pixels that is not narrow.
 * @typedef {object} Lively
 * @property {HTMLElement} view
 * @property {Record<string, () => void>} handlers
 * @property {(width: number, kind: Kind) => void} resize
 * @property {{ stop: () => void }} status
 * @property {{ beat: () => void, stop: () => void }} [play]
 * @property {number} [narrow]
 */
// Put a view into its place, and keep it in step with its model and its width; returns the clean-up.
/** @type {(host: Host, parts: Lively) => () => void} */
export const live = ({ model, el }, { view, handlers, resize, status, play, narrow = 560 }) => {
  el.append(view);
  const stopListening = listen(model, handlers);
  const stopWatching = onWidth(view, (width) => {
    /** @type {Kind} */
    const kind = width >= 800 ? "wide" : width < narrow ? "narrow" : "medium";
    view.dataset.width = kind;
    resize(width, kind);
  });
  play?.beat();
  return () => {
    play?.stop();
    status.stop();
    stopListening();
    stopWatching();
    view.remove();
  };
};

// An entry of a record by a name that a reader may have typed: "constructor" is in every object.
/** @type {<Value>(record: Record<string, Value>, name: string) => Value | undefined} */
export const entryOf = (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined);

// Compute a part of the state again only when a trait has changed that it has read, or one of the facts given beside:
// what it depends on is found out, by a model that notes what is read of it.
/** @type {(model: Model) => { model: Model, recall: <Value>(name: string, make: () => Value, facts?: unknown[]) => Value }} */
export const recalling = (model) => {
  /** @type {Map<string, unknown>[]} */
  const readers = [];
  const noted = {
    /** @param {string} name */
    get(name) {
      const value = model.get(name);
      for (const read of readers) read.set(name, value);
      return value;
    },
    /** @type {Model["set"]} */
    set: (name, value) => model.set(name, value),
    save_changes: () => model.save_changes(),
    /** @type {Model["on"]} */
    on: (event, handler) => model.on(event, handler),
    /** @type {Model["on"]} */
    off: (event, handler) => model.off?.(event, handler),
  };
  /** @type {Record<string, { facts: unknown[], read: Map<string, unknown>, value: any }>} */
  const kept = {};
  return {
    model: noted,
    recall(name, make, facts = []) {
      const old = kept[name];
      const stays =
        old?.facts.length === facts.length &&
        old.facts.every((fact, k) => fact === facts[k]) &&
        [...old.read].every(([trait, value]) => noted.get(trait) === value);
      if (stays) return old.value;
      /** @type {Map<string, unknown>} */
      const read = new Map();
      readers.push(read);
      try {
        kept[name] = { facts, read, value: make() };
      } finally {
        readers.pop();
      }
      return kept[name].value;
    },
  };
};

// The same where nothing but facts is read.
/** @returns {<Value>(name: string, facts: unknown[], make: () => Value) => Value} */
export const memory = () => {
  const { recall } = recalling(/** @type {Model} */ ({}));
  return (name, facts, make) => recall(name, make, facts);
};
