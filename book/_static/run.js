// Programs of the book to be edited and run in the page: see book/_ext/dtviz_run.py.
//
// Python is Brython. It and the drawing of trees come on the first press, as classic scripts, which a
// page opened from disk may load, too. A program runs in a worker made from a Blob, one for each run:
// so it can be stopped, and what it did to Python is gone with it.

(() => {
  "use strict";

  const HERE = document.currentScript.src;
  // A slow phone takes ten times what a desk takes, and the reader can stop a program at any time.
  const SECONDS = 30;
  const INDENT = "    ";
  const DIVIDER = "# -- what runs ".padEnd(79, "-");
  const HINT =
    "Ctrl+Enter runs the program; Tab indents, Escape and then Tab leaves the editor. This is Brython, a " +
    "Python in the page: nothing is sent anywhere. It has fractions, math, random, itertools, collections, " +
    "dataclasses and the like; it has not NumPy, dtviz or files.";

  const element = (tag, text = "", name = "", attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const scripts = new Map();

  /** Load a classic script from beside this one, once. */
  const load = (name) => {
    if (!scripts.has(name)) {
      const promise = new Promise((resolve, reject) => {
        const script = element("script", "", "", { src: new URL(name, HERE).href });
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => reject(new Error(`${name} is missing beside the page`)));
        document.head.append(script);
      });
      scripts.set(name, promise);
      promise.catch(() => scripts.delete(name));
    }
    return scripts.get(name);
  };

  // --- running -----------------------------------------------------------------------------------

  let address = "";
  let spare = null;

  /** Start the next worker ahead: Python takes longer to start than most programs to run. */
  const prepare = () => {
    address ||= URL.createObjectURL(new Blob([globalThis.dtvizPython], { type: "text/javascript" }));
    spare ??= new Worker(address);
  };

  /** A program on its way: `result` says in the end what became of it, `stop` ends it before. */
  class Run {
    constructor(source, { take, begin }) {
      prepare();
      [this.worker, spare] = [spare, null];
      this.found = { out: "", error: "", line: 0, lost: 0, tree: [] };
      this.result = new Promise((resolve) => {
        this.resolve = resolve;
      });
      this.worker.onmessage = ({ data }) => {
        if (data.began) {
          this.start = performance.now();
          this.timer = setTimeout(() => this.stop(`after ${SECONDS} seconds, the time limit`), SECONDS * 1000);
          begin();
        }
        if (data.lost) this.found.lost = data.lost;
        if (data.out) take((this.found.out += data.out));
        if (data.done) this.end(data.done);
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        this.end({ error: `Python stopped: ${event.message || "it could not go on"}`, line: 0 });
      };
      this.worker.postMessage(source);
    }

    stop(why) {
      this.end({ stopped: `Stopped ${why}.` });
    }

    end(more) {
      if (!this.worker) return;
      clearTimeout(this.timer);
      this.worker.terminate();
      this.worker = null;
      const seconds = this.start ? (performance.now() - this.start) / 1000 : 0;
      this.resolve({ ...this.found, seconds, ...more });
      prepare();
    }
  }

  // --- the editor: the browser's own text area ----------------------------------------------------

  /** Type a text for the reader: what the browser's own undo takes back. */
  const insert = (area, text) => {
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    }
  };

  /** What a key types here: Enter keeps the indentation, Tab indents unless it is free to leave. */
  const typed = ({ key, shiftKey, isComposing }, area, isFree) => {
    if (key === "Tab" && !shiftKey && !isFree) return INDENT;
    if (key !== "Enter" || shiftKey || isComposing) return "";
    const before = area.value.slice(0, area.selectionStart).split("\n").at(-1);
    return `\n${before.match(/^ */)[0]}${/:\s*(#.*)?$/.test(before) ? INDENT : ""}`;
  };

  const makeEditor = (name, run) => {
    const area = element("textarea", "", "", {
      "aria-label": name, autocapitalize: "off", autocomplete: "off", autocorrect: "off", spellcheck: "false", wrap: "off",
    });
    let isFree = false;
    area.addEventListener("keydown", (event) => {
      const isCommand = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      const text = isCommand ? "" : typed(event, area, isFree);
      if (text || isCommand) event.preventDefault();
      if (text) insert(area, text);
      if (isCommand) run();
      // Escape lets the next Tab lead on, as everywhere else on a page.
      if (!["Shift", "Tab"].includes(event.key)) isFree = event.key === "Escape";
    });
    return area;
  };

  /** Select a line of a text area; lines count from 1. */
  const selectLine = (area, line) => {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + Number(line > 1);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    area.scrollTop = ((line - 1) / lines.length) * area.scrollHeight - area.clientHeight / 2;
  };

  // --- a program on the page ---------------------------------------------------------------------

  class Program {
    constructor(data) {
      this.data = JSON.parse(data.textContent);
      this.box = data.parentElement;
      this.open = this.button(this.data.action, () => this.begin());
      this.bar = element("p");
      this.bar.append(this.open);
      this.box.append(this.bar);
    }

    button(text, act) {
      const made = element("button", text, "", { type: "button" });
      made.addEventListener("click", act);
      return made;
    }

    build() {
      const { label, title } = this.data;
      this.area = makeEditor(`Python program: ${title}`, () => this.run());
      this.go = this.button("Run", () => this.run());
      this.halt = this.button("Stop", () => this.running?.stop("by you"));
      this.jump = this.button("Go to the error", () => selectLine(this.area, this.failed));
      this.jump.disabled = true;
      this.status = element("p", "", "dtviz-run-status", { role: "status" });
      // No "pre": the theme takes those that cannot be scrolled now out of the keyboard's way.
      this.out = element("div", "", "dtviz-run-out", { tabindex: "0", role: "region", "aria-label": "Output" });
      this.tree = element("div");
      this.size = element("p", "", "dtviz-run-hint");
      const buttons = element("div");
      buttons.append(this.go, this.halt, this.button("Reset", () => this.restore()), this.jump);
      const hint = element("p", HINT, "dtviz-run-hint", { id: `${label}-hint` });
      this.area.setAttribute("aria-describedby", hint.id);
      this.box.append(this.area, buttons, this.status, this.out, this.tree, this.size, hint);
      this.fill();
    }

    /** Show the program as it was. */
    fill() {
      const { program, input } = this.data;
      this.area.value = program ? `${program}\n\n\n${DIVIDER}\n${input}` : input;
      this.area.rows = Math.min(this.area.value.split("\n").length + 1, 24);
      // Else the cursor stands behind the text, and the focus leads there.
      this.area.setSelectionRange(0, 0);
      this.area.scrollTo(0, 0);
    }

    restore() {
      this.fill();
      this.run();
    }

    async begin() {
      this.open.disabled = true;
      try {
        this.open.textContent = "Loading Python ...";
        await Promise.all([load(this.data.python), load(this.data.tree)]);
        this.bar.remove();
        this.box.classList.add("dtviz-run-live");
        this.build();
        this.area.focus();
        await this.run();
      } catch (error) {
        this.open.disabled = false;
        this.open.textContent = this.data.action;
        this.bar.append(element("span", ` Python did not start: ${error.message}.`, "dtviz-run-error"));
      }
    }

    setBusy(isBusy) {
      this.go.disabled = isBusy;
      this.halt.disabled = !isBusy;
      this.box.toggleAttribute("data-busy", isBusy);
    }

    async run() {
      if (this.running) return;
      const lost = [document.body, this.go, this.halt];
      this.setBusy(true);
      this.jump.disabled = true;
      this.status.textContent = "Starting ...";
      try {
        this.running = new Run(this.area.value, {
          take: (text) => {
            this.out.textContent = text;
            this.out.scrollTop = this.out.scrollHeight;
          },
          begin: () => {
            this.status.textContent = "Running ...";
          },
        });
        this.show(await this.running.result);
      } catch (error) {
        this.status.textContent = `Python did not start: ${error.message}.`;
      }
      this.running = null;
      this.setBusy(false);
      // A button that was pressed and is grey now lost the focus.
      if (lost.includes(document.activeElement)) this.go.focus();
    }

    show({ out, error, line, lost, tree, stopped, seconds }) {
      this.out.textContent = out;
      if (lost) {
        const count = `${stopped ? "at least " : ""}${lost.toLocaleString("en")}`;
        this.out.append(element("em", `... and ${count} more lines, which are not shown.\n`));
      }
      if (error) this.out.append(element("span", error, "dtviz-run-error"));
      if (!out && !error) this.out.append(element("em", "Nothing was printed."));
      this.failed = line ?? 0;
      this.jump.disabled = !this.failed;
      const failure = this.failed ? `It failed in line ${this.failed}.` : "It failed.";
      this.status.textContent = stopped ?? (error ? failure : `It ran in ${seconds.toFixed(1)} seconds.`);
      // What is below stays where it is, also while there is no tree.
      this.tree.style.minHeight = `${this.tree.offsetHeight}px`;
      this.tree.replaceChildren();
      const size = tree.length ? globalThis.dtviz.tree.drawTree(this.tree, tree, "Tree of your program") : "";
      this.size.textContent = size && `The tree has ${size}.`;
    }
  }

  for (const data of document.querySelectorAll("script.dtviz-run-data")) new Program(data);
})();
