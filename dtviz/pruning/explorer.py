"""The explorer of chapter 6: an overgrown tree is pruned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot, pruning
from dtviz.core import functions as zoo
from dtviz.core.best_first import ImpurityPath, grow
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.checks import as_array, shown
from dtviz.core.immutable import frozen
from dtviz.core.rendering import to_columns
from dtviz.core.tree import Tree
from dtviz.explorers.base import Explorer, Offered, accepted, on_grid, one_of
from dtviz.explorers.planes import named_plane
from dtviz.plot.labels import label_lines

__all__ = ["DIALS", "METHODS", "NOISES", "TARGETS", "Examples", "PruningExplorer"]

TARGETS: dict[str, tuple[str, tuple[int, ...]]] = {
    f"{name}({', '.join(map(str, arguments))})": (name, arguments)
    for name, arguments in (("tribes", (2, 3)), ("majority", (5,)), ("decision_list", (6,)))
}
"""Boolean functions offered; each is hidden among irrelevant bits, ``BITS`` in all."""

REAL = "breast cancer"
"""The real data offered, two columns of it."""

BITS = 10
SIZES = (160, 120)
"""Examples to grow a tree on, and examples to prune it with, of a Boolean function."""

NOISES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
"""The shares of labels flipped that the slider offers."""

METHODS: dict[str, tuple[str, ...]] = {
    "reduced error": (),
    "fewest leaves": ("d",),
    "structural risk": (),
    "bottom up": ("c", "delta"),
    "cost complexity": ("alpha",),
}
"""The methods of pruning, with the traits that each asks for."""

DIALS = {"c": (0.02, 2.0, 0.02), "delta": (0.01, 0.5, 0.01), "alpha": (0.0, 0.1, 0.0005)}
"""Least value, largest value and step of the sliders; that of ``d`` ends at the root's errors."""

LEAST_POINTS, MOST_POINTS = 20, 600
SEED = 5


@dataclass(frozen=True, eq=False)
class Examples:
    """Three samples with labels 0 and 1: to grow on, to prune with, to judge by.

    Attributes
    ----------
    X, y : tuples of three arrays
        Points ``(m_k, n)`` and labels ``(m_k,)`` for growing, pruning and judging.
    features : tuple of str
        Names of the n variables.
    bits : bool
        Whether the variables are bits.
    truth : str
        What the errors on the third sample are called: "true" if it is the whole cube.
    """

    X: tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]
    y: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.intp]]
    features: tuple[str, ...]
    bits: bool
    truth: str

    def __post_init__(self) -> None:
        for array in (*self.X, *self.y):
            frozen(array)

    @classmethod
    def of_function(cls, f: BooleanFunction) -> Examples:
        """Uniform examples of f among irrelevant bits, judged on the whole cube."""
        cube = points(max(f.n, BITS))
        rng = np.random.default_rng(SEED)
        drawn = tuple(cube[rng.integers(0, len(cube), size)] for size in SIZES)
        X = (drawn[0], drawn[1], cube)
        y0, y1, y2 = (np.asarray(f(part[:, : f.n]), dtype=np.intp) for part in X)
        names = tuple(f"x{i}" for i in range(cube.shape[1]))
        return cls(X, (y0, y1, y2), names, bits=True, truth="true")

    @classmethod
    def of_sample(cls, X: npt.ArrayLike, y: npt.ArrayLike, features: tuple[str, ...]) -> Examples:
        """Half of a sample to grow on, a quarter to prune with, a quarter to judge by."""
        points, labels = np.asarray(X, dtype=float), np.asarray(y, dtype=np.intp)
        order = np.random.default_rng(SEED).permutation(len(labels))
        parts = np.split(order, [len(order) // 2, 3 * len(order) // 4])
        drawn = tuple(points[part] for part in parts)
        told = tuple(labels[part] for part in parts)
        return cls(
            (drawn[0], drawn[1], drawn[2]),
            (told[0], told[1], told[2]),
            features,
            bits=False,
            truth="test",
        )

    def noisy(self, noise: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The labels of the first two samples with a share ``noise`` of each flipped.

        The same points are flipped first for every share, so a little more noise flips a few more.
        """
        rng = np.random.default_rng(SEED)
        found = []
        for labels in self.y[:2]:
            order = rng.permutation(len(labels))
            flipped = labels.copy()
            flipped[order[: round(noise * len(labels))]] ^= 1
            found.append(flipped)
        return found[0], found[1]


def _grown(examples: Examples, noise: float) -> ImpurityPath:
    """The path of the tree that is pruned: Gini to purity on the noisy first sample."""
    names = None if examples.bits else list(examples.features)
    return grow(examples.X[0], examples.noisy(noise)[0], "gini", feature_names=names)


def _cuts(found: pruning.Pruning) -> list[int]:
    """The nodes where a pruning has a leaf and the tree had none."""
    cut = found.cut & found.kept
    return np.flatnonzero(cut).tolist()


def _labels(counts: npt.NDArray[np.intp]) -> dict[str, list[int]]:
    return {"zeros": counts[:, 0].tolist(), "ones": counts[:, 1].tolist()}


def _record(examples: Examples, noise: float) -> dict[str, Any]:
    """All that the explorer shows of one tree, as lists over its nodes in preorder."""
    y0, y1 = examples.noisy(noise)
    path = _grown(examples, noise)
    tree = path.tree()
    place = np.empty(2 * path.n_splits + 1, dtype=int)
    place[path.nodes()] = np.arange(tree.n_nodes)
    first, second, third = (
        pruning.node_counts(tree, X, y, classes=[0, 1]).counts
        for X, y in zip(examples.X, (y0, y1, examples.y[2]), strict=True)
    )
    # Fresh examples are as noisy as the sample: in twentieths, so that counts stay whole.
    flips = round(20 * noise)
    fresh = (20 - flips) * third + flips * third[:, ::-1]
    X, y = examples.X[0], y0
    smallest = pruning.smallest_prunings(tree, X, y)
    fronts = [smallest.pruning(int(size)) for size in smallest.front_n_leaves]
    weakest = pruning.cost_complexity_path(tree, X, y)
    columns = to_columns(tree)
    n = X.shape[1] if examples.bits else X.shape[1] * (2 * len(y) - 1)
    return {
        "variable": columns["variable"],
        "threshold": [] if examples.bits else np.round(columns["threshold"], 3).tolist(),
        "features": list(examples.features),
        "truth": examples.truth,
        "sample": {"training": _labels(first), "pruning": _labels(second), "truth": _labels(fresh)},
        "order": place[path.split_node].tolist(),
        "front": {
            "sizes": smallest.front_n_leaves.tolist(),
            "errors": smallest.front_errors.tolist(),
            "cuts": [_cuts(found) for found in fronts],
        },
        "srm": int(pruning.srm_prune(tree, X, y).choice),
        "weakest": {
            "breaks": weakest.breaks.tolist(),
            "cuts": [_cuts(weakest.pruning(value=value)) for value in weakest.breaks],
        },
        "log_paths": np.round(pruning.log_paths(n, np.arange(tree.depth + 1)), 6).tolist(),
        "log_trees": [0.0, *np.round(pruning.log_trees(n, np.arange(1, tree.n_leaves + 1)), 6)],
    }


@cache
def _synthetic(name: str) -> Examples:
    kind, arguments = TARGETS[name]
    return Examples.of_function(getattr(zoo, kind)(*arguments))


@cache
def _real() -> Examples:
    shown = named_plane(REAL)
    return Examples.of_sample(shown.X, shown.y, shown.features)


@cache
def _records(examples: Examples) -> list[dict[str, Any]]:
    """One record for each share of noise."""
    return [_record(examples, noise) for noise in NOISES]


def _growing_errors(record: dict[str, Any]) -> Iterator[tuple[str, npt.NDArray[np.float64]]]:
    """The errors of the trees on the way to the overgrown one, by name of the sample."""
    zeros, ones = (np.array(record["sample"]["training"][key]) for key in ("zeros", "ones"))
    label = ones > zeros
    variable = np.array(record["variable"])
    tree = Tree(variable)
    split = np.array(record["order"], dtype=int)
    for name, told in (("training", "training"), ("pruning", "pruning"), ("truth", "fresh")):
        zeros, ones = (np.array(record["sample"][name][key]) for key in ("zeros", "ones"))
        wrong = np.where(label, zeros, ones)
        rise = wrong[tree.low[split]] + wrong[tree.high[split]] - wrong[split]
        errors = wrong[0] + np.concatenate([[0], np.cumsum(rise)])
        yield told, errors / (zeros[0] + ones[0])


def _named(samples: object) -> dict[str, Examples]:
    """Return the samples to choose from by name, or say what is wrong with them."""
    if samples is None:
        functions = {f"{name} of {BITS} bits": _synthetic(name) for name in TARGETS}
        return functions | {REAL: _real()}
    named = samples if isinstance(samples, Mapping) else {"f": samples}
    rule = "samples must be a BooleanFunction, a pair (X, y), or a mapping of names to such"
    if not named:
        msg = f"{rule}, at least one, got {shown(samples)}"
        raise ValueError(msg)
    found = {}
    for name, entry in named.items():
        if not isinstance(name, str) or not name:
            msg = f"{rule}, got the name {name!r}"
            raise ValueError(msg)
        found[name] = _examples(name, entry, rule)
    return found


def _examples(name: str, entry: object, rule: str) -> Examples:
    if isinstance(entry, BooleanFunction):
        if entry.n > BITS:
            msg = f"samples must have at most {BITS} variables, got n = {entry.n} for {name!r}"
            raise ValueError(msg)
        return Examples.of_function(entry)
    if not isinstance(entry, tuple) or len(entry) != 2:
        msg = f"{rule}, got {name!r}: {shown(entry)}"
        raise ValueError(msg)
    X, y = as_array(entry[0]), as_array(entry[1])
    if X is None or X.ndim != 2 or X.dtype.kind not in "biuf":
        msg = f"samples must have points, an (m, n) array of numbers, got {shown(entry[0])}"
        raise ValueError(f"{msg} for {name!r}")
    if y is None or y.shape != X.shape[:1] or not np.isin(y, (0, 1)).all():
        msg = f"samples must have {len(X)} labels 0 or 1, got {shown(entry[1])} for {name!r}"
        raise ValueError(msg)
    X = X.astype(float)
    if not np.isfinite(X).all():
        msg = f"samples must have finite points, got {X[~np.isfinite(X)][0]} for {name!r}"
        raise ValueError(msg)
    if not LEAST_POINTS <= len(y) <= MOST_POINTS:
        rule = f"samples must have from {LEAST_POINTS} to {MOST_POINTS} points"
        msg = f"{rule}, got {len(y)} for {name!r}"
        raise ValueError(msg)
    columns = getattr(entry[0], "columns", None)
    features = [f"x{i}" for i in range(X.shape[1])] if columns is None else map(str, columns)
    return Examples.of_sample(X, y, tuple(features))


class PruningExplorer(Explorer):
    """Pruning at your fingertips: overgrow a tree on noisy labels, then cut it back five ways.

    Parameters
    ----------
    samples : BooleanFunction, pair (X, y), or mapping of str to such, optional
        What there is to learn: functions of at most ``BITS`` variables, or samples of
        ``LEAST_POINTS`` to ``MOST_POINTS`` points with labels 0 and 1; the functions of ``TARGETS``
        if not given. What comes alone goes by the name ``"f"``.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    sample : str
        The name of the data shown; the first one at the start.
    noise : float
        The share of labels flipped in both samples, one of ``NOISES``.
    method : str
        One of ``METHODS``.
    d : int
        Training errors allowed, at least 0; used by "fewest leaves".
    c, delta : float
        The constant, above 0 and at most 3, and the confidence, in (0, 1), of "bottom up".
    alpha : float
        The price of a leaf, 0 to 1, of "cost complexity".

    Raises
    ------
    ValueError
        If ``samples`` is not as above.
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
    """

    examples = Offered[Examples]("samples")
    sample = t.Unicode(help="name of the data shown").tag(sync=True)
    noise = t.Float(0.1, help="share of labels flipped").tag(sync=True)
    method = t.Unicode("reduced error", help="how the tree is pruned").tag(sync=True)
    d = t.Int(20, help="training errors allowed").tag(sync=True)
    c = t.Float(0.1, help="constant of the penalty").tag(sync=True)
    delta = t.Float(0.1, help="confidence of the penalty").tag(sync=True)
    alpha = t.Float(0.01, help="price of a leaf").tag(sync=True)
    _noises = t.List(list(NOISES), help="values of noise").tag(sync=True)
    _methods = t.Dict(METHODS, help="what each method asks for").tag(sync=True)
    _dials = t.Dict(DIALS, help="ranges and steps of the sliders").tag(sync=True)

    def __init__(self, samples: object = None, **traits: Any) -> None:
        self.examples = _named(samples)
        records = {name: _records(examples) for name, examples in self.examples.items()}
        traits.setdefault("sample", next(iter(records)))
        super().__init__(_explorer="pruning", _paths=records, **traits)

    @property
    def training(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
        """The noisy sample on display that the tree is grown on, as (X, y)."""
        shown = self.examples[self.sample]
        return shown.X[0], shown.noisy(self.noise)[0]

    @property
    def held_out(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
        """The noisy sample on display that reduced-error pruning prunes with, as (X, y)."""
        shown = self.examples[self.sample]
        return shown.X[1], shown.noisy(self.noise)[1]

    def path(self) -> ImpurityPath:
        """The growth path on display; ``path().tree()`` is the overgrown tree."""
        return _grown(self.examples[self.sample], self.noise)

    def tree(self) -> Tree:
        """The tree on display: the overgrown one, pruned."""
        return self.pruning().tree()

    def pruning(self) -> pruning.Pruning:
        """What the method on display makes of the overgrown tree, its ``counts.given``."""
        X, y = self.training
        tree = self.path().tree()
        if self.method == "reduced error":
            return pruning.reduced_error_prune(tree, *self.held_out, grown_on=(X, y))
        if self.method == "fewest leaves":
            smallest = pruning.smallest_prunings(tree, X, y)
            return smallest.pruning(d=min(max(self.d, int(smallest.front_errors[-1])), len(y)))
        if self.method == "structural risk":
            return pruning.srm_prune(tree, X, y)
        if self.method == "bottom up":
            return pruning.bottom_up_prune(tree, X, y, delta=self.delta, c=self.c)
        return pruning.cost_complexity_prune(tree, X, y, self.alpha)

    def _errors(self, tree: Tree) -> tuple[float, float, float]:
        """The errors of a tree: training, pruning sample, fresh examples."""
        shown = self.examples[self.sample]
        wrong = float(np.mean(tree.predict(shown.X[2]) != shown.y[2]))
        fresh = self.noise + (1 - 2 * self.noise) * wrong
        known = [float(np.mean(tree.predict(X) != y)) for X, y in (self.training, self.held_out)]
        return known[0], known[1], fresh

    def picture(self) -> Figure:
        """Draw the pruned tree beside the errors of the trees on the way to the overgrown one."""
        found = self.pruning()
        with plot.style():
            figure = Figure(figsize=(10, 4), layout="constrained")
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            plot.tree(found.tree(), ax=left, max_leaves=16)
            of = found.counts.given.n_leaves
            left.set_title(f"{self.method}: {found.n_leaves} of {of} leaves")
            self._draw_errors(right)
        return figure

    def _draw_errors(self, ax: Any) -> None:
        """Draw three errors of every tree of the growth path against its leaves."""
        record = _records(self.examples[self.sample])[NOISES.index(self.noise)]
        colour = plot.COLOURS["error"]
        drawn = []
        for (name, told), style in zip(_growing_errors(record), ("--", ":", "-"), strict=True):
            leaves = np.arange(1, len(told) + 1)
            drawn += [(line, name, True) for line in ax.plot(leaves, told, style, color=colour)]
        ax.set(xlabel="leaves", ylabel="error", title="as the tree grows", ylim=(0, 0.6))
        label_lines(ax, drawn)

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        found = self.pruning()
        trained, held_out, fresh = self._errors(found.tree())
        return (
            f"A tree of {found.counts.given.n_leaves} leaves grown on {self.sample} with "
            f"{self.noise:.0%} of the labels flipped, cut to {found.n_leaves} by "
            f"{self.method}: errors {trained:.3f} in training, {held_out:.3f} on the pruning "
            f"sample, {fresh:.3f} on fresh examples."
        )

    @t.validate("sample")
    def _check_sample(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, self.examples)

    @t.validate("method")
    def _check_method(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, METHODS)

    @t.validate("noise")
    def _check_noise(self, proposal: dict[str, Any]) -> Any:
        return on_grid(proposal, NOISES)

    @t.validate("d")
    def _check_d(self, proposal: dict[str, Any]) -> Any:
        return accepted(proposal, "an integer >= 0", holds=proposal["value"] >= 0)

    @t.validate("c", "delta", "alpha")
    def _check_dial(self, proposal: dict[str, Any]) -> Any:
        value: float = proposal["value"]
        rule, holds = {
            "c": ("above 0 and at most 3", 0 < value <= 3),
            "delta": ("in the open interval (0, 1)", 0 < value < 1),
            "alpha": ("from 0 to 1", 0 <= value <= 1),
        }[proposal["trait"].name]
        return float(accepted(proposal, rule, holds=holds))

    def __repr__(self) -> str:
        return (
            f"PruningExplorer(sample={self.sample!r}, method={self.method!r}, noise={self.noise:g})"
        )
