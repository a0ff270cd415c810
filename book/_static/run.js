// Programs of the book to be edited and run in the page: see book/_ext/dtviz_run.py.
//
// A program runs in a worker made from a Blob, a new one for each run: so it can be stopped, and
// what it did to Python is gone with it.

(() => {
  "use strict";

  const HERE = document.currentScript.src;
  // A slow phone takes ten times what a desk takes, and the reader can stop a program at any time.
  const SECONDS = 30;
  const HINT =
    "Ctrl+Enter runs the program; Tab indents, Escape and then Tab leaves the editor. This Python runs in " +
    "the page, and nothing is sent anywhere. It has math, random, itertools, collections and the like, but not NumPy or dtviz.";

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  const button = (text, act) => {
    const made = element("button", text, { type: "button" });
    made.addEventListener("click", act);
    return made;
  };

  const scripts = new Map();

  /** Load a classic script from beside this one, once. */
  const load = (name) => {
    if (!scripts.has(name)) {
      const promise = new Promise((resolve, reject) => {
        const script = element("script", "", { src: new URL(name, HERE).href });
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => reject(new Error(`${name} is missing beside the page`)));
        document.head.append(script);
      });
      scripts.set(name, promise);
      promise.catch(() => scripts.delete(name));
    }
    return scripts.get(name);
  };

  let address = "";
  let spare = null;

  /** Start the next worker ahead: Python takes longer to start than most programs to run. */
  const prepare = () => {
    address ||= URL.createObjectURL(new Blob([globalThis.dtvizPython], { type: "text/javascript" }));
    spare ??= new Worker(address);
  };

  const takeWorker = () => {
    prepare();
    const worker = spare;
    spare = null;
    return worker;
  };

  class Program {
    constructor(data) {
      this.data = JSON.parse(data.textContent);
      this.box = data.parentElement;
      this.open = button(this.data.action, () => this.begin());
      this.box.append(this.open);
    }

    async begin() {
      this.open.disabled = true;
      this.open.textContent = "Loading Python ...";
      try {
        await Promise.all([load(this.data.python), load(this.data.tree)]);
        this.open.remove();
        this.build();
        this.reset();
        this.editor.focus();
      } catch (error) {
        this.open.disabled = false;
        this.open.textContent = `${this.data.action} (it failed: ${error.message})`;
      }
    }

    build() {
      const { label, title } = this.data;
      this.go = button("Run", () => this.run());
      this.halt = button("Stop", () => this.stop("by you"));
      this.status = element("p", "", { role: "status", class: "dtviz-run-status" });
      // No "pre": the theme takes those that cannot be scrolled now out of the keyboard's way.
      this.out = element("div", "", { class: "dtviz-run-out", tabindex: "0", role: "region", "aria-label": "Output" });
      this.tree = element("div", "");
      this.size = element("p", "");
      const buttons = element("div", "");
      buttons.append(this.go, this.halt, button("Reset", () => this.reset()));
      const hint = element("p", HINT, { class: "dtviz-run-hint", id: `${label}-hint` });
      this.editor = globalThis.dtvizEditor(`Python program: ${title}`, hint.id, () => this.run());
      this.box.classList.add("dtviz-run-live");
      this.box.append(this.editor.dom, buttons, this.status, this.out, this.tree, this.size, hint);
    }

    /** Show the program as it was, at the example below the functions that it calls, and run it. */
    reset() {
      const { program } = this.data;
      const changes = { from: 0, to: this.editor.state.doc.length, insert: program };
      const anchor = Math.max(program.indexOf("# -- what runs "), 0);
      const effects = this.editor.constructor.scrollIntoView(anchor, { y: "start" });
      this.editor.dispatch({ changes, selection: { anchor }, effects });
      this.run();
    }

    setBusy(isBusy) {
      const focused = document.activeElement;
      this.go.disabled = isBusy;
      this.halt.disabled = !isBusy;
      this.box.toggleAttribute("data-busy", isBusy);
      // A button that is disabled loses the focus.
      if (focused === this.go) this.halt.focus();
      if (focused === this.halt) this.go.focus();
    }

    async run() {
      if (this.stop) return;
      this.status.textContent = "Starting ...";
      this.out.textContent = "";
      const worker = takeWorker();
      let [start, timer] = [0, 0];
      const result = new Promise((resolve) => {
        this.stop = (why) => resolve({ stopped: `Stopped ${why}.` });
        worker.onmessage = ({ data }) => {
          if (data.began) {
            this.status.textContent = "Running ...";
            start = performance.now();
            timer = setTimeout(() => this.stop(`after ${SECONDS} seconds, the time limit`), SECONDS * 1000);
          }
          if (data.out) this.print(data.out);
          if (data.done) resolve(data.done);
        };
        worker.onerror = (event) => {
          event.preventDefault();
          resolve({ error: `Python stopped: ${event.message || "it could not go on"}` });
        };
      });
      this.setBusy(true);
      worker.postMessage(this.editor.state.doc.toString());
      const found = await result;
      clearTimeout(timer);
      worker.terminate();
      prepare();
      this.stop = null;
      this.setBusy(false);
      this.show(found, (performance.now() - start) / 1000);
    }

    print(text) {
      this.out.append(text);
      this.out.scrollTop = this.out.scrollHeight;
    }

    show({ error, line, tree = [], stopped }, seconds) {
      const isMidLine = /[^\n]$/.test(this.out.textContent);
      if (error) this.out.append(isMidLine ? "\n" : "", element("span", error, { class: "dtviz-run-error" }));
      if (!this.out.textContent) this.out.append(element("em", "Nothing was printed."));
      const { doc } = this.editor.state;
      if (line) this.editor.dispatch({ selection: { anchor: doc.line(line).from }, scrollIntoView: true });
      const failure = line ? `It failed in line ${line}.` : "It failed.";
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
