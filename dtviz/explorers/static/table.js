// A table of the reader's: pasted, dropped or chosen, of which three columns become points.

import { TableError, firstChoice, pointsOf, readTable } from "./csv.js";
import { selectControl } from "./controls.js";
import { OWN_KEYS, html, put, say, uniqueId } from "./kit.js";

/**
 * @import { CsvTable } from "./csv.js"
 * @import { Row } from "./points.js"
 */

const LARGEST_FILE = 4_000_000;
const PROMPT =
  "Paste a table with a line for each row, or drop a file here: columns separated by commas, semicolons " +
  "or tabs. It stays in this page.";

class TablePanel {
  /** @param {(points: Row[], names: string[]) => void} onPoints */
  constructor(onPoints) {
    this.onPoints = onPoints;
    /** @type {CsvTable | null} */
    this.table = null;
    this.field = html("textarea", { rows: 5, spellcheck: "false", name: "csv", placeholder: PROMPT, ...OWN_KEYS });
    this.field.setAttribute("aria-label", "Your table as text");
    this.file = html("input", { type: "file", name: "file", accept: ".csv,.tsv,.txt,text/*", id: uniqueId("file"), ...OWN_KEYS });
    const read = html("button", { type: "button", name: "read", ...OWN_KEYS }, "Read the table");
    read.addEventListener("click", () => this.read(this.field.value));
    this.file.addEventListener("change", () => this.open(this.file.files?.[0]));
    this.told = html("p", { class: "dtviz-table-told", "aria-live": "polite" });
    const onChange = () => this.show();
    this.choices = ["target", "across", "up"].map((name, k) =>
      selectControl({ name, label: ["Class", "x0", "x1"][k], options: [], onChange }),
    );
    for (const { input } of this.choices) input.disabled = true;
    const pick = html("label", { for: this.file.id, class: "dtviz-file" }, "or a file: ", this.file);
    const row = html("div", { class: "dtviz-edit-tools" }, read, pick);
    const choices = html("div", { class: "dtviz-edit-tools" }, ...this.choices.map(({ root }) => root));
    const head = html("summary", { class: "dtviz-table-head", ...OWN_KEYS }, "Your own table (CSV)");
    this.root = html("details", { class: "dtviz-table", "data-no-picture": "" }, head, this.field, row, choices, this.told);
    this.root.addEventListener("dragover", (event) => this.over(event, true));
    this.root.addEventListener("dragleave", (event) => this.over(event, false));
    this.root.addEventListener("drop", (event) => this.dropped(event));
  }

  /** @type {(event: DragEvent, isOver: boolean) => void} */
  over(event, isOver) {
    event.preventDefault();
    put(this.root, "data-over", isOver);
  }

  /** @param {DragEvent} event */
  dropped(event) {
    this.over(event, false);
    const { dataTransfer: given } = event;
    if (given?.files.length) this.open(given.files[0]);
    else this.read(given?.getData("text") ?? "");
  }

  /** @param {File} [file] */
  async open(file) {
    if (!file) return;
    if (file.size > LARGEST_FILE) {
      this.fault(`The file has ${(file.size / 1e6).toFixed(1)} MB: ${LARGEST_FILE / 1e6} MB at most.`);
      return;
    }
    this.read(await file.text());
  }

  /** @param {string} text */
  fault(text) {
    say(this.told, text);
    put(this.told, "data-fault", true);
  }

  // The table stays as it was if something is wrong with the new one.
  /** @param {string} text */
  read(text) {
    // A long one would take the page seconds to show.
    this.field.value = text.length > 50_000 ? "" : text;
    this.attempt(() => {
      const table = readTable(text);
      const choice = firstChoice(table);
      const chosen = [choice.target, ...choice.axes];
      this.choices.forEach(({ input }, k) => {
        input.replaceChildren(...table.columns.map(({ name }) => html("option", { value: name }, name)));
        input.value = chosen[k];
        input.disabled = false;
      });
      this.table = table;
      this.make();
    });
  }

  show() {
    this.attempt(() => this.make());
  }

  /** @param {() => void} act */
  attempt(act) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      this.fault(error.message);
    }
  }

  make() {
    if (!this.table) return;
    const [target, across, up] = this.choices.map(({ input }) => input.value);
    const { points, names, note } = pointsOf(this.table, { target, axes: [across, up] }, Math.random);
    say(this.told, `${this.table.note} ${note}`);
    put(this.told, "data-fault", false);
    this.onPoints(points, names);
  }
}

/** @type {(onPoints: (points: Row[], names: string[]) => void) => TablePanel} */
export const tablePanel = (onPoints) => new TablePanel(onPoints);
