// The row below every explorer: a link to what is on display, a line of Python, the picture as a PNG.

import { OWN_KEYS, extras, html, listen, say } from "./kit.js";
import { fileName, pythonLine, shared } from "./link.js";
import { savePng } from "./save.js";

/** @import { Model } from "./kit.js" */

/** @type {(model: Model) => string} */
const programOf = (model) => {
  const { rules, values } = shared(model);
  return `import dtviz as dt\n${pythonLine(model.get("_call"), rules, values)}`;
};

/** @type {(text: string, name: string, onClick: () => void, label?: string) => HTMLButtonElement} */
const button = (text, name, onClick, label) => {
  const root = html("button", { type: "button", name, "aria-label": label, ...OWN_KEYS }, text);
  root.addEventListener("click", onClick);
  return root;
};

// Whether a text was copied: pages that come without encryption have no clipboard.
/** @param {string} text */
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

extras.push(({ model, el, link }) => {
  const message = html("p", { class: "dtviz-share-message", "aria-live": "polite" });
  /** @param {string} text */
  const report = (text) => say(message, text);

  const copyLink = async () => {
    const { text, left } = link?.() ?? { text: "", left: [] };
    const lost = left.length ? ` Without ${left.join(", ")}: too long for a link.` : "";
    report((await copy(text)) ? `Link copied.${lost}` : "Nothing is copied here: the address of this page is a link to its explorers.");
  };

  const field = html("textarea", { readonly: "", rows: 3, spellcheck: "false", "aria-label": "Python", ...OWN_KEYS });
  const copyLine = async () => {
    const right = await copy(field.value);
    if (!right) field.select();
    report(right ? "Copied." : "Copy the selected text with Ctrl+C.");
  };
  const panel = html("div", { class: "dtviz-share-panel" }, field, button("Copy", "copy-text", copyLine));
  const summary = html("summary", { "aria-label": "Python that makes this explorer", ...OWN_KEYS }, "Python");
  const python = html("details", {}, summary, panel);
  python.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    python.open = false;
    summary.focus();
  });

  const saveFile = async () => {
    const title = fileName(model.get("_explorer"), shared(model).values);
    try {
      await savePng(el, title);
      report(`Saved as ${title}.png.`);
    } catch (error) {
      report(`No PNG: ${error instanceof Error ? error.message : error}.`);
    }
  };

  const links = link ? [button("Copy link", "link", copyLink)] : [];
  const file = button("PNG", "png", saveFile, "Save the picture as PNG");
  const row = html("div", { class: "dtviz-share-row", role: "group", "aria-label": "Share" }, "Share:", ...links, python, file);
  const root = html("div", { class: "dtviz-share" }, row, message);
  el.append(root);
  // The reader went on: what was said is of the state before.
  const follow = () => {
    report("");
    field.value = programOf(model);
  };
  follow();
  const stop = listen(model, Object.fromEntries(Object.keys(shared(model).rules).map((trait) => [trait, follow])));
  return () => {
    stop();
    root.remove();
  };
});
