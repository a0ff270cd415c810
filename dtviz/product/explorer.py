"""The explorer of chapter 3: slide the bias of each bit, and race exact growth against samples."""

from __future__ import annotations

import math
from typing import Any

from dtviz import plot
from dtviz.core.boolean.boolean_function import ProductDistribution
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.boolean_trees.topdown import build_top_down
from dtviz.core.checks import as_repr
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import widget_module
from dtviz.explorers.beside import More
from dtviz.explorers.functions import about
from dtviz.explorers.growth import GrowthExplorer
from dtviz.explorers.traits import BIAS, Integer, Items, Number, Text, integers
from dtviz.product.bounds import proved_bound_bits, score_floor_by_error, variation_bound_bits

__all__ = ["BIASED", "BUDGETS", "MAX_BIASED_VARIABLES", "VIEWS", "ProductExplorer"]

MAX_BIASED_VARIABLES = 6
"""What the page can grow, optimize and sample between two frames of a moving slider."""

BIASED = (
    "rash | cough & fever",
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


class ProductExplorer(GrowthExplorer):
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
        The probability of a 1 that the slider moves, in (0, 1): that of all variables, or of those
        that ``biases`` leaves to it. A number for each variable of the function, or a
        ProductDistribution, becomes ``biases``.
    biases : list of float or None
        A probability of its own for each variable, x_0 first, in (0, 1). Those that the list does
        not reach, or for which it has None, have ``bias``. A list that leaves it no variable is
        emptied when ``bias`` is set.
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
    splits : list of [int, int] or None
        None for the greedy splits, else the reader's own in order, each ``[node, variable]``: node
        0 is the root, and split j makes nodes 2j + 1 (bit 0) and 2j + 2 (bit 1). Moving epsilon in
        the explorer resets it, and the race is one of greedy trees.
    beside : str
        What stands beside the tree where no sampled one does: ``"nothing"``, ``"best"`` for a tree
        without error of the least average depth, ``"kept"`` for the tree of settings kept.
    kept : dict
        The settings kept: ``function``, ``bias``, ``biases``, ``epsilon``, ``splits``, or some of
        them.
    playing : bool
        Whether ``bias`` is moving.

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
    >>> dt.ProductExplorer("rain & wind", bias=[0.2, 0.9]).biases
    [0.2, 0.9]
    >>> one = dt.ProductExplorer("rain & wind", bias=0.2, biases=[None, 0.9])
    >>> one.bias = 0.3  # of the rain alone
    >>> one.mu.p.tolist()
    [0.3, 0.9]
    """

    _esm = widget_module("product")
    _views = ("tree", "beside", "biases", "root", "error", "score", "bounds", "race")
    _controls = ("bias", "epsilon", "function", "view", "beside", "samples")
    bias = Number(0.3, within=BIAS)
    biases = Items(Number(None, within=BIAS), MAX_BIASED_VARIABLES)
    view = Text(VIEWS[0], choices=VIEWS).tag(label="View")
    samples = Integer(256, choices=BUDGETS).tag(label="Draws")
    seed = Integer(0, within=integers(0, 999))
    _book = BIASED
    _variables = (1, MAX_BIASED_VARIABLES)
    _keeps = ("function", "bias", "biases", "epsilon", "splits")
    _best = "the best tree"

    def __init__(self, functions: Any = None, **traits: Any) -> None:
        bias = traits.get("bias")
        if not _has_several(bias):
            super().__init__(functions, **traits)
            return
        if "biases" in traits:
            msg = f"biases must not be given beside one bias for each variable, got {as_repr(bias)}"
            raise ValueError(msg)
        # A line of Python that makes it again has them by the name of biases.
        for named in (traits, self._made_with[1]):
            del named["bias"]
        super().__init__(functions, **traits)
        self.bias = bias

    def __setattr__(self, name: str, value: Any) -> None:
        """Let a bias for each variable be the ``biases``; as in a page, one for all ends these."""
        if name != "bias" or "_whole" not in vars(self):
            super().__setattr__(name, value)
            return
        n = self.named_function().n
        if not _has_several(value):
            super().__setattr__("bias", value)
            own = self.biases[:n]
            self.biases = [] if len(own) == n and None not in own else self.biases
            return
        each = [*(value.p if isinstance(value, ProductDistribution) else value)]
        if len(each) != n:
            msg = f"bias must be a number, or one for each of {n} variables, got {as_repr(value)}"
            raise ValueError(msg)
        self.biases = each

    @property
    def mu(self) -> ProductDistribution:
        """The distribution on display."""
        return self._distribution(self.function, self.bias, self.biases)

    def _distribution(
        self, function: str, bias: float, biases: list[float | None]
    ) -> ProductDistribution:
        n = self.named_function(function).n
        each = [*biases, *[None] * n][:n]
        return ProductDistribution([bias if own is None else own for own in each])

    def tree_beside(self) -> Tree | None:
        """Return the tree beside; None, too, where the race shows a sampled tree there."""
        return None if self.view == "race" else super().tree_beside()

    def _grow(
        self,
        function: str,
        bias: float,
        biases: list[float | None],
        epsilon: float,
        splits: list[list[int]] | None,
    ) -> Tree:
        f, mu = self.named_function(function), self._distribution(function, bias, biases)
        if splits is not None and self.view != "race":
            return self._replay(f, mu, splits)
        return build_top_down(f, mu).tree(epsilon=epsilon)

    def _best_tree(self) -> Tree:
        return optimal(self.named_function(), self.mu).tree("average_depth")

    def _depths(self) -> tuple[float, float, int]:
        """The least average depth of the function, the largest of a restriction, its depth."""
        best = optimal(self.named_function(), self.mu)
        return best.average_depth, best.max_average_depth, best.depth

    def _floors(self) -> dict[str, list[float]]:
        least, most, depth = self._depths()
        errors = self.path().errors.tolist()
        return {
            name: [float(score_floor_by_error(e, j, delta)) for j, e in enumerate(errors)]
            for name, delta in (("by Δmax", most), ("by D", depth), ("by Δ(f)", least))
            if depth
        }

    def _bits(self) -> dict[str, float]:
        """The size of the tree and its bounds, as logarithms."""
        (least, most, depth), f = self._depths(), self.named_function()
        bits = {"this tree": math.log2(self.tree().n_leaves), "always enough": float(f.n)}
        if not depth or not self.epsilon:
            return bits
        proved = [proved_bound_bits(least, large, depth, self.epsilon) for large in (most, depth)]
        known = dict(zip(("two phases, Δmax·D", "two phases, D²"), proved, strict=True))
        return bits | known | {"from Δ alone": variation_bound_bits(least, depth, self.epsilon)}

    def _more(self) -> More:
        if self._pictures("bounds"):
            return self._draw_bounds, "the bounds on its size"
        return super()._more()

    def _draw_bounds(self, ax: Any) -> None:
        names, bits = zip(*reversed(self._bits().items()), strict=True)
        of = {"this tree": "score", "always enough": "muted"}
        colors = [plot.COLORS[of.get(name, "bound")] for name in names]
        ax.bar_label(ax.barh(names, bits, color=colors), fmt="%.1f", padding=3)
        ax.set(xlabel="log2 of the leaves", xscale="symlog")
        ax.margins(x=0.15)

    def _tree_text(self) -> str:
        every = ", ".join(f"{p:g}" for p in self.mu.p)
        bias = f"({every})" if self.biases else f"{self.bias:g}"
        known = about(self.function, self.named_function())
        what = f"{self.function} ({known['formula']}: {known['words']})"
        if self.splits is not None and self.view != "race":
            return f"A tree of the reader's own for {what} at bias {bias}"
        return f"The greedy tree for {what} at bias {bias} and epsilon {self.epsilon:g}"

    def _summary(self) -> dict[str, Any]:
        every = {"biases": [float(f"{p:g}") for p in self.mu.p]} if self.biases else {}
        return (
            {"function": self.function} | (every or {"bias": self.bias}) | {"epsilon": self.epsilon}
        )


def _has_several(bias: object) -> bool:
    """Whether a bias is one for each variable."""
    return isinstance(bias, list | tuple | ProductDistribution) or getattr(bias, "ndim", 0) > 0
