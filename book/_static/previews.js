// Cards that show where a link of the text leads: on hover, and on focus by the keyboard. The card
// can be pointed at and read, and Escape closes it. Under a finger a link is a link, and no more.
(() => {
  "use strict";
  const LINK = "article a.reference.internal[href]";
  const NO_CARD = ".toctree-wrapper, .headerlink, .download, .sd-stretched-link, .prev-next-area";
  const OPEN = 300; // milliseconds: what the pointer only crosses opens nothing
  const CLOSE = 250; // time to move from the link to the card
  const EDGE = 8;
  const root = new URL("..", document.currentScript.src);
  const loading = new Map();
  const box = document.createElement("div");
  let link = null; // the one that is pointed at or focused
  let timer = 0;

  /** The page of the book and the place on it to which a link leads, or null. */
  function target(a) {
    const url = new URL(a.href);
    if (!url.href.startsWith(root.href) || !url.pathname.endsWith(".html")) return null;
    const page = decodeURIComponent(url.pathname.slice(root.pathname.length, -5));
    return { page, id: decodeURIComponent(url.hash.slice(1)) };
  }

  /** Load the cards of a page, once. */
  function cards(page) {
    if (!loading.has(page)) {
      loading.set(page, new Promise((done) => {
        const script = document.createElement("script");
        script.src = new URL(`_static/previews/${page}.js`, root).href;
        script.onload = () => done(globalThis.dtvizCards[page]);
        script.onerror = () => done({});
        document.head.append(script);
      }));
    }
    return loading.get(page);
  }

  /** Put a card of another page on this one: its links and pictures are resolved from there. */
  function fill(html, page) {
    box.innerHTML = html;
    const base = new URL(`${page}.html`, root);
    for (const name of ["href", "src"]) {
      for (const part of box.querySelectorAll(`[${name}]`)) {
        part.setAttribute(name, new URL(part.getAttribute(name), base).href);
      }
    }
  }

  /** Place the card below the link, or above it where there is more room; inside the window. */
  function place(a) {
    const lines = [...a.getClientRects()];
    const line = lines.find((part) => part.bottom > 0) ?? a.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const below = clientHeight - line.bottom - EDGE;
    box.style.left = "0";
    box.style.maxHeight = "";
    const above = below < box.offsetHeight && line.top - EDGE > below;
    box.style.maxHeight = `min(24rem, ${Math.max(above ? line.top - EDGE : below, 120)}px)`;
    const left = Math.max(EDGE, Math.min(line.left, clientWidth - box.offsetWidth - EDGE));
    const top = above ? line.top - box.offsetHeight : line.bottom;
    box.style.left = `${left + window.scrollX}px`;
    box.style.top = `${top + window.scrollY}px`;
    box.classList.toggle("dtviz-card-long", box.scrollHeight > box.clientHeight + 1);
  }

  /** Show the card of a link, if it has one and is still wanted. */
  async function show(a) {
    const { page, id } = target(a);
    const html = (await cards(page))[id];
    if (link !== a || !html) return;
    fill(html, page);
    box.hidden = false;
    place(a);
    a.setAttribute("aria-describedby", box.id);
  }

  function close() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    link = null;
    box.hidden = true;
  }

  function want(a) {
    if (a === link) return clearTimeout(timer);
    close();
    const there = target(a);
    if (!there || a.matches(NO_CARD) || a.closest(NO_CARD)) return undefined;
    link = a;
    cards(there.page);
    timer = setTimeout(show, OPEN, a);
    return undefined;
  }

  function leave() {
    clearTimeout(timer);
    timer = setTimeout(close, CLOSE);
  }

  box.id = "dtviz-card";
  box.className = "dtviz-card";
  box.setAttribute("role", "note");
  box.setAttribute("aria-label", "Preview");
  box.hidden = true;
  document.body.append(box);
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || !event.target.closest) return;
    const a = event.target.closest(LINK);
    if (a) want(a);
    else if (box.contains(event.target)) clearTimeout(timer);
    else if (link && !link.matches(":focus-visible")) leave();
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(LINK) && event.target.matches(":focus-visible")) want(event.target);
    else if (!box.contains(event.target)) close();
  });
  document.addEventListener("focusout", (event) => {
    if (event.target === link && !box.contains(event.relatedTarget)) leave();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const stays = link;
    close();
    link = stays; // pointed at as before, it does not open again
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")) close();
  });
  window.addEventListener("resize", close);
})();
