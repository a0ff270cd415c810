// Formulas of the book as MathML: reads {tex, display} as JSON, a line each, and answers each with
// a line, {mathml} or {error}. Run by dtviz_math.py, one process for a build.
import { stdout, stdin } from "node:process";
import { createInterface } from "node:readline";
import temml from "temml";

const OPENING = new Set("([{⌊⌈⟨");
const CLOSING = new Set(")]}⌋⌉⟩");
const RELATIONS = new Set("=<>≤≥≠≈≡∼∈⊆→↦⇒⟹⟺≪≫");
const BINARY = new Set("+−");
const PUNCTUATION = new Set(",;");

// What says the same without: no browser draws by these, and the style sheet has what is left.
const SPARE = [
  / (?:fence|separator)="true"/g,
  / style="padding-left:0em;padding-right:0em;"/g,
  / class="tml-display" style="display:block math;"/g,
];

const ATOMS = new Set(["mi", "mn", "msub", "msup", "msubsup", "mfrac", "msqrt"]);
const APPLIED = "\u2061";

const sign = (node) =>
  node?.type === "mo" && node.children.length === 1 ? (node.children[0].text ?? "") : "";

// Temml's fragments stand for their children.
const flat = (nodes) => nodes.flatMap((node) => (node.type ? [node] : flat(node.children ?? [])));

const isName = (node, next) =>
  sign(next) === APPLIED || (node.type === "mrow" && isName(node.children[0], node.children[1]));

const isAtom = (node) =>
  ATOMS.has(node?.type) || (node?.type === "mrow" && CLOSING.has(sign(node.children.at(-1))));

// A row that goes on with the sign of a sum begins with no sign of a number.
function infix(node) {
  if (node?.type === "mrow") infix(flat(node.children)[0]);
  else if (BINARY.has(sign(node))) node.setAttribute("form", "infix");
}

// TeX leaves a thin space before the name of a function; Temml does after some kinds of atoms only.
function spaced(node, Node) {
  if (!["math", "mrow", "mtable", "mtr", "mtd", "mstyle"].includes(node.type)) return;
  const parts = flat(node.children);
  // The left cells of cases are no such rows.
  if (node.type === "mtr") parts.forEach((cell, k) => k % 2 && infix(flat(cell.children)[0]));
  node.children = parts.flatMap((part, k) => {
    spaced(part, Node);
    if (isThin(part) && sign(parts[k - 1]) === APPLIED && RELATIONS.has(sign(parts[k + 1]))) return [];
    if (!isAtom(parts[k - 1]) || !isName(part, parts[k + 1])) return [part];
    const space = new Node("mspace");
    space.setAttribute("width", "0.1667em");
    return [space, part];
  });
}

const isThin = (node) => node?.type === "mspace" && node.attributes.width === "0.1667em";

const isLone = (row) => row.type === "mrow" && row.children.length === 1 && joins(flat(row.children)[0]);

// A sign alone in its row has no neighbors, so a browser sets it without space: it ends the row
// before, or begins the next one. And the text around a formula has a space of its own.
function joined(math) {
  const rows = flat(math.children);
  if (rows[1]?.type === "mrow" && isLone(rows[0])) {
    const [{ children }] = rows.splice(0, 1);
    flat(children)[0].setAttribute("lspace", "0");
    rows[0].children.unshift(...children);
  }
  math.children = rows.filter((row, k) => {
    const before = rows[k - 1];
    if (!isLone(row) || before?.type !== "mrow") return true;
    before.children.push(...row.children);
    rows[k] = before;
    return false;
  });
  let last = math;
  while (last && last.type !== "mo") last = flat(last.children ?? []).at(-1);
  if (PUNCTUATION.has(sign(last))) last.setAttribute("rspace", "0");
}

const SCRIPTED = new Set(["msub", "msup", "msubsup", "munder", "mover", "munderover"]);

// TeX leaves no space around signs in scripts.
function tight(node, inScript = false) {
  if (inScript && joins(node)) {
    node.setAttribute("lspace", "0");
    node.setAttribute("rspace", "0");
  }
  const scripted = SCRIPTED.has(node.type);
  (node.children ?? []).forEach((child, k) => tight(child, inScript || (scripted && k > 0)));
}

const joins = (node) => RELATIONS.has(sign(node)) || BINARY.has(sign(node));
const isQuad = (node) => node.type === "mspace" && parseFloat(node.attributes.width) >= 1;

// Outside all brackets a line may end before a relation or the sign of a sum, but not before the
// first term nor between two signs; and after a wide space.
function breaks(nodes) {
  let depth = 0;
  return nodes.flatMap((node, k) => {
    if (OPENING.has(sign(node))) depth += 1;
    else if (CLOSING.has(sign(node))) depth -= 1;
    if (depth || !k) return [];
    const before = nodes[k - 1];
    if (isQuad(before) && !isQuad(node)) return [k];
    if (!joins(node) || joins(before) || node.attributes.form === "prefix") return [];
    infix(node);
    return [k];
  });
}

// A display of one row becomes several, which the style sheet sets beside each other where they fit.
function broken(math, Node) {
  const [row] = math.children;
  if (math.children.length !== 1 || row.type !== "mrow") return;
  const places = breaks(row.children);
  // A short left-hand side stays with what it is equal to.
  if (places[0] <= 2) places.shift();
  if (!places.length) return;
  math.children = [0, ...places].map(
    (start, k) => new Node("mrow", row.children.slice(start, places[k])),
  );
}

// A term that is read as one: a letter or a number, scripts included, or a few of them in a row.
function isTerm(node, most = 3) {
  if (node.type === "mrow") {
    const parts = flat(node.children);
    return parts.length <= most && parts.every((part) => isTerm(part, 1));
  }
  if (SCRIPTED.has(node.type)) return node.children.every((part) => isTerm(part, 1));
  return node.type === "mi" || node.type === "mn";
}

// A stacked fraction in a line of the text pushes its neighbors apart. What is short gets a slash:
// raised and lowered, so that no factor after it is taken for one below. One that is a whole script
// is level; beside others in a script it stays, as does a binomial coefficient, which has no line.
function slashed(node, Node, place = "line") {
  if (node.attributes?.displaystyle === "true") return;
  (node.children ?? []).forEach((child, k) => {
    const within = place === "line" ? "line" : "script";
    slashed(child, Node, SCRIPTED.has(node.type) && k > 0 ? "whole script" : within);
  });
  if (node.type !== "mfrac" || node.attributes.linethickness || place === "script") return;
  if (!node.children.every((part) => isTerm(part, place === "line" ? 3 : 1))) return;
  const [above, below] = node.children;
  // No operator: those have space around them.
  const slash = new Node("mi", [{ text: "\u2044", toMarkup: () => "\u2044" }]);
  const raised = () => new Node("msup", [new Node("mrow"), above]);
  const lowered = () => new Node("msub", [new Node("mrow"), below]);
  node.type = "mrow";
  node.children = place === "line" ? [raised(), slash, lowered()] : [above, slash, below];
}

// What \displaystyle makes one part of a formula in the text is the formula's own style.
function unwrapped(math, Node) {
  const [style] = math.children;
  if (math.children.length !== 1 || style.type !== "mstyle") return;
  if (style.attributes.displaystyle !== "true") return;
  math.setAttribute("displaystyle", "true");
  math.children = [new Node("mrow", style.children)];
  broken(math, Node);
}

function answer({ tex, display }) {
  const options = { displayMode: display, wrap: "tex", strict: true, throwOnError: true };
  try {
    const math = temml.__renderToMathMLTree(tex, options);
    if (!display) joined(math);
    spaced(math, math.constructor);
    tight(math);
    if (!display) slashed(math, math.constructor);
    (display ? broken : unwrapped)(math, math.constructor);
    const mathml = SPARE.reduce((text, spare) => text.replace(spare, ""), math.toMarkup());
    return { mathml: mathml.replace(/<mrow><\/mrow>/g, "<mrow/>") };
  } catch (error) {
    // Without the formula once more, underlined.
    return { error: error.message.replace(/ at position[^]*/, "").trim() };
  }
}

for await (const line of createInterface({ input: stdin })) {
  stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
