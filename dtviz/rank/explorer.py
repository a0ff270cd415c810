"""The explorer of chapter 2: FIND on a growing sample, call by call, beside what is guaranteed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import traitlets as t

from dtviz import plot
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.checks import as_repr
from dtviz.core.data.frames import names_of
from dtviz.core.data.handed import read_handed
from dtviz.core.names import count_leaves
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import widget_module
from dtviz.explorers.beside import BesideKept, More
from dtviz.explorers.columns import check_first, is_table
from dtviz.explorers.functions import Choice, OffersFunctions, about
from dtviz.explorers.given import freeze_offer
from dtviz.explorers.traits import (
    NATURAL,
    OPEN_UNIT,
    Flag,
    Integer,
    Items,
    Number,
    Text,
    check_proposal,
    integers,
)
from dtviz.rank.counting import log_function_bound, sample_size
from dtviz.rank.draws import MAX_ROWS, MAX_TARGET_VARIABLES, check_rows, draw_points, format_rows
from dtviz.rank.learners import find_run, sample_rank
from dtviz.rank.recording import FindRun
from dtviz.rank.sample import Sample
from dtviz.rank.search import Search

__all__ = ["DRAWS", "GRID", "TARGETS", "VIEWS", "RankExplorer", "sampled_errors"]

TARGETS = (
    *("majority(5)", "decision_list(5)", "parity(4)", "parity(5)", "multiplexer(2)"),
    "caterpillar(1)",
)
"""The targets offered if none are given, functions of the book."""

GRID = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""The numbers of examples on the slider. Examples are drawn with replacement."""

MOST_WRITTEN = 12
"""Rows of a column in the picture."""

DRAWS = 200
"""How many independent samples of each size the view of many samples shows."""

VIEWS = ("tree", "calls", "sample", "many samples", "guarantee")
SEEDS = 1000
MAX_POINTS = 2**MAX_TARGET_VARIABLES


@cache
def sampled_errors(f: BooleanFunction, seed: int, rank: int) -> tuple[tuple[float, ...], ...]:
    """The true errors of the trees that FIND returns on ``DRAWS`` samples of each size.

    Entry k has an error in [0, 1] for each sample of ``GRID[k]`` examples that gave a tree of at
    most this rank; the seed says which samples, and f has at most ``MAX_TARGET_VARIABLES``.
    """
    # One search for the whole cube remembers across all samples: they are sets of its points.
    search = Search(Sample.of(cube_points(f.n), f.table))
    whole = search.sample

    @cache
    def wrong(sample: int, r: int, cube: int) -> int:
        ones = sample & whole.positives
        if ones in (0, sample):
            missed = cube & (~whole.positives if ones else whole.positives)
            return missed.bit_count()
        i, low, high = search.root(sample, r)
        column = whole.columns[i]
        return wrong(*low, cube & ~column) + wrong(*high, cube & column)

    places = 1 << np.arange(f.n)
    drawn = [draw_points(f.n, seed, j, GRID[-1]) @ places for j in range(1, DRAWS + 1)]
    found = []
    for m in GRID:
        shown = [sum(1 << x for x in set(codes[:m].tolist())) for codes in drawn]
        fitting = [sample for sample in shown if search.fits(sample, rank)]
        found.append(tuple(wrong(sample, rank, whole.everything) / 2**f.n for sample in fitting))
    return tuple(found)


class RankExplorer(OffersFunctions, BesideKept):
    """FIND at your fingertips: slide the examples and the rank bound, step through the calls.

    Parameters
    ----------
    targets : BooleanFunction or mapping of str to BooleanFunction, optional
        What there is to learn, 1 to 6 variables each; the book's targets, of ``dtviz.functions``,
        if not given. One function alone goes by the name ``"f"``, or is a text such as
        ``"rain & wind | sun"``. If ``y`` is given: the reader's
        own examples X, an ``(m, n)`` array or data frame of 0/1, ``m <= 256``.
    y : (m,) array of 0/1, or str, optional
        The labels of the reader's own examples, or the name of the column that holds them. Then
        there is no target.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    target : str
        What labels the examples: the name of a function offered, the first one at the start, or a
        text that `BooleanFunction.from_text` reads: a formula, bits, a table in hex. ``""`` if the
        ``rows`` are all that is known.
    m : int
        The number of examples, one of 1, 2, 3, 4, 6, 8, 12, 16, 24, ..., 192, 256: the beginning of
        one sequence of independent draws, or of the ``rows``. Of X and y all are shown if it is not
        given.
    rank : int
        The rank bound r given to FIND, 0 to 6. Bounds above n, or above one more than the rank of
        the target and of the longest sample, are shown as that bound.
    epsilon, delta : float
        The error and the failure probability that the guarantee is asked for, in (0, 1).
    seed : int
        Which draws, 0 to 999.
    flipped : list of int
        Points, bit i of the number being x_i, that carry the wrong label in the sample.
    rows : list of str
        The reader's own sample: the bits of an example and its label, as in ``"0110"``, at most
        256. Empty: the examples are drawn. A target of as many variables is what the errors are
        measured against; any other is left aside.
    call : int or None
        The call shown, from 0; beyond the last, the last. None for the first second try (step 3.3)
        of the run, or call 0 if there is none. A reader who changes the run resets it.
    view : str
        What is shown besides the tree: the ``"sample"`` at the start, ``"tree"`` for nothing, the
        ``"calls"`` of the run, ``"many samples"`` for the errors of 200 samples of each size, or
        the ``"guarantee"``.
    beside : "nothing" or "kept"
        What stands in the place of the view: nothing else, or the tree of the settings kept.
    kept : dict
        Settings kept to compare: some of ``target``, ``m``, ``rank``, ``seed``, ``flipped`` and
        ``rows``. Without target and rows they have no tree.
    playing : bool
        Whether one sample after the other is shown, or in the view of calls one call after the
        other.

    Raises
    ------
    ValueError
        If ``targets`` is not as above, or X and y are no sample of so many variables.
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
    >>> own = dt.RankExplorer([[0, 0], [0, 1], [1, 0]], [0, 1, 1], rank=1)
    >>> own.rows, own.tree().n_leaves
    (['000', '011', '101'], 3)
    >>> explorer.kept, explorer.beside = {"m": 1}, "kept"
    >>> explorer.tree_beside().n_leaves
    1
    """

    _esm = widget_module("rank")
    _views = ("tree", "kept", "calls", "sample", "many samples", "guarantee")
    _controls = ("m", "target", "rank", "epsilon", "delta", "view")
    targets: dict[str, BooleanFunction]
    target = Choice(check="target")
    m = Integer(24, choices=GRID)
    rank = Integer(2, within=integers(0, MAX_TARGET_VARIABLES))
    epsilon = Number(0.1, within=OPEN_UNIT)
    delta = Number(0.1, within=OPEN_UNIT)
    seed = Integer(289, within=integers(0, SEEDS - 1))
    flipped = Items(Integer(within=integers(0, MAX_POINTS - 1)), MAX_POINTS)
    rows = Items(Text(), check="bits", read=check_rows)
    call = Integer(None, within=NATURAL)
    beside = Text("nothing", choices=("nothing", "kept"))
    view = Text(VIEWS[2], choices=VIEWS)
    playing = Flag()
    _names = t.List(t.Unicode(), help="of the columns of the reader's table").tag(sync=True)
    _draws = Integer(DRAWS)
    _choice, _offers, _variables = "target", "targets", (1, MAX_TARGET_VARIABLES)
    _keeps = ("target", "m", "rank", "seed", "flipped", "rows")
    _named, _argument = ("target", "m", "rank"), "targets"

    def __init__(
        self,
        targets: BooleanFunction | Mapping[str, BooleanFunction] | npt.ArrayLike | None = None,
        y: npt.ArrayLike | None = None,
        **traits: Any,
    ) -> None:
        check_first(self, traits)
        if y is None and not is_table(targets):
            found = self._read_functions(targets, TARGETS)
        else:
            found = {}
            X, labels, features, _ = read_handed(targets, y)
            traits["rows"] = _own_rows(X, labels)
            traits["_names"] = [str(name) for name in features or names_of(X) or ()]
            # All of them, unless fewer are asked for.
            traits.setdefault("m", next(m for m in GRID if m >= len(traits["rows"])))
        self.targets = freeze_offer(self, "targets", found)
        traits.setdefault("target", next(iter(found), ""))
        known = {name: about(name, f) for name, f in self.targets.items()}
        super().__init__(**{"_about": known} | traits)

    @property
    def n(self) -> int:
        """The number of variables."""
        return len(self.rows[0]) - 1 if self.rows else self.named_function().n

    def _first(self, m: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """The first m examples."""
        if self.rows:
            bits = np.array([[int(bit) for bit in row] for row in self.rows[:m]], np.int8)
            return bits[:, :-1], bits[:, -1]
        X = draw_points(self.n, self.seed, 0, m)
        wrong = np.isin(X @ (1 << np.arange(self.n)), self.flipped)
        return X, (self.named_function()(X) ^ wrong).astype(np.int8)

    @property
    def sample(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """The examples on display: X of shape (m, n) and their labels, of shape (m,)."""
        return self._first(self.m)

    @property
    def bound(self) -> int:
        """The rank bound on display: ``rank``, or the largest offered."""
        needed = sample_rank(*self._first(GRID[-1]))
        f = _judge(self)
        if f is not None:
            needed = max(needed, int(optimal(f).rank))
        return min(int(self.rank), needed + 1, self.n)

    def run(self) -> FindRun:
        """The run of FIND on display."""
        return find_run(*self.sample, rank=self.bound)

    def tree(self) -> Tree | None:
        """The tree on display, which the run found; None if it found none.

        Its tests are called as the columns of the reader's own table, or as the variables of the
        target.
        """
        tree = self.run().tree()
        judge = _judge(self)
        names = list(judge.variables or ()) if judge else []
        if self.rows and len(self._names) == self.n:
            names = self._names
        return tree.named(names) if tree is not None and names else tree

    def _pictured_beside(self) -> RankExplorer | None:
        """Return an explorer of the settings kept, if they stand beside and make a run."""
        settings = self.settings_beside()
        known = settings["target"] or settings["rows"]
        if self.beside == "nothing" or not self.kept or not known:
            return None
        return RankExplorer(dict(self.targets) or None, _names=self._names, **settings)

    def _make_beside(self) -> Tree | None:
        other = self._pictured_beside()
        return None if other is None else other.tree()

    def _pictured_tree(self) -> RankExplorer:
        return self

    def _draw_tree(self, ax: Any, of: RankExplorer) -> None:
        """Draw the tree that an explorer found, or say that there is none."""
        tree = of.tree()
        if tree is not None:
            plot.tree(tree, ax=ax, max_leaves=16, node_color="rank")
            return
        ax.set_axis_off()
        words = f"No tree of rank {of.bound} agrees\nwith all {len(of.sample[1])} examples."
        ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)

    def _tree_title(self, of: RankExplorer) -> str:
        """What FIND runs on, in few words."""
        whose = "own rows" if of.rows else of.target
        return f"{whose}, m = {len(of.sample[1])}, rank {of.bound}"

    def _beside_title(self, other: RankExplorer) -> str:
        return f"kept: {self._tree_title(other)}"

    def _beside_words(self, other: RankExplorer) -> str:
        return f"that of {self._tree_title(other)}: {_found_text(other)}"

    def _more(self) -> More:
        if self.view == "many samples" and _judge(self) is not None:
            return self._draw_errors, f"the true errors of {DRAWS} samples of each size"
        if self.view == "guarantee" and self.bound:
            return self._draw_asked, "how many examples three ways of counting ask for"
        return self._draw_rows, "these examples"

    def _draw_asked(self, ax: Any) -> None:
        """Draw how many examples each way of counting functions asks for."""
        logs = {
            "all functions": 2**self.n * math.log(2),
            "exact leaf count": log_function_bound(self.n, self.bound, by_leaves=True),
            "the theorem": log_function_bound(self.n, self.bound),
        }
        asked = [sample_size(self.epsilon, self.delta, log) for log in logs.values()]
        bars = ax.barh([*logs], asked, color=plot.COLORS["bound"])
        ax.bar_label(bars, fmt="{:,.0f}", padding=3)
        ax.margins(x=0.2)
        ax.set(xlabel="examples", title=f"enough for error {self.epsilon:g}")

    def _draw_rows(self, ax: Any) -> None:
        """Write the examples, as many as there is room for, in columns."""
        texts = list(dict.fromkeys(format_rows(*self.sample)))
        most = 3 * MOST_WRITTEN
        lines = texts if len(texts) <= most else [*texts[: most - 1], "... "]
        ax.set_axis_off()
        ax.set_title(f"{len(texts)} different examples, the label last")
        for k in range(0, len(lines), MOST_WRITTEN):
            column = "\n".join(f"{row[:-1]} {row[-1]}" for row in lines[k : k + MOST_WRITTEN])
            look = {"va": "top", "family": "monospace", "transform": ax.transAxes}
            ax.text(0.02 + k / MOST_WRITTEN / 3, 0.97, column, **look)

    def _draw_errors(self, ax: Any) -> None:
        """Draw one dot per size and error, as large as it is frequent, and the error allowed."""
        found = sampled_errors(self.named_function(), self.seed, self.bound)
        look = {"color": plot.COLORS["error"], "alpha": 0.7, "linewidths": 0}
        for m, errors in zip(GRID, found, strict=True):
            values, often = np.unique(errors, return_counts=True)
            ax.scatter([m] * len(values), values, s=often / 2 + 2, **look)
        ax.set_xscale("log", base=2)
        ticks = GRID[::3]
        ax.set_xticks(ticks, [str(m) for m in ticks])
        ax.minorticks_off()
        ax.set(xlabel="examples", ylabel="true error")
        ax.set_ylim(bottom=-0.02)
        plot.level_line(ax, self.epsilon, f"ε = {self.epsilon:g}")

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        m = len(self.sample[1])
        examples = "1 example" if m == 1 else f"{m} examples"
        of = "given by the reader" if self.rows else f"of {self.target}"
        found = f"{_found_text(self)}{self._beside_text()}"
        return f"FIND on {examples} {of} with rank bound {self.bound}: {found}."

    def _check_kept_value(self, name: str, value: object) -> Any:
        """Return a setting to keep: target and rows may be empty, each for the other's sake."""
        if (name, value) in (("target", ""), ("rows", [])):
            return value
        return super()._check_kept_value(name, value)

    @t.validate("target")
    def _check_choice(self, proposal: dict[str, Any]) -> Any:
        alone = proposal["value"] == "" and bool(self.rows)
        return "" if alone else super()._check_choice(proposal)

    @t.validate("rows")
    def _check_rows(self, proposal: dict[str, Any]) -> Any:
        if not proposal["value"] and self.target == "":
            rule = "at least one row where there is no target"
            check_proposal(proposal, rule, holds=not vars(self).get("_whole"))
        return proposal["value"]


def _own_rows(X: Any, y: Any) -> list[str]:
    """The rows of a reader's own sample, which must be small enough to be shown."""
    try:
        sample = Sample.of(X, y)
    except ValueError:
        _check_columns(X)
        raise
    if not 1 <= sample.n <= MAX_TARGET_VARIABLES:
        msg = f"X must have 1 to {MAX_TARGET_VARIABLES} columns, got {sample.n}"
        raise ValueError(msg)
    rows, labels = np.asarray(X).astype(np.int8), np.asarray(y).ravel().astype(np.int8)
    if len(rows) > MAX_ROWS:
        msg = f"X must have at most {MAX_ROWS} rows, got {len(rows)}; FIND keeps equal rows once"
        raise ValueError(msg)
    return format_rows(rows, labels)


def _check_columns(X: Any) -> None:
    """Name the first column of a data frame that holds anything but 0 and 1."""
    names = names_of(X)
    if names is None:
        return
    for name, column in zip(names, np.asarray(X, dtype=object).T, strict=True):
        for entry in column.tolist():
            if entry not in (0, 1):
                msg = f"X must contain only 0 and 1, got {as_repr(entry)} in column {as_repr(name)}"
                raise ValueError(msg)


def _judge(explorer: RankExplorer) -> BooleanFunction | None:
    """The target that the tree is held against, if there is one."""
    f = explorer.named_function() if explorer.target else None
    return None if f is None or (explorer.rows and f.n != len(explorer.rows[0]) - 1) else f


def _found_text(explorer: RankExplorer) -> str:
    """What it finds."""
    tree, f = explorer.tree(), _judge(explorer)
    if tree is None:
        return "none"
    error = "" if f is None else f", true error {(f ^ tree.function(f.n)).table.mean():.3f}"
    return f"a tree of {count_leaves(tree.n_leaves)}, rank {tree.rank}{error}"
