// A table of the reader's: pasted or chosen as a file; the explorer says which columns may be picked for
// what, and takes them.

import { TableError, readTable } from "../computing/csv.js";
import { buttonControl, selectControl } from "./controls.js";
import { OWN_KEYS, html, put, putAll, say, uniqueId } from "../hosting/kit.js";

/**
 * @import { CsvTable } from "../computing/csv.js"
 *
 * A table called as its file, or "own table".
 * @typedef {CsvTable & { title: string }} OwnTable
 * @typedef {{ table: OwnTable, columns: string[] }} Choice  a table, and the columns that were taken
 *
 * What an explorer wants of a table.
 * @typedef {object} Wanted
 * @property {{ name: string, label: string }[]} choices  of a column each
 * @property {(table: CsvTable) => { options: string[], chosen: string }[]} offer  the columns for each choice
 * @property {(table: OwnTable, chosen: string[]) => string} take  takes the columns chosen, and returns what
 *   to say of them; throws a TableError
 */

const LARGEST_FILE = 4_000_000;
// A longer text would take the page seconds to show.
const LONGEST_SHOWN = 50_000;
const PROMPT =
  "Paste a table with a line for each row: columns separated by commas, semicolons or tabs. It stays in this page.";

// Files of the reader's: a button that asks for one, and places on which one may be dropped. What is wrong with one
// is refused in words.
/** @param {(text: string, name: string) => void} take @param {(text: string) => void} refuse */
export const fileSource = (take, refuse) => {
  const input = html("input", { type: "file", name: "file", accept: ".csv,.tsv,.txt,text/*", hidden: "" });
  /** @param {File} [file] */
  const open = async (file) => {
    if (!file) return;
    // The same file can be chosen again: a browser reports only of another value.
    input.value = "";
    if (file.size > LARGEST_FILE) refuse(`The file has ${(file.size / 1e6).toFixed(1)} MB: ${LARGEST_FILE / 1e6} MB at most.`);
    else take(await file.text(), file.name);
  };
  input.addEventListener("change", () => open(input.files?.[0]));
  const button = buttonControl({ name: "open", text: "File", label: "Choose a file", onClick: () => input.click() });
  return {
    root: html("span", {}, button.root, input),
    /** @param {HTMLElement} place */
    dropOn(place) {
      /** @param {boolean} on */
      const over = (on) => put(place, "data-drop", on);
      place.addEventListener("dragover", (event) => {
        event.preventDefault();
        over(true);
      });
      place.addEventListener("dragleave", () => over(false));
      place.addEventListener("drop", (event) => {
        event.preventDefault();
        over(false);
        open(event.dataTransfer?.files[0]);
      });
    },
  };
};

export class TablePanel {
  /** @param {Wanted} wanted */
  constructor(wanted) {
    this.wanted = wanted;
    /** @type {OwnTable | null} */
    this.table = null;
    /** @type {HTMLElement | null} */
    this.home = null;
    this.field = html("textarea", { rows: 5, spellcheck: "false", name: "csv", placeholder: PROMPT, ...OWN_KEYS });
    const id = uniqueId("table");
    putAll(this.field, { "aria-label": "Your table as text", "aria-describedby": id });
    const refuse = (/** @type {string} */ text) => {
      this.open(true);
      this.report(text, true);
    };
    this.file = fileSource((text, name) => this.read(text, name), refuse);
    const read = buttonControl({ name: "read", text: "Read the table", onClick: () => this.read(this.field.value) });
    this.message = html("p", { id, class: "dtviz-table-message", "aria-live": "polite" });
    const onChange = () => this.attempt(() => this.make());
    this.choices = wanted.choices.map((choice) => selectControl({ ...choice, options: [], onChange }));
    for (const { input } of this.choices) input.disabled = true;
    const row = html("div", { class: "dtviz-edit-tools" }, read.root, ...this.choices.map(({ root }) => root));
    this.panel = html("div", { class: "dtviz-table", hidden: "" }, this.field, row, this.message);
    this.entry = [this.field, read.root];
    this.paste = buttonControl({ name: "paste", text: "Paste", label: "Paste a table", onClick: () => this.open(!this.isOpen) });
    this.open(false);
  }

  // Where an author shows no choice of data, it opens below the place of the drop.
  /** @param {HTMLElement} place */
  dropOn(place) {
    this.home = place;
    this.file.dropOn(place);
  }

  get isOpen() {
    return !this.panel.hidden && !this.field.hidden;
  }

  // Open or close the field; the columns of a table that was taken stay to be chosen.
  /** @param {boolean} isOpen */
  open(isOpen) {
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.hidden = !isOpen && !this.table;
    if (!this.panel.hidden && !this.panel.isConnected) this.home?.append(this.panel);
    for (const part of this.entry) part.hidden = !isOpen;
    put(this.paste.input, "aria-expanded", isOpen);
    if (isOpen) this.field.focus({ preventScroll: true });
    else if (hadFocus) this.paste.input.focus({ preventScroll: true });
  }

  /** @type {(text: string, isFault?: boolean) => void} */
  report(text, isFault = false) {
    say(this.message, text);
    put(this.message, "data-fault", isFault);
    put(this.field, "aria-invalid", isFault);
  }

  // The table stays as it was if something is wrong with the new one.
  /** @type {(text: string, file?: string) => void} */
  read(text, file) {
    this.field.value = text.length > LONGEST_SHOWN ? "" : text;
    const isTaken = this.attempt(() => {
      const table = readTable(text);
      this.wanted.offer(table).forEach(({ options, chosen }, k) => {
        const { input } = this.choices[k];
        input.replaceChildren(...options.map((name) => html("option", { value: name }, name)));
        input.value = chosen;
        input.disabled = options.length === 0;
      });
      this.table = { ...table, title: file ?? "own table", note: file ? `${file}: ${table.note}` : table.note };
      this.make();
    });
    this.open(!isTaken);
  }

  // Whether it was done, and not refused.
  /** @param {() => void} act */
  attempt(act) {
    try {
      act();
      return true;
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      this.report(error.message, true);
      return false;
    }
  }

  // What is on display, after Undo something else than was chosen last.
  /** @param {Choice | null} choice */
  show(choice) {
    if (!this.table || this.message.getAttribute("data-fault") === "true") return;
    if (choice?.table !== this.table) this.report("This table is not on display; read it again to see it.");
    else if (choice.columns.some((name, k) => name !== this.choices[k].input.value)) {
      choice.columns.forEach((name, k) => (this.choices[k].input.value = name));
      this.report(this.table.note);
    }
  }

  make() {
    if (!this.table) return;
    const more = this.wanted.take(this.table, this.choices.map(({ input }) => input.value));
    this.report(`${this.table.note} ${more}`);
  }
}
