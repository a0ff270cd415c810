"""Growth by impurity raced against scikit-learn.

Ours is every tree from one leaf to purity, the peer's one call of ``fit``; then ours once more
against the peer fitting each number of leaves from 2 to 50. Data in the types that the peer wants.

The exact trees race against those packages for them that are installed and find the fewest errors
in time; a line of `growth` names the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import cache, partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from timing import Race

import dtviz as dt

Fit = Callable[[Any, Any], Any]

EXACT_SECONDS = 60
"""An exact search that takes longer than this, or that ends with a worse tree, is not raced."""


def pystreed(depth: int) -> Fit:
    """STreeD."""
    from pystreed import STreeDClassifier  # noqa: PLC0415 -- may not be installed

    return STreeDClassifier(max_depth=depth, time_limit=EXACT_SECONDS).fit


def pydl85(depth: int) -> Fit:
    """DL8.5."""
    from pydl85 import DL85Classifier  # noqa: PLC0415

    return DL85Classifier(max_depth=depth, time_limit=EXACT_SECONDS).fit


def gosdt(depth: int) -> Fit:
    """GOSDT, whose price for a leaf is so small that errors come first, as in ours."""
    from gosdt import GOSDTClassifier  # noqa: PLC0415

    def fit(X: Any, y: Any) -> Any:
        learner = GOSDTClassifier(
            regularization=1 / (len(y) * (len(y) + 1)),
            allow_small_reg=True,
            depth_budget=depth,
            time_limit=EXACT_SECONDS,
        )
        # The tree itself, since predict of version 1.0.4 fails with scikit-learn from 1.8 on.
        with redirect_stdout(None):  # it warns of each small price
            return learner.fit(X, y).trees_[0]

    return fit


def odtlearn(depth: int) -> Fit:
    """A mixed-integer program."""
    from odtlearn.flow_oct import FlowOCT  # noqa: PLC0415

    return FlowOCT(solver="cbc", depth=depth, time_limit=EXACT_SECONDS).fit


SLOWER = {"wine": 1.2, "breast_cancer": 0.6, "digits": 1.2, "iris": 1.2, "diabetes": None}
"""How many times as long the whole path may take as one fit of scikit-learn's: as it once did."""

FASTER = 20
"""How much faster it must be than a fit for each number of leaves from 2 to 50."""


LARGE = {
    ("reals", 100_000, 30): {None: 0.6, 32: 0.5, 8: 0.4},
    ("reals", 1_000_000, 10): {None: 0.6, 16: 0.5},
    ("bits", 1_000_000, 10): {None: 0.7},
    ("bits", 100_000, 30): {None: 0.7},
    ("16 values", 1_000_000, 10): {None: 0.5},
}
"""The same on large tables, by what they hold, rows, columns and the most leaves."""

MANY = {
    (20_000, 5, 200, 64): 2,
    (10_000, 10, 100, None): 2,
    (500, 5, 500, None): 5,
    (1_000, 5, 1_000, None): 5,
    (8_000, 1, 2, None): 1.5,
}
"""The same by rows, columns, classes in turn and the most leaves; of one column the values ascend.

So does every label where there are as many as rows, and the tree is a chain.
"""

PEAKS = 3
"""How many times the memory of scikit-learn's fit a path may take at its peak."""


def data(name: str) -> tuple[Any, Any]:
    """One of scikit-learn's sets, the values in 32 bits as it wants them."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X.astype(np.float32), y


def fit(X: Any, y: Any, cost: str, leaves: int | None = None) -> Any:
    """One tree of scikit-learn's."""
    kind = DecisionTreeRegressor if cost == "squared" else DecisionTreeClassifier
    return kind(max_leaf_nodes=leaves, random_state=0).fit(X, y)


def table(what: str, m: int, d: int) -> tuple[Any, Any]:
    """Random numbers, and a class of three of the columns; one label in ten is the other one."""
    rng = np.random.default_rng(0)
    if what == "reals":
        X = rng.normal(size=(m, d)).astype(np.float32)
    else:
        X = rng.integers(0, 2 if what == "bits" else 16, (m, d)).astype(np.float32)
    y = X[:, 0] * X[:, 1] + X[:, 2] > X.mean()
    return X, (y ^ (rng.random(m) < 0.1)).astype(int)


def each_size(X: Any, y: Any, cost: str) -> list[Any]:
    """A tree for each number of leaves from 2 to 50."""
    return [fit(X, y, cost, leaves) for leaves in range(2, 51)]


@cache
def exact_races(*, toy: bool = False) -> tuple[list[Race], list[str]]:
    """The races for the fewest errors, and a line for each package that does not run here.

    The peers get a column of zeros and ones for each question.
    """
    sample = dt.datasets.titanic(numeric=True).split(40 if toy else 450, 200, seed=0)[0]
    X, y = sample.X, sample.y
    bits = np.column_stack([x <= t for x in X.T for t in np.unique(x)[:-1]]).astype(int)
    races, missing = [], []
    for depth, peer in product((2, 3), (pystreed, pydl85, gosdt, odtlearn)):
        ours = partial(dt.impurity.optimal_tree, X, y, depth=depth)
        errors = (ours().predict(X) != y).sum()
        what = f"fewest errors, depth {depth}, {len(y)} passengers"
        try:
            fit = peer(depth)
            wrong = (np.ravel(fit(bits, y).predict(bits)) != y).sum()
            assert wrong == errors, f"{wrong} errors, not {errors}"
        except Exception as error:  # noqa: BLE001 -- packages fail in ways of their own
            missing.append(f"{what}, not {peer.__name__}: {type(error).__name__}: {error}")
            continue
        races.append(Race(what, ours, peer.__name__, partial(fit, bits, y)))
    return races, missing


def races(*, toy: bool = False) -> Iterator[Race]:
    """The races of `make bench`."""
    yield from exact_races(toy=toy)[0]
    for name, slower in SLOWER.items():
        if toy and name != "wine":
            continue
        X, y = data(name)
        cost = "squared" if name == "diabetes" else "gini"
        path = dt.grow(X, y, cost)
        sizes = each_size(X, y, cost)
        assert path.costs[-1] == 0
        for tree in sizes[:3]:
            leaf = tree.tree_.children_left < 0
            share = tree.tree_.weighted_n_node_samples[leaf] / len(y)
            total = share @ tree.tree_.impurity[leaf]
            assert np.isclose(path.costs[tree.get_n_leaves() - 1], total)
        grow = partial(dt.grow, X, y, cost)
        title = name.replace("_", " ")
        target = None if slower is None else 1 / slower
        yield Race(
            f"every tree to purity, {title}",
            grow,
            "scikit-learn, one fit",
            partial(fit, X, y, cost),
            target,
        )
        if name in ("wine", "breast_cancer", "digits"):
            yield Race(
                f"every tree to purity, {title}",
                grow,
                "scikit-learn, 2 .. 50 leaves",
                partial(each_size, X, y, cost),
                FASTER,
            )

    for (m, d, c, leaves), slower in MANY.items():
        X = np.random.default_rng(0).normal(size=(100 if toy else m, d)).astype(np.float32)
        X, y = np.sort(X, axis=0) if d == 1 else X, np.arange(len(X)) % c
        yield Race(
            f"{m:,} x {d}, {c} classes, " + (f"to {leaves} leaves" if leaves else "to purity"),
            partial(dt.grow, X, y, max_leaves=leaves),
            "scikit-learn, one fit",
            partial(fit, X, y, "gini", leaves),
            1 / slower,
        )

    for (what, m, d), limits in LARGE.items():
        X, y = table(what, 100 if toy else m, d)
        for leaves, slower in limits.items():
            size = "to purity" if leaves is None else f"to {leaves} leaves"
            yield Race(
                f"every tree {size}, {m:.0e} x {d} {what}".replace("e+0", "e"),
                partial(dt.grow, X, y, max_leaves=leaves),
                "scikit-learn, one fit",
                partial(fit, X, y, "gini", leaves),
                1 / slower,
            )


def peak(*, ours: bool, m: int, d: int) -> int:
    """By how many kB the resident memory of this process grows at most, in one growth on reals."""
    X, y = table("reals", m, d)
    grow = dt.grow if ours else partial(fit, cost="gini")
    grow(X[:100], y[:100])
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # so the peak starts again
    before = _resident("VmRSS")
    grow(X, y)
    return _resident("VmHWM") - before


def _resident(what: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith(what))


def peaks(m: int, d: int) -> str:
    """Both peaks, each in a process of its own."""
    if not Path("/proc/self/clear_refs").exists():
        return "peak of memory: not measured without /proc"
    kilobytes = []
    for ours in (True, False):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            kilobytes.append(pool.submit(peak, ours=ours, m=m, d=d).result())
    ratio = kilobytes[0] / max(kilobytes[1], 1)
    verdict = "met" if ratio <= PEAKS else "NOT MET"
    own, other = (f"{one / 1024:.0f} MB" for one in kilobytes)
    return f"peak of memory, {m:,} x {d} reals: {own}, scikit-learn {other}, <= {PEAKS}x: {verdict}"


def growth(*, toy: bool = False) -> Iterator[str]:
    """Lines of text: what is not raced, and memory."""
    yield from exact_races(toy=toy)[1]
    yield peaks(200 if toy else 1_000_000, 10)
