"""No tree of chapters 4 to 7 grows, is pruned or is chosen on a passenger of the test set.

In chapters 4 and 5 also on none of the second sample.
"""

from __future__ import annotations

import functools
import json
import re
import sys
from dataclasses import replace
from functools import wraps
from inspect import isfunction, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree

import dtviz as dt
from dtviz.explorers import planes
from dtviz.impurity import explorer as impurity_explorer
from dtviz.pruning import explorer as pruning_explorer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGES = [p for p in sorted(BOOK.glob("[4-7]-*/*.ipynb")) if "titanic" in p.read_text("utf-8")]
DECLARED = {
    "judge-seed-run": "For this figure alone, rows of our test set grow trees",
    "many-measure": "it may use all passengers",
}
"""Cells that grow trees on all passengers, and what their page says of that."""
JUDGES = {"accuracy", "path_scores", "r_squared", "read_handed", "squared_loss"}
CACHES = planes.named_plane, pruning_explorer._book_samples, impurity_explorer._grow
titanic = dt.datasets.titanic


def marked_titanic(chapter: str) -> tuple[Callable[..., Any], set[float]]:
    """Return `titanic` with all numbers a little larger in rows not to grow on, and these numbers.

    No row reaches a threshold that it did not reach before, so the cells do what they did.
    """
    people, complete = titanic(), titanic(numeric=True)
    known = np.array([None not in (row[2], row[5]) for row in people.X])
    parts = replace(complete, y=np.arange(len(complete))).split(450, 200, seed=0)
    order = np.concatenate([part.y for part in parts[1 if chapter in "45" else 2 :]])
    others = np.random.default_rng(0).permutation(np.flatnonzero(~known))[220:]
    tests = {True: order, False: np.append(np.flatnonzero(known)[order], others)}
    marks: set[float] = set()

    def marked(*, numeric: bool = False) -> Any:
        X = titanic(numeric=numeric).X.copy()
        for row in tests[numeric]:
            X[row] = [v + 2**-30 if isinstance(v, int | float) else v for v in X[row].tolist()]
            marks.update(v for v in X[row].tolist() if isinstance(v, float))
        return replace(titanic(numeric=numeric), X=X)

    marked()
    return marked, marks


class Watch:
    """Keeps what learns from a table, by name, if a row of the test set is in it."""

    def __init__(self, marks: set[float]) -> None:
        self.marks, self.seen, self.cell = marks, set[tuple[str, str]](), ""

    def over(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, watched."""
        names = signature(function)

        @wraps(function)
        def watched(*args: Any, **options: Any) -> Any:
            given = names.bind(*args, **options).arguments
            for table in (given.get("X"), *(given.get("grown_on") or ())[:1]):
                if table is not None and not self.marks.isdisjoint(np.ravel(table).tolist()):
                    self.seen.add((self.cell, function.__qualname__))
            return function(*args, **options)

        return watched


def learns(name: str, value: object) -> bool:
    """Whether it is a public function of examples that does more than judge or draw."""
    if not isfunction(value) or name.startswith("_") or name in JUDGES:
        return False
    return re.match(r"dtviz\.(?!plot)", value.__module__) is not None and (
        {"X", "y"} <= set(signature(value).parameters)
    )


def growing_at_once(start: Callable[..., None]) -> Callable[..., None]:
    """Return how an explorer starts, with its tree grown."""

    @functools.wraps(start)
    def begin(self: Any, *args: Any, **options: Any) -> None:
        start(self, *args, **options)
        self.tree()

    return begin


def watch_dtviz(watch: Watch, marked: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package read the marked passengers, and say what each of its functions is given."""
    modules = [m for name, m in sys.modules.items() if name.partition(".")[0] == "dtviz"]
    for module in modules:
        for name, value in list(vars(module).items()):
            if value is titanic:
                monkeypatch.setattr(module, name, marked)
            elif learns(name, value):
                monkeypatch.setattr(module, name, watch.over(value))


@pytest.fixture
def watch(page: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    marked, marks = marked_titanic(page.parent.name[0])
    watch = Watch(marks)
    watch_dtviz(watch, marked, monkeypatch)
    for module in (sklearn.ensemble, sklearn.tree):
        for kind in {k for k in vars(module).values() if isinstance(k, type) and "fit" in vars(k)}:
            monkeypatch.setattr(kind, "fit", watch.over(kind.fit))
    for explorer in (dt.ImpurityExplorer, dt.PruningExplorer):
        monkeypatch.setattr(explorer, "__init__", growing_at_once(explorer.__init__))
    for cache in CACHES:
        cache.cache_clear()
    with plt.rc_context():
        yield watch
    for cache in CACHES:
        cache.cache_clear()
    plt.close("all")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name[0]}-{page.stem}")
def test_no_tree_grows_on_the_test_set(
    page: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(page.parent)
    cells, space = json.loads(page.read_text("utf-8"))["cells"], {"__name__": "__main__"}
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    for cell in cells:
        watch.cell = cell["id"]
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)  # noqa: S102 -- the book's own code
            plt.close("all")
    seen = {cell for cell, _ in watch.seen}
    assert seen <= set(DECLARED), watch.seen
    assert all(DECLARED[cell] in text for cell in seen)
