// The book's search. `dtviz_search.py` writes what can be found; it is loaded when a reader begins
// to search. 1,100 rows are few: each is read through at each key, and no search engine is needed.
//
// A word is found where a word of the text begins with it, or is another form of it (prune, pruning).
// First comes what has just these words for its name or for a reader's name of it, then definitions,
// pages and sections called by them, then terms, functions and statements, then what has them in its
// text. A word that occurs nowhere is taken for the nearest that does.
"use strict";

{
  const root = document.documentElement.dataset.content_root ?? "";
  const INDEX = `${root}_static/dtviz-search-index.js`;
  const SHOWN = { dialog: 12, page: 60 };
  const EXCERPT = 170;
  const ASKED = 200; // characters of what is searched for; a pattern has its limits
  const WORD = /\p{N}+(?:\.\p{N}+)+|[\p{L}\p{N}]+/gu; // the number of a statement is one word

  // What a word in a title is worth, by what has the title.
  const WORTH = {
    definition: 1.7, page: 1.5, section: 1.4, term: 1.4, algorithm: 1.15, theorem: 1.15,
    proposition: 1.1, lemma: 1.1, corollary: 1.1, function: 1, example: 0.9, exercise: 0.8,
    source: 0.5, property: 0.5, attribute: 0.5, claim: 0.4,
  };

  // -- words ---------------------------------------------------------------------------------------

  /** Small letters without accents: as many characters as before, so that places stay. */
  function fold(text) {
    return text.toLowerCase().replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD")[0]);
  }

  /** What forms of a word have in common. */
  function stem(word) {
    const found = /^(.{4,}?)(?:ies|ing|ed|es|e|y)$|^(.{3,})(?<!s)s$/.exec(word);
    return found ? found[1] ?? found[2] : word;
  }

  /** A word to look for: where in a folded text it stands, and how well each place fits. */
  function seeker(word) {
    const base = stem(word);
    const letters = "[\\p{L}\\p{N}]";
    const start = new RegExp(`(?<!${letters})${base.replaceAll(".", "\\.")}${letters}*`, "gu");
    const fit = (token) => {
      if (token === word) return 3;
      if (stem(token) === base) return 2;
      return token.startsWith(word) ? 1 : 0;
    };
    return (text) => {
      const places = [];
      for (const found of text.matchAll(start)) {
        const level = fit(found[0]);
        if (level) places.push({ at: found.index, length: found[0].length, level });
      }
      return places;
    };
  }

  const PACKAGE = /\b(?:dt|dtviz)\./g; // before the name of a function

  function wordsOf(query) {
    return [...new Set(fold(query.slice(0, ASKED)).replace(PACKAGE, "").match(WORD) ?? [])];
  }

  /** A text as the words that one would type for it. */
  const spelled = (text) => (fold(text).match(WORD) ?? []).join(" ");

  const best = (places) => places.reduce((most, place) => Math.max(most, place.level), 0);

  // -- the index -----------------------------------------------------------------------------------

  let loading;

  function loaded() {
    loading ??= new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = INDEX;
      script.onload = () => done(prepared(globalThis.dtvizSearchIndex));
      script.onerror = fail;
      document.head.append(script);
    });
    return loading;
  }

  function prepared({ pages, rows }) {
    return rows.map(([page, kind, label, title, anchor, text, names]) => {
      const [address, name, above] = pages[page];
      const own = kind === "page" ? [] : [name];
      const place = [...above, ...own];
      const short = title.replace(/^dtviz\./, "");
      return {
        kind, label, title: kind === "function" ? short : title, text, address, anchor, place,
        called: fold(short), body: fold(text), names: fold(names.join(" ")), number: fold(label),
        where: fold(place.join(" ")), known: names.map(spelled),
      };
    });
  }

  // -- ranking -------------------------------------------------------------------------------------

  /** How much one word speaks for a row; 0 if it is not there. */
  function value(row, seek) {
    const title = best(seek(row.called));
    const name = best(seek(row.names));
    const text = seek(row.body);
    const worth = WORTH[row.kind] ?? 1;
    const called = Math.max(title ? 10 + 2 * title : 0, name ? 6 + 2 * name : 0) * worth;
    const mentioned = text.length ? 1 + best(text) / 3 + Math.min(text.length, 5) / 5 : 0;
    const number = best(seek(row.number)) === 3 ? 8 : 0; // it is sought as "Lemma 5.3"
    return called + mentioned + number || (best(seek(row.where)) ? 0.5 : 0);
  }

  /** How much of a title the words are: at most 6, more if they are all of it, or its number. */
  function coverage(row, words, seekers) {
    const whole = words.join(" ");
    if (row.number === whole) return 40;
    const all = row.called.match(WORD) ?? [];
    if (row.kind !== "term" && row.known.includes(whole)) return 20;
    if (all.join(" ") === whole) return 12;
    const said = all.filter((word) => seekers.some((seek) => seek(word).length));
    return (6 * said.length) / all.length || 0;
  }

  /** The rows that have the most of the words, best first. */
  function ranked(index, words, code) {
    const seekers = words.map(seeker);
    const whole = words.join(" ");
    const together = (text) => words.length > 1 && (text.match(WORD) ?? []).join(" ").includes(whole);
    const found = [];
    let most = 1;
    for (const row of index) {
      const values = seekers.map((seek) => value(row, seek)).filter(Boolean);
      if (values.length < most) continue;
      most = values.length;
      const phrase = together(row.called) ? 8 : 3 * Number(together(row.body));
      const sum = values.reduce((total, each) => total + each, 0) / words.length;
      const title = coverage(row, words, seekers) * (WORTH[row.kind] ?? 1);
      const wanted = code && row.kind === "function" ? 20 : 0;
      found.push({ row, words: values.length, score: sum + title + phrase + wanted });
    }
    const kept = found.filter((each) => each.words === most);
    return { most, rows: kept.sort((a, b) => b.score - a.score).map((each) => each.row) };
  }

  // -- words that occur nowhere --------------------------------------------------------------------

  /** How many letters must be changed, added, left out or swapped, up to `limit`. */
  function distance(a, b, limit) {
    if (Math.abs(a.length - b.length) > limit) return limit + 1;
    let [before, last] = [[], [...Array(b.length + 1).keys()]];
    for (let i = 1; i <= a.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= b.length; j += 1) {
        const other = Number(a[i - 1] !== b[j - 1]);
        next[j] = Math.min(last[j] + 1, next[j - 1] + 1, last[j - 1] + other);
        const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (swapped) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      [before, last] = [last, next];
    }
    return last[b.length];
  }

  let vocabulary;

  /** All words of the book, and how often each occurs; one in a title counts more. */
  function counted(index) {
    if (vocabulary) return vocabulary;
    vocabulary = new Map();
    for (const row of index) {
      for (const [text, weight] of [[row.body, 1], [row.called, 9]]) {
        for (const word of text.match(WORD) ?? []) {
          vocabulary.set(word, (vocabulary.get(word) ?? 0) + weight);
        }
      }
    }
    return vocabulary;
  }

  /** The word itself if it occurs, else the nearest that does. */
  function nearest(index, word) {
    const seek = seeker(word);
    const occurs = ({ called, names, body }) => [called, names, body].some((t) => seek(t).length);
    if (word.length < 4 || index.some(occurs)) return word;
    const limit = word.length < 8 ? 1 : 2;
    let [chosen, least, often] = [word, limit + 1, 0];
    for (const [other, times] of counted(index)) {
      const far = distance(word, other, limit);
      if (far < least || (far === least && far <= limit && times > often)) {
        [chosen, least, often] = [other, far, times];
      }
    }
    return chosen;
  }

  function answer(index, query) {
    const asked = wordsOf(query);
    const words = asked.map((word) => nearest(index, word));
    return { asked, words, ...ranked(index, words, query.match(PACKAGE)) };
  }

  // -- showing -------------------------------------------------------------------------------------

  function element(name, className, ...children) {
    const made = document.createElement(name);
    made.className = className;
    made.append(...children);
    return made;
  }

  /** Where the words stand in a text, in order, none inside another. */
  function placesIn(text, seekers) {
    const folded = fold(text);
    const all = seekers.flatMap((seek, word) => seek(folded).map((place) => ({ ...place, word })));
    all.sort((a, b) => a.at - b.at || b.length - a.length);
    let end = 0;
    return all.filter((place) => {
      if (place.at < end) return false;
      end = place.at + place.length;
      return true;
    });
  }

  /** A text with the words marked, as nodes: what a page says is never read as HTML. */
  function marked(text, seekers) {
    const nodes = [];
    let end = 0;
    for (const { at, length } of placesIn(text, seekers)) {
      nodes.push(text.slice(end, at), element("mark", "", text.slice(at, at + length)));
      end = at + length;
    }
    return [...nodes, text.slice(end)];
  }

  /** The piece of a text that has the most of the words. */
  function excerpt(text, seekers) {
    const places = placesIn(text, seekers);
    const inReach = ({ at }) =>
      new Set(places.filter((p) => p.at >= at && p.at < at + EXCERPT - 50).map((p) => p.word)).size;
    const chosen = places.slice(0, 60).reduce(
      (most, place) => (inReach(place) > inReach(most) ? place : most), places[0]);
    const late = chosen && chosen.at > 60 && text.length > EXCERPT;
    const from = late ? text.indexOf(" ", chosen.at - 45) + 1 : 0;
    const cut = text.length > from + EXCERPT ? text.lastIndexOf(" ", from + EXCERPT) : text.length;
    return `${from ? "… " : ""}${text.slice(from, cut)}${cut < text.length ? " …" : ""}`;
  }

  function item(row, seekers) {
    const link = element("a", "dtviz-hit", ...marked(row.title, seekers));
    link.href = `${root}${row.address}${row.anchor ? `#${encodeURIComponent(row.anchor)}` : ""}`;
    if (row.kind === "function") link.classList.add("dtviz-hit-code");
    const kind = row.label === row.title ? "" : row.label;
    const where = [kind, row.place.join(" › ")].filter(Boolean).join(" · ");
    const parts = [link, element("span", "dtviz-hit-place", where)];
    if (row.text) {
      parts.push(element("span", "dtviz-hit-text", ...marked(excerpt(row.text, seekers), seekers)));
    }
    return element("li", "", ...parts);
  }

  function summary({ asked, words, most, rows }) {
    const used = words.join(" ");
    if (!rows.length) {
      return `Nothing found for “${asked.join(" ")}”. Try one word, or only its beginning.`;
    }
    const count = rows.length === 1 ? "1 place" : `${rows.length} places`;
    const instead = asked.join(" ") === used ? "" : ` for “${used}”`;
    return most < words.length ? `No place has all the words; ${count} have some` : `${count}${instead}`;
  }

  // -- the field -----------------------------------------------------------------------------------

  /** Answer below a field while the reader types. */
  function serve(form, limit) {
    const input = form.querySelector("input");
    const status = element("p", "dtviz-found-count");
    const list = element("ol", "dtviz-found-list");
    const found = element("div", "dtviz-found", status, list);
    status.setAttribute("role", "status");
    form.after(found);

    const show = (index) => {
      const got = answer(index, input.value);
      const seekers = got.words.map(seeker);
      found.hidden = !got.asked.length;
      status.textContent = got.asked.length ? summary(got) : "";
      list.replaceChildren(...got.rows.slice(0, limit).map((row) => item(row, seekers)));
      if (got.rows.length > limit && limit === SHOWN.dialog) list.append(more(input.value));
    };
    const update = () =>
      loaded().then(show, () => {
        found.hidden = false;
        status.textContent = "The index of the book could not be loaded.";
      });
    found.hidden = true;
    input.addEventListener("focus", () => loaded().catch(() => {}));
    input.addEventListener("input", update);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      update().then(() => list.querySelector("a")?.click());
    });
    form.parentElement.addEventListener("keydown", (event) => move(event, input, list));
    return update;
  }

  function more(query) {
    const link = element("a", "", "All places");
    link.href = `${root}search.html?${new URLSearchParams({ q: query })}`;
    return element("li", "dtviz-found-more", link);
  }

  /** Up and down go through the field and what is found below it. */
  function move(event, input, list) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const stops = [input, ...list.querySelectorAll("a")];
    const here = stops.indexOf(document.activeElement);
    if (here < 0) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, here + step))].focus();
  }

  /** The page of search: its address has what is searched for, to come back to. */
  function servePage(form) {
    const input = form.querySelector("input");
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    const update = serve(form, SHOWN.page);
    input.addEventListener("input", () => {
      history.replaceState(null, "", `?${new URLSearchParams({ q: input.value })}`);
    });
    if (input.value) update();
    input.focus();
  }

  const dialog = document.getElementById("pst-search-dialog");
  if (dialog) {
    serve(dialog.querySelector("form"), SHOWN.dialog);
    dialog.addEventListener("click", (event) => {
      if (event.target.closest("a")) dialog.close();
    });
  }
  const field = document.querySelector(".bd-search-container form");
  if (field) servePage(field);
}
