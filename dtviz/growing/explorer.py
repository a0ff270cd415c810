"""The explorer of chapter 5: costs drive the error of a growing tree down."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.core.cart.beta_costs import cost_at
from dtviz.explorers.base import Explorer, widget_module
from dtviz.explorers.traits import POSITIONS, Flag, Number
from dtviz.growing.bounds import BOUNDED, cost_bound
from dtviz.growing.votes import grow_votes

__all__ = ["GAMMAS", "POWERS", "GrowingExplorer", "growth_costs", "growth_record"]

GAMMAS = tuple(k / 100 for k in range(4, 31))
"""The edges that the slider offers."""

POWERS = tuple(round(0.25 * k, 2) for k in range(49))
"""The numbers of splits that the slider offers, as powers of ten."""

MAX_VOTES = 120
"""No leaf is split that is as deep as this; by a named cost, none is while splits are 10^12."""


@cache
def growth_record() -> dict[str, Any]:
    """The bounds on the cost of a tree, on a grid of edges and sizes.

    ``bounds[g]``, for edge ``gammas[g]``, has lists over ``powers`` of the bound on the cost after
    ``10^power`` splits, by name of the cost, to four digits.
    """
    log_leaves = np.log1p(_splits())
    bounds = [
        {
            cost: [_short(min(value, 0.5)) for value in cost_bound(log_leaves, gamma, cost)]
            for cost in BOUNDED
        }
        for gamma in GAMMAS
    ]
    return {"gammas": list(GAMMAS), "powers": list(POWERS), "bounds": bounds, "deepest": MAX_VOTES}


@lru_cache(maxsize=256)
def growth_costs(gamma: float, position: float) -> tuple[float, ...]:
    """The costs of trees grown on independent votes by `cost_at` a position, over `POWERS`."""
    run = grow_votes(gamma, cost_at(position), epsilon=1e-6, max_depth=MAX_VOTES)
    # Between two moments of a run all leaves split are alike: the cost falls linearly.
    return tuple(np.interp(_splits() + 1, np.exp(run.log_leaves), run.costs).tolist())


def _splits() -> Any:
    return np.round(10.0 ** np.array(POWERS))


def _short(value: float) -> float:
    return float(f"{value:.4g}")


class GrowingExplorer(Explorer):
    """Rates of growth: how fast a cost drives errors down, and what weak learning promises.

    A tree is grown on independent votes, each right with probability ``1/2 + gamma``.

    Parameters
    ----------
    **traits
        Start values of the traits below.

    Attributes
    ----------
    gamma : float
        The edge of weak learning, one of 0.04, 0.05, ..., 0.30.
    cost_position : float
        By which cost the tree grows, in [0, 3]: 0 is the square root, 1 entropy, 2 Gini, 3 the
        error; in between are the costs of `dtviz.impurity.cost_at`.
    log_splits : float
        ``log10`` of the number of splits, one of 0, 0.25, ..., 12.
    playing : bool
        Whether the number of splits is rising by itself.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to another value.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.GrowingExplorer(gamma=0.1)
    >>> explorer
    GrowingExplorer(cost_position=2, gamma=0.1, log_splits=6)
    >>> explorer.caption().split(", and ")[0]
    'The cost of trees grown by gini on independent votes of edge 0.1'
    """

    _esm = widget_module("growing")
    _views = ("rates",)
    _controls = ("cost_position", "log_splits")
    _named = ("cost_position", "gamma", "log_splits")
    _shows = "the growth on independent votes"
    cost_position = Number(2.0, within=POSITIONS).tag(label="Cost, G")
    gamma = Number(0.2, choices=GAMMAS).tag(label="Edge, γ")
    log_splits = Number(6.0, choices=POWERS)
    playing = Flag()
    _growth = t.Dict(help="bounds on growth").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**{"_growth": growth_record()} | traits)

    def _draw(self, figure: Figure) -> None:
        """Draw the cost of growth against the splits, and the bounds."""
        ax = figure.subplots()
        costs = growth_costs(self.gamma, self.cost_position)
        ax.plot(POWERS, costs, color=plot.COLORS["cost"])
        ax.annotate(cost_at(self.cost_position).name, (POWERS[-1], costs[-1]))
        for cost, bounds in growth_record()["bounds"][GAMMAS.index(self.gamma)].items():
            ax.plot(POWERS, bounds, color=plot.COLORS["bound"], ls="--")
            ax.annotate(f"{cost} ≤", (POWERS[-1], bounds[-1]))
        ax.set_yscale("log")
        ax.set(xlabel="log10 of the splits", ylabel="cost", title=f"edge {self.gamma:g}")

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        return (
            f"The cost of trees grown by {cost_at(self.cost_position).name} on independent votes "
            f"of edge {self.gamma:g}, and the bounds of weak learning on Gini, entropy and square "
            "root, against the splits."
        )
