"""Functions as text: the page reads them as Python does, and says what is true of them."""

from __future__ import annotations

import random
import re
from typing import Any

from support.formulas import REFUSALS, VALUES
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.explorers.functions import about, book_functions
from dtviz.influence.explorer import ZOO
from dtviz.product.explorer import BIASED
from dtviz.pruning.explorer import TARGETS

MODULES = [
    *(STATIC / f"computing/{name}.js" for name in ("parser", "expressions", "tables", "formulas")),
    STATIC / "hosting/functions.js",
]
MOST = 6

READ = """
(texts) => texts.map((text) => {
  try {
    const { n, table, names } = readFunction(text);
    return { n, table: Array.from(table), names };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return { rule: error.rule, at: [...text.slice(0, error.at)].length };
  }
})
"""

SIGNS = [*"&^|∧⊕∨", "and", "or", "OR", "xor", "Xor", "&&", "||", "==", "!=", "->", "<->"]
NAMES = [["x0", "x_1", "x[2]"], ["x5", "x7", "x31"], ["a", "b", "c2", "c10", "c02"], ["x0", "a"]]
NAMES += [["größe", "ß", "maj", "ite", "a"], list("abcdefgh")]
SPOILS = [*"()&|^~!,=x0123479_ \n\t.[]-<>ß²٣𝕏\u00a0\ufeff\x1f"]
SPOILS += ["not ", "maj(", "majority(", "XOR", "¬", "atleast(", "x6", "->", "0x", "q(", "ite"]


def formula(r: random.Random, depth: int, names: list[str]) -> str:
    """A formula with all operators and calls, in parentheses or not."""
    if depth == 0 or r.random() < 0.15:
        return r.choice([*names, *names, "0", "1", "True", "false", "TRUE"])
    parts = [formula(r, depth - 1, names) for _ in range(6)]
    few = parts[: r.choice([1, 3, 3, 5])]
    both = f"({parts[0]} {r.choice(SIGNS)} {parts[1]})"
    negated = r.choice(["~({})", "!({})", "¬({})", "(NOT ({}))", "(not ({}))", "~~({})"])
    forms = [
        *[both] * 4,
        *[both[1:-1]] * 3,
        *[negated.format(parts[0])] * 2,
        f"maj({', '.join(few)})",
        f"xor ( {','.join(parts[: r.randint(1, 4)])} )",
        f"ite({parts[0]}, {parts[1]},\n{parts[2]})",
        f"mux({', '.join(parts[: r.choice([3, 3, 6])])})",
        f"atleast({r.randint(1, len(few))}, {', '.join(few)})",
    ]
    return r.choice(forms)


def names_of(r: random.Random) -> list[str]:
    return r.choice([[f"x{i}" for i in range(r.randint(1, 6))], *NAMES])


def table(r: random.Random) -> str:
    n = r.randint(0, 7)
    start = r.choice(["", "0b", "0x", "0X"])
    code, hexadecimal = r.getrandbits(1 << n), start.lower() == "0x"
    digits = f"{code:0{max((1 << n) // 4, 1)}x}" if hexadecimal else f"{code:0{1 << n}b}"
    digits = r.choice([digits, digits.upper()])
    for _ in range(r.choice([0, 0, 2])):
        at = r.randint(1, len(digits))
        digits = digits[:at] + r.choice("_ ") + digits[at:]
    return r.choice(["", " "]) + start + digits + r.choice(["", " ", "\n"])


def spoiled(r: random.Random, text: str) -> str:
    """A text with a piece lost, put in or doubled."""
    for _ in range(r.choice([1, 1, 2])):
        at, length = r.randint(0, len(text)), r.choice([0, 1, 1, 3])
        text = text[:at] + r.choice(["", *SPOILS]) + text[at + length :]
    return text


def texts() -> list[str]:
    r = random.Random(18)  # noqa: S311
    found = ["", " ", "0", "1", "01", "0 1", "0x", "0b", "maj", "x[0]", " " * 4000]
    found += ["(" * 1990 + "x0" + ")" * 1990, "maj(" * 790 + "x1" + ")" * 790]
    found += ["~" * 3998 + "x0", "x0 -> " * 660 + "x1"]
    for _ in range(1000):
        text = formula(r, r.randint(1, 3), names_of(r))
        found += [text, spoiled(r, text)]
    for _ in range(300):
        signs = r.sample(SIGNS, 2)
        few = r.choices(names_of(r), k=4)
        found.append(" ".join(f"{r.choice('~  ')}{x} {r.choice(signs)}" for x in few) + " 1")
    for _ in range(400):
        text = table(r)
        found += [text, spoiled(r, text)]
    return [*found, *("".join(r.choices(SPOILS, k=r.randint(1, 12))) for _ in range(800))]


PLACE = re.compile(
    r" (?:at character (\d+)(?: of line (\d+))?|(at its end))(?:, near .*)?$", re.DOTALL
)


def by_python(text: str) -> dict[str, Any]:
    """What Python makes of a text, as the page tells it."""
    try:
        f = dt.BooleanFunction.from_text(text)
    except ValueError as error:
        message = str(error)
        rule = re.match(r"text must (.*), got ", message, re.DOTALL)
        place = PLACE.search(message)
        if rule is None or place is None:
            return {"message": message}
        if place[3]:
            return {"rule": rule[1], "at": len(text)}
        before = 0
        for _ in range(int(place[2] or 1) - 1):
            before = text.index("\n", before) + 1
        return {"rule": rule[1], "at": before + int(place[1]) - 1}
    return {"n": f.n, "table": f.table.tolist()}


def differs(page: dict[str, Any], python: dict[str, Any]) -> bool:
    """Whether the page takes a text otherwise than Python; it takes at most 6 variables."""
    result = page.get("rule", "")
    if python.get("n", 0) > MOST or "message" in python or "x23 only" in python.get("rule", ""):
        return not re.search("at most 6 variables|from x0 to x5", result)
    return any(page.get(key) != value for key, value in python.items())


def test_the_page_reads_as_python_does() -> None:
    for text, page in zip(texts(), evaluate(MODULES, READ, texts()), strict=True):
        assert not differs(page, by_python(text)), f"{text!r}: {page}"


def test_the_page_reads_and_refuses_what_python_does() -> None:
    found = evaluate(MODULES, READ, [*VALUES, *REFUSALS])
    read, refused = found[: len(VALUES)], found[len(VALUES) :]
    assert ["".join(map(str, one["table"])) for one in read] == [*VALUES.values()]
    assert [(one["rule"], one["at"]) for one in refused] == [*REFUSALS.values()]


SAY = """
(tables) => tables.map(([n, bits]) => {
  const table = Uint8Array.from(bits);
  const hex = hexText(table);
  return {
    formula: shortFormula({ n, table }),
    words: wordsOf({ n, table }),
    hex,
    back: Array.from(fromHex(n, hex)),
    text: tableText(table),
    own: Array.from(readFunction(tableText(table)).table),
  };
})
"""


def functions() -> list[dt.BooleanFunction]:
    """All of up to 2 variables, random ones, and such as depend on few variables."""
    r = random.Random(6)  # noqa: S311
    found = [dt.BooleanFunction.from_int(n, code) for n in range(3) for code in range(2**2**n)]
    found += [dt.functions.random(n, seed) for n in range(3, 7) for seed in range(15)]
    found += [dt.functions.threshold([1] * n, k) for n in range(3, 7) for k in range(1, n + 1)]
    for _ in range(80):
        terms = [
            " & ".join("~" * r.randint(0, 1) + f"x{i}" for i in r.sample(range(6), r.randint(1, 3)))
            for _ in range(r.randint(1, 3))
        ]
        found.append(dt.BooleanFunction.from_text(" | ".join(terms), 6))
    return found


def test_the_page_says_of_a_table_what_python_says() -> None:
    given = [[f.n, f.table.tolist()] for f in functions()]
    for f, page in zip(functions(), evaluate(MODULES, SAY, given), strict=True):
        known = about("", f)
        assert page["formula"] == ("" if known["formula"] == known["table"] else known["formula"])
        assert (page["words"], page["hex"]) == (known["words"], known["table"])
        assert page["back"] == page["own"] == f.table.tolist()
        assert dt.BooleanFunction.from_text(page["text"]) == f


OFFERED = {**book_functions(*ZOO, *BIASED, *TARGETS), **dt.RankExplorer().targets}


def test_the_formula_of_a_function_is_true() -> None:
    """Of every function that an explorer offers."""
    for name, f in OFFERED.items():
        known = about(name, f)
        if known["formula"] or name != "random(8, 1)":  # of 256 points, drawn at random
            names = {"variables": f.variables} if f.variables else {"n": f.n}
            assert dt.BooleanFunction.from_text(known["formula"], **names) == f
        assert known["words"]
        assert "." not in known["words"]
        assert (known["table"] is None) == (f.n > MOST)
        if known["table"]:
            assert dt.BooleanFunction.from_text(known["table"], f.n) == f


def test_a_name_of_the_book_tells_no_lies() -> None:
    """A reader may call any function majority(3)."""
    f = dt.functions.parity(3)
    assert about("majority(3)", f) == about("f", f)
    assert about("random(3, 1)", f) == about("f", f)
    assert about("tribes(2)", f)["formula"] == "x0 ^ x1 ^ x2"
    assert about("x0 & x1", f)["formula"] == "x0 ^ x1 ^ x2"
    words = about("caterpillar(9999999)", f)["words"]
    assert words == "a function of 3 variables, 1 at 4 of 8 points"
    known = about("majority(3)", dt.functions.majority(3))
    assert known["formula"] == "maj(x0, x1, x2)"
    assert known["words"] == "1 if more than half of the 3 bits are 1"
