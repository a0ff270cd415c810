// The reader's own table, and which of its columns is the label.

import { TableError } from "../explorers/static/csv.js";
import { change } from "../explorers/static/kit.js";
import { tablePanel } from "../explorers/static/table.js";
import { ownTable, targetsOf } from "./kernel_table.js";
import { LIMITS, YOURS } from "./state.js";

/** @import { Model } from "../explorers/static/kit.js" */

/** @param {Model} model */
export const ownTablePanel = (model) =>
  tablePanel({
    choices: [{ name: "target", label: "Label" }],
    offer(table) {
      const options = targetsOf(table);
      return [{ options, chosen: options.at(-1) ?? "" }];
    },
    take(table, [target]) {
      const found = ownTable(table, target, LIMITS);
      if (typeof found === "string") throw new TableError(found);
      // Labels that somebody brings are not flipped unless asked for.
      const asBrought = { noise: 0, flips: [], prune_share: null, judge_share: null };
      change(model, { rows: found.rows, names: found.names, sample: YOURS, ...asBrought });
      return found.note;
    },
  });
