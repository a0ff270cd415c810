"""Trees as programs: a Python function, and an expression of SQL. They are methods of `Tree`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dtviz.core.checks import as_repr
from dtviz.core.data.examples import codes_of_numbers
from dtviz.core.export import walk
from dtviz.core.names import Names
from dtviz.core.tree_arrays import TreeNodes, labels_of
from dtviz.core.tree_rules import Range, join_lines, paths_of

MAX_INDENT = 95
"""The deepest indentation of a Python function: Python reads no more than 100 levels."""


def _literals(tree: TreeNodes, user: str, write: Callable[[Any], str]) -> list[str]:
    """The labels of all nodes as literals of a language."""
    labels = labels_of(tree, user)[tree.leaves].tolist()
    for label in labels:
        if not isinstance(label, (str, bool, int, float)) or label in (math.inf, -math.inf):
            msg = f"{user} needs labels that are text, truth values or finite numbers, got "
            raise ValueError(msg + as_repr(label))
    literals = [""] * tree.variable.size
    for leaf, label in zip(tree.leaves.tolist(), labels, strict=True):
        literals[leaf] = write(label)
    return literals


def to_python(tree: TreeNodes) -> str:
    """The source of a Python function, ``predict(row)``, that needs the standard library alone.

    A row has its values by name where the tree's features have names, else by place. The function
    does what `predict` does, for one row: it knows categories by their names or their codes, sends
    None and NaN where the tree sends missing values, and refuses an unknown category, or a missing
    value where the tree has no way for it. Features that the tree does not test are not looked at.

    Raises
    ------
    ValueError
        If the tree is bare, its labels are neither text nor finite numbers, or its tests nest
        deeper than Python reads, in 94 low branches of a path.

    Examples
    --------
    >>> import dtviz as dt
    >>> print(dt.Tree.split(0, dt.Tree.leaf("no"), dt.Tree.leaf("yes"), 2.5).to_python())
    def read(value, codes=None):
        if value is None or value != value:
            raise ValueError("a value is missing, and the tree has no way for it")
        if codes is not None and value in codes:
            return codes[value]
        if codes is not None or isinstance(value, str):
            raise ValueError(f"{value!r} is no {'category' if codes else 'number'}")
        return float(value)
    <BLANKLINE>
    <BLANKLINE>
    def predict(row):
        x0 = read(row[0])
        if x0 <= 2.5:
            return 'no'
        return 'yes'
    """
    labels, names = _literals(tree, "to_python", repr), tree.names
    tested = [i for i in np.unique(tree.variable).tolist() if i >= 0]
    absent = 'raise ValueError("a value is missing, and the tree has no way for it")'
    if tree.missing is not None:
        absent = 'return float("nan")'
    lines = [
        "def read(value, codes=None):",
        "    if value is None or value != value:",
        f"        {absent}",
        "    if codes is not None and value in codes:",
        "        return codes[value]",
        "    if codes is not None or isinstance(value, str):",
        "        raise ValueError(f\"{value!r} is no {'category' if codes else 'number'}\")",
        "    return float(value)",
        *("", ""),
        "def predict(row):",
    ]
    for i in tested:
        entry = f"row[{i if names.features is None else repr(names.features[i])}]"
        if i in names.categories:
            kinds = names.categories[i]
            numbers = codes_of_numbers(kinds) or {k: k for k in range(len(kinds))}
            codes = {kind: k for k, kind in enumerate(kinds)} | numbers
            entry += f", {codes!r}"
        lines.append(f"    x{i} = read({entry})")
    indents = [1]
    for node in walk(tree, names):
        if node.depth > 0:
            del indents[node.depth :]
            indents.append(indents[-1] + (not node.is_high))
        if indents[-1] > MAX_INDENT:
            msg = f"to_python needs a tree of at most {MAX_INDENT - 1} low branches on a path"
            raise ValueError(f"{msg}, got depth {len(tree.levels) - 1}")
        line = f"return {labels[node.number]}"
        if not node.is_leaf:
            i = int(tree.variable[node.number])
            line = f"if {_in_python(tree, node.number, i)}:"
            line += f"  # {node.text}" if i in names.categories else ""
        lines.append("    " * indents[-1] + line)
    return "\n".join(lines)


def _in_python(tree: TreeNodes, node: int, i: int) -> str:
    """What holds on the low branch, in Python; only NaN differs from itself."""
    t = float(tree.threshold[node])
    if math.isinf(t):
        return f"x{i} != x{i}" if t < 0 else f"x{i} == x{i}"
    text = f"x{i} <= {t!r}"
    if node in tree.subsets:
        text = f"x{i} in {tuple(sorted(tree.subsets[node]))!r}"
    is_low = tree.missing is not None and tree.missing[node]
    return f"{text} or x{i} != x{i}" if is_low else text


def to_sql(tree: TreeNodes) -> str:
    """The tree as an expression of standard SQL: a CASE with a condition for each leaf.

    Columns are called as the features, ``x0``, ``x1``, ... without names; they hold numbers (0 and
    1 for truth values), or the names of categories. NULL is a missing value. The expression is NULL
    for what `predict` refuses: an unknown category, or NULL where the tree has no way for it.

    Raises
    ------
    ValueError
        If the tree is bare, its labels are neither text nor finite numbers, a name or a label has a
        null character, or the text has more than 20,000,000 characters.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.id3([[5], [20], [40]], ["low", "high", "low"], feature_names=['my "real" age'])
    >>> print(tree.to_sql())
    CASE
      WHEN "my ""real"" age" <= 12.5 THEN 'low'
      WHEN "my ""real"" age" > 12.5 AND "my ""real"" age" <= 30.0 THEN 'high'
      WHEN "my ""real"" age" > 30.0 THEN 'low'
    END
    """
    labels, names = _literals(tree, "to_sql", _in_sql), tree.names
    if tree.variable[0] < 0:
        return labels[0]

    def lines() -> Iterator[str]:
        yield "CASE"
        for node, left in paths_of(tree):
            held = [_sql_condition(each, names, i) for i, each in left.items()]
            text = " AND ".join(filter(None, held)) or "1 = 1"
            yield f"  WHEN {text} THEN {labels[node.number]}"
        yield "END"

    return join_lines(lines(), "to_sql")


def _in_sql(value: Any, mark: str = "'") -> str:
    """A label as a literal of SQL, or a name in other quotation marks."""
    if not isinstance(value, str):
        return str(value).upper() if isinstance(value, bool) else repr(value)
    if "\0" in value:
        msg = f"to_sql needs names and labels without null characters, got {as_repr(value)}"
        raise ValueError(msg)
    return mark + value.replace(mark, 2 * mark) + mark


def _sql_condition(left: Range, names: Names, i: int) -> str:
    """What is left of a feature, in SQL; nothing if that is everything."""
    name = _in_sql(names.feature(i), '"')
    if not left.may_be_there:
        return f"{name} IS NULL" if left.may_be_missing else "1 = 0"
    if not left.is_limited:
        return "" if left.may_be_missing else f"{name} IS NOT NULL"
    kinds = names.categories.get(i)
    inside, outside = left.inside, left.outside
    parts = []
    if kinds is not None:
        inside, outside = frozenset(left.codes(len(kinds))), frozenset()
    else:
        parts += [f"{name} > {left.above!r}"] if math.isfinite(left.above) else []
        parts += [f"{name} <= {left.at_most!r}"] if math.isfinite(left.at_most) else []
    for codes, word in ((inside, "IN"), (outside or None, "NOT IN")):
        if codes is not None:
            listed = [str(k) if kinds is None else _in_sql(kinds[k]) for k in sorted(codes)]
            parts.append(f"{name} {word} ({', '.join(listed)})" if codes else "1 = 0")
    text = " AND ".join(parts)
    return f"({text} OR {name} IS NULL)" if left.may_be_missing else text
