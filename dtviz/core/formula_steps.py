"""What a formula computes, step by step, on all points at once: tables are integers, as f.code."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

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


OPERATORS: dict[str, Callable[..., int]] = {
    **dict.fromkeys(("~", "not"), operator.invert),
    **dict.fromkeys(("&", "and"), operator.and_),
    **dict.fromkeys(("|", "or"), operator.or_),
    **dict.fromkeys(("^", "xor", "!="), lambda *parts: reduce(operator.xor, parts)),
    **dict.fromkeys(("==", "<->"), lambda a, b: ~(a ^ b)),
    "->": lambda a, b: ~a | b,
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
    # The points with x_i = 0 are 2^i ones, 2^i zeros, and so on.
    leaves |= {name: every ^ every // ((1 << (1 << i)) + 1) for name, i in place.items()}
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
