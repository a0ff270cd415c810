// Mentions of settings in the text: buttons that set an explorer, and never cost the reader the place.

import { calm, html } from "./kit.js";

/**
 * @import { Model, checks, render } from "./kit.js"
 * @import { Values } from "./link.js"
 *
 * @typedef {{ checks: typeof checks, render: typeof render }} Front
 *
 * An explorer of the page: its name in addresses, and its traits as they were on the page.
 * @typedef {{ name: string, el: HTMLElement, model: Model, start: Values, front: Front }} Shown
 */

/** @type {() => ScrollBehavior} */
const pace = () => (calm() ? "instant" : "smooth");

// How much of an element is in view, or of the window if that is smaller.
/** @type {(el: Element) => number} */
const inView = (el) => {
  const { top, bottom, height } = el.getBoundingClientRect();
  return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / Math.min(height, innerHeight);
};
const MOST_OF_IT = 0.6;

// A mention that led to a figure out of view: while it is out of view itself, a button leads back.
const wayBack = () => {
  const button = html("button", { type: "button", class: "dtviz-back", hidden: "" }, "Back to the sentence");
  document.body.append(button);
  let from = document.body;
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => {
    if (isIntersecting && !button.hidden) watcher.disconnect();
    button.hidden = isIntersecting;
  });
  const goBack = () => {
    watcher.disconnect();
    button.hidden = true;
    from.focus({ preventScroll: true });
    from.scrollIntoView({ behavior: pace(), block: "center" });
  };
  button.addEventListener("click", goBack);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !button.hidden && !document.querySelector("dialog[open]")) goBack();
  });
  return (/** @type {HTMLElement} */ mention) => {
    watcher.disconnect();
    button.hidden = true;
    from = mention;
    watcher.observe(mention);
  };
};

// A question that the reader has neither answered nor read on is in view, or stands above a mention in its section.
/** @param {Element} mention */
const isAsked = (mention) =>
  [...document.querySelectorAll(".dtviz-predict:not([data-said], [data-read])")].some((box) => {
    const isAbove = box.compareDocumentPosition(mention) & Node.DOCUMENT_POSITION_FOLLOWING;
    return inView(box) > 0 || (isAbove && mention.closest("section")?.contains(box));
  });

// What a mention does that comes to the middle of the window.
/** @param {(mention: Element) => void} reach */
const watchMiddle = (reach) => {
  let isFirst = true; // of what is there at first nobody has scrolled
  return new IntersectionObserver((entries) => {
    const [last] = entries.filter(({ isIntersecting }) => isIntersecting).reverse();
    if (last && !isFirst) reach(last.target);
    isFirst = false;
  }, { rootMargin: "-45% 0px" });
};

// A setting in the words of its control, of a label with a sign the sign: "ε = 0".
/** @type {(el: Element, trait: string, value: unknown) => string} */
const settingText = (el, trait, value) => {
  const isPlain = !Array.isArray(value);
  /** @type {HTMLInputElement | null} */
  const control = isPlain ? el.querySelector(`:is(input, select)[name="${trait}"]`) : null;
  const label = control?.getAttribute("aria-label") ?? control?.labels?.[0]?.textContent ?? trait;
  const words = { true: "on", false: "off", null: "none" }[String(value)] ?? String(value);
  return `${label.split(", ").at(-1)} = ${isPlain ? words : value.join(", ")}`;
};

// What the reader did not ask for is not read out.
/** @type {(shown: Shown, live: "off" | "polite") => void} */
const hush = ({ el }, live) => el.querySelectorAll("[aria-live]").forEach((one) => one.setAttribute("aria-live", live));

// An element of the kind "button" would wrap as a box, not as the text that it is.
/** @type {(mention: HTMLElement, title: string, press: () => void) => void} */
const makeButton = (mention, title, press) => {
  mention.role = "button";
  mention.tabIndex = 0;
  mention.title = title;
  mention.addEventListener("click", press);
  mention.addEventListener("keydown", (event) => {
    if (!["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    press();
  });
};

/**
 * Make buttons of all mentions. Where the figure stays beside the text, one that comes to the middle of the window sets
 * it, too, until the reader touches the figure.
 * @param {Map<string, Shown>} page
 * @param {object} parts
 * @param {(shown: Shown, values: Values) => void} parts.set
 * @param {(el: HTMLElement, values: Values) => void} parts.reveal
 * @param {(shown: Shown, text: string) => void} parts.report
 * @param {boolean} parts.isSet  by the address
 * @returns {() => void}  hears that some explorer has changed
 */
export const makeMentions = (page, { set, reveal, report, isSet }) => {
  const leave = wayBack();
  let isTouched = isSet;
  let isSetting = false;
  /** @type {Element | null} */
  let current = null;
  /** @param {Element | null} mention */
  const mark = (mention) => {
    current?.removeAttribute("aria-current");
    current = mention;
    mention?.setAttribute("aria-current", "true");
  };
  /** @type {(mention: HTMLElement) => { shown: Shown | undefined, values: Values }} */
  const wish = ({ dataset }) => ({ shown: page.get(dataset.explorer ?? ""), values: JSON.parse(dataset.set ?? "{}") });
  /** @type {(mention: HTMLElement, live: "off" | "polite") => void} */
  const show = (mention, live) => {
    const { shown, values } = wish(mention);
    if (!shown) return;
    hush(shown, live);
    isSetting = true;
    set(shown, values);
    isSetting = false;
    mark(mention);
  };
  for (const shown of page.values()) {
    const touch = () => {
      isTouched = true;
      hush(shown, "polite");
    };
    for (const event of ["pointerdown", "keydown", "input"]) shown.el.addEventListener(event, touch, true);
  }
  const middle = watchMiddle((mention) => {
    const cell = /** @type {Element} */ (document.querySelector(".dtviz-sticky"));
    const stays = getComputedStyle(cell).position === "sticky" && inView(cell) >= MOST_OF_IT;
    if (stays && !isTouched && !calm() && mention !== current && !isAsked(mention)) show(/** @type {HTMLElement} */ (mention), "off");
  });
  for (const mention of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dtviz-try[data-set]"))) {
    const { shown, values } = wish(mention);
    if (!shown) continue;
    const { el } = shown;
    const settings = Object.entries(values).map(([trait, value]) => settingText(el, trait, value)).join(", ");
    makeButton(mention, `Set the figure: ${settings}`, () => {
      isTouched = false;
      show(mention, "polite");
      reveal(el, values);
      if (inView(el) < MOST_OF_IT) {
        leave(mention);
        el.scrollIntoView({ behavior: pace(), block: "start" });
      }
      report(shown, `Set: ${settings}; all else as at first.`);
    });
    if (el.closest(".dtviz-sticky")) middle.observe(mention);
  }
  return () => {
    if (!isSetting) mark(null);
  };
};
