// Formulas of the book as MathML: reads {tex, display} as JSON, a line each, and answers each with
// a line, {mathml} or {error}. Run by dtviz_math.py, one process for a build.
import { stdout, stdin } from "node:process";
import { createInterface } from "node:readline";
import temml from "temml";

const OPENING = new Set("([{⌊⌈⟨");
const CLOSING = new Set(")]}⌋⌉⟩");
const RELATIONS = new Set("=<>≤≥≠≈≡∼∈⊆→↦⇒⟹⟺≪≫");
const BINARY = new Set("+−");

// What says the same without: no browser draws by these, and the style sheet has what is left.
const SPARE = [
  / (?:fence|separator)="true"/g,
  / style="padding-left:0em;padding-right:0em;"/g,
  / class="tml-display" style="display:block math;"/g,
];

const character = (node) =>
  node.type === "mo" && node.children.length === 1 ? (node.children[0].text ?? "") : "";

// A line may end before a relation or a sum's sign outside all brackets; not before the first term,
// and not between two signs.
function breaks(nodes) {
  const places = [];
  let depth = 0;
  nodes.forEach((node, k) => {
    const sign = character(node);
    if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    else if (depth === 0 && k > 0 && !signs(nodes[k - 1])) {
      if (RELATIONS.has(sign)) places.push(k);
      if (BINARY.has(sign) && node.attributes.form !== "prefix") {
        // First in its row, it would be taken for the sign of a number.
        node.setAttribute("form", "infix");
        places.push(k);
      }
    }
  });
  return places;
}

function signs(node) {
  const sign = character(node);
  return RELATIONS.has(sign) || BINARY.has(sign);
}

// A display of one row becomes several, which the style sheet sets beside each other where they fit.
function brokenUp(math) {
  const [row] = math.children;
  if (math.children.length !== 1 || row.type !== "mrow") return;
  const places = [0, ...breaks(row.children), row.children.length];
  if (places.length === 2) return;
  const Row = row.constructor;
  math.children = places
    .slice(1)
    .map((end, k) => new Row("mrow", row.children.slice(places[k], end)));
}

function answer({ tex, display }) {
  const options = { displayMode: display, wrap: "tex", strict: true, throwOnError: true };
  try {
    const math = temml.__renderToMathMLTree(tex, options);
    if (display) brokenUp(math);
    return { mathml: SPARE.reduce((text, spare) => text.replace(spare, ""), math.toMarkup()) };
  } catch (error) {
    return { error: error.message };
  }
}

for await (const line of createInterface({ input: stdin })) {
  stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
