// Settings that a reader keeps, to compare a second tree with.

import { aboutOf } from "../hosting/functions.js";
import { checks } from "../hosting/kit.js";
import { wrong } from "../hosting/link.js";

/** @import { Model } from "../hosting/kit.js" */

// A link may keep what it may set.
checks.kept = (value, model) => {
  const rules = model.get("_rules");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "no settings are kept in it";
  for (const [trait, one] of Object.entries(value)) {
    if (!Object.hasOwn(rules, trait) || ["beside", "kept"].includes(trait)) return `${trait} is not kept`;
    const check = checks[rules[trait].check ?? ""];
    const trouble = wrong(rules[trait], one, check && ((given) => check(given, model)));
    if (trouble) return trouble;
  }
  return "";
};

// Whether settings kept stand beside, and there are any.
/** @type {(model: Model) => boolean} */
export const keptBeside = (model) => model.get("beside") === "kept" && Object.keys(model.get("kept")).length > 0;

// The settings kept, and the others as they are now.
/** @type {(model: Model) => Model} */
export const keptModel = (model) => {
  const get = (/** @type {string} */ trait) => {
    const kept = model.get("kept");
    return Object.hasOwn(kept, trait) ? kept[trait] : model.get(trait);
  };
  return { get, set() {}, save_changes() {}, on() {} };
};

// Whether they are of another function than the one on display.
/** @type {(model: Model, kept: Model) => boolean} */
export const isOfAnother = (model, kept) => {
  const [now, then] = [model, kept].map((settings) => {
    const name = settings.get("function");
    const { n, names, table } = aboutOf(model, name);
    return JSON.stringify([n, names, table?.replace("0x", "") ?? name]);
  });
  return now !== then;
};

// What a status says where settings kept are to stand beside, and there are none.
/** @type {(model: Model) => string} */
export const keptText = (model) => (model.get("beside") === "kept" && !keptBeside(model) ? " Nothing is kept yet." : "");
