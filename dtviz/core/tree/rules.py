"""Trees as rules and as SQL: what holds on the way to a leaf, or of one row.

They are methods of `Tree`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from dtviz.core.checks import as_repr
from dtviz.core.data.examples import code_rows, find_columns, numbers_of
from dtviz.core.data.frames import as_frame, names_of
from dtviz.core.names import Names, decimal, in_line, percent
from dtviz.core.tree.export import MAX_TEXT, TEXT, Node, digits_needed, names_for, walk
from dtviz.core.tree.nodes import TreeNodes, labels_of


@dataclass(frozen=True)
class Range:
    """What the tests on a path leave of a feature: ``above < x <= at_most``, codes, or missing."""

    above: float = -math.inf
    at_most: float = math.inf
    inside: frozenset[int] | None = None
    outside: frozenset[int] = frozenset()
    is_bit: bool = True
    may_be_there: bool = True
    may_be_missing: bool = True

    def after(self, tree: TreeNodes, node: int, *, is_high: bool) -> Range:
        """What is left on one branch of a test of the feature."""
        t, codes = float(tree.threshold[node]), tree.subsets.get(node)
        goes = tree.missing is not None and bool(tree.missing[node]) is not is_high
        left = replace(self, may_be_missing=self.may_be_missing and goes)
        if math.isinf(t):
            return replace(left, may_be_there=self.may_be_there and (t > 0) is not is_high)
        if codes is not None and is_high:
            return replace(left, outside=self.outside | codes, is_bit=False)
        if codes is not None:
            kept = codes if self.inside is None else codes & self.inside
            return replace(left, inside=kept, is_bit=False)
        is_bit = self.is_bit and tree.names.is_bit(int(tree.variable[node]), t)
        if is_high:
            return replace(left, above=max(t, self.above), is_bit=is_bit)
        return replace(left, at_most=min(t, self.at_most), is_bit=is_bit)

    @property
    def is_limited(self) -> bool:
        """Whether some test was of the value, not only of whether there is one."""
        limits = self.above, self.at_most, self.inside, self.outside
        return limits != (-math.inf, math.inf, None, frozenset())

    def codes(self, n: int) -> list[int]:
        """Which of n codes are left."""
        known = range(n) if self.inside is None else sorted(self.inside)
        return [k for k in known if self.above < k <= self.at_most and k not in self.outside]


def paths_of(tree: TreeNodes, names: Names) -> Iterator[tuple[Node, dict[int, Range]]]:
    """Yield each leaf of the walk, and what is left there of each feature tested on its path."""
    above: list[dict[int, Range]] = [{}]
    for node in walk(tree, names):
        if node.parent >= 0:
            del above[node.depth :]
            before = above[-1]
            i = int(tree.variable[node.parent])
            left = before.get(i, Range()).after(tree, node.parent, is_high=node.is_high)
            above.append({**before, i: left})
        if node.is_leaf:
            yield node, above[-1]


def join_lines(lines: Iterable[str], user: str) -> str:
    """Lines as a text, unless it is too long."""
    kept, length = [], 0
    for line in lines:
        kept.append(line)
        length += len(line) + 1
        if length > MAX_TEXT:
            msg = f"{user} needs a tree whose text has at most {MAX_TEXT:,} characters, got more"
            raise ValueError(msg)
    return "\n".join(kept)


def _say(left: Range, names: Names, i: int, digits: int) -> str:
    """What is left of a feature, in words; nothing if that is everything."""
    name = in_line(names.feature(i))
    if not left.may_be_there:
        return f"{name} is missing" + ("" if left.may_be_missing else " and not missing")
    if not left.is_limited:
        return "" if left.may_be_missing else f"{name} is not missing"
    bits, low, high = left.codes(2), math.isfinite(left.above), math.isfinite(left.at_most)
    if i in names.categories:
        codes = left.codes(len(names.categories[i]))
        if not codes and left.may_be_missing:
            return f"{name} is missing"
        text = name + (names.membership(i, codes, None) if codes else " in {}")
    elif left.is_bit and len(bits) == 1:
        text = f"{name} = {bits[0]}"
    else:
        above, at_most = (decimal(t, digits) for t in (left.above, left.at_most))
        between = f"{above} < {name} <= {at_most}" if low and high else ""
        listed = [
            between or (f"{name} > {above}" if low else f"{name} <= {at_most}" if high else ""),
            "" if left.inside is None else f"{name} in {{{_join_codes(left.inside)}}}",
            f"{name} not in {{{_join_codes(left.outside)}}}" if left.outside else "",
        ]
        text = " and ".join(filter(None, listed))
    return f"{text} or missing" if left.may_be_missing and i in names.missing else text


def _join_codes(codes: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(codes)))


def rules(tree: TreeNodes, X: Any = None, *, class_names: Any = None) -> str:
    """The tree as rules, a line for each leaf: what leads there, and what is predicted.

    All tests of a feature on the way are one condition. With examples ``X`` each rule has the
    number of those it holds for, and their share. For ``class_names`` see `to_text`.

    Examples
    --------
    >>> import dtviz as dt
    >>> ages = [[5], [20], [40], [70], [80]]
    >>> tree = dt.id3(ages, [1, 0, 1, 0, 0], feature_names=["age"])
    >>> print(tree.rules(ages))
    if age <= 12.5: 1 (1 row, 20.0%)
    if 12.5 < age <= 30: 0 (1 row, 20.0%)
    if 30 < age <= 55: 1 (1 row, 20.0%)
    if age > 55: 0 (2 rows, 40.0%)
    """
    names = names_for(tree, None, class_names)
    digits = digits_needed(tree, TEXT.digits)
    leaf = None if X is None else tree.apply(X)
    count = [] if leaf is None else np.bincount(leaf, minlength=tree.variable.size).tolist()

    def lines() -> Iterator[str]:
        for node, left in paths_of(tree, names):
            said = [_say(each, names, i, digits.get(i, TEXT.digits)) for i, each in left.items()]
            conditions = [text for text in said if text]
            if len(conditions) > 1:
                either = " or missing"
                conditions = [f"({c})" if c.endswith(either) else c for c in conditions]
            line = " and ".join(conditions)
            line = f"{'if ' + line if line else 'always'}: {node.text}"
            if leaf is not None:
                m = count[node.number]
                line += f" ({m} row{'' if m == 1 else 's'}, {percent(m / max(1, leaf.size))})"
            yield line

    return join_lines(lines(), "rules")


def explain(tree: TreeNodes, row: Any, *, class_names: Any = None) -> str:
    """The path of one row: a line for each test, with the row's value, then the prediction.

    The row has a value for each feature: by their names (``x0``, ``x1``, ... or places where they
    have none), as a dict, a row of a data frame, a frame of one row or a tuple with such names, or
    in their order. A mapping may lack what the tree does not test.

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[20, "rain"], [25, "sun"], [10, "sun"], [5, "rain"]]
    >>> tree = dt.id3(X, ["in", "out", "in", "in"], feature_names=["warm", "sky"])
    >>> print(tree.explain({"warm": 25, "sky": "sun"}))
    warm <= 22.5? no, it is 25
    prediction: out
    """
    *steps, leaf = steps_of(tree, row, names_for(tree, None, class_names))
    lines = [f"{step.text} {step.answer}" for step in steps]
    return "\n".join([*lines, f"prediction: {leaf.text}"])


class Step(NamedTuple):
    """A node on the path of a row: a question and its answer, or what the leaf says and nothing."""

    node: int
    text: str
    answer: str = ""


def steps_of(tree: TreeNodes, row: Any, names: Names) -> list[Step]:
    """The path of one row, as `explain` takes it, from the root to its leaf."""
    values = read_values(tree, row)
    try:
        leaf = int(tree.apply([values])[0])
    except ValueError as error:
        msg = f"row must be one that the tree can read: {error}"
        raise ValueError(msg) from None
    coded = np.asarray(code_rows([values], names), dtype=np.float64)[0]
    place = np.arange(tree.variable.size)
    on_path = (place <= leaf) & (leaf <= place + 2 * tree.leaves_below - 2)
    steps: list[Step] = []
    for node in walk(tree, names, ~on_path):
        if not on_path[node.number]:
            continue
        if node.parent >= 0:
            i = int(tree.variable[node.parent])
            value = decimal(float(coded[i]), 17)
            if np.isnan(coded[i]):
                value = "missing"
            elif i in names.categories:
                value = in_line(names.categories[i][int(coded[i])])
            answer = f"{node.branch}, it is {value}" if node.branch in ("yes", "no") else value
            steps[-1] = steps[-1]._replace(answer=answer)
        text = node.text
        steps.append(Step(node.number, text if node.is_leaf else text.removesuffix("?") + "?"))
    return steps


def goes_by_names(names: Names, row: Any) -> bool:
    """Whether the values of a row are those of features by their names, not by their places."""
    has_keys = hasattr(row, "keys")
    if isinstance(row, Mapping) or names_of(row) is not None or (has_keys and names.features):
        return True
    keys = [*map(str, row.keys() if has_keys else getattr(row, "_fields", ()))]
    return bool(numbers_of(keys) if names.features is None else {*keys} & {*names.features})


def read_values(tree: TreeNodes, row: Any, called: str = "row") -> list[Any]:
    """The values of one row in the order of the features; of those not tested, any."""
    names, highest = tree.names, int(tree.variable.max())
    n = highest + 1 if names.features is None else len(names.features)
    try:
        frame = as_frame(row, lambda titles: find_columns(titles, names))
    except ValueError as error:
        raise ValueError(str(error).replace("X", called, 1)) from None
    if frame is not None and frame.columns and frame.columns[0].size == 1:
        return [None if c.missing is not None else c.values.item() for c in frame.columns]
    if hasattr(row, "to_dict"):  # a row of a pandas data frame
        row = row.to_dict()
    elif hasattr(row, "_asdict") and goes_by_names(names, row):  # or what its itertuples yields
        row = row._asdict()
    if isinstance(row, Mapping):
        named = {str(key): value for key, value in row.items()}  # as a frame's names are read
        row = named if named.keys() & set(names.features or ()) else row
        keys = [names.feature(i) if names.feature(i) in row else i for i in range(n)]
        tested = {*tree.variable.tolist()} - {-1}
        absent = [i for i in sorted(tested) if keys[i] not in row]
        if absent:
            name = names.feature(absent[0])
            msg = f"{called} must have a value for each feature that the tree tests, got none for "
            raise ValueError(f"{msg}{name}: {as_repr(row)}")
        values = [
            row[keys[i]] if i in tested else names.categories.get(i, [0])[0] for i in range(n)
        ]
    else:
        is_row = isinstance(row, Iterable) and not isinstance(row, (str, bytes, AbstractSet))
        values = list(row) if is_row else []
        if len(values) < n or (names.features is not None and len(values) > n):
            msg = f"{called} must be a mapping or a sequence of {n} values, one for each feature"
            raise ValueError(f"{msg}, got {as_repr(row)}")
    if any(isinstance(value, (Mapping, list, tuple, np.ndarray)) for value in values):
        msg = f"{called} must be one row, a value for each feature, got {as_repr(row)}"
        raise ValueError(msg)
    return values


def to_sql(tree: TreeNodes, *, class_names: Any = None) -> str:
    """The tree as an expression of standard SQL: a CASE with a condition for each leaf.

    Columns are called as the features, ``x0``, ``x1``, ... without names; they hold numbers (0 and
    1 for truth values), or the names of categories. NULL is a missing value. The expression is NULL
    for what `predict` refuses: an unknown category, or NULL where the tree has no way for it.
    Classes are text where they have names, see `to_text`; ``class_names=()`` writes the labels,
    which are text or finite numbers.

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
    names = names_for(tree, None, class_names)
    labels = {}
    given = labels_of(tree, "to_sql")[tree.leaves].tolist()
    for leaf, label in zip(tree.leaves.tolist(), given, strict=True):
        if not isinstance(label, (str, bool, int, float)) or label in (math.inf, -math.inf):
            msg = "to_sql needs labels that are text, truth values or finite numbers, got "
            raise ValueError(msg + as_repr(label))
        labels[leaf] = _in_sql(names.call_label(label))
    if tree.variable[0] < 0:
        return labels[0]

    def lines() -> Iterator[str]:
        yield "CASE"
        for node, left in paths_of(tree, names):
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
