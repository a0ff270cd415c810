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
  const DIVIDER = "# -- what runs ".padEnd(79, "-");
  const HINT = "Ctrl+Enter runs the program. Tab indents; Escape, then Tab, leaves the editor.";
  const HAS_NOT =
    "This is Brython, a Python in the page: nothing is sent anywhere. It has fractions, math, random, " +
    "itertools, collections, dataclasses and the like; it has not NumPy, dtviz or files.";

  const { Editor, element } = globalThis.dtvizEditor;

  // --- what is loaded on the first press ---------------------------------------------------------

  const scripts = new Map();

  /** Load a classic script from beside this one, once. */
  const loaded = (name) => {
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

  const newWorker = () => {
    address ||= URL.createObjectURL(new Blob([globalThis.dtvizPython], { type: "text/javascript" }));
    return new Worker(address);
  };

  /** Start the next worker ahead: Python takes longer to start than most programs to run. */
  const prepare = () => {
    spare ??= newWorker();
  };

  /** A program on its way: `result` tells in the end what became of it, `stop` ends it before. */
  class Run {
    constructor(source, { took, began }) {
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
          began();
        }
        if (data.lost) this.found.lost = data.lost;
        if (data.out) took((this.found.out += data.out));
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

  // --- what came of a run ------------------------------------------------------------------------

  /** Which lines of a text are not, in order, in the other one. */
  const strange = (lines, others) => {
    if (lines.length * others.length > 250_000) return lines.map((line, k) => line !== others[k]);
    const length = Array.from({ length: lines.length + 1 }, () => new Uint16Array(others.length + 1));
    for (let a = lines.length - 1; a >= 0; a -= 1) {
      for (let b = others.length - 1; b >= 0; b -= 1) {
        length[a][b] =
          lines[a] === others[b] ? length[a + 1][b + 1] + 1 : Math.max(length[a + 1][b], length[a][b + 1]);
      }
    }
    let b = 0;
    return lines.map((line, a) => {
      while (b < others.length && line !== others[b] && length[a][b] === length[a][b + 1]) b += 1;
      const isKnown = line === others[b];
      if (isKnown) b += 1;
      return !isKnown;
    });
  };

  /** The output, the error and the tree of one program. */
  class Result {
    constructor(name) {
      this.name = name;
      this.head = element("p", name, "dtviz-run-name");
      // No "pre": the theme takes those that cannot be scrolled now out of the keyboard's way.
      this.out = element("div", "", "dtviz-run-out", { tabindex: "0", role: "region", "aria-label": `Output: ${name}` });
      this.tree = element("div", "", "dtviz-run-drawn");
      this.size = element("p", "", "dtviz-run-size");
      this.root = element("div", "", "dtviz-run-result");
      this.root.append(this.head, this.out, this.tree, this.size);
    }

    took(text) {
      this.out.textContent = text;
      this.out.scrollTop = this.out.scrollHeight;
    }

    show({ out, error, lost, tree, stopped }, other) {
      const lines = out ? out.replace(/\n$/, "").split("\n") : [];
      const isStrange = other ? strange(lines, other.out.replace(/\n$/, "").split("\n")) : [];
      this.out.replaceChildren();
      lines.forEach((line, k) => {
        this.out.append(isStrange[k] ? element("mark", line) : line, "\n");
      });
      const count = lost.toLocaleString("en");
      if (lost) this.out.append(element("em", `... and ${stopped ? "at least " : ""}${count} more lines, which are not shown.\n`));
      if (error) this.out.append(element("span", error, "dtviz-run-error"));
      if (!out && !error) this.out.append(element("em", "Nothing was printed."));
      // What is below stays where it is, also while there is no tree.
      this.tree.style.minHeight = `${this.tree.offsetHeight}px`;
      this.tree.replaceChildren();
      this.size.textContent = "";
      if (tree.length) {
        const said = globalThis.dtvizTree(this.tree, tree, other?.tree.length ? other.tree : null, `Tree: ${this.name}`);
        this.size.textContent = `The tree has ${said}.`;
      }
    }
  }

  const sameLines = (one, other) => one.out === other.out && one.error === other.error;

  // --- a program on the page ---------------------------------------------------------------------

  class Program {
    constructor(data) {
      this.told = JSON.parse(data.textContent);
      this.box = data.parentElement;
      this.open = element("button", this.told.action, "", { type: "button" });
      this.bar = element("p", "", "dtviz-run-bar");
      this.bar.append(this.open);
      this.box.append(this.bar);
      this.open.addEventListener("click", () => this.begin());
    }

    get original() {
      const { program, input } = this.told;
      return program ? `${program}\n\n\n${DIVIDER}\n${input}` : input;
    }

    build() {
      this.editor = new Editor(`Python program: ${this.told.title}`, () => this.run());
      const button = (text, act) => {
        const made = element("button", text, "", { type: "button" });
        made.addEventListener("click", act);
        return made;
      };
      this.go = button("Run", () => this.run());
      this.halt = button("Stop", () => this.running?.stop("by you"));
      this.reset = button("Reset", () => this.restore());
      this.status = element("p", "", "dtviz-run-status", { role: "status" });
      this.jump = button("Go to the error", () => this.editor.go(this.failed));
      this.jump.disabled = true;
      const buttons = element("div", "", "dtviz-run-buttons");
      buttons.append(this.go, this.halt, this.reset, this.jump);
      if (this.told.program) buttons.append(this.comparison());
      this.mine = new Result("Your program");
      this.book = new Result("The book's program");
      this.book.root.hidden = true;
      this.results = element("div", "", "dtviz-run-results");
      this.results.append(this.mine.root, this.book.root);
      const hint = element("p", HINT, "dtviz-run-hint", { id: `${this.told.label}-hint` });
      this.editor.area.setAttribute("aria-describedby", hint.id);
      this.box.append(this.editor.root, hint, buttons, this.status, this.results, element("p", HAS_NOT, "dtviz-run-hint"));
      this.editor.text = this.original;
      this.busy(false);
    }

    comparison() {
      this.compare = element("input", "", "", { type: "checkbox" });
      const label = element("label");
      label.append(this.compare, " compare with the book's program");
      this.compare.addEventListener("change", () => this.run());
      return label;
    }

    async begin() {
      this.open.disabled = true;
      try {
        this.open.textContent = "Loading Python ...";
        await Promise.all([loaded(this.told.python), loaded(this.told.tree)]);
        this.bar.remove();
        this.box.classList.add("dtviz-run-live");
        this.build();
        this.editor.area.focus();
        await this.run();
      } catch (error) {
        this.open.disabled = false;
        this.open.textContent = this.told.action;
        this.bar.append(element("span", ` Python did not start: ${error.message}.`, "dtviz-run-error"));
      }
    }

    busy(isBusy) {
      this.go.disabled = isBusy;
      this.halt.disabled = !isBusy;
      this.box.toggleAttribute("data-busy", isBusy);
    }

    say(text) {
      this.status.textContent = text;
    }

    restore() {
      this.editor.text = this.original;
      this.run();
    }

    /** The book's functions, on what the reader has them do. */
    get reference() {
      const { program, input } = this.told;
      const after = this.editor.text.split(`\n${DIVIDER}\n`);
      return `${program}\n\n\n${DIVIDER}\n${after.length > 1 ? after.slice(1).join("\n") : input}`;
    }

    async start(source, result, name) {
      this.say(`Starting ${name} ...`);
      this.running = new Run(source, {
        took: (text) => result.took(text),
        began: () => this.say(`Running ${name} ...`),
      });
      const found = await this.running.result;
      this.running = null;
      return found;
    }

    async run() {
      if (this.running) return;
      const lost = [document.body, this.go, this.halt];
      this.busy(true);
      this.editor.mark(0);
      this.jump.disabled = true;
      const isCompared = this.compare?.checked ?? false;
      this.book.root.hidden = !isCompared;
      try {
        const mine = await this.start(this.editor.text, this.mine, "your program");
        const book = isCompared && !mine.stopped ? await this.start(this.reference, this.book, "the book's program") : null;
        this.mine.show(mine, book);
        if (book) this.book.show(book, mine);
        this.tell(mine, book);
      } catch (error) {
        this.say(`Python did not start: ${error.message}.`);
      }
      this.busy(false);
      // A button that was pressed and is grey now lost the focus.
      if (lost.includes(document.activeElement)) this.go.focus();
    }

    tell(mine, book) {
      this.failed = mine.line ?? 0;
      this.editor.mark(this.failed);
      this.jump.disabled = !this.failed;
      this.say(`${this.outcome(mine)}${book ? this.difference(mine, book) : ""}`);
    }

    outcome({ stopped, error, line, seconds }) {
      if (stopped) return stopped;
      if (error) return line ? `It failed in line ${line}.` : "It failed.";
      return `It ran in ${seconds.toFixed(1)} seconds.`;
    }

    difference(mine, book) {
      if (book.stopped) return ` The book's program: ${book.stopped}`;
      const isSame = sameLines(mine, book);
      const isSameTree = mine.tree.join("\n") === book.tree.join("\n");
      if (isSame && isSameTree) return " It gives what the book's program gives.";
      if (isSame) return " The output is the same, the tree is another one.";
      return isSameTree ? " The output differs from that of the book's program; the trees do not." : " The output and the tree differ from those of the book's program.";
    }
  }

  for (const data of document.querySelectorAll("script.dtviz-run-data")) new Program(data);
})();
