"""Functions as text: the page reads them as Python does; what explorers say of functions is true."""

from __future__ import annotations

import random
import re
import string
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
import traitlets
from support.node import evaluate

import dtviz as dt
from dtviz.core.texts import read_text
from dtviz.explorers.base import STATIC
from dtviz.explorers.functions import Chosen, about, formula_of, told
from dtviz.influence.explorer import ZOO
from dtviz.product.explorer import BIASED
from dtviz.pruning.explorer import TARGETS

MODULES = [STATIC / name for name in ("parser.js", "expressions.js", "functions.js")]
Fault = tuple[str, str] | None
MOST = 6

READ = """
(texts) => texts.map((text) => {
  try {
    const { n, table, names } = readFunction(text);
    return { n, table: Array.from(table), names };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return { rule: error.rule, at: [...text.slice(0, error.at)].length, got: text.slice(error.at, error.at + error.length) };
  }
})
"""

# --- texts ----------------------------------------------------------------------------------------

SIGNS = ["&", "^", "|", "and", "or", "&&", "||", "==", "!=", "->", "<->"]


def formula(r: random.Random, depth: int, names: list[str]) -> str:
    """A formula with all operators and calls, in parentheses or not."""
    if depth == 0 or r.random() < 0.15:
        return r.choice([*names, *names, "0", "1", "True", "False"])

    def part() -> str:
        return formula(r, depth - 1, names)

    kind = r.randrange(12)
    if kind < 4:
        text = f"({part()} {r.choice(SIGNS)} {part()})"
        return text[1:-1] if r.random() < 0.2 else text
    if kind < 6:
        return (
            r.choice(["~", "!", "~ ~", "(not {})"]).format(part()) if False else negated(r, part())
        )
    if kind == 6:
        return f"maj({', '.join(part() for _ in range(r.choice([1, 3, 3, 5])))})"
    if kind == 7:
        return f"xor ( {','.join(part() for _ in range(r.randint(1, 4)))} )"
    if kind == 8:
        return f"ite({part()}, {part()},\n{part()})"
    if kind == 9:
        return f"mux({', '.join(part() for _ in range(r.choice([3, 3, 6])))})"
    values = [part() for _ in range(r.randint(1, 5))]
    return f"atleast({r.randint(1, len(values))}, {', '.join(values)})"


def negated(r: random.Random, text: str) -> str:
    return r.choice([f"~({text})", f"!({text})", f"(not ({text}))", f"~~({text})"])


def names_of(r: random.Random) -> list[str]:
    return r.choice(
        [
            [f"x{i}" for i in range(r.randint(1, 6))],
            ["x0", "x_1", "x[2]"],
            ["x5", "x7", "x31"],
            ["a", "b", "c2", "c10", "c02"],
            ["größe", "ß", "maj", "xor", "a"],
            list("abcdefgh"),
            ["x0", "a"],
        ]
    )


def table(r: random.Random) -> str:
    n = r.randint(0, 7)
    kind = r.choice(["bits", "0b", "0x", "0X"])
    code = r.getrandbits(1 << n)
    if kind in ("0x", "0X"):
        digits = f"{code:0{max((1 << n) // 4, 1)}{'x' if r.random() < 0.5 else 'X'}}"
    else:
        digits = f"{code:0{1 << n}b}"
    for _ in range(r.choice([0, 0, 2])):
        at = r.randint(1, len(digits))
        digits = digits[:at] + r.choice("_ ") + digits[at:]
    return (
        r.choice(["", " "]) + ("" if kind == "bits" else kind) + digits + r.choice(["", " ", "\n"])
    )


SPOILS = [
    *"()&|^~!,=x0123479_ \n\t.[]-<>ß²٣𝕏\u00a0\ufeff\x1f",
    "not ",
    "maj(",
    "atleast(",
    "x6",
    "->",
    "0x",
    "q(",
    "ite",
]


def spoilt(r: random.Random, text: str) -> str:
    """A text with a piece lost, put in or doubled."""
    for _ in range(r.choice([1, 1, 2])):
        at = r.randint(0, len(text))
        length = r.choice([0, 1, 1, 3])
        text = text[:at] + r.choice(["", *SPOILS]) + text[at + length :]
    return text


@cache
def texts() -> list[str]:
    r = random.Random(18)
    found = [
        "",
        " ",
        "0",
        "1",
        "01",
        "0 1",
        "0x",
        "0b",
        "maj",
        "x[0]",
        "(" * 3000 + "x0" + ")" * 3000,
    ]
    found += [
        "maj(" * 2000 + "x1" + ")" * 2000,
        "~" * 9999 + "x0",
        "x0 -> " * 3000 + "x1",
        " " * 19_000,
    ]
    for _ in range(1500):
        text = formula(r, r.randint(1, 3), names_of(r))
        found += [text, spoilt(r, text)]
    for _ in range(400):
        text = table(r)
        found += [text, spoilt(r, text)]
    found += ["".join(r.choices(SPOILS, k=r.randint(1, 12))) for _ in range(1000)]
    return found


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


def differs(text: str, page: dict[str, Any]) -> bool:
    """Whether the page takes a text otherwise than Python; it takes at most 6 variables."""
    python = by_python(text)
    if python.get("n", 0) > MOST or "message" in python or "x23 only" in python.get("rule", ""):
        return "rule" not in page or not re.search(
            "at most 6 variables|from x0 to x5", page["rule"]
        )
    if "rule" in page and "from x0 to x5" in page["rule"]:
        return True
    return any(page.get(key) != value for key, value in python.items())


def wrong_reading(fault: Fault = None) -> list[str]:
    told = evaluate(MODULES, READ, texts(), fault=fault)
    return [
        f"{text!r}: {page}" for text, page in zip(texts(), told, strict=True) if differs(text, page)
    ]


def test_the_page_reads_as_python_does():
    assert wrong_reading() == []


FAULTS = {
    "precedence": ('"&": 8, "^": 7', '"&": 7, "^": 8'),
    "a chain of implications": ('if (this.top === "->" && kind === "->") break;', ""),
    "mixed signs": ("const mixed = parts.find", "const mixed = [].find"),
    "a tied vote": ('name === "maj" && count % 2 === 0', 'name === "maj" && count < 1'),
    "at least": ("Number(ones >= needed)", "Number(ones > needed)"),
    "the address": ("found[operands[k]][x] << k", "found[operands[k]][x] << (bits - 1 - k)"),
    "digits of a number": ("base ? values.reverse() : values", "values"),
    "the order of names": ("left[k].length - right[k].length ||", ""),
    "where it stands": ("found[0].length - written.length", "found[0].length - 1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_page_that_reads_otherwise_is_found(fault):
    assert wrong_reading(FAULTS[fault])
