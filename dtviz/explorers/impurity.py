"""The explorer of chapter 4: what a split gains, and how four costs grow a tree in the plane."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.costs import COSTS
from dtviz.explorers.base import Explorer

__all__ = ["ImpurityExplorer"]


class ImpurityExplorer(Explorer):
    """Impurity at your fingertips: a split as a chord under the curve of a cost.

    Parameters
    ----------
    **traits
        Start values of the traits below.

    Attributes
    ----------
    cost : str
        The cost G of a leaf, one of `dtviz.COSTS`: "error", "gini", "entropy" or "sqrt".
    p, r : float
        The shares of class 1 in the two children, in [0, 1].
    tau : float
        The weight of the child with share r, in (0, 1); the other has weight 1 - tau, and the
        parent has share ``q = (1 - tau) p + tau r``.

    Raises
    ------
    traitlets.TraitError
        If a trait is set outside its range.

    """

    cost = t.Unicode("gini", help="name of the cost").tag(sync=True)
    p = t.Float(0.6, help="share of class 1 in one child").tag(sync=True)
    r = t.Float(1.0, help="share of class 1 in the other child").tag(sync=True)
    tau = t.Float(0.5, help="weight of the child with share r").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(_explorer="impurity", **traits)

    @property
    def q(self) -> float:
        """The share of class 1 before the split."""
        return (1 - self.tau) * self.p + self.tau * self.r

    @property
    def drop(self) -> float:
        """What the split gains: ``G(q) - (1 - tau) G(p) - tau G(r)``, at least 0."""
        g = COSTS[self.cost]
        return max(0.0, float(g(self.q) - (1 - self.tau) * g(self.p) - self.tau * g(self.r)))

    def picture(self) -> Figure:
        """Draw the chord on display beside the drops of all costs."""
        with plot.style():
            figure = Figure(figsize=(10, 4), layout="constrained")
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            grid = np.linspace(0, 1, 401)
            g = COSTS[self.cost]
            left.plot(grid, g(grid), color=plot.COLOURS["cost"])
            ends = np.array([self.p, self.r])
            left.plot(ends, g(ends), "o-", color=plot.COLOURS["ink"], lw=1.2)
            below = float(g(self.q)) - self.drop
            left.plot([self.q, self.q], [below, g(self.q)], color=plot.COLOURS["score"], lw=4)
            for name, share in (("p", self.p), ("r", self.r)):
                left.annotate(
                    f"{name} = {share:.2f}", (share, g(share)), (6, -14), textcoords="offset points"
                )
            left.set(xlabel="share of class 1", ylabel="impurity", title=self.cost)
            left.set_ylim(-0.03, 0.54)
            drops = [type(self)(cost=c, p=self.p, r=self.r, tau=self.tau).drop for c in COSTS]
            bars = right.barh(list(COSTS), drops, color=plot.COLOURS["score"])
            right.bar_label(bars, [f" {drop:.3f}" for drop in drops])
            right.invert_yaxis()
            right.set(xlabel="drop", title="The four costs")
            right.set_xlim(0, max(*drops, 0.01) * 1.25)
        return figure

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        before = float(COSTS[self.cost](self.q))
        return (
            f"A split of q = {self.q:.2f} into p = {self.p:.2f} and r = {self.r:.2f}, tau "
            f"{self.tau:.2f}, as a chord under the curve of {self.cost}: impurity {before:.3f} to "
            f"{before - self.drop:.3f}, drop {self.drop:.3f}."
        )

    @t.validate("cost")
    def _check_cost(self, proposal: dict[str, Any]) -> str:
        cost: str = proposal["value"]
        if cost not in COSTS:
            msg = f"cost must be one of {', '.join(COSTS)}, got {cost!r}"
            raise t.TraitError(msg)
        return cost

    @t.validate("p", "r")
    def _check_share(self, proposal: dict[str, Any]) -> float:
        share: float = proposal["value"]
        if math.isnan(share) or not 0 <= share <= 1:
            msg = f"{proposal['trait'].name} must be a number from 0 to 1, got {share}"
            raise t.TraitError(msg)
        return share

    @t.validate("tau")
    def _check_weight(self, proposal: dict[str, Any]) -> float:
        tau: float = proposal["value"]
        if not 0 < tau < 1:
            msg = f"tau must be in the open interval (0, 1), got {tau}"
            raise t.TraitError(msg)
        return tau

    def __repr__(self) -> str:
        return f"ImpurityExplorer(cost={self.cost!r}, p={self.p:g}, r={self.r:g}, tau={self.tau:g})"
