// The figures of the page for class, one at a time on the whole screen: arrow keys lead on and back.
"use strict";

{
  const links = [...document.querySelectorAll(".dtviz-slides a[data-src]")];
  const KEYS = {
    ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1,
    ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
    Home: -links.length, End: links.length,
  };

  const make = (kind, parent, properties = {}) => {
    const element = Object.assign(document.createElement(kind), properties);
    parent.append(element);
    return element;
  };

  /** The screen, which covers the page while it is open. */
  class Show {
    constructor() {
      this.at = 0;
      this.root = make("div", document.body, { className: "dtviz-slide", hidden: true, tabIndex: -1 });
      this.root.setAttribute("role", "dialog");
      this.root.setAttribute("aria-modal", "true");
      this.root.setAttribute("aria-label", "Figures, one at a time");
      this.title = make("p", this.root, { className: "title" });
      this.image = make("img", this.root);
      this.caption = make("p", this.root, { className: "caption" });
      const bar = make("div", this.root, { className: "bar" });
      this.button(bar, "Previous", () => this.move(-1));
      this.count = make("output", bar);
      this.button(bar, "Next", () => this.move(1));
      this.button(bar, "Close", () => this.close());
      this.root.addEventListener("keydown", (event) => this.press(event));
      document.addEventListener("fullscreenchange", () => {
        if (!document.fullscreenElement) this.close();
      });
    }

    button(bar, textContent, act) {
      make("button", bar, { type: "button", textContent }).addEventListener("click", act);
    }

    press(event) {
      const onButton = event.key === " " && event.target.closest("button");
      if (event.ctrlKey || event.metaKey || event.altKey || onButton) return;
      if (event.key === "Escape") this.close();
      else if (event.key in KEYS) this.move(KEYS[event.key]);
      else return;
      event.preventDefault();
    }

    open(at) {
      this.before = document.activeElement;
      this.root.hidden = false;
      this.cover(true);
      this.at = at;
      this.draw();
      this.root.focus();
      // Where a window cannot fill the screen, the figure fills the window.
      this.root.requestFullscreen?.().catch(() => {});
    }

    close() {
      if (this.root.hidden) return;
      this.root.hidden = true;
      this.cover(false);
      const left = document.fullscreenElement ? document.exitFullscreen() : Promise.resolve();
      left.then(() => this.before?.focus());
    }

    cover(covered) {
      for (const part of document.body.children) if (part !== this.root) part.inert = covered;
      document.documentElement.classList.toggle("dtviz-covered", covered);
    }

    move(by) {
      this.at = Math.min(Math.max(this.at + by, 0), links.length - 1);
      this.draw();
    }

    draw() {
      const link = links[this.at];
      const page = link.closest(".dtviz-slides > li").querySelector("a").cloneNode(true);
      page.href = link.href;
      this.title.replaceChildren(page);
      const { src, alt } = link.dataset;
      this.image.src = src;
      this.image.alt = alt;
      const caption = link.parentElement.cloneNode(true);
      caption.firstElementChild.replaceWith(link.textContent);
      this.caption.replaceChildren(...caption.childNodes);
      this.count.textContent = `${this.at + 1} of ${links.length}`;
    }
  }

  const show = new Show();
  for (const [at, link] of links.entries()) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show.open(at);
    });
  }
  for (const button of document.querySelectorAll(".dtviz-show")) {
    const first = button.closest("section").querySelector(".dtviz-slides a[data-src]");
    button.addEventListener("click", () => show.open(links.indexOf(first)));
  }
}
