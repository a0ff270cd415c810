"""What a formula computes, step by step: on all points at once, with few tables in hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dtviz.core.cube import Words, variable_words

__all__ = ["MUX", "Step", "evaluated", "operators_in"]

MUX = {bits + (1 << bits): bits for bits in range(1, 5)}
"""How many address bits a multiplexer of so many values has."""


class Step(NamedTuple):
    """An operator and the numbers of its operands' nodes; a leaf has a name or a constant."""

    operator: str
    operands: tuple[int, ...] = ()
    name: str = ""
    number: int = 0
    """How many values are counted so far, or are needed."""


def operators_in(node: Step) -> int:
    """How many operators a node stands for."""
    if node.operator in ("count", "atleast"):
        return 2 * node.number.bit_length()
    return 3 * len(node.operands) if node.operator in ("ite", "mux") else bool(node.operands)


def evaluated(nodes: list[Step], n: int, place: dict[str, int]) -> Words:
    """The points on which the last node is 1.

    Of two operands the one that needs more room is found first. So k of them are in hand at once
    only where 2^k leaves are, however deep the nesting is.
    """
    room: list[int] = []
    """How many tables are in hand at once while a node is found, at most."""
    kept: list[int] = []
    """How many tables a node is: a count has one for each of its digits."""
    for node in nodes:
        kept.append(node.number.bit_length() if node.operator == "count" else 1)
        needs = 0
        before = 0
        for k in sorted(node.operands, key=lambda k: kept[k] - room[k]):
            needs = max(needs, before + room[k])
            before += kept[k]
        room.append(max(needs, kept[-1]))
    size = 1 << max(n - 6, 0)
    leaves = {"0": np.zeros(size, "<u8"), "1": np.full(size, ~np.uint64(0), "<u8")}
    leaves |= {name: variable_words(n, i) for name, i in place.items()}
    for words in leaves.values():
        words.flags.writeable = False
    found: dict[int, list[Words]] = {}
    waiting = [len(nodes) - 1]
    while waiting:
        k = waiting.pop()
        if k < 0:
            node = nodes[~k]
            found[~k] = _applied(node, [found.pop(operand) for operand in node.operands])
        elif nodes[k].operands:
            last_first = sorted(nodes[k].operands, key=lambda k: room[k] - kept[k])
            waiting += [~k, *last_first]
        else:
            found[k] = [leaves[nodes[k].name or nodes[k].operator]]
    return found.popitem()[1][0]


def _applied(node: Step, parts: list[list[Words]]) -> list[Words]:
    """What a node is, made of what its operands are; these are used up."""
    if node.operator == "count":
        return _counted(*parts)
    if node.operator == "atleast":
        return [_reached(node.number, parts[0])]
    values = [words for (words,) in parts]
    if node.operator == "ite":
        return [_chosen(values[:1], [values[2], values[1]])]
    if node.operator == "mux":
        bits = MUX[len(values)]
        return [_chosen(values[:bits], values[bits:])]
    return [_combined(node.operator, values)]


def _counted(*parts: list[Words]) -> list[Words]:
    """The digits of a count, lowest first: of the values before, if any, and of one more."""
    digits = parts[0] if len(parts) == 2 else []
    (carry,) = parts[-1]
    for k, digit in enumerate(digits):
        both = digit & carry
        digits[k] = np.bitwise_xor(digit, carry, out=digit)
        carry = both
        if not carry.any():
            return digits
    return [*digits, carry if carry.flags.writeable else carry.copy()]


def _reached(needed: int, digits: list[Words]) -> Words:
    """Where a count is at least ``needed``."""
    enough = needed.bit_length() <= len(digits)
    reached = np.full_like(digits[0], ~np.uint64(0) if enough else 0)
    for k, digit in enumerate(digits if enough else []):
        merged = np.bitwise_and if needed >> k & 1 else np.bitwise_or
        merged(digit, reached, out=reached)
    return reached


def _chosen(address: list[Words], values: list[Words]) -> Words:
    """At each point the value of the number that the address bits are there, lowest bit first."""
    for bit in address:
        values = [
            ((one ^ zero) & bit) ^ zero for zero, one in zip(values[::2], values[1::2], strict=True)
        ]
    return values[0]


def _combined(operator: str, parts: list[Words]) -> Words:
    """An operator applied, in the room of an operand that nobody else reads."""
    out = next((words for words in parts if words.flags.writeable), None)
    if out is None:
        out = np.empty_like(parts[0])
    if operator in ("~", "not"):
        return np.invert(parts[0], out=out)
    a, b = parts
    if operator in ("&", "and"):
        return np.bitwise_and(a, b, out=out)
    if operator in ("|", "or"):
        return np.bitwise_or(a, b, out=out)
    if operator in ("^", "xor", "!="):
        return np.bitwise_xor(a, b, out=out)
    if operator == "->":  # wrong only in the points of a that are none of b
        np.bitwise_xor(np.bitwise_and(a, b), a, out=out)
    else:
        np.bitwise_xor(a, b, out=out)
    return np.invert(out, out=out)
