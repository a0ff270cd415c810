// What a printed page holds: the reader chooses the folded parts, once for all pages.
//
// The choice stands in `data-print` of the page, by which `print.css` leaves parts out; what is
// folded on the screen and chosen is opened while the page is printed. Paper is light.
"use strict";

{
  const KEY = "dtviz-print";
  const html = document.documentElement;
  const PARTS = [
    ["proofs", "Proofs", true],
    ["solutions", "Hints, solutions and answers", true],
    ["code", "Folded code", false],
    ["claims", "What the computer tried (claims)", false],
  ];
  const FOLDS = {
    solutions: ".dtviz-predict-solution",
    code: ".dtviz-code, details.hide, .dtviz-literal-program",
    claims: ".dtviz-chip, .dtviz-claim",
  };
  // Whatever else is folded belongs to the text.
  const OTHERS = `details:not(${Object.values(FOLDS).join(", ")}, .dtviz-explorer *, .dtviz-table)`;

  // -- the choice ----------------------------------------------------------------------------------

  function usual() {
    return PARTS.filter(([, , on]) => on).map(([name]) => name);
  }

  function kept() {
    try {
      const names = JSON.parse(localStorage.getItem(KEY));
      return Array.isArray(names) ? names : usual();
    } catch {
      return usual();
    }
  }

  function choose(names) {
    html.dataset.print = names.join(" ");
    try {
      localStorage.setItem(KEY, JSON.stringify(names));
    } catch {
      // Nothing may be stored here: the choice holds for this page.
    }
  }

  // -- the question --------------------------------------------------------------------------------

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function asking() {
    const boxes = PARTS.map(([name, words]) => {
      const box = element("input", { type: "checkbox", name: "part", value: name });
      return element("label", {}, box, ` ${words}`);
    });
    const title = element("h2", { id: "dtviz-print-title", textContent: "Print this page" });
    const cancel = element("button", { type: "button", textContent: "Cancel" });
    const print = element("button", { type: "submit", textContent: "Print" });
    const fields = element("fieldset", {}, element("legend", { textContent: "With" }), ...boxes);
    const note = "The print window of the browser can also save a PDF. Paper is light.";
    const form = element("form", { method: "dialog" }, title, fields,
      element("p", { textContent: note }),
      element("div", { className: "dtviz-print-buttons" }, cancel, print));
    const dialog = element("dialog", { className: "dtviz-print-dialog" }, form);
    dialog.setAttribute("aria-labelledby", title.id);
    cancel.addEventListener("click", () => dialog.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      choose(new FormData(form).getAll("part"));
      dialog.close();
      start();
    });
    document.body.append(dialog);
    return dialog;
  }

  /** Print when the pictures are there, and the dialogue has gone from the screen. */
  async function start() {
    await Promise.all(loadPictures().map((image) => image.decode().catch(() => {})));
    requestAnimationFrame(() => requestAnimationFrame(() => globalThis.print()));
  }

  let dialog;

  function ask(event) {
    event.preventDefault();
    dialog ??= asking();
    const chosen = kept();
    for (const box of dialog.querySelectorAll("input")) box.checked = chosen.includes(box.value);
    dialog.showModal();
  }

  // -- while the page is printed -------------------------------------------------------------------

  let undo = [];

  function open(selector) {
    for (const fold of document.querySelectorAll(selector)) {
      if (fold.open || !fold.closest(".bd-article")) continue;
      fold.open = true;
      undo.push(() => {
        fold.open = false;
      });
    }
  }

  /** Say below an explorer's picture where it moves, if that is an address on the net. */
  function tellPlaces() {
    const canonical = document.querySelector("link[rel='canonical']")?.href;
    const place = canonical ?? (location.protocol.startsWith("http") ? location.href : "");
    if (!place) return;
    const { host, pathname } = new URL(place);
    for (const explorer of document.querySelectorAll(".bd-article .dtviz-explorer")) {
      const words = `This picture moves at ${host}${pathname}`;
      const line = element("p", { className: "dtviz-print-place", textContent: words });
      explorer.append(line);
      undo.push(() => line.remove());
    }
  }

  /** Pictures that are loaded when they come near are needed now. */
  function loadPictures() {
    const images = [...document.querySelectorAll(".bd-article img:not(.only-dark)")];
    for (const image of images) image.loading = "eager";
    return images;
  }

  function prepare() {
    if (undo.length) return;
    const { theme } = html.dataset;
    html.dataset.theme = "light";
    undo.push(() => {
      html.dataset.theme = theme;
    });
    const parts = html.dataset.print.split(" ");
    for (const [name, selector] of Object.entries(FOLDS)) {
      if (parts.includes(name)) open(selector);
    }
    open(OTHERS);
    tellPlaces();
    loadPictures();
  }

  function restore() {
    for (const step of undo.reverse()) step();
    undo = [];
  }

  html.dataset.print = kept().join(" ");
  for (const button of document.querySelectorAll("a.btn-print-button")) {
    button.removeAttribute("target");
    button.setAttribute("role", "button");
    button.addEventListener("click", ask);
  }
  addEventListener("beforeprint", prepare);
  addEventListener("afterprint", restore);
}
