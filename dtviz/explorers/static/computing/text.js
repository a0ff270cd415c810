// Numbers as the explorers write them. Nothing here knows a page.

/** @type {(value: number, low: number, high: number) => number} */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// One format for all: making one for each number takes longer than all else a slider does.
const inGroups = new Intl.NumberFormat("en");
/** @type {(value: number) => string} */
export const grouped = (value) => inGroups.format(value);

/** @type {(number: number, noun: string, plural?: string) => string} */
export const count = (number, noun, plural = `${noun}s`) =>
  `${grouped(number)} ${number === 1 ? noun : plural}`;

/** @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// Two decimals, up to four where they say more: 0.10, 0.105.
/** @type {(epsilon: number) => string} */
export const epsilonText = (epsilon) => epsilon.toFixed(4).replace(/0{1,2}$/, "");

// Three decimals where there is little room.
/** @type {(value: number) => string} */
export const small = (value) => {
  if (value === 0) return "0";
  return value < 0.001 ? "<.001" : value.toFixed(3);
};

// A natural number as an exponent.
/** @type {(power: number | string) => string} */
export const raised = (power) =>
  [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");

/** @type {(value: number) => string} */
export const brief = (value) => {
  if (value >= 0.001 || value === 0) return String(Number(value.toPrecision(2)));
  const [mantissa, power] = value.toExponential(0).split("e-");
  return `${mantissa}·10⁻${raised(power)}`;
};

/** @type {(value: number, precision?: number) => string} */
export const digits = (value, precision = 4) => String(Number(value.toPrecision(precision)));

// A share in percent, with more digits where it would be 0% or 100% and is not.
/** @type {(share: number, places?: number) => string} */
export const percent = (share, places = 0) => {
  const text = (100 * share).toFixed(places);
  const isExact = [0, 100].includes(100 * share) || ![0, 100].includes(Number(text));
  return isExact || places > 12 ? `${text}%` : percent(share, places + 1);
};

// A threshold in four digits, or as many more as it takes to part the values as it does itself.
/** @type {(threshold: number, values: ArrayLike<number>) => string} */
export const thresholdText = (threshold, values) => {
  if (Number.isInteger(2 * threshold)) return String(threshold);
  /** @param {number} other */
  const partsAlike = (other) => {
    for (let i = 0; i < values.length; i += 1) if (values[i] <= threshold !== values[i] <= other) return false;
    return true;
  };
  for (let precision = 4; precision < 15; precision += 1) {
    const text = digits(threshold, precision);
    if (partsAlike(Number(text))) return text;
  }
  return String(threshold);
};

// Two numbers in the fewest decimals, so many at least, that show whether they differ.
/** @type {(before: number, after: number, places: number, write?: (value: number, places: number) => string) => [string, string]} */
export const apart = (before, after, places, write = (value, many) => value.toFixed(many)) => {
  const [from, to] = [write(before, places), write(after, places)];
  const differ = from === to && places < 15 && Math.abs(before - after) > 1e-12;
  return differ ? apart(before, after, places + 1, write) : [from, to];
};

// A difference of costs; what would read as 0 and is not says so.
/** @type {(drop: number) => string} */
export const dropText = (drop) => {
  if (drop === 0) return "0";
  return drop > 0 && drop < 0.0005 ? "< 0.001" : drop.toFixed(3);
};

// What a variable is called.
/** @type {(names: string[], i: number) => string} */
export const variableName = (names, i) => names[i] ?? `x${i}`;

/** @type {(names: string[]) => string} */
export const listed = (names) =>
  names.length < 3 ? names.join(" and ") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

// Classes are distinguished by these as well as by color.
export const CLASS_MARKS = ["●", "▲", "■"];
