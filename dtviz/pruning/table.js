// The reader's own table: pasted, dropped or chosen, and which of its columns is the label.

import { selectControl } from "../explorers/static/controls.js";
import { TableError, readTable } from "../explorers/static/csv.js";
import { OWN_KEYS, change, html, put, say, uniqueId } from "../explorers/static/kit.js";
import { ownTable, targetsOf } from "./kernel_table.js";
import { LIMITS, YOURS } from "./state.js";

/**
 * @import { CsvTable } from "../explorers/static/csv.js"
 * @import { Model } from "../explorers/static/kit.js"
 */

const LARGEST_FILE = 4_000_000;
const LONGEST_SHOWN = 50_000;
const PROMPT =
  "Paste a table with a line for each row, or drop a file here: columns separated by commas, semicolons or tabs. " +
  "It stays in this page.";

// What takes the text of a table: pasted, a file, or dropped.
/** @type {(root: HTMLElement, file: HTMLInputElement, read: (text: string) => void, fault: (text: string) => void) => void} */
const hearFiles = (root, file, read, fault) => {
  /** @param {File | undefined} chosen */
  const open = async (chosen) => {
    if (!chosen) return;
    if (chosen.size > LARGEST_FILE) fault(`The file has ${(chosen.size / 1e6).toFixed(1)} MB: 4 MB at most.`);
    else read(await chosen.text());
  };
  /** @type {(event: DragEvent, over: boolean) => void} */
  const over = (event, isOver) => {
    event.preventDefault();
    put(root, "data-over", isOver);
  };
  file.addEventListener("change", () => open(file.files?.[0]));
  root.addEventListener("dragover", (event) => over(event, true));
  root.addEventListener("dragleave", (event) => over(event, false));
  root.addEventListener("drop", (event) => {
    over(event, false);
    const given = event.dataTransfer;
    if (given?.files.length) open(given.files[0]);
    else read(given?.getData("text") ?? "");
  });
};

/** @param {Model} model */
export const ownTablePanel = (model) => {
  const field = html("textarea", { rows: 5, spellcheck: "false", name: "csv", placeholder: PROMPT, "aria-label": "Your table as text", ...OWN_KEYS });
  const file = html("input", { type: "file", name: "file", accept: ".csv,.tsv,.txt,text/*", id: uniqueId("file"), ...OWN_KEYS });
  const button = html("button", { type: "button", name: "read", ...OWN_KEYS }, "Read the table");
  const told = html("p", { class: "dtviz-table-told", "aria-live": "polite" });
  /** @type {CsvTable | null} */
  let table = null;
  const target = selectControl({ name: "target", label: "Label", options: [], onChange: () => make() });
  target.input.disabled = true;
  const pick = html("label", { for: file.id, class: "dtviz-file" }, "or a file: ", file);
  const tools = html("div", { class: "dtviz-tools" }, button, pick, target.root);
  const head = html("summary", { ...OWN_KEYS }, "Your own table (CSV)");
  const root = html("details", { class: "dtviz-table", "data-no-picture": "" }, head, field, tools, told);
  /** @type {(text: string, wrong: boolean) => void} */
  const tell = (text, wrong) => {
    say(told, text);
    put(told, "data-fault", wrong);
  };
  const make = () => {
    if (!table) return;
    const found = ownTable(table, target.input.value, LIMITS);
    if (typeof found === "string") {
      tell(found, true);
      return;
    }
    tell(`${table.note} ${found.note}`, false);
    change(model, { rows: found.rows, names: found.names, sample: YOURS, flips: [], prune_share: null, judge_share: null });
  };
  // The table before stays if something is wrong with the new one.
  /** @param {string} text */
  const read = (text) => {
    field.value = text.length > LONGEST_SHOWN ? "" : text;
    try {
      table = readTable(text);
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      tell(error.message, true);
      return;
    }
    const targets = targetsOf(table);
    target.input.replaceChildren(...targets.map((name) => html("option", { value: name }, name)));
    target.input.value = targets.at(-1) ?? "";
    target.input.disabled = targets.length === 0;
    make();
  };
  button.addEventListener("click", () => read(field.value));
  hearFiles(root, file, read, (text) => tell(text, true));
  return root;
};
