// The book's search, by MiniSearch, in what `dtviz_search.py` found; both load when somebody begins to
// search. Forms of a word are one (prune, pruning), and so are words that mean the same; those of
// grammar do not count (`search-words.yml`). A word that occurs nowhere stands for those spelled nearly
// so. A row counts by where it has the words, by what it is, and by its page, which shows its best row.
"use strict";

{
  const root = document.documentElement.dataset.content_root ?? "";
  const SHOWN = { dialog: 12, page: 60 };
  const EXCERPT = 220;
  const WORD = /[\p{L}\p{N}]+(?:[._][\p{L}\p{N}]+)*/gu; // also a name, max_depth, and a number, 5.3

  // How much a word counts by where it stands; how much a row counts by what it is.
  const BOOST = { title: 4, names: 6, label: 1, text: 1 };
  const WORTH = {
    page: 1.25, section: 1.15, example: 0.8, corollary: 0.8, term: 0.8, exercise: 0.5,
    function: 0.5, property: 0.3, attribute: 0.3, source: 0.25, claim: 0.2,
  };
  const ASIDE = /\/(reference|homework)\/|\/(sources|references|claims|class|glossary)\.|-exercises\./;
  const OF_PAGE = 0.5; // what the other rows of its page add to a row

  /** Small letters without accents: as many characters as before, so that places stay. */
  const fold = (text) =>
    text.toLowerCase().replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD")[0]);

  const ENDING =
    /^(.{3,}?)(i[sz](e|es|ed|ing|ation)|ations?|at(e|es|ed|ing)|ions?|ings?|ic|ical(ly)?|ies|ed|es|ly|e|y|(?<![isu])s)$/;

  const stems = new Map(); // of all words met

  /** What the forms of a word have in common. */
  function stem(word) {
    if (!stems.has(word)) {
      const base = /^[a-z]{4,}$/.test(word) && ENDING.exec(word)?.[1].replace(/([bdgmnprt])\1$/, "$1");
      stems.set(word, (base || word).replace(/f$/, "v"));
    }
    return stems.get(word);
  }

  /** The words of a text; a name with dots or underscores is one, and its parts are others. */
  function wordsOf(text) {
    return (fold(text).match(WORD) ?? []).flatMap((word) =>
      (/[._]/.test(word) ? [word, ...word.split(/[._]/).filter((part) => /\p{L}{2}/u.test(part))] : word));
  }

  let ignored; // words of grammar, and those of the whole book, which tell no page from another
  const tells = (word) => !ignored.grammar.has(word);
  const termsOf = (text) => wordsOf(text).filter(tells).map(stem);

  const load = (name) => new Promise((done, fail) => {
    const script = document.createElement("script");
    Object.assign(script, { src: `${root}_static/${name}`, onload: done, onerror: fail });
    document.head.append(script);
  });

  let ready;
  const book = () => (ready ??= prepared());

  async function prepared() {
    await Promise.all(["minisearch.js", "dtviz-search-index.js"].map(load));
    const { pages, rows, same, grammar, subject } = globalThis.dtvizSearchIndex;
    ignored = { grammar: new Set(grammar.split(" ")), subject: new Set(subject.split(" ")) };
    const processTerm = (word) => tells(word) && stem(word);
    const options = { fields: Object.keys(BOOST), tokenize: wordsOf, processTerm };
    const index = new globalThis.MiniSearch(options);
    const all = rows.map(([page, kind, label, full, anchor, text, names], id) => {
      const [address, name, above] = pages[page];
      const title = kind === "function" ? full.replace(/^dtviz\./, "") : full;
      const called = [label, title, ...names].map((each) => wordsOf(each).join(" "));
      const place = [...above, ...(kind === "page" ? [] : [name])];
      const worth = (WORTH[kind] ?? 0.9) * (ASIDE.test(address) ? 0.6 : 1);
      const own = { kind, label, title, text, anchor, address, place, called, worth };
      return { id, ...own, names: names.join("; ") };
    });
    await index.addAllAsync(all, { chunkSize: 50 });
    const groups = new Map(); // from words to those that mean the same
    for (const group of same.map((words) => words.map(termsOf))) {
      for (const terms of group) groups.set(terms.join(" "), group);
    }
    return { index, all, groups, bases: new Set(stems.values()) };
  }

  /** What is asked for: for each word or known phrase, the ways in which a text may have it. */
  function wanted({ groups, bases }, query) {
    const said = wordsOf(query);
    const telling = said.filter(tells);
    const special = telling.filter((word) => !ignored.subject.has(word));
    const choices = [special.filter((word) => !/^\d$/.test(word)), special, telling, said];
    const words = choices.find((some) => some.length) ?? [];
    const last = said.at(-1);
    const isBegun = last === words.at(-1) && last.length > 2 && !/\s$/.test(query);
    const things = [];
    while (words.length) {
      const group = (count) => groups.get(words.slice(0, count).map(stem).join(" "));
      const terms = words.splice(0, [3, 2].find(group) ?? 1).map(stem);
      const others = groups.get(terms.join(" ")) ?? [];
      const ways = [{ terms, weight: 1 }, ...others.map((other) => ({ terms: other, weight: 0.8 }))];
      if (isBegun && !words.length) {
        const ending = (term) => [...terms.slice(0, -1), term];
        let known = stem(last); // or as much of it as begins a word
        while (known.length > 3 && !bases.has(known)) known = known.slice(0, -1);
        ways.push({ terms: ending(last), weight: 1, begun: last }, { terms: ending(known), weight: 0.6 });
      }
      things.push(ways);
    }
    return things;
  }

  const had = new Map();

  /** How much each row has of one thing that is wanted, by the row, and the words it has of it. */
  function having(index, ways, fuzzy = false) {
    const key = JSON.stringify(ways);
    if (had.has(key) && !fuzzy) return had.get(key);
    const scores = new Map();
    const words = new Set();
    const plain = { tokenize: (text) => text.split(" "), processTerm: (term) => term, boost: BOOST };
    for (const { terms, weight, begun } of ways) {
      const options = { ...plain, combineWith: "AND", fuzzy, prefix: (term) => term === begun };
      for (const { id, score, terms: there } of index.search(terms.join(" "), options)) {
        const value = (weight * score) / terms.length ** 2; // a score is a sum, times their number
        scores.set(id, Math.max(value, scores.get(id) ?? 0));
        there.forEach((term) => words.add(term));
      }
    }
    had.set(key, scores.size || fuzzy ? { scores, words } : having(index, ways, 0.15));
    return had.get(key);
  }

  /** The rows found, best first: one for each page, and each entry of a list for itself. */
  function answer(found, typed) {
    const query = typed.slice(0, 200).replace(/\bdt(?:viz)?\./g, "");
    const things = wanted(found, query).map((ways) => having(found.index, ways));
    const ids = new Set(things.flatMap(({ scores }) => [...scores.keys()]));
    const rows = [...ids].map((id) => [found.all[id], things.map(({ scores }) => scores.get(id) ?? 0)]);
    const pages = new Map();
    for (const [{ address }, scores] of rows) {
      const rest = pages.get(address) ?? scores;
      pages.set(address, scores.map((score, k) => Math.max(score, rest[k])));
    }
    const sum = (scores) =>
      (scores.reduce((a, b) => a + b) * scores.filter(Boolean).length) / scores.length;
    const whole = wordsOf(query).join(" ");
    const scored = rows.map(([row, scores]) => {
      const exact = row.called.includes(whole) ? 1000 * (row.kind === "definition" ? 2 : 1) : 0;
      const score = exact + sum(scores) + OF_PAGE * sum(pages.get(row.address));
      return { row, score: score * row.worth, own: row.worth < 0.7 ? row.id : row.address };
    });
    scored.sort((a, b) => b.score - a.score);
    const seen = new Set();
    const best = scored.filter(({ own }) => !seen.has(own) && seen.add(own));
    const terms = new Set(things.flatMap(({ words }) => [...words]));
    return { rows: best.map(({ row }) => row), terms };
  }

  function element(name, className, ...children) {
    const made = Object.assign(document.createElement(name), { className });
    made.append(...children);
    return made;
  }

  function linkTo(address, ...children) {
    return Object.assign(element("a", "", ...children), { href: root + address });
  }

  /** A text with the words marked, as nodes: what a page says is never read as HTML. */
  function marked(text, terms) {
    const nodes = [];
    let end = 0;
    for (const { 0: word, index } of fold(text).matchAll(WORD)) {
      if (!termsOf(word).some((term) => terms.has(term))) continue;
      const stop = index + word.length;
      nodes.push(text.slice(end, index), element("mark", "", text.slice(index, stop)));
      end = stop;
    }
    return [...nodes, text.slice(end)];
  }

  /** The sentence of a row's text that has the most of the words. */
  function excerpt(row, terms) {
    row.sentences ??= row.text.split(/(?<=[.?!]\)?)\s+(?=[\p{Lu}(])|\n/u)
      .map((sentence) => ({ sentence, has: [...new Set(termsOf(sentence))] }));
    const scored = row.sentences.map(({ sentence, has }) =>
      ({ sentence, count: sentence.length > 40 ? has.filter((term) => terms.has(term)).length : -1 }));
    const { sentence } = scored.reduce((most, each) => (each.count > most.count ? each : most));
    if (sentence.length <= EXCERPT) return sentence;
    return `${sentence.slice(0, sentence.lastIndexOf(" ", EXCERPT))} …`;
  }

  function item(row, terms) {
    const { kind, label, title, address, anchor, place } = row;
    const fragment = anchor && `#${encodeURIComponent(anchor)}`;
    const link = linkTo(address + fragment, ...marked(title, terms));
    link.classList.toggle("dtviz-hit-code", kind === "function");
    const where = [label === title ? "" : label, place.join(" › ")].filter(Boolean).join(" · ");
    const said = element("span", "dtviz-hit-text", ...marked(excerpt(row, terms), terms));
    return element("li", "", link, element("span", "dtviz-hit-place", where), said);
  }

  /** Where to look when search has no answer. */
  const elsewhere = (said) => [
    `${said} Look into the `, linkTo("book/glossary.html", "glossary"), " or the ",
    linkTo("book/reference/index.html", "list of functions"), ".",
  ];

  /** Answer below a field while the reader types. */
  function serve(form, limit) {
    const input = form.querySelector("input");
    const status = element("p", "dtviz-found-count");
    const list = element("ol", "dtviz-found-list");
    const found = element("div", "dtviz-found", status, list);
    status.setAttribute("role", "status");
    form.after(found);
    found.hidden = true;

    const show = (filled) => {
      const query = input.value.trim();
      const { rows, terms } = query ? answer(filled, input.value) : { rows: [] };
      found.hidden = !query;
      const count = [`${rows.length} place${rows.length > 1 ? "s" : ""}`];
      status.replaceChildren(...(rows.length ? count : elsewhere(`Nothing found for “${query}”.`)));
      list.replaceChildren(...rows.slice(0, limit).map((row) => item(row, terms)));
      if (rows.length > limit && limit === SHOWN.dialog) {
        const all = linkTo(`search.html?${new URLSearchParams({ q: query })}`, "All places");
        list.append(element("li", "", all));
      }
    };
    const fail = () => {
      found.hidden = false;
      status.replaceChildren(...elsewhere("This copy of the book was built without its search."));
    };
    const update = () => book().then(show, fail);
    input.addEventListener("focus", () => book().catch(() => {}));
    input.addEventListener("input", update);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      update().then(() => list.querySelector("a")?.click());
    });
    form.parentElement.addEventListener("keydown", (event) => move(event, input, list));
    return update;
  }

  /** Up and down go through the field and what is found below it. */
  function move(event, input, list) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [input, ...list.querySelectorAll("a")];
    const here = stops.indexOf(document.activeElement);
    if (!step || here < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, here + step))].focus();
  }

  const dialog = document.getElementById("pst-search-dialog");
  if (dialog) serve(dialog.querySelector("form"), SHOWN.dialog);
  dialog?.addEventListener("click", (event) => event.target.closest("a") && dialog.close());

  // The address of the page of search has what is searched for, to come back to.
  const form = document.querySelector(".bd-search-container form");
  if (form) {
    const input = form.querySelector("input");
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    const update = serve(form, SHOWN.page);
    input.addEventListener("input", () => {
      history.replaceState(null, "", `?${new URLSearchParams({ q: input.value })}`);
    });
    if (input.value) update();
    input.focus();
  }
}
