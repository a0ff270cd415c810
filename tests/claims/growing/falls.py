"""Chapter 5, growing: how the cost falls against adversaries: the checks of the rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.growing import printed
from claims.growing.cases import World, adversaries, vote_runs
from claims.kit import Form, Outcome, outcome
from dtviz import growing
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

__all__ = [
    "ROUND",
    "Bound",
    "Enough",
    "Floats",
    "Floor",
    "Rate",
    "bound_form",
    "cost_form",
    "costs_below",
    "enough",
    "error_form",
    "fewer",
    "iterated",
    "iterated_form",
    "moments",
    "our_bound",
    "our_floor",
    "package_form",
    "printed_enough",
    "step_form",
    "steps_keep",
]

STEPS = "steps against adversaries"
MOMENTS = "moments of growth against adversaries"
ROUND = 1e-9
"""Bounds that are attained may be missed by this fraction, in rounding."""

Floats = npt.NDArray[np.float64]


# -- one step -------------------------------------------------------------------------------------

Floor = Callable[[Floats, Floats, float], Floats]
"""From the costs, the splits made and the edge: what the next split takes off at least."""


def steps_keep(cost: str, floor: Floor, first: int = 0) -> Outcome:
    """Every step from ``first`` on takes off at least the floor."""
    ratios, words, trees = [], [], []
    for world in adversaries(cost):
        t = np.arange(first, world.steps + 1)
        trees += [(world, k) for k in t.tolist()]
        low = floor(np.clip(world.path.costs[t], 0, 0.5), t.astype(float), world.gamma)
        ratios += (low / (world.path.costs[t] - world.path.costs[t + 1])).tolist()
        words += [f"step {k}, {world.name}, by {cost}" for k in t]
    return outcome(
        STEPS,
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"drop / floor = {1 / ratios[k]:.5g} at {words[k]}",
        example=lambda k: trees[k][0].path.tree(trees[k][1] + 1),
    )


def our_floor(cost: str, factor: float = 1.0) -> Floor:
    """The recurrence of the page, times a factor."""
    return lambda G, t, gamma: factor * growing.tree_drop_floor(G, t + 1, gamma, cost)


# -- all steps ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moments:
    """Trees on the way: ln of their leaves, costs and errors, the edges, and where that is."""

    log_leaves: Floats
    costs: Floats
    errors: Floats
    gammas: Floats
    where: tuple[str, ...]
    trees: tuple[tuple[World, int], ...]

    def tree(self, k: int) -> Tree | None:
        """The tree of a moment against an adversary; those on votes are too large."""
        if k >= len(self.trees):
            return None
        world, splits = self.trees[k]
        return world.path.tree(splits + 1)

    @property
    def log_splits(self) -> Floats:
        """``ln`` of the number of splits, one less than that of leaves; 0 for none or one."""
        few = np.maximum(self.log_leaves, math.log(2))
        splits: Floats = few + np.log1p(-np.exp(-few))
        return splits


@cache
def moments(cost: str) -> Moments:
    """Growth by a cost: against adversaries after every split, on votes after every state."""
    columns: list[tuple[Floats, Floats, Floats, Floats]] = []
    where: list[str] = []
    trees: list[tuple[World, int]] = []
    for world in adversaries(cost):
        leaves = np.arange(1, world.steps + 3)
        G, error = world.path.costs[: leaves.size], world.path.errors[: leaves.size]
        columns.append(
            (np.log(leaves), np.minimum(G, 0.5), error, np.full(leaves.size, world.gamma))
        )
        where += [f"{t} splits, {world.name}" for t in range(leaves.size)]
        trees += [(world, t) for t in range(leaves.size)]
    for votes in vote_runs(cost):
        edges = np.full(votes.errors.size, votes.gamma)
        columns.append((votes.log_leaves, votes.costs, votes.errors, edges))
        where += [f"state {k}, votes of edge {votes.gamma}" for k in range(edges.size)]
    log_leaves, costs, errors, gammas = map(np.concatenate, zip(*columns, strict=True))
    return Moments(log_leaves, costs, errors, gammas, tuple(where), tuple(trees))


Bound = Callable[[Floats, Floats], Floats]
"""From ln of the leaves, or of the splits, and the edges: the cost of the tree, at most."""


def our_bound(cost: str) -> Bound:
    """The bound of the page, by the package."""

    def bound(L: Floats, gamma: Floats) -> Floats:
        most = np.empty(L.size)
        for edge in np.unique(gamma):
            most[gamma == edge] = growing.cost_bound(L[gamma == edge], float(edge), cost)
        return most

    return bound


def costs_below(cost: str, bound: Bound, *, splits: bool = False) -> Outcome:
    """The cost against the bound, at every moment."""
    now = moments(cost)
    most = bound(now.log_splits if splits else now.log_leaves, now.gammas)
    # How far either has come from the 1/2 of the start, on the scale of a logarithm.
    come = np.log(2 * np.minimum(now.costs, 0.5 - ROUND))
    return outcome(
        MOMENTS,
        most * (1 + ROUND) >= now.costs,
        np.log(2 * most) / come,
        lambda k: f"G = {now.costs[k]:.6g}, bound {most[k]:.6g}, after {now.where[k]}",
        example=now.tree,
    )


def iterated(cost: str, floor: Floor, bound: Bound, first: int = 0) -> Outcome:
    """The slowest fall that a recurrence allows, from 1/2, against its solution."""
    ratios, words = [], []
    for gamma in (0.5, 0.2, 0.05):
        G, falls, steps = np.array(0.5), [], np.arange(first, 3000)
        for t in steps.astype(float):
            falls.append(float(G))
            G = G - floor(G, t, gamma)
        solution = bound(np.log(steps + (1 - first)), np.full(steps.size, gamma))
        ratios += (np.array(falls) / solution).tolist()
        words += [f"{t} splits, gamma {gamma}" for t in steps]
    return outcome(
        f"moments of the slowest fall, {cost}",
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"G / solution = {ratios[k]:.5g} after {words[k]}",
    )


# -- the number of splits -------------------------------------------------------------------------

Enough = Callable[[Floats, Floats], Floats]
"""From epsilon and gamma: ln of the number of splits said to be enough, or of the leaves."""


def enough(cost: str, said: Enough, *, of_cost: bool = False) -> Outcome:
    """Whether so many splits bring the error, or so many leaves the cost, to every epsilon.

    At a moment with an error e, no epsilon below e has been reached: so the number for e, to
    which the numbers for these tend, must not be smaller.
    """
    now = moments(cost)
    told, value, taken = (
        ("cost", now.costs, now.log_leaves) if of_cost else ("error", now.errors, now.log_splits)
    )
    begun = (now.log_leaves > 0) & (value > 0) & (value < 0.5 - ROUND)
    place = np.flatnonzero(begun)
    allowed = said(value[begun], now.gammas[begun])
    tight = taken[begun] / np.maximum(allowed, ROUND)
    return outcome(
        MOMENTS,
        tight <= 1 + ROUND,
        tight,
        lambda k: (
            f"ln t = {taken[place[k]]:.4g} and the {told} still {value[place[k]]:.4g}, said to "
            f"be enough {allowed[k]:.4g}, after {now.where[place[k]]}"
        ),
    )


def our_enough(cost: str) -> Enough:
    """The leaves of the page, by the package."""

    def said(epsilon: Floats, gamma: Floats) -> Floats:
        pairs = zip(epsilon.tolist(), gamma.tolist(), strict=True)
        return np.array([growing.log_leaves_enough(e, g, cost) for e, g in pairs])

    return said


def printed_enough(cost: str, c: float) -> Enough:
    """The splits of the notes."""

    def said(epsilon: Floats, gamma: Floats) -> Floats:
        pairs = zip(epsilon.tolist(), gamma.tolist(), strict=True)
        return np.array([printed.log_leaves(e, g, cost, c) for e, g in pairs])

    return said


def fewer(part: float, said: Enough) -> Enough:
    """A part of the exponent."""
    return lambda epsilon, gamma: part * said(epsilon, gamma)


# -- forms of the claims --------------------------------------------------------------------------


def step_form(label: str, cost: str, formula: str, others: tuple[tuple[str, Floor], ...]) -> Form:
    """Our recurrence for a cost; every other floor is false from the second step on, too."""
    return Form(
        label,
        partial(steps_keep, cost, our_floor(cost)),
        formula,
        tuple(Form(told, partial(steps_keep, cost, floor, 1)) for told, floor in others),
    )


def bound_form(label: str, cost: str, formula: str, others: tuple[tuple[str, Bound], ...]) -> Form:
    """Our bound on a cost, and others that are false."""
    return Form(
        label,
        partial(costs_below, cost, our_bound(cost)),
        formula,
        tuple(Form(told, partial(costs_below, cost, bound)) for told, bound in others),
    )


@dataclass(frozen=True)
class Rate:
    """What the page states of a cost: the recurrence, the bound, and ln of the leaves for it."""

    floor: Floor
    bound: Bound
    leaves: Enough


def package_form(cost: str, page: Rate) -> Form:
    """That the numbers of the package are those of the page."""

    def check() -> Outcome:
        known, words = [], []
        G, t = (axis.ravel() for axis in np.meshgrid(np.arange(1, 65) / 128, np.arange(8.0)))
        L, one = np.arange(0, 200, 0.5), np.ones(400)
        for gamma in (0.01, 0.1, 0.3, 0.5):
            for told, ours, theirs in (
                ("recurrence", our_floor(cost)(G, t, gamma), page.floor(G, t, gamma)),
                ("bound", our_bound(cost)(L, gamma * one), page.bound(L, gamma * one)),
                ("leaves", our_enough(cost)(G, gamma + 0 * G), page.leaves(G, gamma + 0 * G)),
            ):
                known += [float(np.abs(ours - theirs).max() / np.abs(theirs).max())]
                words += [f"{told}, gamma {gamma:g}"]
        return outcome(
            "tables of numbers",
            np.array(known) < CLOSE,
            np.round(known, 12),
            lambda k: f"the {words[k]}: off by {known[k]:.2g} of the largest",
        )

    return Form("the numbers of dtviz.growing", check, kind="definition")


def iterated_form(cost: str, others: tuple[tuple[str, Bound], ...]) -> Form:
    """That our bound follows from our recurrence, and others do not."""
    floor = our_floor(cost)
    return Form(
        "the bound follows from the recurrence",
        partial(iterated, cost, floor, our_bound(cost)),
        mutants=tuple(Form(told, partial(iterated, cost, floor, bound)) for told, bound in others),
    )


def error_form(
    label: str, cost: str, said: Enough, formula: str, others: tuple[tuple[str, Enough], ...]
) -> Form:
    """So many splits bring the error to epsilon, and fewer do not."""
    return Form(
        label,
        partial(enough, cost, said),
        formula,
        tuple(Form(told, partial(enough, cost, less)) for told, less in others),
    )


def cost_form(label: str, cost: str, formula: str, others: tuple[tuple[str, Enough], ...]) -> Form:
    """So many leaves, as the package has it, bring the cost to epsilon, and fewer do not."""
    return Form(
        label,
        partial(enough, cost, our_enough(cost), of_cost=True),
        formula,
        tuple(Form(told, partial(enough, cost, less, of_cost=True)) for told, less in others),
    )
