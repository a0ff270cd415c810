"""Formulas of Boolean functions: what one computes, step by step, and a short one of a truth table.

Tables that are computed on are integers, as f.code.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

NOTATION: dict[str, Any] = json.loads(
    (files("dtviz.core.boolean") / "operators.json").read_text(encoding="utf-8")
)
"""The operators: how tightly each binds, and its value at each point of its operands, 0 first.

The page's parser (``dtviz/explorers/static/computing/parser.js``) reads the same file.
"""

MUX = {bits + (1 << bits): bits for bits in range(1, 5)}
"""How many address bits a multiplexer of so many values has."""


def _select(*parts: int) -> int:
    """At each point the value of the number that the address bits are there, lowest bit first."""
    bits = MUX[len(parts)]
    values = list(parts[bits:])
    for bit in parts[:bits]:
        pairs = zip(values[::2], values[1::2], strict=True)
        values = [(one ^ zero) & bit ^ zero for zero, one in pairs]
    return values[0]


_BY_VALUES: dict[str, Callable[..., int]] = {
    "10": operator.invert,
    "0001": operator.and_,
    "0111": operator.or_,
    "0110": operator.xor,
    "1001": lambda a, b: ~(a ^ b),
    "1101": lambda a, b: ~a | b,
}

OPERATORS: dict[str, Callable[..., int]] = {
    **{sign: _BY_VALUES[known["values"]] for sign, known in NOTATION["operators"].items()},
    "xor": lambda *parts: reduce(operator.xor, parts),
    "ite": lambda a, b, c: (b ^ c) & a ^ c,
    "mux": _select,
}
"""What each makes of the tables of its operands, but for the bits beyond the last point."""


class Step(NamedTuple):
    """An operator and the numbers of its operands' nodes; a leaf has a name or a constant."""

    operator: str
    operands: tuple[int, ...] = ()
    name: str = ""
    number: int = 0
    """How many values ``atleast`` needs."""


def count_operators(node: Step) -> int:
    """How many operators a node stands for."""
    each = {"atleast": len(node.operands).bit_length(), "ite": 3, "mux": 3, "xor": 1}
    return each.get(node.operator, 1) * len(node.operands)


def evaluate(nodes: list[Step], n: int, place: dict[str, int]) -> int:
    """The points on which the last node is 1; operands stand before what they belong to."""
    every = (1 << (1 << n)) - 1
    leaves = {"0": 0, "1": every}
    leaves |= {node.name: bit_table(n, place[node.name]) for node in nodes if node.name}
    found: dict[int, int] = {}
    for k, node in enumerate(nodes):
        parts = [found.pop(i) for i in node.operands]
        if node.operator == "atleast":
            found[k] = _at_least(node.number, reduce(_add, parts, list[int]()), every)
        elif parts:
            found[k] = OPERATORS[node.operator](*parts) & every
        else:
            found[k] = leaves[node.name or node.operator]
    return found.popitem()[1]


def bit_table(n: int, i: int) -> int:
    """The points of n bits with x_i = 1: 2^i zeros, 2^i ones, and so on; repeated by doubling."""
    table = (1 << (2 << i)) - (1 << (1 << i))
    for j in range(i + 1, n):
        table |= table << (1 << j)
    return table


def _add(digits: list[int], carry: int) -> list[int]:
    """The digits of a count, lowest first, of one more value."""
    more = []
    for digit in digits:
        more.append(digit ^ carry)
        carry &= digit
    return [*more, carry] if carry or not more else more


def _at_least(needed: int, digits: list[int], every: int) -> int:
    """Where a count is at least ``needed``."""
    if needed.bit_length() > len(digits):
        return 0
    reached = every
    for k, digit in enumerate(digits):
        reached = reached & digit if needed >> k & 1 else reached | digit
    return reached


def short_formula(table: npt.NDArray[np.int8], names: Sequence[str]) -> str:
    """The shortest of what is tried: counting, an or of terms, and the negation of one."""
    if not names:
        return str(int(table[0]))
    code = int.from_bytes(np.packbits(table, bitorder="little").tobytes(), "little")
    counting = counting_formula(table, names)
    found = [counting] if counting else []
    found.append(_sum_of_terms(code, names))
    found.append(f"~({_sum_of_terms(code ^ (1 << table.size) - 1, names)})")
    return min(found, key=len)


def counting_formula(table: npt.NDArray[np.int8], names: Sequence[str]) -> str:
    """A formula of how many variables are 1: their parity or a threshold; "" if it is neither."""
    n = len(names)
    by_count = table[(1 << np.arange(n + 1)) - 1]
    if not np.array_equal(by_count[np.bitwise_count(np.arange(table.size))], table):
        return ""
    n_zeros = n + 1 - int(by_count.sum())
    parity = " ^ ".join(names)
    if np.array_equal(by_count, np.arange(n + 1) % 2):
        return parity
    if np.array_equal(by_count, np.arange(1, n + 2) % 2):
        return f"~({parity})"
    if not 1 < n_zeros < n or by_count[:n_zeros].any():
        return ""
    if 2 * n_zeros == n + 1:
        return f"maj({', '.join(names)})"
    return f"atleast({n_zeros}, {', '.join(names)})"


def _sum_of_terms(code: int, names: Sequence[str]) -> str:
    """An or of ands, the shorter ones first."""
    terms, _ = _cover(len(names), code, code)
    literals = [sorted(term.items()) for term in terms]
    literals.sort(key=lambda term: (len(term), [(i, -bit) for i, bit in term]))
    return " | ".join(
        " & ".join(("" if bit else "~") + names[i] for i, bit in term) for term in literals
    )


def _cover(n: int, low: int, high: int) -> tuple[list[dict[int, int]], int]:
    """Terms that hold wherever ``low`` is 1 and nowhere that ``high`` is 0, none of them needless.

    Recursion over the variables, the last first, after Minato (1993), "Fast generation of
    prime-irredundant covers from binary decision diagrams". Tables are integers, as ``f.code``;
    returned with the terms is where they hold.
    """
    if not low:
        return [], 0
    if high == (1 << (1 << n)) - 1:
        return [{}], high
    half = 1 << (n - 1)
    (low0, low1), (high0, high1) = ((code & (1 << half) - 1, code >> half) for code in (low, high))
    terms0, held0 = _cover(n - 1, low0 & ~high1, high0)
    terms1, held1 = _cover(n - 1, low1 & ~high0, high1)
    either, held = _cover(n - 1, low0 & ~held0 | low1 & ~held1, high0 & high1)
    terms = [{**term, n - 1: bit} for bit, part in enumerate((terms0, terms1)) for term in part]
    return terms + either, held0 | held | (held1 | held) << half
