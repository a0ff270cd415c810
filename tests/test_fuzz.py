"""Every public function under generated arguments: a right answer, or a word of what is wrong.

What is called, and with what, stands in `support.fuzz`. Samples in all their types are the business
of `test_forms`.
"""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections import defaultdict
from collections.abc import Callable
from types import FunctionType, MethodType

import numpy as np
import pytest
from support.fuzz import core, growing, impurity, plot, product, pruning, rank
from support.fuzz.args import dyadic, number
from support.fuzz.drive import Row, drive

import dtviz as dt
from dtviz.chapters import CHAPTERS
from dtviz.core.checks import as_real

ROOMS = (core, rank, product, impurity, growing, pruning, plot)
ROWS = [row for room in ROOMS for row in room.ROWS]

SLOW = (dt.plot.tree, dt.plot.growth)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.name, marks=[pytest.mark.thorough] if row.public in SLOW else [])
        for row in ROWS
    ],
)
def test_each_call_is_right_or_refused_by_name(row: Row) -> None:
    faults = drive(row)
    assert faults == []


# -- nothing is left out ---------------------------------------------------------------------------


def functions() -> dict[object, str]:
    """The public functions, and the methods of public classes, with a name of each.

    Arguments of an explorer are traits, which tests/explorers drive.
    """
    found: dict[object, str] = {}
    for room in (*("dtviz" if room == "" else f"dtviz.{room}" for room in ("", *CHAPTERS, "plot")),
                 "dtviz.core.functions", "dtviz.core.data.datasets"):  # fmt: skip
        package = importlib.import_module(room)
        for name in package.__all__:
            value = getattr(package, name)
            if isinstance(value, FunctionType):
                found.setdefault(value, f"{room}.{name}")
            elif inspect.isclass(value) and not name.endswith(("Explorer", "Error")):
                for key, member in inspect.getmembers(value, callable_of_ours):
                    if not key.startswith("_"):
                        of = getattr(member, "__func__", member)
                        found.setdefault(of, f"{value.__name__}.{key}")
    return found


def callable_of_ours(member: object) -> bool:
    of = isinstance(member, (FunctionType, MethodType))
    return of and str(getattr(member, "__module__", "")).startswith("dtviz.")


LEFT = {
    "BooleanFunction.from_": "texts, files, diagrams: test_bad_input, tests/core/test_formats",
    "show_source": "functions of the package: tests/core/test_source_listing",
    "table": "rows, header and formats: tests/core/test_table",
    "Tree.from_dict": "each part of a dictionary: test_bad_input",
    "Tree.leaf": "labels of every kind: test_bad_input",
    "Tree.split": "trees that do or do not fit: test_bad_input",
    "predict_proba": "samples that fit a tree: tests/core/test_node_sums",
    "feature_importances": "which tree, as of tree(): tests/core/test_node_sums",
    "permutation_importance": "samples that fit a tree: tests/core/test_node_sums",
    "contributions": "rows of every form: tests/core/test_tree_rules",
    "Tree.relabel": "matrices of losses: tests/pruning/test_losses",
    "Tree.altered": "arrays over nodes, which the package makes",
    "Tree.explain": "rows of every form: tests/core/test_tree_rules",
    "Tree.rules": "samples that fit a tree: tests/core/test_tree_rules",
    "Tree.score": "samples that fit a tree: tests/core/test_tree_rules",
    "Pruning.predict": "samples that fit a tree: tests/core/test_tree_rules",
    "Tree.labelled": "arrays over nodes, which the package makes",
    "Tree.cut": "masks over nodes, which the package makes",
    "GrowthPath.totals": "arrays over nodes, which the package makes",
    "GrowthPath.way": "a step of the package's own loop",
    "ImpurityPath.way": "a step of the package's own loop",
    "NodeCounts": "arrays over nodes, which the package makes",
    "TopDown": "samples: test_forms and tests/impurity/test_estimators",
    "label_line": "its axes are made by the row",
    "plot.regions": "samples that fit a tree: tests/plot/test_regions",
    "plot.path": "samples that fit a tree: tests/plot/test_paths",
}


def missing() -> dict[str, set[str]]:
    """The arguments of public functions that no row has."""
    driven: defaultdict[object, set[str]] = defaultdict(set)
    for row in ROWS:
        driven[row.public].update(*map(row.drawn, range(row.rounds)))
    found = {}
    for function, name in functions().items():
        short = name.removeprefix("dtviz.").rpartition("dtviz.")[2]
        is_method = re.search(r"\b[A-Z]\w*\.\w+$", short) is not None
        arguments = {*[*inspect.signature(function).parameters][is_method:]} - {"self", "cls"}
        spared = any(part in short for part in LEFT)
        if arguments - driven[function] and not spared:
            found[short] = arguments - driven[function]
    return found


def test_every_public_function_is_called_with_each_of_its_arguments() -> None:
    assert missing() == {}


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    names = [name.removeprefix("dtviz.") for name in functions().values()]
    assert [part for part in LEFT if not any(part in name for name in names)] == []


# -- the fuzz bites --------------------------------------------------------------------------------


def halved(value: object) -> float:
    """What is right: half of a number in [0, 8)."""
    return as_real("value", value, "[0, 8)", lambda v: 0 <= v < 8) / 2


def warned(value: object) -> float:
    if value == 0:
        warnings.warn("nothing to halve", stacklevel=1)
    return halved(value)


PLANTED = {
    "takes junk": (lambda value: halved(2 if value is None else value), "no good, but used"),
    "Python's own words": (lambda value: halved(value + 0), "TypeError: unsupported operand"),
    "NumPy's own words": (lambda value: halved(np.sqrt(value) ** 2), "TypeError"),
    "another name": (
        lambda value: as_real("x", value, "[0, 8)", lambda v: 0 <= v < 8) / 2,
        "does not name value",
    ),
    "too strict": (lambda value: halved(value or -1), "good, but refused"),
    "too lax": (lambda value: halved(abs(value) if value == -1 else value), "no good, but used"),
    "another answer for a type": (
        lambda value: halved(value) + isinstance(value, np.float32),
        "another answer",
    ),
    "not the literal answer": (lambda value: halved(value) + 1, ", not "),
    "a warning": (warned, "UserWarning: nothing to halve"),
}


def row_of(function: Callable[..., object]) -> Row:
    return Row(
        function,
        lambda r: {"value": number(dyadic(r, 0, 8), lambda v: 0 <= v < 8, 0.0, 8.0)},
        lambda value: value / 2,
    )


def test_what_is_right_passes() -> None:
    assert drive(row_of(halved)) == []


@pytest.mark.parametrize("name", PLANTED)
def test_planted_faults_are_found(name: str) -> None:
    function, words = PLANTED[name]
    assert any(words in fault for fault in drive(row_of(function)))


def test_a_function_that_nobody_calls_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dt.rank, "forgotten", halved, raising=False)
    monkeypatch.setattr(dt.rank, "__all__", [*dt.rank.__all__, "forgotten"])
    assert missing() == {"rank.forgotten": {"value"}}
