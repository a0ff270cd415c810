// The row below every explorer: a link to what is on display, a line of Python, the picture as a file.

import { OWN_KEYS, extras, html, listen, say, uniqueId } from "./kit.js";
import { fileName, pythonLine, shared } from "./link.js";
import { savePng, saveSvg } from "./save.js";

/** @import { Host, Model } from "./kit.js" */

/** @type {(model: Model) => string} */
const lineOf = (model) => {
  const { rules, values } = shared(model);
  return pythonLine(model.get("_call"), rules, values);
};

/** @type {(text: string, name: string, onClick: () => void, label?: string) => HTMLButtonElement} */
const button = (text, name, onClick, label) => {
  const root = html("button", { type: "button", name, "aria-label": label, ...OWN_KEYS }, text);
  root.addEventListener("click", onClick);
  return root;
};

// Pages on disk may have no clipboard: then what is selected is copied the old way, if that works.
/** @type {(field: HTMLTextAreaElement) => Promise<boolean>} */
const copyFrom = async (field) => {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
};

/** What the row shows above itself, over the picture: a text to copy. */
class Panel {
  /** @param {(text: string) => void} report */
  constructor(report) {
    this.report = report;
    this.field = html("textarea", { readonly: "", rows: 3, spellcheck: "false", ...OWN_KEYS });
    this.note = html("p");
    this.copy = button("Copy", "copy-text", () => this.copied("Copied."));
    const close = button("Close", "close-text", () => this.close(true));
    const row = html("div", {}, this.copy, close);
    this.root = html(
      "div",
      { class: "dtviz-share-panel", role: "group", id: uniqueId("panel"), hidden: "" },
      this.field,
      this.note,
      row,
    );
    /** @type {HTMLButtonElement | null} */
    this.opener = null;
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close(true);
    });
  }

  /** @type {(opener: HTMLButtonElement, label: string, text: string, note: string) => void} */
  open(opener, label, text, note) {
    this.close(false);
    this.opener = opener;
    opener.setAttribute("aria-expanded", "true");
    this.root.setAttribute("aria-label", label);
    this.field.setAttribute("aria-label", label);
    this.field.value = text;
    say(this.note, note);
    this.root.hidden = false;
  }

  /** @param {boolean} back  whether the focus goes back */
  close(back) {
    if (back) this.opener?.focus();
    this.opener?.setAttribute("aria-expanded", "false");
    this.opener = null;
    this.root.hidden = true;
  }

  /** @param {string} done */
  async copied(done) {
    const right = await copyFrom(this.field);
    this.report(right ? done : "Copy the selected text with Ctrl+C.");
    return right;
  }
}

/** @type {(model: Model) => string} */
const noteOf = (model) => {
  const { objects } = model.get("_call");
  const names = objects.filter((/** @type {string} */ text) => /^\w+$/.test(text));
  return names.length
    ? `After “import dtviz as dt”, and with your ${names.join(" and ")}: as in the code of this explorer.`
    : "After “import dtviz as dt”.";
};

class ShareRow {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.message = html("p", { class: "dtviz-share-message", "aria-live": "polite" });
    this.panel = new Panel((text) => this.report(text));
    this.python = button("Python", "python", () => this.showLine(), "A line of Python that makes this explorer");
    this.link = button("Copy link", "link", () => this.copyLink());
    for (const opener of [this.python, ...(host.link ? [this.link] : [])]) {
      opener.setAttribute("aria-expanded", "false");
      opener.setAttribute("aria-controls", this.panel.root.id);
    }
    const files = [
      button("SVG", "svg", () => this.save("SVG", saveSvg), "Save the picture as SVG"),
      button("PNG", "png", () => this.save("PNG", savePng), "Save the picture as PNG"),
    ];
    const buttons = [...(host.link ? [this.link] : []), this.python, ...files];
    const row = html("div", { class: "dtviz-share-row", role: "group", "aria-label": "Share" }, "Share:", ...buttons);
    this.root = html("div", { class: "dtviz-share" }, row, this.message, this.panel.root);
  }

  /** @param {string} text */
  report(text) {
    say(this.message, text);
  }

  // The reader went on: what was said is of the state before.
  follow() {
    this.report("");
    if (this.panel.opener === this.python) this.panel.field.value = lineOf(this.host.model);
    else this.panel.close(false);
  }

  showLine() {
    if (this.panel.opener === this.python) {
      this.panel.close(true);
      return;
    }
    const { model } = this.host;
    this.report("");
    this.panel.open(this.python, "Python", lineOf(model), noteOf(model));
    this.panel.copy.focus();
  }

  async copyLink() {
    const { text, left } = this.host.link?.() ?? { text: "", left: [] };
    const lost = left.length ? ` Without ${left.join(", ")}: too long for a link.` : "";
    this.panel.open(this.link, "Link", text, lost.trim());
    if (await this.panel.copied(`Link copied.${lost}`)) this.panel.close(true);
  }

  /** @type {(kind: string, save: typeof saveSvg) => Promise<void>} */
  async save(kind, save) {
    const { model, el } = this.host;
    const { values } = shared(model);
    const name = fileName(model.get("_explorer"), values);
    const status = el.querySelector("[role=status]")?.textContent ?? "";
    const learned = [values.function, values.target, values.sample].find(Boolean);
    const text = learned && !status.includes(String(learned)) ? `${learned}: ${status}` : status;
    const about = `import dtviz as dt\n${lineOf(model)}`;
    this.panel.close(false);
    this.report(`Drawing ${name}.${kind.toLowerCase()} …`);
    // A large picture takes a few frames: first this is on the screen.
    await new Promise((then) => setTimeout(then, 20));
    try {
      await save(el, { text, title: name, about }, name);
      this.report(`Saved as ${name}.${kind.toLowerCase()}.`);
    } catch (error) {
      this.report(`No ${kind}: ${error instanceof Error ? error.message : error}.`);
    }
  }
}

// Say something of an explorer beside its row: what a link or a button of the text did to it.
/** @type {WeakMap<Element, ShareRow>} */
const rows = new WeakMap();
/** @type {(el: Element, text: string) => void} */
export const report = (el, text) => rows.get(el)?.report(text);

extras.push((host) => {
  const row = new ShareRow(host);
  rows.set(host.el, row);
  host.el.append(row.root);
  const follow = () => row.follow();
  const traits = Object.keys(shared(host.model).rules);
  const stop = listen(host.model, Object.fromEntries(traits.map((trait) => [trait, follow])));
  return () => {
    stop();
    row.root.remove();
  };
});
