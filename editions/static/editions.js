// The switch of editions in the header, and the banner of an edition that has a newer one.
//
// `versions.js` beside the editions says which there are. A page of any edition reads it, so those
// published long ago learn of later ones; what it says may grow, but never change its meaning.
"use strict";

{
  const html = document.documentElement;
  const root = new URL(html.dataset.content_root ?? "", location.href);
  const shelf = new URL("../", root);
  const own = html.dataset.edition;
  const told = globalThis.dtvizEditions;
  const FRONT = "book/index";

  /** The name of this page: its path in its edition, without ending. */
  const page = location.pathname.slice(root.pathname.length).replace(/\/$/, "/index").replace(/\.html$/, "");

  /** The same page in another folder of the site, or the front page where it has none. */
  function sameIn(folder, { pages }) {
    const there = pages.includes(page);
    const address = new URL(`${folder}/${there ? page : FRONT}.html`, shelf);
    if (there) address.hash = location.hash;
    return address.href;
  }

  function element(name, className, text = "") {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function link(text, href, className = "") {
    const made = element("a", className, text);
    made.href = href;
    return made;
  }

  function megabytes(bytes) {
    return `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
  }

  /** Fill the switch: every edition, the newest first, then what there is to take along. */
  function fill(menu, editions, latest) {
    const add = (child) => {
      const item = document.createElement("li");
      item.append(child);
      menu.append(item);
      return child;
    };
    for (const edition of editions) {
      const words = edition.name === latest ? `Edition ${edition.name}, the latest` : `Edition ${edition.name}`;
      const entry = add(link(words, sameIn(edition.name, edition), "dropdown-item"));
      if (edition.name === own) entry.setAttribute("aria-current", "true");
    }
    const { archive } = editions.find(({ name }) => name === own) ?? {};
    if (archive) {
      const words = `Take edition ${own} with you (zip, ${megabytes(archive.bytes)})`;
      const entry = add(link(words, new URL(archive.name, shelf).href, "dropdown-item"));
      entry.setAttribute("download", "");
    }
  }

  /** Say on an old edition that there is a newer one, and lead to this page in it. */
  function warn(latest) {
    const banner = element("aside", "dtviz-old-edition d-print-none");
    banner.setAttribute("aria-label", "There is a newer edition");
    const there = latest.pages.includes(page) ? "This page there" : "Its first page";
    banner.append(
      `You read the edition of ${own}, which stays as it is. There is a newer one, ${latest.name}. `,
      link(`${there}.`, sameIn(latest.name, latest)));
    document.querySelector(".bd-container")?.before(banner);
  }

  if (told && own) {
    for (const menu of document.querySelectorAll(".dtviz-editions .dropdown-menu")) {
      fill(menu, told.editions, told.latest);
    }
    const latest = told.editions.find(({ name }) => name === told.latest);
    if (latest && latest.name !== own) warn(latest);
  }
}
