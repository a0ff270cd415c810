"""Normal forms and decision diagrams, tabulated."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_index, as_list, shown
from dtviz.core.cube import as_dimension, cube_words, unpacked

__all__ = ["MAX_TERMS", "tabulated_bdd", "tabulated_clauses", "tabulated_terms"]

MAX_TERMS = 1 << 20
"""The most terms, clauses, rows of a file or nodes of a diagram: some seconds."""

_POINTS = 1 << 18
"""How many points walk through a diagram at once."""

_OPPOSITE = str.maketrans("01", "10")


def tabulated_terms(n: int, terms: object) -> npt.NDArray[np.int8]:
    """The truth table of an or of terms; `BooleanFunction.from_dnf` tells what a term may be."""
    return unpacked(n, cube_words(n, _cubes(n, "terms", terms)))


def tabulated_clauses(n: int, clauses: object) -> npt.NDArray[np.int8]:
    """The truth table of an and of clauses: 0 where all literals of some clause fail."""
    failing = [cube.translate(_OPPOSITE) for cube in _cubes(n, "clauses", clauses)]
    return unpacked(n, ~cube_words(n, failing))


def _cubes(n: int, name: str, given: Any) -> list[str]:
    """Terms or clauses, each once, as texts of n characters."""
    rule = f"a sequence of mappings {{variable: bit}}, or of texts of n = {n} characters 0, 1, -"
    rows = as_list(name, list(given) if isinstance(given, AbstractSet) else given, rule, MAX_TERMS)
    return list(dict.fromkeys(_cube(n, f"{name}[{k}]", row) for k, row in enumerate(rows)))


def _cube(n: int, name: str, row: Any) -> str:
    """One term or clause as a text: a mapping or such a text."""
    if isinstance(row, str) and len(row) == n and set(row) <= set("01-"):
        return str(row)
    if not isinstance(row, Mapping):
        msg = (
            f"{name} must be a mapping {{variable: bit}} or a text of n = {n} characters "
            f"0, 1, -, got {shown(row)}"
        )
        raise ValueError(msg)
    bits = ["-"] * n
    for i, bit in row.items():
        place = as_index(f"each variable of {name}", i, n)
        if not isinstance(bit, (Real, np.bool_)) or bit not in (0, 1):
            msg = f"{name} must have bits 0 or 1, got {shown(bit)} in {shown(row)}"
            raise ValueError(msg)
        bits[place] = "1" if bit else "0"
    return "".join(bits)


def tabulated_bdd(n: int, nodes: object, root: object) -> npt.NDArray[np.int8]:
    """The truth table of a diagram; `BooleanFunction.from_bdd` tells what it may be."""
    n = as_dimension(n)
    known = _checked_nodes(n, nodes)
    start = _root(known, root)
    order = _children_first(known, start)
    place: dict[Hashable, int] = {0: 0, 1: 1}
    place |= {node: k for k, node in enumerate(order, start=2)}
    # The terminals lead to themselves, so that every point may take the longest path.
    variable, low, high = [0, 0], [0, 1], [0, 1]
    below, depth = [0, 0], [0, 0]
    for node in order:
        i, a, b = known[node]
        tested = below[place[a]] | below[place[b]]
        if tested >> i & 1:
            msg = f"nodes must test no variable twice on a path, got x{i} below {shown(node)} too"
            raise ValueError(msg)
        below.append(tested | 1 << i)
        depth.append(1 + max(depth[place[a]], depth[place[b]]))
        variable.append(i)
        low.append(place[a])
        high.append(place[b])
    child = np.array([low, high], dtype=np.int32)
    tests = np.array(variable, dtype=np.uint8)
    table = np.empty(1 << n, dtype=np.int8)
    for first in range(0, 1 << n, _POINTS):
        x = np.arange(first, min(first + _POINTS, 1 << n), dtype=np.uint32)
        at = np.full(x.size, place[start], dtype=np.int32)
        for _ in range(depth[place[start]]):
            at = child[x >> tests[at] & 1, at]
        table[x[0] : x[0] + x.size] = at
    return table


_Diagram = dict[Hashable, tuple[int, Hashable, Hashable]]


def _is_terminal(node: Hashable) -> bool:
    return isinstance(node, (int, np.integer, np.bool_)) and node in (0, 1)


def _checked_nodes(n: int, nodes: Any) -> _Diagram:
    """The nodes, each with a variable of the function and two children that are there."""
    if not isinstance(nodes, Mapping):
        msg = f"nodes must be a mapping of node to (variable, low, high), got {shown(nodes)}"
        raise ValueError(msg)
    if len(nodes) > MAX_TERMS:
        msg = f"nodes must be at most {MAX_TERMS}, got {len(nodes)}"
        raise ValueError(msg)
    known: _Diagram = {}
    for node, entry in nodes.items():
        if node in (0, 1):
            msg = f"nodes must leave 0 and 1 to the terminals, got {shown(node)} as a node"
            raise ValueError(msg)
        if not isinstance(entry, (tuple, list)) or len(entry) != 3:
            msg = f"nodes must map to (variable, low, high), got {shown(entry)} for {shown(node)}"
            raise ValueError(msg)
        i, *children = entry
        for child in children:
            there = isinstance(child, Hashable) and (_is_terminal(child) or child in nodes)
            if not there:
                msg = f"nodes must lead to nodes, 0 or 1, got {shown(child)} below {shown(node)}"
                raise ValueError(msg)
        known[node] = (as_index(f"the variable of nodes[{shown(node)}]", i, n), *children)
    return known


def _root(known: _Diagram, root: Any) -> Hashable:
    if root is not None:
        if not isinstance(root, Hashable) or not (_is_terminal(root) or root in known):
            msg = f"root must be one of the nodes, 0 or 1, got {shown(root)}"
            raise ValueError(msg)
        return root
    children = {child for _, low, high in known.values() for child in (low, high)}
    tops = [node for node in known if node not in children]
    if len(tops) != 1:
        msg = f"root must be given unless one node alone is below no other, got {shown(tops)}"
        raise ValueError(msg)
    return tops[0]


def _children_first(known: _Diagram, root: Hashable) -> list[Hashable]:
    """The nodes below the root and itself, each after its children; a cycle is refused."""
    order: list[Hashable] = []
    state: dict[Hashable, str] = {}
    waiting = [] if _is_terminal(root) else [root]
    while waiting:
        node = waiting[-1]
        if state.get(node) == "done":
            waiting.pop()
            continue
        if state.get(node) == "open":
            state[node] = "done"
            order.append(waiting.pop())
            continue
        state[node] = "open"
        for child in known[node][1:]:
            if not _is_terminal(child) and state.get(child) != "done":
                if state.get(child) == "open":
                    msg = f"nodes must not lead back to themselves, got {shown(child)} below itself"
                    raise ValueError(msg)
                waiting.append(child)
    return order
