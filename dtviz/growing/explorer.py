"""The explorer of chapter 5: costs drive the error of a growing tree down."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.explorers.base import Explorer, widget_module
from dtviz.explorers.traits import Flag, Number
from dtviz.growing.bounds import BOUNDED, cost_bound
from dtviz.growing.votes import grow_votes

__all__ = ["GAMMAS", "POWERS", "GrowingExplorer", "growth_record"]

GAMMAS = tuple(k / 100 for k in range(4, 31))
"""The edges that the slider offers."""

POWERS = tuple(round(0.25 * k, 2) for k in range(49))
"""The numbers of splits that the slider offers, as powers of ten."""

MAX_VOTES_SEEN = 46
"""No leaf is as deep as this while there are at most 10^12 splits."""


@cache
def growth_record() -> dict[str, Any]:
    """Costs of greedy growth on independent votes and their bounds, on a grid of edges and sizes.

    ``curves[g]``, for edge ``gammas[g]``, has lists over ``powers`` of the cost after ``10^power``
    splits, by name of the cost, and of the bound (name and "-bound"), all to four digits.
    """
    splits = np.round(10.0 ** np.array(POWERS))
    log_leaves = np.log1p(splits)
    curves = []
    for gamma in GAMMAS:
        found: dict[str, list[float]] = {}
        for cost in BOUNDED:
            run = grow_votes(gamma, cost, epsilon=1e-6, max_depth=MAX_VOTES_SEEN)
            # Between two moments of a run all leaves split are alike: the cost falls linearly.
            leaves = np.exp(run.log_leaves)
            costs = np.interp(splits + 1, leaves, run.costs)
            found[cost] = [_short(value) for value in costs]
            bound = np.minimum(cost_bound(log_leaves, gamma, cost), 0.5)
            found[f"{cost}-bound"] = [_short(value) for value in bound]
        curves.append(found)
    return {
        "costs": list(BOUNDED),
        "gammas": list(GAMMAS),
        "powers": list(POWERS),
        "curves": curves,
    }


def _short(value: float) -> float:
    return float(f"{value:.4g}")


class GrowingExplorer(Explorer):
    """Rates of growth: how fast costs drive errors down, and what weak learning promises.

    Trees are grown on independent votes, each right with probability ``1/2 + gamma``.

    Parameters
    ----------
    **traits
        Start values of the traits below.

    Attributes
    ----------
    gamma : float
        The edge of weak learning, one of 0.04, 0.05, ..., 0.30.
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
    GrowingExplorer(gamma=0.1, log_splits=6)
    >>> explorer.caption().split(" by ")[0]
    'The cost of trees grown on independent votes of edge 0.1'
    """

    _esm = widget_module("growing")
    _views = ("rates",)
    _controls = ("log_splits",)
    _named = ("gamma", "log_splits")
    _shows = "the growth on independent votes"
    gamma = Number(0.2, choices=GAMMAS).tag(label="Edge, γ")
    log_splits = Number(6.0, choices=POWERS)
    playing = Flag()
    _growth = t.Dict(help="rates of growth").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**{"_growth": growth_record()} | traits)

    def _draw(self, figure: Figure) -> None:
        """Draw the costs of growth, and beside them the bounds, against the splits."""
        curves = growth_record()["curves"][GAMMAS.index(self.gamma)]
        axes = figure.subplots(1, 2, width_ratios=(3, 2))
        for ax, suffix, title in zip(axes, ("", "-bound"), ("cost", "bound"), strict=True):
            for cost in BOUNDED:
                values = curves[cost + suffix]
                ax.plot(POWERS, values, color=plot.COLORS["cost"])
                ax.annotate(cost, (POWERS[-1], values[-1]))
            ax.set_yscale("log")
            ax.set(xlabel="log10 of the splits", ylabel=title, title=f"edge {self.gamma:g}")

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        return (
            f"The cost of trees grown on independent votes of edge {self.gamma:g} by Gini, "
            "entropy and square root, and the bounds of weak learning, against the splits."
        )
