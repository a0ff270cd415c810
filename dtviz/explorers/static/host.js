// The host of a built page: gives every explorer on it a model of plain values, and draws it there.

import { render } from "./kit.js";

/** @import { Model } from "./kit.js" */

/** @type {(state: Record<string, unknown>) => Model} */
const pageModel = (state) => {
  /** @type {Map<string, (() => void)[]>} */
  const handlers = new Map();
  /** @param {string} event */
  const at = (event) => handlers.get(event) ?? [];
  return {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      for (const handler of [...at(`change:${name}`)]) handler();
    },
    save_changes() {},
    on: (event, handler) => handlers.set(event, [...at(event), handler]),
    off: (event, handler) => handlers.set(event, at(event).filter((other) => other !== handler)),
  };
};

const mount = () => {
  for (const data of document.querySelectorAll(".dtviz-explorer > script.dtviz-data")) {
    const el = data.parentElement;
    if (el && !el.classList.contains("dtviz-live")) {
      render({ model: pageModel(JSON.parse(data.textContent ?? "")), el });
    }
  }
};

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mount);
else mount();
