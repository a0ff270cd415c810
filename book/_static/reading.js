// Keeping one's place: a line of progress, the section that is read marked in the page's contents,
// the pages begun and read in the book's, and on the first page the way back to the last place.
//
// What is kept stays in this browser: page, section, how far into it; which pages were begun or
// read. A browser that keeps nothing loses only that.
"use strict";

{
  const KEY = "dtviz-reading";
  const NUMBERED = /^\d+\./; // pages of chapters are; to others nobody needs a way back
  const BEGUN = 0.1; // of a page
  const END = 60; // pixels from the end of a page at which it is read

  // -- what is kept --------------------------------------------------------------------------------

  function kept() {
    try {
      return { pages: {}, ...JSON.parse(localStorage.getItem(KEY)) };
    } catch {
      return { pages: {} };
    }
  }

  function keep(state) {
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      // Nothing may be stored here: then nothing is.
    }
  }

  function forget() {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Nothing was stored.
    }
  }

  // -- pages and sections --------------------------------------------------------------------------

  const root = () => new URL(document.documentElement.dataset.content_root, location.href);
  const tidy = (text) => text.replace(/\s+/g, " ").replace(/\s*#$/, "").trim();

  /** The name of the page at an address: its path in the book, without ending. */
  function pageAt(url) {
    const { pathname } = new URL(url, location.href);
    return pathname.slice(root().pathname.length).replace(/\.html$/, "");
  }

  /** The sections that the page's contents list, with the links to them. */
  function sections() {
    const links = [...document.querySelectorAll(".dtviz-page-toc a[href^='#']")];
    return links.flatMap((link) => {
      const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      const heading = target?.querySelector(":is(h2, h3, h4, h5, h6)") ?? target;
      return heading ? [{ link, heading }] : [];
    });
  }

  /** Where one reads: below the bar at the top; at the end of a page, ever further down. */
  function line() {
    const left = document.documentElement.scrollHeight - innerHeight - scrollY;
    const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    return Math.max(top + 40, innerHeight - left - 1, 0);
  }

  const topOf = ({ heading }) => heading.getBoundingClientRect().top;

  /** The section that is read: the last that begins above the line; `index` is -1 before the first. */
  function current(all) {
    const at = line();
    return all.findLastIndex((section) => topOf(section) <= at);
  }

  // -- following the reader ------------------------------------------------------------------------

  function mark(all, index) {
    const active = all[index]?.link;
    for (const { link } of all) {
      link.classList.toggle("active", link === active);
      if (link === active) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const entry of document.querySelectorAll(".dtviz-page-toc .toc-entry")) {
      entry.classList.toggle("active", Boolean(active) && entry.contains(active));
    }
    if (active) bringIntoBar(active);
  }

  /** Scroll the bar, never the page. */
  function bringIntoBar(link) {
    const bar = link.closest(".bd-sidebar-secondary");
    if (!bar || bar.scrollHeight <= bar.clientHeight) return;
    const [box, own] = [bar.getBoundingClientRect(), link.getBoundingClientRect()];
    if (own.top < box.top || own.bottom > box.bottom) {
      bar.scrollTop += own.top - box.top - box.height / 2;
    }
  }

  function progressLine() {
    const bar = document.createElement("div");
    bar.className = "dtviz-progress";
    bar.setAttribute("aria-hidden", "true");
    document.body.append(bar);
    return bar;
  }

  /** How much of the page lies above the end of the window, from 0 to 1. */
  function progress() {
    const whole = document.documentElement.scrollHeight - innerHeight;
    return whole > 0 ? Math.min(1, Math.max(0, scrollY / whole)) : 1;
  }

  // -- the place -----------------------------------------------------------------------------------

  function place(all) {
    const index = current(all);
    const start = index < 0 ? -scrollY : topOf(all[index]);
    const end = all[index + 1] ? topOf(all[index + 1]) : document.querySelector(".bd-article")
      .getBoundingClientRect().bottom;
    return {
      page: pageAt(location.href),
      title: tidy(document.querySelector(".bd-article h1").textContent),
      section: index < 0 ? "" : tidy(all[index].link.textContent),
      anchor: index < 0 ? "" : decodeURIComponent(all[index].link.hash.slice(1)),
      at: Math.round(100 * Math.min(1, Math.max(0, -start / (end - start)))) / 100,
    };
  }

  /** The next page of a chapter, for a reader at the end of one. */
  function nextPlace() {
    const link = document.querySelector("a.right-next");
    const title = tidy(link?.querySelector(".prev-next-title")?.textContent ?? "");
    return NUMBERED.test(title) ? { page: pageAt(link.href), title, section: "", anchor: "", at: 0 } : null;
  }

  function save(all) {
    const state = kept();
    const page = pageAt(location.href);
    const end = document.querySelector(".bd-article").getBoundingClientRect().bottom;
    const read = end <= innerHeight + END;
    if (read) state.pages[page] = "read";
    else if (progress() >= BEGUN) state.pages[page] ??= "begun";
    state.last = (read && nextPlace()) || place(all);
    keep(state);
    markPages();
  }

  /** Go to the place that the link on the first page told: so far into the section. */
  function returnTo(all) {
    const address = new URL(location.href);
    const at = Number(address.searchParams.get("at"));
    if (!address.searchParams.has("at")) return;
    address.searchParams.delete("at");
    history.replaceState(history.state, "", address);
    const id = decodeURIComponent(address.hash.slice(1));
    const index = all.findIndex(({ link }) => decodeURIComponent(link.hash.slice(1)) === id);
    const start = index < 0 ? -scrollY : topOf(all[index]);
    const end = all[index + 1] ? topOf(all[index + 1]) : document.querySelector(".bd-article")
      .getBoundingClientRect().bottom;
    scrollTo({ top: scrollY + start + at * (end - start), behavior: "instant" });
  }

  // -- the book's contents -------------------------------------------------------------------------

  function markPages() {
    const { pages } = kept();
    for (const link of document.querySelectorAll(".bd-docs-nav a.internal")) {
      const state = pages[pageAt(link.href)];
      link.querySelector(".dtviz-reading-state")?.remove();
      if (!state) continue;
      const dot = document.createElement("span");
      dot.className = `dtviz-reading-state dtviz-reading-${state}`;
      dot.setAttribute("role", "img");
      dot.setAttribute("aria-label", state);
      dot.title = state;
      link.append(dot);
    }
  }

  /** Fill the line on the first page, if there is a place to go back to. */
  function resume(paragraph) {
    const { last } = kept();
    if (!last?.page) return;
    const link = document.createElement("a");
    link.href = `${root().href}${last.page}.html?at=${last.at}#${encodeURIComponent(last.anchor)}`;
    link.textContent = [last.title, last.section].filter(Boolean).join(", ");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Forget";
    button.title = "Forget what was read in this browser";
    button.addEventListener("click", () => {
      forget();
      markPages();
      paragraph.hidden = true;
    });
    paragraph.append("Go on reading: ", link, " ", button);
    paragraph.hidden = false;
  }

  // -- the way back up -----------------------------------------------------------------------------

  /** The theme's button lies over the end of the window: not while a picture is there. */
  function keepPicturesClear() {
    const button = document.getElementById("pst-back-to-top");
    if (!button) return;
    const below = new Set();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) below.add(target);
          else below.delete(target);
        }
        button.classList.toggle("dtviz-away", below.size > 0);
      },
      { rootMargin: "-85% 0px 0px 0px" },
    );
    const pictures = ".bd-article :is(.dtviz-explorer, figure, .cell_output img, .cell_output svg)";
    for (const picture of document.querySelectorAll(pictures)) watch.observe(picture);
  }

  /** On a small window the contents lie over the page, and would stay there. */
  function closeContents({ target }) {
    const link = target instanceof Element ? target.closest("dialog .dtviz-page-toc a") : null;
    link?.closest("dialog").close();
  }

  function follow() {
    markPages();
    keepPicturesClear();
    addEventListener("click", closeContents);
    const article = document.querySelector(".bd-article");
    if (!article?.querySelector("h1")) return;
    const all = sections();
    const own = document.querySelector(".bd-docs-nav a.current");
    const counts = NUMBERED.test(tidy(own?.textContent ?? ""));
    const bar = progressLine();
    let [waiting, timer, marked] = [false, 0, null];
    const update = () => {
      waiting = false;
      bar.style.transform = `scaleX(${progress()})`;
      const index = current(all);
      if (index !== marked) mark(all, index);
      marked = index;
    };
    const moved = () => {
      if (!waiting) requestAnimationFrame(update);
      waiting = true;
      clearTimeout(timer);
      if (counts) timer = setTimeout(save, 400, all);
    };
    addEventListener("scroll", moved, { passive: true });
    addEventListener("resize", moved);
    if (counts) addEventListener("pagehide", () => save(all));
    const start = () => {
      returnTo(all);
      moved();
    };
    if (document.readyState === "complete") start();
    else addEventListener("load", start);
  }

  globalThis.dtvizReading = { resume };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", follow);
  else follow();
}
