// A small editor: the browser's own text area, with numbered lines, a mark for the one that failed,
// and Tab for indentation until Escape gives it back.

(() => {
  "use strict";

  const INDENT = "    ";

  const element = (tag, text = "", name = "", attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  class Editor {
    constructor(name, onRun) {
      this.area = element("textarea", "", "", {
        "aria-label": name, autocapitalize: "off", autocomplete: "off", autocorrect: "off",
        spellcheck: "false", wrap: "off",
      });
      this.numbers = element("div", "", "dtviz-run-numbers", { "aria-hidden": "true" });
      this.band = element("div", "", "dtviz-run-band", { hidden: "" });
      this.root = element("div", "", "dtviz-run-editor");
      this.root.append(this.numbers, this.band, this.area);
      this.area.addEventListener("input", () => this.changed());
      this.area.addEventListener("scroll", () => this.follow());
      this.area.addEventListener("focus", () => (this.isFree = false));
      this.area.addEventListener("keydown", (event) => this.key(event, onRun));
    }

    get text() {
      return this.area.value;
    }

    set text(value) {
      this.area.value = value;
      this.area.rows = Math.min(value.split("\n").length + 1, 24);
      this.changed();
      // Else the cursor stands behind the text, and the focus leads there.
      this.area.setSelectionRange(0, 0);
      this.area.scrollTo(0, 0);
    }

    changed() {
      const count = this.area.value.split("\n").length;
      if (count !== this.count) {
        this.count = count;
        this.numbers.textContent = Array.from({ length: count }, (_, k) => k + 1).join("\n");
      }
      this.mark(0);
    }

    follow() {
      this.numbers.style.translate = this.band.style.translate = `0 ${-this.area.scrollTop}px`;
    }

    /** Mark the line that failed, and bring it into view; 0 marks none. */
    mark(line) {
      this.band.hidden = line < 1;
      if (line < 1) return;
      const height = parseFloat(getComputedStyle(this.area).lineHeight);
      this.band.style.setProperty("--line", line - 1);
      const top = (line - 1) * height;
      const { scrollTop, clientHeight } = this.area;
      if (top < scrollTop || top > scrollTop + clientHeight - 3 * height) {
        this.area.scrollTo(0, Math.max(0, top - clientHeight / 2));
      }
      this.follow();
    }

    /** Put the cursor at the start of a line. */
    go(line) {
      const at = this.text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.area.focus();
      this.area.setSelectionRange(at, at);
    }

    key(event, onRun) {
      const { key, shiftKey } = event;
      const isWith = event.ctrlKey || event.metaKey;
      const does = {
        Tab: !isWith && !event.altKey && !this.isFree && (() => this.indent(shiftKey)),
        Enter: isWith ? onRun : !shiftKey && !event.isComposing && (() => this.newLine()),
      }[key];
      if (does) {
        event.preventDefault();
        does();
      }
      // Escape lets the next Tab lead on, as everywhere else on a page.
      if (key === "Escape") this.isFree = true;
      else if (key !== "Shift" && key !== "Tab") this.isFree = false;
    }

    newLine() {
      const before = this.text.slice(0, this.area.selectionStart).split("\n").at(-1);
      this.insert(`\n${before.match(/^ */)[0]}${/:\s*(#.*)?$/.test(before) ? INDENT : ""}`);
    }

    /** Type a text for the reader: what the browser's own undo takes back. */
    insert(text) {
      const { area } = this;
      if (!document.execCommand(text ? "insertText" : "delete", false, text)) {
        area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
        this.changed();
      }
    }

    indent(isBack) {
      const { area, text } = this;
      const { selectionStart: from, selectionEnd: to } = area;
      if (from === to && !isBack) {
        this.insert(INDENT);
        return;
      }
      const start = text.lastIndexOf("\n", from - 1) + 1;
      const lines = text.slice(start, to).split("\n");
      const moved = lines.map((line) => (isBack ? line.replace(/^ {1,4}/, "") : INDENT + line)).join("\n");
      if (moved === lines.join("\n")) return;
      area.setSelectionRange(start, to);
      this.insert(moved);
      if (lines.length > 1) area.setSelectionRange(start, start + moved.length);
    }
  }

  globalThis.dtvizEditor = { Editor, element };
})();
