// The kit of the explorers: elements, text, controls and what differs between the hosts.
// An explorer is a function of { model, el } that draws into el and returns its clean-up.

const explorers = {};

const render = ({ model, el }) => {
  const name = model.get("_explorer");
  el.classList.add("dtviz-explorer");
  el.dataset.explorer = name;
  const cleanUp = explorers[name]({ model, el });
  el.classList.add("dtviz-live");
  return cleanUp;
};

// --- elements ----------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
// Every widget of a notebook loads its own copy of this file, so a counter alone is not unique.
const COPY = Math.random().toString(36).slice(2, 8);
let serial = 0;
const uniqueId = (stem) => `dtviz-${stem}-${COPY}${(serial += 1)}`;

const furnish = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};
const html = (tag, attributes = {}, ...children) =>
  furnish(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
  furnish(document.createElementNS(SVG, tag), attributes, children);

// Write only what changed: most of a drawing stays as it is from one slider event to the next.
const put = (node, name, value) => {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
};
const say = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
// One format for all: making one for each number takes longer than all else a slider does.
const { format: grouped } = new Intl.NumberFormat("en");
const count = (number, noun, plural = `${noun}s`) => `${grouped(number)} ${number === 1 ? noun : plural}`;
// Two decimals, up to four where they say more: 0.10, 0.105.
const epsilonText = (epsilon) => epsilon.toFixed(4).replace(/0{1,2}$/, "");
const small = (value) => (value === 0 ? "0" : value < 0.001 ? "<.001" : value.toFixed(3));
const brief = (value) => {
  if (value >= 0.001 || value === 0) return String(Number(value.toPrecision(2)));
  const [digits, power] = value.toExponential(0).split("e-");
  return `${digits}·10⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
};
const tiny = (value) => small(value).replace(/^0\./, ".");

// Whatever takes the focus needs these: else JupyterLab keeps its arrow keys and Enter for itself.
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

// --- controls ----------------------------------------------------------------------------------

// Each is { root, input, ... }; the input's name is the trait it sets.
const labelled = (kind, label, input, ...extras) => {
  input.id = uniqueId(input.name);
  return html(
    "div",
    { class: `dtviz-field dtviz-${kind}` },
    html("label", { for: input.id }, label),
    input,
    ...extras,
  );
};

const selectControl = ({ name, label, options, onChange }) => {
  const input = html("select", { name, ...OWN_KEYS }, ...options.map((o) => html("option", { value: o }, o)));
  input.addEventListener("change", () => onChange(input.value));
  return { input, root: labelled("select", label, input) };
};

const rangeControl = ({ name, label, min, max, step, ends, reversed, onInput }) => {
  const input = html("input", { type: "range", name, min, max, step, ...OWN_KEYS });
  // Large values on the left; arrow keys follow the picture.
  if (reversed) input.dir = "rtl";
  const value = html("span", { class: "dtviz-value" });
  input.addEventListener("input", () => onInput(input.valueAsNumber));
  const root = labelled("range", label, input, value);
  if (ends) {
    const [left, right] = ends.map((end) => html("span", { class: "dtviz-end" }, end));
    input.before(left);
    input.after(right);
  }
  return { input, value, root };
};

const checkControl = ({ name, label, onChange }) => {
  const input = html("input", { type: "checkbox", name, id: uniqueId(name), ...OWN_KEYS });
  input.addEventListener("change", () => onChange(input.checked));
  const root = html("label", { class: "dtviz-field dtviz-check", for: input.id }, input, label);
  return { input, root };
};

const buttonControl = ({ name, label, text, onClick }) => {
  const input = html("button", { type: "button", name, "aria-label": label, ...OWN_KEYS }, text);
  input.addEventListener("click", onClick);
  return { input, root: input };
};

// The state in words. Readers see each change at once; a screen reader is told once it settles.
const statusLine = () => {
  const root = html("p", { role: "status", "aria-live": "polite", class: "dtviz-status" });
  let timer = 0;
  return {
    root,
    say(text) {
      if (root.textContent === text) return;
      root.setAttribute("aria-busy", "true");
      root.textContent = text;
      clearTimeout(timer);
      timer = setTimeout(() => root.setAttribute("aria-busy", "false"), 500);
    },
    stop: () => clearTimeout(timer),
  };
};

// A box beside what the reader points at: a title, terms with their values, a hint.
const tipBox = () => {
  const root = html("div", { class: "dtviz-tip", "aria-hidden": "true", hidden: "" });
  return {
    root,
    say({ title, lines, hint }) {
      root.replaceChildren(
        html("strong", {}, title),
        html("dl", {}, ...lines.flatMap(([dt, dd]) => [html("dt", {}, dt), html("dd", {}, dd)])),
        ...(hint ? [html("em", {}, hint)] : []),
      );
      root.hidden = false;
    },
  };
};

// --- hosts -------------------------------------------------------------------------------------

// One handler per trait, removed together.
const listen = (model, handlers) => {
  const entries = Object.entries(handlers);
  for (const [trait, handler] of entries) model.on(`change:${trait}`, handler);
  return () => {
    for (const [trait, handler] of entries) model.off?.(`change:${trait}`, handler);
  };
};

const change = (model, changes) => {
  for (const [trait, value] of Object.entries(changes)) model.set(trait, value);
  model.save_changes();
};

const calm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

// Call draw(width) now and whenever the width of an element changes, but not while it is hidden.
const onWidth = (element, draw) => {
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

// Dragging on an element: move(x, y) in its own pixels, while a finger or the button is down.
const onDrag = (element, frame, move) => {
  const at = (event) => {
    const box = frame.getBoundingClientRect();
    move(event.clientX - box.left, event.clientY - box.top);
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    at(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) at(event);
  });
};
