// Small helps around the text: the section that is read is marked in the page's contents, which
// close behind a choice on a small window; what is folded is open on paper, which is light.
"use strict";

{
  /** The sections that the page's contents list, with the links to them. */
  function listSections() {
    const links = [...document.querySelectorAll(".dtviz-page-toc a[href^='#']")];
    return links.flatMap((link) => {
      const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      const heading = target?.querySelector(":is(h2, h3, h4, h5, h6)") ?? target;
      return heading ? [{ link, heading }] : [];
    });
  }

  /** Where one reads: below the bar at the top; at the end of a page, ever further down. */
  function readingLine() {
    const left = document.documentElement.scrollHeight - innerHeight - scrollY;
    const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    return Math.max(top + 40, innerHeight - left - 1, 0);
  }

  /** Mark the last section that begins above the line where one reads; none before the first. */
  function markSection(sections) {
    const line = readingLine();
    const active = sections.findLast(({ heading }) => heading.getBoundingClientRect().top <= line);
    for (const { link } of sections) {
      link.classList.toggle("active", link === active?.link);
      if (link === active?.link) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const entry of document.querySelectorAll(".dtviz-page-toc .toc-entry")) {
      entry.classList.toggle("active", Boolean(active) && entry.contains(active.link));
    }
    // The contents scroll along, and never the page.
    const bar = active?.link.closest(".bd-sidebar-secondary");
    if (bar) bar.scrollTop += active.link.getBoundingClientRect().top - bar.clientHeight / 2;
  }

  function followReader() {
    const sections = listSections();
    let waiting = false;
    const follow = () => {
      if (!waiting) {
        requestAnimationFrame(() => {
          waiting = false;
          markSection(sections);
        });
      }
      waiting = true;
    };
    addEventListener("scroll", follow, { passive: true });
    addEventListener("resize", follow);
    addEventListener("load", follow);
  }

  /** On a small window the contents lie over the page, and would stay there. */
  function closeContents({ target }) {
    const link = target instanceof Element ? target.closest("dialog .dtviz-page-toc a") : null;
    link?.closest("dialog").close();
  }

  /** A table that is wider than its place can be scrolled, by keyboard too. */
  function scrollTables() {
    const sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
        else target.removeAttribute("tabindex");
      }
    });
    for (const table of document.querySelectorAll("table.dtviz-table")) sizes.observe(table);
  }

  /** Open for the printer what is folded and printed (`print.css` says what is), and return how to undo it. */
  function openFolds() {
    const html = document.documentElement;
    const { theme } = html.dataset;
    html.dataset.theme = "light";
    const kept = "details:not([open], .dtviz-explorer *, .dtviz-table)";
    const folds = [...document.querySelectorAll(`.bd-article ${kept}`)];
    for (const fold of folds) fold.open = true;
    for (const image of document.querySelectorAll(".bd-article img")) image.loading = "eager";
    return () => {
      html.dataset.theme = theme;
      for (const fold of folds) fold.open = false;
    };
  }

  /** A figure that would stay beside the text goes by with it where the window is too low for it. */
  function fitFigure() {
    const cell = document.querySelector(".dtviz-sticky");
    if (!cell) return;
    const check = () => {
      // What the reader has unfolded scrolls in its place, and so may the last lines.
      if (cell.querySelector(".dtviz-more[open]")) return;
      const room = innerHeight - 72;
      cell.classList.toggle("dtviz-fits", cell.scrollHeight <= room);
      cell.classList.toggle("dtviz-tall", cell.scrollHeight > 1.15 * room);
    };
    new ResizeObserver(check).observe(cell.querySelector(".dtviz-explorer"));
    addEventListener("resize", check);
    // The class of the theme's button means the opposite there (`book.css`): it is not taken across.
    const folds = matchMedia("(min-width: 1400px) and (max-width: 1719.98px)");
    const contents = document.querySelector(".bd-sidebar-primary");
    folds.addEventListener("change", () => contents.classList.remove("pst-sidebar-hidden"));
  }

  let closeFolds = null;
  addEventListener("beforeprint", () => {
    closeFolds ??= openFolds();
  });
  addEventListener("afterprint", () => {
    closeFolds?.();
    closeFolds = null;
  });

  followReader();
  scrollTables();
  fitFigure();
  addEventListener("click", closeContents);
}
