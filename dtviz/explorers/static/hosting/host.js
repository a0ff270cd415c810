// The host of a built page: gives every explorer on it a model of plain values, and draws it there;
// keeps what readers set in the address, sets what an address or a button of the text says.

import { fitFrame, framed } from "./frame.js";
import { change, say } from "./kit.js";
import { fitted, hashOf, partsOf, readSettings, same, shared, splitHash } from "./link.js";
import { makeMentions } from "./mentions.js";

/** @import { Host, Link, Model } from "./kit.js" */
/** @import { Values } from "./link.js" */
/** @import { Front, Shown } from "./mentions.js" */

// What the scripts of explorers make: see tools/bundles.js.
/** @type {Record<string, Front | undefined>} */
const fronts = /** @type {any} */ (globalThis).dtviz ?? {};

/** @type {(state: Record<string, unknown>, changed: () => void) => Model} */
const pageModel = (state, changed) => {
  const heard = new EventTarget();
  return {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      heard.dispatchEvent(new Event(`change:${name}`));
      changed();
    },
    save_changes() {},
    on: (event, handler) => heard.addEventListener(event, handler),
    off: (event, handler) => heard.removeEventListener(event, handler),
  };
};

/** @type {Map<string, Shown>} */
const page = new Map();

/** @type {(settings: string) => ReturnType<typeof readSettings>} */
const read = (settings) =>
  readSettings(settings, (name) => {
    const shown = page.get(name);
    if (!shown) return undefined;
    const { model, front } = shown;
    const { rules } = shared(model);
    return {
      rules,
      check(trait, values) {
        const judge = front.checks[rules[trait].check ?? ""];
        /** @type {Model} */
        const wanted = { ...model, get: (other) => (Object.hasOwn(values, other) ? values[other] : model.get(other)) };
        return judge && ((value) => judge(value, wanted));
      },
    };
  });

// Setting one trait may reset another, so what was reset is set again.
/** @type {(model: Model, values: Values) => void} */
const setAll = (model, values) => {
  const once = () => {
    const left = Object.entries(values).filter(([trait, value]) => !same(model.get(trait), value));
    change(model, Object.fromEntries(left));
  };
  once();
  once();
};

// Words of the text that follow what an explorer shows; those of a name that it does not give stay as written.
/** @type {(name: string) => Host["numbers"]} */
const followed = (name) => {
  const words = [...document.querySelectorAll(`.dtviz-now[data-explorer="${name}"]`)];
  const draw = (/** @type {Record<string, string>} */ texts) => {
    for (const word of words) say(word, texts[word.getAttribute("data-now") ?? ""] ?? word.textContent);
  };
  return words.length ? draw : undefined;
};

// Say beside the row that shares what a link or a mention did.
/** @type {(shown: Shown, text: string) => void} */
const report = ({ el }, text) => {
  const message = el.querySelector(".dtviz-share-message");
  if (message) say(message, text);
};

/** @param {string} trouble */
const refuse = (trouble) => {
  const [first] = page.values();
  report(first, `The address sets nothing here: ${trouble}.`);
};

// What a link or a mention sets must be in sight: unfold the controls that show it.
/** @type {(el: HTMLElement, values: Values) => void} */
const reveal = (el, values) => {
  const more = el.querySelector("details.dtviz-more:not([open])");
  if (more && Object.keys(values).some((trait) => more.querySelector(`[name="${trait}"]`))) more.setAttribute("open", "");
};

// A link was followed to this very page: its explorers are as the link says.
/** @param {string} settings */
const follow = (settings) => {
  const { wanted, trouble } = read(settings);
  if (trouble) refuse(trouble);
  for (const [name, values] of wanted) {
    const { el, model, start } = /** @type {Shown} */ (page.get(name));
    setAll(model, { ...start, ...values });
    reveal(el, values);
  }
};

/** @type {(shown: Shown) => ReturnType<typeof partsOf>} */
const parts = ({ name, model, start }) => {
  const { rules, values } = shared(model);
  return partsOf(name, rules, start, values);
};

let known = location.hash; // the last that was read or written

// Keep the settings in the address, behind the place in the page that it names.
const write = () => {
  if (framed || location.hash !== known) return; // another one has just come, and will be read
  const { text } = fitted([...page.values()].flatMap(parts));
  const hash = hashOf(splitHash(location.hash).anchor, text);
  history.replaceState({ ...history.state, dtviz: true }, "", hash || location.pathname + location.search);
  known = location.hash;
};

let hearMentions = () => {};
let timer = 0;
// Browsers allow a hundred changes of the address in half a minute.
const changed = () => {
  hearMentions();
  clearTimeout(timer);
  timer = setTimeout(write, 400);
};

/** @type {(shown: Shown) => Link} */
const linkTo = (shown) => {
  const { text, left } = fitted(parts(shown));
  return { text: location.href.split("#")[0] + hashOf(shown.el.id, text), left };
};

// The browser knows no place by such a name, settings and all. Going back and forth through the page, or
// loading it again, keeps the explorers and the reader where they were; a link to it does not.
const goToPlace = () => document.getElementById(splitHash(location.hash).anchor)?.scrollIntoView();

const hear = () => {
  known = location.hash;
  const { settings } = splitHash(location.hash);
  if (settings && !history.state?.dtviz) {
    follow(settings);
    goToPlace();
  }
  changed();
};

// A mention sets all else as it was at first, so that what it shows depends on nothing clicked before.
// A table of the reader's own, and settings kept, stay to be chosen again.
/** @type {(shown: Shown, values: Values) => void} */
const setFromStart = ({ model, start }, values) => {
  const { rules } = shared(model);
  const stays = ["points", "names", "rows", "columns", "kept"];
  const others = Object.entries(start).filter(([trait]) => !stays.includes(rules[trait].check ?? ""));
  setAll(model, { playing: false, ...Object.fromEntries(others), ...values });
};

/** @type {(el: HTMLElement, data: Element, front: Front) => Shown} */
const found = (el, data, front) => {
  const state = JSON.parse(data.textContent ?? "");
  const kind = state._explorer;
  const before = [...page.values()].filter(({ model }) => model.get("_explorer") === kind).length;
  const name = before ? `${kind}${before + 1}` : kind;
  const model = pageModel(state, changed);
  if (!el.id && !document.getElementById(`dtviz-${name}`)) el.setAttribute("id", `dtviz-${name}`);
  return { name, el, model, start: structuredClone(shared(model).values), front };
};

const find = () => {
  for (const data of document.querySelectorAll(".dtviz-explorer:not(.dtviz-live) > script.dtviz-data")) {
    const el = data.parentElement;
    const front = el && fronts[el.dataset.explorer ?? ""];
    if (!front) continue; // the picture stays
    const shown = found(el, data, front);
    page.set(shown.name, shown);
  }
};

const mount = () => {
  find();
  if (!page.size) return;
  fitFrame();
  const { settings } = splitHash(location.hash);
  const { wanted, trouble } = read(settings);
  for (const [name, values] of wanted) setAll(/** @type {Shown} */ (page.get(name)).model, values);
  for (const shown of page.values()) {
    const { el, front, model } = shown;
    front.render({ model, el, link: framed ? undefined : () => linkTo(shown), numbers: followed(shown.name) });
    reveal(el, wanted.get(shown.name) ?? {});
  }
  if (trouble) refuse(trouble);
  const isSet = wanted.size > 0 && !history.state?.dtviz;
  hearMentions = makeMentions(page, { set: setFromStart, reveal, report, isSet });
  addEventListener("hashchange", hear);
  if (!settings || history.state?.dtviz) return;
  goToPlace();
  addEventListener("load", goToPlace);
};

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mount);
else mount();
