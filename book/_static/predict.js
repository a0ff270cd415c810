// Questions to predict: hold the solution back until the reader has committed to an answer.
// A classic script, which works from disk. What was answered stays in this browser.
(() => {
  "use strict";
  const STORE = "dtviz-predictions";

  /** What was answered, by page and label; nothing where the browser keeps nothing of ours. */
  function stored() {
    try {
      const kept = JSON.parse(localStorage.getItem(STORE));
      return typeof kept === "object" && kept !== null ? kept : {};
    } catch {
      return {};
    }
  }

  function store(answers) {
    try {
      localStorage.setItem(STORE, JSON.stringify(answers));
    } catch {
      // A browser that keeps nothing asks again on the next visit.
    }
  }

  const root = () => new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const address = (page) => new URL(`${page}.html`, root()).href;
  const bare = (url) => url.split(/[?#]/u)[0];

  function pageHere() {
    const pages = Object.keys(globalThis.dtvizQuestions ?? {});
    return pages.find((page) => address(page) === bare(location.href)) ?? "";
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function button(text, act, className) {
    const made = element("button", text, className);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  /** Read 0.25, 1/4 or 25%, with a comma for the point, too; NaN if it is something else. */
  function number(text) {
    const found = /^([^/%]+)(?:\/([^/%]+))?(%?)$/u.exec(text.replace(/\s/gu, "").replace(",", "."));
    if (!found) return NaN;
    return (Number(found[1]) / Number(found[2] ?? 1)) / (found[3] ? 100 : 1);
  }

  class Question {
    constructor(box, page) {
      this.box = box;
      this.form = box.querySelector("form");
      this.verdict = box.querySelector(".dtviz-predict-verdict");
      this.solution = box.querySelector(".dtviz-predict-solution");
      this.folds = [...document.querySelectorAll(`.dtviz-answer[data-question="${box.id}"]`)];
      this.data = this.form.dataset;
      this.key = `${page}#${this.data.label}`;
      this.isNumber = "tolerance" in this.data;
      this.after = element("div", "");
      this.after.append(
        (this.again = button("Try again", () => this.retry())),
        (this.show = button("Show me", () => this.finish())),
      );
      this.solution.append(button("Clear all my answers", clear, "dtviz-predict-clear"));
      this.after.hidden = true;
      this.verdict.after(this.after);
      this.form.noValidate = true;
      this.form.addEventListener("submit", (event) => this.commit(event));
      this.form.addEventListener("change", () => this.mark());
      // Who opens what shows the answer is asked no more.
      this.folds.forEach((fold) =>
        fold.addEventListener("toggle", () => {
          if (fold.open) this.box.dataset.read = "";
        }),
      );
      this.nodes().forEach((node) => node.addEventListener("click", () => this.choose(node)));
    }

    nodes() {
      return [...this.box.querySelectorAll("[data-node]")];
    }

    radios() {
      return [...this.form.querySelectorAll("input[type=radio]")];
    }

    /** The answer as it stands in the form; empty where there is none. */
    answer() {
      return (new FormData(this.form).get("answer") ?? "").trim();
    }

    choose(node) {
      const radio = this.radios().find((one) => one.value === node.dataset.node);
      if (!radio || radio.matches(":disabled")) return;
      radio.checked = true;
      radio.focus({ preventScroll: true });
      this.mark();
    }

    /** Show in the picture what is chosen, and what it was worth once that is known. */
    mark() {
      const chosen = this.box.dataset.said ?? this.answer();
      for (const node of this.nodes()) {
        const name = node.dataset.node;
        const isRight = name === this.data.right;
        const isAnswered = "said" in this.box.dataset;
        node.classList.toggle("chosen", name === chosen && !isAnswered);
        node.classList.toggle("wrong", isAnswered && name === chosen && !isRight);
        node.classList.toggle("right", isRight && "done" in this.box.dataset);
      }
    }

    isRight(said) {
      if (!this.isNumber) return said === this.data.right;
      // A number typed in full equals the one computed, to the last bits.
      const slack = Number(this.data.tolerance) + 1e-12 * Math.max(1, Math.abs(this.data.right));
      return Math.abs(number(said) - this.data.right) <= slack;
    }

    /** The reason that the page gives for an answer. */
    reason(said) {
      const all = [...this.solution.querySelectorAll("dd[data-choice]")];
      const named = (name) => all.find((one) => one.dataset.choice === name);
      if (!this.isNumber) return named(said);
      if (this.isRight(said)) return named("right");
      const slack = Number(this.data.tolerance) + 1e-12;
      const near = (one) => Math.abs(number(said) - one.dataset.number) <= slack;
      return all.find((one) => "number" in one.dataset && near(one)) ?? named("else");
    }

    commit(event) {
      event.preventDefault();
      const said = this.answer();
      if (said === "" || (this.isNumber && !Number.isFinite(number(said)))) {
        const ask = this.isNumber ? "Type a number, such as 0.25 or 1/4." : "Choose an answer first.";
        this.verdict.className = "dtviz-predict-verdict";
        this.verdict.replaceChildren(element("p", ask));
        this.form.querySelector("input").focus();
        return;
      }
      const answers = stored();
      const before = answers[this.key];
      answers[this.key] = { first: before?.first ?? said, said, done: this.isRight(said) };
      store(answers);
      this.showVerdict(answers[this.key]);
      (this.again.hidden ? this.solution.querySelector("summary") : this.again).focus();
      showProgress();
    }

    /** Show what the answer was worth, and why. */
    showVerdict({ said, done }) {
      const isRight = this.isRight(said);
      this.box.dataset.said = said;
      this.lock(true);
      const reason = this.reason(said).cloneNode(true);
      reason.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
      const first = element("p", this.judgment(said, isRight));
      this.verdict.className = `dtviz-predict-verdict ${isRight ? "right" : "wrong"}`;
      this.verdict.replaceChildren(first, ...reason.childNodes);
      this.after.hidden = false;
      this.again.hidden = this.show.hidden = done;
      if (done) this.open();
      this.mark();
    }

    judgment(said, isRight) {
      if (this.isNumber) return isRight ? `✓ ${said} is right.` : `✗ ${said} is not it.`;
      return isRight ? "✓ Right." : "✗ Not that one.";
    }

    /** Put an answer of an earlier visit back. */
    restore(answer) {
      const radio = this.radios().find((one) => one.value === answer.said);
      if (radio) radio.checked = true;
      else if (this.isNumber) this.form.querySelector("input").value = answer.said;
      else return;
      this.showVerdict(answer);
    }

    lock(isLocked) {
      const controls = this.form.querySelectorAll("fieldset, input[type=text], button");
      controls.forEach((one) => (one.disabled = isLocked));
    }

    open() {
      this.box.dataset.done = "";
      for (const fold of [this.solution, ...this.folds]) fold.open = true;
    }

    retry() {
      this.lock(false);
      delete this.box.dataset.said;
      this.verdict.replaceChildren();
      this.after.hidden = true;
      this.mark();
      (this.form.querySelector("input:checked") ?? this.form.querySelector("input")).focus();
    }

    finish() {
      const answers = stored();
      if (answers[this.key]) answers[this.key].done = true;
      store(answers);
      this.again.hidden = this.show.hidden = true;
      this.open();
      this.mark();
      this.solution.querySelector("summary").focus();
    }
  }

  function clear() {
    if (!confirm("Forget your answers to all questions of this book?")) return;
    store({});
    location.reload();
  }

  /** Beside each page of the contents that was begun: how many of its questions were answered. */
  function showProgress() {
    const answers = stored();
    const links = [...document.querySelectorAll(".bd-links a[href]")];
    for (const [page, labels] of Object.entries(globalThis.dtvizQuestions ?? {})) {
      const done = labels.filter((label) => `${page}#${label}` in answers).length;
      for (const link of links.filter((one) => bare(one.href) === address(page))) {
        link.querySelector(".dtviz-predicted")?.remove();
        if (!done) continue;
        const share = element("span", `${done}/${labels.length}`, "dtviz-predicted");
        share.title = `${done} of ${labels.length} questions answered`;
        link.append(share);
      }
    }
  }

  /** On paper the solutions stand at the end of the page, each under the words of its question. */
  function printAtEnd(questions) {
    const answers = element("section", "", "dtviz-answers");
    addEventListener("beforeprint", () => {
      answers.replaceChildren(element("h2", "Answers"));
      for (const { box, solution } of questions) {
        const title = box.querySelector(".dtviz-predict-title").cloneNode(true);
        title.removeAttribute("id");
        answers.append(title, solution);
      }
      document.querySelector(".bd-article > section").append(answers);
    });
    addEventListener("afterprint", () => {
      for (const { box, solution } of questions) box.append(solution);
      answers.remove();
    });
  }

  function start() {
    const page = pageHere();
    const answers = stored();
    const boxes = [...document.querySelectorAll(".dtviz-predict:has(> form)")];
    const questions = boxes.map((box) => new Question(box, page));
    for (const question of questions) {
      if (answers[question.key]) question.restore(answers[question.key]);
    }
    if (boxes.length) printAtEnd(questions);
    showProgress();
  }

  start();
})();
