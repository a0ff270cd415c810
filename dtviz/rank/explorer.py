"""The explorer of chapter 2: FIND on a growing sample, call by call, beside what is guaranteed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz import rank as theory
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, uniform
from dtviz.core.optimal import optimal
from dtviz.core.rendering import to_columns
from dtviz.core.tree import Tree
from dtviz.explorers.base import Explorer, Offered, accepted, named_functions, one_of
from dtviz.rank.recording import STEPS, FindRun
from dtviz.rank.sample import Sample
from dtviz.rank.search import Search

__all__ = ["DRAWS", "GRID", "MAX_TARGET_VARIABLES", "TARGETS", "RankExplorer", "target_record"]

TARGETS: dict[str, tuple[str, tuple[int, ...]]] = {
    f"{name}({', '.join(map(str, arguments))})": (name, arguments)
    for name, arguments in (
        ("majority", (5,)),
        ("decision_list", (5,)),
        ("parity", (4,)),
        ("parity", (5,)),
        ("multiplexer", (2,)),
        ("caterpillar", (1,)),
        ("random_tree", (5, 1, 2)),
        ("random_tree", (5, 2, 0)),
        ("random_tree", (5, 3, 0)),
    )
}
"""The targets offered if none are given; ``random_tree`` makes one of exactly the rank it names."""

GRID = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""The numbers of examples on the slider. Examples are drawn with replacement."""

DRAWS = 200
"""How many independent samples of each size the second view shows."""

MAX_TARGET_VARIABLES = 6
VIEWS = ("one sample", "many samples")
SEED = 1


def _draw(f: BooleanFunction) -> npt.NDArray[np.int8]:
    """The longest sample of the slider; a shorter one is its beginning."""
    return uniform(f.n).sample(GRID[-1], np.random.default_rng(SEED))


def _highest_bound(f: BooleanFunction) -> int:
    """The largest rank bound on the slider: one more than FIND needs."""
    return min(f.n, int(optimal(f).rank) + 1)


def _pack(tree: Tree | None, f: BooleanFunction) -> dict[str, Any] | None:
    """A tree in preorder: variables (leaves: -1 for label 0, -2 for label 1), ranks, errors."""
    if tree is None:
        return None
    columns = to_columns(tree)
    labelled = zip(columns["variable"], columns["value"], strict=True)
    return {
        "variable": [-1 - label if i < 0 else i for i, label in labelled],
        "rank": tree.node_rank.tolist(),
        "wrong": int((f ^ tree.function(f.n)).table.sum()),
    }


def _pack_run(run: FindRun, f: BooleanFunction) -> dict[str, Any]:
    """A recorded run: one entry a call in each list, and the tree found."""
    return {
        "depth": run.depth.tolist(),
        "rank": run.rank.tolist(),
        "size": run.n_examples.tolist(),
        "ones": run.ones.tolist(),
        "variable": run.variable.tolist(),
        "branch": run.branch.tolist(),
        "again": run.again.astype(int).tolist(),
        "found": run.found.astype(int).tolist(),
        "step": run.step.tolist(),
        "split": run.split.tolist(),
        "tree": _pack(run.tree(), f),
    }


def _histograms(f: BooleanFunction, bounds: int) -> list[list[list[int]]]:
    """How often FIND errs on so many points, for every rank bound and every size of the grid.

    Entry ``[r][k]`` lists, over ``DRAWS`` samples of ``GRID[k]`` examples, how many gave no tree,
    how many a tree without error, with one wrong point of the cube, with two, and so on.
    """
    # One search for the whole cube remembers across all samples: they are sets of its points.
    size = 1 << f.n
    whole = Sample.of(np.array([[x >> i & 1 for i in range(f.n)] for x in range(size)]), f.table)
    search = Search(whole)

    @cache
    def wrong(sample: int, r: int, cube: int) -> int:
        ones = sample & whole.positives
        if ones in (0, sample):
            return (cube & (~whole.positives if ones else whole.positives)).bit_count()
        i, low, high = search.root(sample, r)
        column = whole.columns[i]
        return wrong(*low, cube & ~column) + wrong(*high, cube & column)

    rng = np.random.default_rng(SEED)
    result: list[list[list[int]]] = [[] for _ in range(bounds + 1)]
    for m in GRID:
        samples = []
        for row in rng.integers(0, size, size=(DRAWS, m)).tolist():
            sample = 0
            for x in row:
                sample |= 1 << x
            samples.append(sample)
        for r in range(bounds + 1):
            found = [
                wrong(sample, r, whole.everything) if search.fits(sample, r, whole.columns) else -1
                for sample in samples
            ]
            result[r].append(np.bincount(np.array(found) + 1).tolist())
    return result


def _log_counts(f: BooleanFunction, bounds: int) -> dict[str, list[float | None]]:
    """Bounds on ln |F_n^r|, r = 0 .. bounds: of the theorem, by leaves, and exact where known."""
    paper: list[float | None] = [None]
    leaves: list[float | None] = [None]
    exact: list[float | None] = []
    for r in range(1, bounds + 1):
        k = math.e * f.n / r
        paper.append(k**r * math.log(8 * f.n))
        leaves.append(theory.most_leaves(f.n, r) * math.log(8 * f.n))
    counts = np.cumsum(theory.functions_by_rank(f.n)).tolist() if f.n <= 4 else []
    for r in range(bounds + 1):
        if counts:
            exact.append(math.log(counts[r]))
        else:
            # All trees of rank 0 are constants; every function has rank at most n.
            exact.append({0: math.log(2), f.n: 2**f.n * math.log(2)}.get(r))
    return {"paper": paper, "leaves": leaves, "exact": exact}


@cache
def target_record(f: BooleanFunction) -> dict[str, Any]:
    """Pack all that the explorer shows of one target into integers.

    Returns
    -------
    dict
        ``n`` and ``rank`` of the target; ``distinct[k]``, how many different examples the first
        ``GRID[k]`` draws hold; ``runs``, the recorded runs, and ``run[k][r]``, which of them is
        that on ``GRID[k]`` examples with bound r; ``draws[r][k]``, the histogram of wrong points;
        ``log_counts``, three counts of the class of functions of rank at most r.

    """
    X = _draw(f)
    y = f(X)
    bounds = _highest_bound(f)
    runs: list[dict[str, Any]] = []
    seen: dict[tuple[int, int], int] = {}
    index, distinct = [], []
    for m in GRID:
        size = len(np.unique(X[:m], axis=0))
        distinct.append(size)
        row = []
        for r in range(bounds + 1):
            # The samples are nested, so equal sizes mean equal sets, and equal runs.
            if (size, r) not in seen:
                seen[size, r] = len(runs)
                runs.append(_pack_run(theory.find_run(X[:m], y[:m], rank=r), f))
            row.append(seen[size, r])
        index.append(row)
    return {
        "n": f.n,
        "rank": int(optimal(f).rank),
        "distinct": distinct,
        "run": index,
        "runs": runs,
        "draws": _histograms(f, bounds),
        "log_counts": _log_counts(f, bounds),
    }


def _make(name: str, arguments: tuple[int, ...]) -> BooleanFunction:
    if name == "random_tree":
        return theory.random_tree(*arguments).function(arguments[0])
    made: BooleanFunction = getattr(zoo, name)(*arguments)
    return made


def _targets() -> dict[str, BooleanFunction]:
    return {label: _make(*given) for label, given in TARGETS.items()}


class RankExplorer(Explorer):
    """FIND at your fingertips: slide the examples and the rank bound, step through the calls.

    Parameters
    ----------
    targets : BooleanFunction or mapping of str to BooleanFunction, optional
        What there is to learn, 1 to ``MAX_TARGET_VARIABLES`` variables each; the functions of
        ``TARGETS`` if not given. One function alone goes by the name ``"f"``.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    target : str
        The name of the function that labels the examples; the first one at the start.
    m : int
        The number of examples, one of ``GRID``: the beginning of one fixed sequence of uniform
        draws, with replacement.
    rank : int
        The rank bound r given to FIND, 0 to ``MAX_TARGET_VARIABLES``. Bounds above one more than
        the rank of the target, or above n, are shown as that bound.
    epsilon, delta : float
        The error and the failure probability that the guarantee is asked for, in (0, 1).
    call : int or None
        The call shown, from 0; beyond the last, the last. None for the first second try (step 3.3)
        of the run, or call 0 if there is none. A reader who changes the run resets it.
    view : str
        ``"one sample"`` for the run of FIND, ``"many samples"`` for the errors of ``DRAWS`` samples
        of each size.
    playing : bool
        Whether the run is stepping by itself.

    Raises
    ------
    ValueError
        If ``targets`` is not as above.
    traitlets.TraitError
        If a trait is set outside its range.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.RankExplorer(dt.functions.conjunction(3), m=8, rank=1)
    >>> explorer
    RankExplorer(target='f', m=8, rank=1)
    >>> explorer.tree().n_leaves, explorer.sample[0].shape
    (4, (8, 3))
    """

    targets = Offered[BooleanFunction]()
    target = t.Unicode(help="name of the target").tag(sync=True)
    m = t.Int(24, help="number of examples").tag(sync=True)
    rank = t.Int(2, help="rank bound given to FIND").tag(sync=True)
    epsilon = t.Float(0.1, help="error allowed, between 0 and 1").tag(sync=True)
    delta = t.Float(0.1, help="failure probability, between 0 and 1").tag(sync=True)
    call = t.Int(None, allow_none=True, help="call shown, or None").tag(sync=True)
    view = t.Unicode(VIEWS[0], help="one sample or many").tag(sync=True)
    playing = t.Bool(False, help="step through the calls").tag(sync=True)  # noqa: FBT003
    _grid = t.List(list(GRID), help="values of m").tag(sync=True)
    _steps = t.List(list(STEPS), help="names of the steps that return").tag(sync=True)
    _not_pictured = frozenset({"call", "delta", "playing", "view"})

    def __init__(
        self,
        targets: BooleanFunction | Mapping[str, BooleanFunction] | None = None,
        **traits: Any,
    ) -> None:
        self.targets = named_functions("targets", targets, _targets, 1, MAX_TARGET_VARIABLES)
        records = {name: target_record(f) for name, f in self.targets.items()}
        traits.setdefault("target", next(iter(records)))
        super().__init__(_explorer="rank", _paths=records, **traits)

    @property
    def bound(self) -> int:
        """The rank bound on display: ``rank``, or the largest offered for this target."""
        return min(self.rank, _highest_bound(self.targets[self.target]))

    @property
    def sample(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """The examples on display: X of shape (m, n) and their labels, of shape (m,)."""
        f = self.targets[self.target]
        X = _draw(f)[: self.m]
        return X, f(X)

    def run(self) -> FindRun:
        """The run of FIND on display."""
        return theory.find_run(*self.sample, rank=self.bound)

    def tree(self) -> Tree | None:
        """The tree on display, which the run found; None if it found none."""
        return self.run().tree()

    def _error(self, tree: Tree) -> float:
        """The true error of a tree under the uniform distribution."""
        f = self.targets[self.target]
        return float((f ^ tree.function(f.n)).table.mean())

    def picture(self) -> Figure:
        """Draw the tree on display beside the errors of many samples."""
        tree = self.tree()
        with plot.style():
            figure = Figure(figsize=(10, 4), layout="constrained")
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            if tree is None:
                left.set_axis_off()
                words = f"No tree of rank {self.bound} agrees\nwith all {self.m} examples."
                left.text(0.5, 0.5, words, ha="center", va="center", transform=left.transAxes)
            else:
                plot.tree(tree, ax=left, max_leaves=16, node_colour="rank")
            self._draw_errors(right)
        return figure

    def _draw_errors(self, ax: Any) -> None:
        """Draw one dot per size and error, as large as it is frequent, and the error allowed."""
        f = self.targets[self.target]
        for m, histogram in zip(GRID, target_record(f)["draws"][self.bound], strict=True):
            often = np.array(histogram[1:])
            errors = np.flatnonzero(often)
            ax.scatter(
                np.full(len(errors), m),
                errors / 2**f.n,
                s=often[errors] / 2 + 2,
                color=plot.COLOURS["error"],
                alpha=0.7,
                linewidths=0,
            )
        ax.set_xscale("log", base=2)
        ticks = GRID[::3]
        ax.set_xticks(ticks, [str(m) for m in ticks])
        ax.minorticks_off()
        ax.set(xlabel="examples", ylabel="true error", title=f"{self.target}, rank {self.bound}")
        ax.set_ylim(bottom=-0.02)
        plot.level_line(ax, self.epsilon, f"ε = {self.epsilon:g}")

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        tree = self.tree()
        leaves = 0 if tree is None else tree.n_leaves
        found = (
            "no consistent tree"
            if tree is None
            else f"a tree of {leaves} {'leaf' if leaves == 1 else 'leaves'}, rank {tree.rank}, "
            f"true error {self._error(tree):.3f}"
        )
        return (
            f"FIND on {self.m} example{'' if self.m == 1 else 's'} of {self.target} with rank "
            f"bound {self.bound}: {found}; beside it the true errors of {DRAWS} samples of each "
            "size."
        )

    @t.validate("target")
    def _check_target(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, self.targets)

    @t.validate("m")
    def _check_m(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, GRID)

    @t.validate("rank")
    def _check_rank(self, proposal: dict[str, Any]) -> Any:
        rule = f"an integer from 0 to {MAX_TARGET_VARIABLES}"
        return accepted(proposal, rule, holds=0 <= proposal["value"] <= MAX_TARGET_VARIABLES)

    @t.validate("epsilon", "delta")
    def _check_share(self, proposal: dict[str, Any]) -> Any:
        return accepted(proposal, "in the open interval (0, 1)", holds=0 < proposal["value"] < 1)

    @t.validate("call")
    def _check_call(self, proposal: dict[str, Any]) -> Any:
        holds = proposal["value"] is None or proposal["value"] >= 0
        return accepted(proposal, "None or an integer >= 0", holds=holds)

    @t.validate("view")
    def _check_view(self, proposal: dict[str, Any]) -> Any:
        return one_of(proposal, VIEWS, repr)

    def __repr__(self) -> str:
        return f"RankExplorer(target={self.target!r}, m={self.m}, rank={self.rank})"
