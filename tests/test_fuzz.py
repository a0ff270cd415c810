"""Every public function under generated arguments: a right answer, or a word of what is wrong.

What is called, and with what, stands in `support.fuzz`. Samples in all their types are the business
of `test_forms`.
"""

from __future__ import annotations

import importlib
import inspect
from collections import defaultdict
from types import FunctionType, MethodType

import numpy as np
import pytest
from support.fuzz import core, growing, impurity, plot, product, pruning, rank
from support.fuzz.args import number, numbers, whole
from support.fuzz.drive import Arg, Row, drive

import dtviz as dt
from dtviz.chapters import CHAPTERS

ROOMS = (core, rank, product, impurity, growing, pruning, plot)
ROWS = [row for room in ROOMS for row in room.ROWS]

KNOWN = {
    row.name: ("cost = ",)
    for row in ROWS
    if row.public in (dt.grow, dt.id3, dt.threshold_scan, dt.impurity.best_split)
}
"""What begins the faults that are known and not mended: ``cost`` is looked up in a tuple, which
compares arrays with text."""


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_each_call_is_right_or_refused_by_name(row: Row) -> None:
    faults = drive(row)
    known = KNOWN.get(row.name, ())
    assert [fault for fault in faults if not fault.startswith(known)] == []
    assert len(faults) >= len(known), "mended: take it off the list"


# -- nothing is left out ---------------------------------------------------------------------------


def functions() -> dict[object, str]:
    """The public functions, and the methods of public classes, with a name of each.

    Arguments of an explorer are traits, which tests/explorers drive.
    """
    found: dict[object, str] = {}
    for room in (*("dtviz" if room == "" else f"dtviz.{room}" for room in ("", *CHAPTERS, "plot")),
                 "dtviz.core.functions"):  # fmt: skip
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
    "BooleanFunction.from_": "texts, files and diagrams: test_bad_input and tests/core/test_formats",
    "check": "the IDs of claims: tests/claims",
    "show_source": "functions of the package: tests/core/test_listing",
    "from_lightgbm": "boosters and what they dump: tests/core/test_boosters",
    "Tree.from_dict": "each part of a dictionary: test_bad_input",
    "Tree.leaf": "labels of every kind: test_bad_input",
    "Tree.split": "trees that do or do not fit: test_bad_input",
    "Tree.labelled": "arrays over nodes, which the package makes",
    "Tree.cut": "masks over nodes, which the package makes",
    "Tree.condition": "a node on a walk of the package's",
    "Tree.branches": "a node on a walk of the package's",
    "GrowthPath.totals": "arrays over nodes, which the package makes",
    "GrowthPath.way": "a step of the package's own loop",
    "ImpurityPath.way": "a step of the package's own loop",
    "NodeCounts": "arrays over nodes, which the package makes",
    "TopDown": "samples: test_forms and tests/impurity/test_estimators",
    "label_line": "its axes are made by the row",
}


def test_every_public_function_is_called_with_each_of_its_arguments() -> None:
    driven: defaultdict[object, set[str]] = defaultdict(set)
    for row in ROWS:
        driven[row.public].update(*map(row.drawn, range(row.rounds)))
    missing = {}
    for function, name in functions().items():
        arguments = {*inspect.signature(function).parameters} - {"self", "cls"}
        short = name.removeprefix("dtviz.").rpartition("dtviz.")[2]
        spared = any(part in short for part in LEFT)
        if arguments - driven[function] and not spared:
            missing[short] = arguments - driven[function]
    assert missing == {}
