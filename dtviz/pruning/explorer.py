"""The explorer of chapter 6: an overgrown tree is pruned."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import traitlets as t

from dtviz import plot
from dtviz.core.bases import freeze_array
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.cart.growth import grow
from dtviz.core.cart.impurity_path import ImpurityPath
from dtviz.core.checks import as_repr
from dtviz.core.data.datasets import titanic
from dtviz.core.data.examples import Inputs
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_classes
from dtviz.core.data.scramble import scramble
from dtviz.core.names import decimals
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import widget_module
from dtviz.explorers.beside import Beside, More
from dtviz.explorers.columns import check_first, is_table, own_labels, with_labels
from dtviz.explorers.functions import Choice, OffersFunctions, about, book_functions
from dtviz.explorers.given import freeze_offer
from dtviz.explorers.planes import named_plane
from dtviz.explorers.traits import (
    NATURAL,
    OPEN_UNIT,
    Flag,
    Integer,
    Items,
    Limits,
    Number,
    Text,
    integers,
)
from dtviz.plot.labels import label_lines
from dtviz.pruning.bottom_up import bottom_up_prune, reduced_error_prune
from dtviz.pruning.decisions import Pruning
from dtviz.pruning.smallest import smallest_prunings, srm_prune
from dtviz.pruning.weakest_link import cost_complexity_path, cost_complexity_prune

__all__ = ["METHODS", "NOISES", "TARGETS", "Examples", "PruningExplorer"]

TARGETS = ("tribes(2, 3)", "majority(5)", "decision_list(6)")
"""Boolean functions offered; each is hidden among irrelevant bits, ``BITS`` in all."""

PASSENGERS = "titanic"
"""The passengers of chapter 6, split as on its pages."""

REAL = "breast cancer"
"""The other real data offered, two columns of it."""

BITS = 10
SIZES = (160, 120)
"""Examples to grow a tree on, and examples to prune it with, of a Boolean function."""

NOISES = tuple(k / 100 for k in range(51))
"""The shares of labels flipped that the slider offers."""

METHODS = ("reduced error", "fewest leaves", "structural risk", "bottom up", "cost complexity")
"""The methods of pruning."""

YOURS = "yours"
"""The reader's own rows; until there are some, the first of the samples."""

FULL = "the full tree"

LEAST_POINTS, MOST_POINTS, MOST_COLUMNS = 20, 2000, 30
CONSTANT = Limits(math.ulp(0.0), 3.0, "above 0 and at most 3")
PRICE = Limits(0.0, 1.0, "from 0 to 1")
SEED = 5
ORDER = 3
"""Stream of the order in which the reader's rows are split; 1 and 2 are those of the flips."""


def shuffled(m: int, stream: int) -> npt.NDArray[np.intp]:
    """The m numbers below m in an order that looks random, one for each stream below 2^32."""
    start = scramble(np.array([stream], dtype=np.uint32))
    keys = scramble(np.arange(m, dtype=np.uint32) + start)
    return np.argsort(keys, kind="stable")


def _round(share: float, m: int) -> int:
    """A share of m in whole numbers, rounded up from a half on, as the page does."""
    return math.floor(share * m + 0.5)


@dataclass(frozen=True, eq=False)
class Examples:
    """Three samples with labels 0 and 1: to grow on, to prune with, to test on.

    ``X`` has points ``(m_k, n)``, ``y`` labels ``(m_k,)``, and ``orders`` says in which order the
    labels of the first two are flipped. ``classes`` are what 0 and 1 mean, ``labels`` the reader's
    own that they stand for, if these are others. Without a ``function`` they are rows of a table.
    """

    X: tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]
    y: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.intp]]
    orders: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
    features: tuple[str, ...]
    function: BooleanFunction | None = None
    classes: tuple[str, str] = ("0", "1")
    labels: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        for array in (*self.X, *self.y):
            freeze_array(array)

    @classmethod
    def of_function(cls, f: BooleanFunction) -> Examples:
        """Uniform examples of f among irrelevant bits, tested on the whole cube."""
        cube = cube_points(BITS)
        drawn = _draws()
        X = (cube[drawn["points"][0]], cube[drawn["points"][1]], cube)
        y0, y1, y2 = (np.asarray(f(part[:, : f.n]), dtype=np.intp) for part in X)
        orders = np.array(drawn["orders"][0]), np.array(drawn["orders"][1])
        names = f.names
        rest = (f"x{i}'" if f"x{i}" in names else f"x{i}" for i in range(f.n, BITS))
        return cls(X, (y0, y1, y2), orders, (*names, *rest), f)

    @classmethod
    def of_rows(
        cls, X: npt.ArrayLike, y: npt.ArrayLike, features: tuple[str, ...], *sizes: int, **more: Any
    ) -> Examples:
        """The first rows to grow on, the next to prune with, the last to test on.

        Without sizes they are dealt: half of them, a quarter and a quarter.
        """
        points, codes = np.asarray(X, dtype=float), np.asarray(y, dtype=np.intp)
        if not sizes:
            order, quarter = shuffled(len(codes), ORDER), _round(0.25, len(codes))
            points, codes = points[order], codes[order]
            sizes = len(codes) - 2 * quarter, quarter, quarter
        ends = np.cumsum(sizes)[:2]
        a, b, c = np.split(points, ends)
        first, second, third = np.split(codes, ends)
        orders = shuffled(len(a), 1), shuffled(len(b), 2)
        return cls((a, b, c), (first, second, third), orders, features, **more)

    def noisy(
        self, noise: float, flips: Iterable[int] = ()
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The labels of the first two samples with a share ``noise`` of each flipped.

        The same points are flipped first for every share, so a little more noise flips a few more.
        Those of ``flips``, rows of the first sample, are flipped besides, if there are such.
        """
        found = []
        for labels, order in zip(self.y, self.orders, strict=False):
            flipped = labels.copy()
            flipped[order[: _round(noise, len(labels))]] ^= 1
            found.append(flipped)
        for row in set(flips):
            if row < len(found[0]):
                found[0][row] ^= 1
        return found[0], found[1]

    @cached_property
    def record(self) -> dict[str, Any]:
        """What the page needs: a truth table, or rows in the order in which they are split."""
        if self.function is not None:
            return {"table": "".join(map(str, self.function.table.astype(int).tolist()))}
        columns = np.concatenate(self.X).T
        return {
            "features": list(self.features),
            "classes": list(self.classes),
            "columns": [_plain(column) for column in columns],
            "labels": np.concatenate(self.y).tolist(),
            "sizes": [len(labels) for labels in self.y],
        }


def _plain(column: npt.NDArray[np.float64]) -> list[float]:
    """A column of whole numbers without their .0, which would double the bytes of bits."""
    whole = (column % 1 == 0).all() and np.abs(column).max() < 2**53
    found: list[float] = (column.astype(np.int64) if whole else column).tolist()
    return found


@cache
def _draws() -> dict[str, Any]:
    """The examples of every function: points of the cube, and the orders of flipping labels."""
    rng = np.random.default_rng(SEED)
    drawn = [rng.integers(0, 1 << BITS, size).tolist() for size in SIZES]
    rng = np.random.default_rng(SEED)
    orders = [rng.permutation(size).tolist() for size in SIZES]
    return {"bits": BITS, "points": drawn, "orders": orders}


_of_function = lru_cache(maxsize=16)(Examples.of_function)


def _describe(name: str, examples: Examples) -> dict[str, Any]:
    """What the page says of a sample."""
    known = {"n": 0, "formula": "", "names": [], "table": None}
    if name == YOURS:
        return known | {"words": "your own table: paste it below, among the examples"}
    if examples.function is not None:
        known = about(name.removesuffix(f" of {BITS} bits"), examples.function)
        return known | {"words": f"{known['words']}, hidden among {BITS} bits"}
    words = f"{sum(map(len, examples.y)):,} rows of {', '.join(examples.features)}"
    return known | {"n": len(examples.features), "words": words}


@cache
def _book_samples() -> dict[str, Examples]:
    """The samples of the book, by name."""
    functions = book_functions(*TARGETS).items()
    found = {f"{name} of {BITS} bits": Examples.of_function(f) for name, f in functions}
    parts = titanic(numeric=True).split(450, 200, seed=0)
    X, y = (np.concatenate([getattr(part, name) for part in parts]) for name in ("X", "y"))
    names, classes = parts[0].feature_names, parts[0].class_names
    real = named_plane(REAL)
    return found | {
        PASSENGERS: Examples.of_rows(X, y, names, *map(len, parts), classes=classes),
        REAL: Examples.of_rows(real.X, real.y, real.features),
    }


def _of_table(X: Any, y: Any) -> Examples:
    """The reader's own rows: an array or a frame, with labels or the name of their column."""
    X, y, features, classes = read_handed(X, y)
    inputs = Inputs(X, features)
    m = inputs.columns.shape[1]
    if not LEAST_POINTS <= m <= MOST_POINTS:
        msg = f"X must have from {LEAST_POINTS} to {MOST_POINTS} rows, got {m}"
        raise ValueError(msg)
    kinds, codes = as_classes(y, m)
    if len(kinds) != 2:
        msg = f"y must have two classes, got {as_repr(kinds.tolist())}"
        raise ValueError(msg)
    columns, features = _numeric_columns(inputs)
    if len(features) > MOST_COLUMNS:
        msg = f"X must have at most {MOST_COLUMNS} columns, got {len(features)}"
        raise ValueError(msg)
    names = tuple(map(str, kinds if classes is None else classes))
    return Examples.of_rows(columns, codes, features, classes=names, labels=own_labels(kinds))


def _of_rows(rows: list[list[float]], names: list[str]) -> Examples:
    """The rows of the trait, with their labels at the end."""
    table = np.array(rows)
    n = table.shape[1] - 1
    fits = len(names) == n + 2 and len(set(names[:n])) == n
    features = names[:n] if fits else [f"x{i}" for i in range(n)]
    classes = (names[n], names[n + 1]) if fits else ("0", "1")
    return Examples.of_rows(table[:, :n], table[:, n], tuple(features), classes=classes)


def _numeric_columns(inputs: Inputs) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Columns of numbers: one of two categories is a bit, one of more a bit for each of them."""
    columns, features = [], []
    for i, column in enumerate(inputs.columns):
        name = inputs.names.feature(i)
        kinds = inputs.names.categories.get(i)
        if kinds is None:
            columns.append(column)
            features.append(name)
            continue
        for k, kind in enumerate(kinds) if len(kinds) > 2 else [(1, kinds[-1])]:
            columns.append((column == k).astype(float))
            features.append(f"{name} is {kind}")
    return np.stack(columns, axis=1), tuple(features)


def read_rows(rows: list[list[float]]) -> list[list[float]]:
    """Return the reader's own table, its labels last, or say what is wrong with it."""
    table = np.array(rows if len({*map(len, rows)}) == 1 else [[]])
    m, width = table.shape
    sized = LEAST_POINTS <= m <= MOST_POINTS and 2 <= width <= MOST_COLUMNS + 1
    if rows and not (sized and np.isfinite(table).all() and np.isin(table[:, -1], (0, 1)).all()):
        rule = (
            f"none or from {LEAST_POINTS} to {MOST_POINTS} rows of equal length, with 1 to "
            f"{MOST_COLUMNS} finite numbers and a label 0 or 1 each"
        )
        raise ValueError(f"rows must be {rule}, got {as_repr(rows)}")
    return rows


class PruningExplorer(OffersFunctions, Beside):
    """Pruning at your fingertips: overgrow a tree on noisy labels, then cut it back five ways.

    Parameters
    ----------
    samples : BooleanFunction, mapping of str to BooleanFunction, or table, optional
        What there is to learn: functions of at most 10 variables, or 20 to 2,000 rows with two
        classes; three functions and two data sets of the book if not given. What comes alone goes
        by the name ``"f"``. A table is an ``(m, n)`` array, a data frame or a Dataset, of numbers
        and text; a column of text becomes bits, one for each category.
    y : (m,) array-like or str, optional
        The labels of the table ``samples``, or the name of that of its columns which has them. A
        quarter of the rows is held out to prune with and a quarter to test on.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    sample : str
        The name of the data shown, the first one at the start; or the text of a function of at most
        6 variables, such as ``"x0 & (x1 | ~x2)"``, whose examples are drawn as the others are.
    noise : float
        The share of labels flipped in both samples, one of 0, 0.01, ..., 0.5: 0.1 at the start, or
        0 where a table of the reader's is given.
    flips : list of int
        Rows of the first sample whose labels are flipped by hand, besides.
    rows : list of lists of float
        The reader's own table, shown where ``sample`` is "yours": rows of equal length, from 20 to
        2,000 of them or none, each with its label, 0 or 1, last.
    names : list of str
        The names of its columns but the last, and what the labels 0 and 1 mean; used if they fit.
    method : str
        How the tree is pruned: ``"reduced error"`` (`dtviz.pruning.reduced_error_prune`),
        ``"fewest leaves"`` (`dtviz.pruning.smallest_prunings`), ``"structural risk"``
        (`dtviz.pruning.srm_prune`), ``"bottom up"`` (`dtviz.pruning.bottom_up_prune`) or
        ``"cost complexity"`` (`dtviz.pruning.cost_complexity_prune`).
    d : int
        Training errors allowed, at least 0; used by "fewest leaves".
    c, delta : float
        The constant, above 0 and at most 3, and the confidence, in (0, 1), of "bottom up".
    alpha : float
        The price of a leaf, 0 to 1, of "cost complexity".
    playing : bool
        Whether the first slider moves by itself.
    beside : str
        What is drawn beside the pruned tree: ``"nothing"``, ``"the full tree"``, or what another
        method leaves.

    Raises
    ------
    ValueError
        If ``samples`` or ``y`` is not as above.
    traitlets.TraitError
        If a trait is set outside its range.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.PruningExplorer(dt.functions.majority(3), method="fewest leaves", d=30)
    >>> explorer
    PruningExplorer(sample='f', method='fewest leaves', noise=0.1)
    >>> explorer.path().n_leaves, explorer.tree().n_leaves
    (39, 4)

    The reader's own table:

    >>> people = dt.datasets.titanic(numeric=True)
    >>> explorer = dt.PruningExplorer(people.X, people.y)
    >>> explorer.training[0].shape, explorer.held_out[0].shape
    ((523, 6), (261, 6))
    """

    _esm = widget_module("pruning")
    _views = ("tree", "beside", "rows", "errors", "sizes")
    _controls = ("dials", "method", "noise", "sample", "beside")
    examples: dict[str, Examples]
    sample = Choice(check="function")
    noise = Number(0.1, choices=NOISES).tag(label="Labels flipped")
    flips = Items(Integer(within=integers(0, MOST_POINTS - 1)), MOST_POINTS)
    rows = Items(Items(Number()), check="rows", read=read_rows)
    names = Items(Text(), check="columns")
    method = Text("reduced error", choices=METHODS).tag(label="Method")
    d = Integer(20, within=NATURAL)
    c = Number(0.1, within=CONSTANT)
    delta = Number(0.1, within=OPEN_UNIT)
    alpha = Number(0.01, within=PRICE)
    beside = Text("nothing", choices=("nothing", FULL, *METHODS))
    playing = Flag()
    _draws = t.Dict(help="the examples of every function").tag(sync=True)
    _choice, _offers, _argument = "sample", "examples", "samples"
    _named = ("sample", "method", "noise")

    def __init__(self, samples: Any = None, y: object = None, **traits: Any) -> None:
        check_first(self, traits)
        is_own = y is not None or is_table(samples)
        if is_own:
            named = {"f": _of_table(samples, y)}
        elif samples is None:
            named = _book_samples().copy()
        else:
            functions = self._read_functions(samples, (), 0, BITS)
            named = {name: Examples.of_function(f) for name, f in functions.items()}
        records: dict[str, Any] = {name: found.record for name, found in named.items()}
        # Those of the trait, if the reader gives none by that name.
        records.setdefault(YOURS, None)
        named.setdefault(YOURS, next(iter(named.values())))
        self.examples = freeze_offer(self, "examples", named)
        known = {name: _describe(name, found) for name, found in named.items()}
        fixed = {"_paths": records, "_draws": _draws(), "_about": known}
        traits.setdefault("sample", next(iter(records)))
        # Labels that somebody brings are not flipped unless asked for.
        traits.setdefault("noise", 0.0 if is_own else 0.1)
        super().__init__(**fixed, **traits)

    @property
    def shown(self) -> Examples:
        """The examples on display."""
        if self.sample == YOURS and self.rows:
            return _of_rows(self.rows, self.names)
        offered = self.examples.get(self.sample)
        return _of_function(self.named_function()) if offered is None else offered

    @property
    def training(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
        """The noisy sample on display that the tree is grown on, as (X, y)."""
        return self.shown.X[0], self.shown.noisy(self.noise, self.flips)[0]

    @property
    def held_out(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
        """The noisy sample on display that reduced-error pruning prunes with, as (X, y)."""
        return self.shown.X[1], self.shown.noisy(self.noise, self.flips)[1]

    def path(self) -> ImpurityPath:
        """The growth path on display; ``path().tree()`` is the overgrown tree."""
        X, y = self.training
        return grow(X, y, "gini", feature_names=self.shown.features)

    def tree(self) -> Tree:
        """The tree on display: the overgrown one, pruned, with the reader's own labels."""
        return with_labels(self.pruning().tree(), self.shown.labels)

    def _make_beside(self) -> Tree:
        tree = self.path().tree() if self.beside == FULL else self._prune(self.beside).tree()
        return with_labels(tree, self.shown.labels)

    def _prune(self, method: str) -> Pruning:
        X, y = self.training
        tree = self.path().tree()
        if method == "reduced error":
            return reduced_error_prune(tree, *self.held_out, grown_on=(X, y))
        if method == "fewest leaves":
            smallest = smallest_prunings(tree, X, y)
            return smallest.pruning(d=min(max(self.d, int(smallest.front_errors[-1])), len(y)))
        if method == "structural risk":
            return srm_prune(tree, X, y)
        if method == "bottom up":
            return bottom_up_prune(tree, X, y, delta=self.delta, c=self.c)
        return cost_complexity_prune(tree, X, y, self.alpha)

    def pruning(self) -> Pruning:
        """What the method on display makes of the overgrown tree, its ``counts.given``."""
        return self._prune(self.method)

    def _errors(self, tree: Tree) -> tuple[float, float, float]:
        """The errors of a tree: training, pruning sample, fresh examples."""
        shown = self.shown
        wrong = float(np.mean(tree.predict(shown.X[2]) != shown.y[2]))
        fresh = self.noise + (1 - 2 * self.noise) * wrong
        known = [float(np.mean(tree.predict(X) != y)) for X, y in (self.training, self.held_out)]
        return known[0], known[1], fresh

    def _tree_title(self, tree: Tree) -> str:
        return f"{self.method}: {tree.n_leaves} of {self.path().n_leaves} leaves"

    def _more(self) -> More:
        if self._pictures("sizes"):
            return self._draw_sizes, "the fewest training errors of every size"
        return self._draw_errors, "the errors of other sizes"

    def _draw_sizes(self, ax: Any) -> None:
        """Draw the fewest training errors of every size, and what the method leaves."""
        found, (X, y) = self.pruning(), self.training
        front = smallest_prunings(self.path().tree(), X, y)
        sizes, errors = front.front_n_leaves, front.front_errors
        color = plot.COLORS["error"]
        ax.step(sizes, errors, where="post", color=color)
        ax.plot(found.n_leaves, np.sum(found.tree().predict(X) != y), "o", color=color)
        ax.set(xlabel="leaves", ylabel="errors", title="fewest training errors of every size")

    def _draw_errors(self, ax: Any) -> None:
        """Draw three errors against leaves: of the growth path or of the cheapest prunings."""
        path = self.path()
        if self.method == "cost complexity":
            title = "of the cheapest prunings"
            found = cost_complexity_path(path.tree(), *self.training)
            trees = [pruned.tree() for pruned in found][::-1]
        else:
            title = "as the tree grows"
            trees = [path.tree(size) for size in range(1, path.n_leaves + 1)]
        sizes = [tree.n_leaves for tree in trees]
        errors = np.transpose([self._errors(tree) for tree in trees])
        drawn = []
        for name, curve, style in zip(
            ("training", "pruning", "fresh"), errors, ("--", ":", "-"), strict=True
        ):
            options = {"where": "post", "color": plot.COLORS["error"]}
            drawn += [(line, name, True) for line in ax.step(sizes, curve, style, **options)]
        ax.set(xlabel="leaves", ylabel="error", title=title, ylim=(0, 0.6))
        label_lines(ax, drawn)

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        found = self.pruning()
        trained, held_out, fresh = self._errors(found.tree())
        n_turned = sum(0 <= row < len(self.shown.y[0]) for row in set(self.flips))
        by_hand = f" and {n_turned} more by hand" if n_turned else ""
        first = next(iter(self.examples))
        name = first if self.sample == YOURS and not self.rows else self.sample
        return (
            f"A tree of {found.counts.given.n_leaves} leaves grown on {name} with "
            f"{self.noise:.0%} of the labels flipped{by_hand}, cut to {found.n_leaves} by "
            f"{self.method}: errors {decimals(trained)} in training, {decimals(held_out)} on the "
            f"pruning sample, {decimals(fresh)} on fresh examples{self._beside_text()}."
        )
