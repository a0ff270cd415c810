"""The explorer of chapter 3: slide the bias of each bit, and race exact growth against samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import traitlets as t
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dtviz import plot
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.growth_path import GrowthPath
from dtviz.core.measures import resample_influences
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import SCORE_TIE
from dtviz.core.topdown import build_top_down
from dtviz.core.tree import Tree
from dtviz.explorers.base import Explorer, Offered, named_functions, widget_module
from dtviz.explorers.beside import Beside
from dtviz.explorers.fixed import FixedList
from dtviz.explorers.functions import Chosen, book_functions, facts_of
from dtviz.explorers.traits import BIAS, HALF, Integer, Number, Text, checked_biases, integers
from dtviz.plot.canvas import text_options

__all__ = ["BIASED", "BUDGETS", "MAX_BIASED_VARIABLES", "VIEWS", "ProductExplorer"]

MAX_BIASED_VARIABLES = 6
"""What the page can grow, optimise and sample between two frames of a moving slider."""

BIASED = (
    "multiplexer(2)",
    "random(5, 1)",
    "guarded(majority(5))",
    "x0 or (x1 and x2)",
    "decision_list(6)",
    "caterpillar(1)",
    "tribes(2, 3)",
    "majority(5)",
    "parity(4)",
    "conjunction(5)",
    "random(6, 6)",
    "random(6, 3)",
)
"""The functions offered if none are given."""

BUDGETS = tuple(2**k for k in range(3, 15))
"""The numbers of draws on the slider of the race."""

VIEWS = ("exact", "bounds", "race")

SWEEP = tuple(k / 100 for k in range(1, 100))
"""Where the influences are computed while a bias moves."""


class ProductExplorer(Chosen, Beside, Explorer):
    """Growth under biased bits at your fingertips: slide p, and see who wins the root.

    Parameters
    ----------
    functions : BooleanFunction or mapping of str to BooleanFunction, optional
        What there is to choose from, 1 to 6 variables each; the book's functions, of
        ``dtviz.functions``, if not given. One function alone goes by the name ``"f"``, or is a
        text such as ``"rain & wind | sun"``, whose names of variables stand wherever the explorer
        speaks of them.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    function : str
        The name of the function shown, the first one at the start; or the text of a function of
        one's own, which `BooleanFunction.from_text` reads, of at most 6 variables.
    bias : float
        The common probability of a 1, in (0, 1).
    biases : list of float
        A probability of its own for each variable, x_0 first, in (0, 1); those that the list does
        not reach have the common one. Empty at the start, and again when the common bias is moved
        in the explorer.
    epsilon : float
        The error allowed, in [0, 1/2]. At 1/2 one leaf is enough.
    view : str
        ``"exact"`` for the exact learner, ``"bounds"`` for its depths and bounds, ``"race"`` for
        the same beside a learner that sees samples only.
    samples : int
        How many draws the sampled learner has, a power of 2 from 8 to 16384. More draws include the
        fewer.
    seed : int
        Which draws these are, 0 to 999.
    beside : str
        What stands beside the tree where no sampled one does: ``"nothing"``, ``"best"`` for a tree
        without error of the least average depth, ``"kept"`` for the tree of settings kept.
    kept : dict
        The settings kept: ``function``, ``bias``, ``biases``, ``epsilon``, or some of them.
    playing : bool
        Whether the common bias is moving.

    Raises
    ------
    ValueError
        If ``functions`` is not as above.
    traitlets.TraitError
        If a trait is set outside its range.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.ProductExplorer(dt.functions.majority(3), biases=[0.9])
    >>> explorer
    ProductExplorer(function='f', biases=[0.9, 0.3, 0.3], epsilon=0.1)
    >>> explorer.mu.p.tolist(), explorer.path().n_leaves, explorer.tree().n_leaves
    ([0.9, 0.3, 0.3], 6, 3)
    >>> explorer.function = "x0 & (x1 | ~x2)"
    >>> explorer.path().n_leaves, explorer.tree().n_leaves
    (5, 3)
    """

    _esm = widget_module("product")
    _views = ("tree", "beside", "biases", "root", "error", "score", "bounds", "race")
    _controls = ("bias", "epsilon", "function", "view", "beside", "samples")
    functions = Offered[BooleanFunction]()
    function = t.Unicode(help="name or text of the function shown").tag(sync=True, check="function")
    bias = Number(0.3, within=BIAS, help="common bias, between 0 and 1").tag(sync=True)
    biases = FixedList(Number(), help="biases of single variables").tag(
        sync=True, items=(MAX_BIASED_VARIABLES, BIAS)
    )
    epsilon = Number(0.1, within=HALF, help="error allowed, 0 to 1/2").tag(sync=True)
    view = Text(VIEWS[0], choices=VIEWS, show=repr, help="exact, bounds or race").tag(sync=True)
    samples = Integer(256, choices=BUDGETS, help="draws of the sampled learner").tag(sync=True)
    seed = Integer(0, within=integers(0, 999), help="which draws").tag(sync=True)
    playing = t.Bool(False, help="move the common bias").tag(sync=True)  # noqa: FBT003
    _not_pictured = frozenset({"samples", "seed", "view", "beside", "kept", "playing"})
    _variables = (1, MAX_BIASED_VARIABLES)
    _keeps = ("function", "bias", "biases", "epsilon")

    def __init__(
        self,
        functions: BooleanFunction | Mapping[str, BooleanFunction] | None = None,
        **traits: Any,
    ) -> None:
        self.functions = named_functions(
            "functions", functions, lambda: book_functions(*BIASED), 1, MAX_BIASED_VARIABLES
        )
        traits.setdefault("function", next(iter(self.functions)))
        super().__init__(_explorer="product", _about=self._facts_of(self.functions), **traits)

    @property
    def _own_biases(self) -> list[float]:
        """The biases that are not the common one."""
        return list(self.biases[: self.chosen().n])

    @property
    def mu(self) -> ProductDistribution:
        """The distribution on display."""
        own = self._own_biases
        return ProductDistribution(own + [self.bias] * (self.chosen().n - len(own)))

    def path(self) -> GrowthPath:
        """The growth path on display."""
        return build_top_down(self.chosen(), self.mu)

    def tree(self) -> Tree:
        """The tree on display, which is learned: ``path().tree(epsilon=explorer.epsilon)``."""
        return self.path().tree(epsilon=self.epsilon)

    def tree_beside(self) -> Tree | None:
        """The tree beside it: one of the least average depth, or that of the settings kept.

        None if nothing stands beside, nothing is kept, or the race shows a sampled tree there.
        """
        if self.view == "race" or self.beside == "nothing":
            return None
        if self.beside == "best":
            return optimal(self.chosen(), self.mu).tree("average_depth")
        if not self.kept:
            return None
        return ProductExplorer(dict(self.functions), **self.settings_beside()).tree()

    def picture(self) -> Figure:
        """Draw the influences over a common bias, the tree on display, and its error and cost."""
        with plot.style():
            figure = Figure(figsize=(10, 6), layout="constrained")
            grid = figure.add_gridspec(2, 2, width_ratios=(3, 2))
            plot.tree(self.tree(), ax=figure.add_subplot(grid[:, 0]), max_leaves=16)
            self._draw_influences(figure.add_subplot(grid[0, 1]))
            curves = figure.add_subplot(grid[1, 1])
            level = self.epsilon if self.epsilon < 0.5 else None
            plot.growth(self.path(), ax=curves, curves=("error", "cost"), epsilon=level)
            curves.xaxis.set_major_locator(MaxNLocator(integer=True))
        return figure

    def _draw_influences(self, ax: Axes) -> None:
        """Draw the resample influence of each variable while all biases move together."""
        f = self.chosen()
        biases = np.array(SWEEP)
        curves = np.array([resample_influences(f, ProductDistribution([p] * f.n)) for p in SWEEP])
        ax.plot(biases, curves, color=plot.COLORS["faint"], linewidth=1.2)
        ax.plot(biases, curves.max(axis=1), color=plot.COLORS["score"])
        if not self._own_biases:
            ax.axvline(self.bias, color=plot.COLORS["epsilon"], linewidth=1)
        title = self.function if self.function in self.functions else "a function of the reader's"
        ax.set(xlabel="common bias", ylabel="influence")
        ax.set_title(title, **text_options())
        winners = (curves >= curves.max(axis=1, keepdims=True) * (1 - SCORE_TIE)).argmax(axis=1)
        for i in np.unique(winners).tolist():
            peak = int(np.where(winners == i, curves[:, i], -1).argmax())
            ax.annotate(
                f.variables[i] if f.variables else f"$x_{i}$",
                (float(biases[peak]), float(curves[peak, i])),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
                color=plot.COLORS["score"],
            )
        ax.margins(y=0.12)

    def _biases_in_words(self) -> str:
        every = ", ".join(f"{p:g}" for p in self.mu.p)
        return f"({every})" if self._own_biases else f"{self.bias:g}"

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        path = self.path()
        step = path.n_leaves_for(self.epsilon) - 1
        leaves = "1 leaf" if step == 0 else f"{step + 1} leaves"
        what = f"{self.function} ({facts_of(self.function, self.chosen())})"
        return (
            f"The greedy tree for {what} at bias {self._biases_in_words()} and epsilon "
            f"{self.epsilon:g}: {leaves}, error {path.errors[step]:.3f} and cost "
            f"{path.costs[step]:.2f}; beside it the influences of the variables over a common "
            "bias, and the curves of error and cost."
        )

    @t.validate("function")
    def _check_function(self, proposal: dict[str, Any]) -> Any:
        return self._check_choice(proposal)

    @t.validate("biases")
    def _check_biases(self, proposal: dict[str, Any]) -> Any:
        return checked_biases(proposal, MAX_BIASED_VARIABLES)

    def __repr__(self) -> str:
        every = ", ".join(f"{p:g}" for p in self.mu.p)
        chosen = f"biases=[{every}]" if self._own_biases else f"bias={self.bias:g}"
        return f"ProductExplorer(function={self.function!r}, {chosen}, epsilon={self.epsilon:g})"
