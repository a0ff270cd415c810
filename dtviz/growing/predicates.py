"""Chapter 5: top-down growth over a class of predicates, with exact probabilities.

The domain is finite: a table of predicates, a row for each point, with labels (or ``Pr[f = 1]``
where labels are noisy) and weights. `dtviz.growing` has the analysis; its names include these.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution, cube_points
from dtviz.core.boolean.measures import check_distribution, check_function
from dtviz.core.cart.criteria import Cost, as_criterion
from dtviz.core.checks import as_bits, as_integer, as_probabilities, as_repr, as_weights
from dtviz.core.data.frames import names_of
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_flat
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.on_cube import one_is_likelier

MAX_ENTRIES = 1 << 25
"""The largest table of predicates that `grow_predicates` accepts, in points times predicates."""


def _describe(value: object, array: npt.NDArray[Any]) -> str:
    """A value of the wrong shape, in words."""
    return f"shape {array.shape}" if array.ndim else as_repr(value)


@dataclass(frozen=True)
class _Domain:
    """A finite domain: ``predicates`` is ``(N, k)``; ``masses`` is ``(2, N)``, f = 0 and f = 1."""

    predicates: npt.NDArray[np.int8]
    masses: Floats
    names: Names

    @classmethod
    def of(cls, predicates: Any, target: Any, weights: Any) -> _Domain:
        try:
            predicates, target, names, _ = read_handed(predicates, target)
        except ValueError as error:
            called = str(error).replace("y must", "target must")
            raise ValueError(re.sub(r"\bX\b", "predicates", called)) from None
        names = names_of(predicates) if names is None else names
        table, target = as_bits("predicates", predicates), as_flat(target)
        if table.ndim != 2 or 0 in table.shape or table.size > MAX_ENTRIES:
            msg = (
                "predicates must be an (N, k) array, a point a row, of at most "
                f"{MAX_ENTRIES:,} entries, got {_describe(predicates, table)}"
            )
            raise ValueError(msg)
        positive, weight = as_probabilities("target", target), np.full(len(table), 1 / len(table))
        if weights is not None:
            weight = as_weights("weights", weights)
        for name, given, array in (("target", target, positive), ("weights", weights, weight)):
            if array.shape != (len(table),):
                msg = f"{name} must have one number per row of predicates, {len(table)}, "
                raise ValueError(msg + f"got {_describe(given, array)}")
        texts = None if names is None else tuple(map(str, names))
        return cls(table, np.stack([weight * (1 - positive), weight * positive]), Names(texts))


@with_hints
def edges(predicates: Any, target: Any = None, weights: npt.ArrayLike | None = None) -> Floats:
    """The edge of every predicate on the balanced distribution, a ``(k,)`` array (MN-WL).

    Arguments as for `grow_predicates`. Positive and negative inputs are reweighted to 1/2 each; the
    edge of h is ``Pr[h = f] - 1/2``, in [-1/2, 1/2]. The split is as good for -edge as for edge.

    A ValueError if the target is constant: there is nothing to balance.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.majority(5)
    >>> dt.growing.edges(dt.cube_points(5), f.table).tolist()
    [0.1875, 0.1875, 0.1875, 0.1875, 0.1875]
    """
    domain = _Domain.of(predicates, target, weights)
    total = domain.masses.sum(axis=1)
    if not total.all():
        msg = f"target must not be constant, got Pr[f = 1] = {total[1]:g}"
        raise ValueError(msg)
    zeros, ones = (domain.masses / total[:, None]) @ domain.predicates.astype(float)
    found: Floats = (ones - zeros) / 2
    return found


@dataclass(frozen=True)
class _Leaf:
    """A node of the growing tree: its points, its masses, and the best split found for it."""

    rows: npt.NDArray[np.intp]
    zeros: float
    ones: float
    cost: float
    variable: int
    score: float


def _weigh(G: Callable[..., Any], zeros: Floats, ones: Floats) -> Floats:
    """``Prob * G(q)`` of parts with these masses; 0 for an empty part."""
    mass = zeros + ones
    q = np.divide(ones, mass, out=np.zeros(mass.shape), where=mass > 0)
    weighed: Floats = mass * G(q)
    return weighed


def _examine_leaf(domain: _Domain, rows: npt.NDArray[np.intp], G: Callable[..., Any]) -> _Leaf:
    """Find the split of a leaf that takes most off the cost; the lowest predicate of the best."""
    masses = domain.masses[:, rows]
    zeros, ones = masses.sum(axis=1)
    cost = float(_weigh(G, np.array(zeros), np.array(ones)))
    holds = domain.predicates[rows].astype(float)
    # Both sides are sums of their own: a difference would lose what is improbable.
    high, low = masses @ holds, masses @ (1 - holds)
    drops = cost - _weigh(G, *low) - _weigh(G, *high)
    drops[(low.sum(axis=0) == 0) | (high.sum(axis=0) == 0)] = 0
    score = float(drops.max())
    if score <= ROUNDING * cost:
        return _Leaf(rows, float(zeros), float(ones), cost, -1, 0.0)
    variable = int((drops >= score - ROUNDING * cost).argmax())
    return _Leaf(rows, float(zeros), float(ones), cost, variable, score)


def _comparable(score: float) -> float:
    """A score as it is compared: its logarithm, rounded, for rounding must not break ties."""
    return round(math.log(score), 9)


@with_hints
def grow_predicates(
    predicates: Any,
    target: Any = None,
    weights: npt.ArrayLike | None = None,
    cost: Cost = "gini",
    max_leaves: int | None = None,
) -> GrowthPath:
    """Top-down growth over a class of predicates, with exact probabilities (claim MN-ALG).

    Each step splits the leaf l by the predicate h that takes most off the cost of the tree,
    ``Prob[l] * (G(q) - [(1-tau) G(p) + tau G(r)])``. It ends when no split takes anything off. Each
    leaf is labeled by the likelier value of f there (0 when tied). Ties: within a leaf the lowest
    predicate; among leaves the shallowest, then the leftmost (h = 0 first). Trees ask predicates by
    number, and predict from a row of ``predicates``.

    Parameters
    ----------
    predicates : (N, k) array of 0/1 or booleans
        A point of the domain a row, a predicate a column; at most ``MAX_ENTRIES`` entries. The
        columns of a data frame name the predicates.
    target : (N,) array in [0, 1]
        The label of each point, or its ``Pr[f = 1]`` where labels are noisy. Or what `grow` takes
        in the place of both: a frame and the name of a column, or a `Dataset`.
    weights : (N,) array, optional
        The distribution, up to a factor; equal weights if not given.
    cost : str, criterion or function
        As for `grow`.
    max_leaves : int, optional
        Cut the path when its tree has this many leaves (at least 1): t splits make t + 1.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.majority(5)
    >>> path = dt.grow_predicates(dt.cube_points(5), f.table)
    >>> path.n_leaves, path.errors[-1].item(), path.costs[:3].round(4).tolist()
    (20, 0.0, [0.5, 0.4297, 0.3945])
    """
    domain = _Domain.of(predicates, target, weights)
    G = as_criterion(cost).of_share
    most = len(domain.predicates)
    if max_leaves is not None:
        most = as_integer("max_leaves", max_leaves, 1)
    nodes = [_examine_leaf(domain, np.arange(len(domain.predicates)), G)]
    # Entries of the queue: minus ln of the score, the depth, the place from the left, the node.
    queue: list[tuple[float, int, int, int]] = []
    if nodes[0].score > 0:
        queue.append((-_comparable(nodes[0].score), 0, 0, 0))
    split_node: list[int] = []
    while queue and len(split_node) < most - 1:
        _, depth, place, k = heapq.heappop(queue)
        split_node.append(k)
        leaf = nodes[k]
        holds = domain.predicates[leaf.rows, leaf.variable] == 1
        for side, rows in enumerate((leaf.rows[~holds], leaf.rows[holds])):
            child = _examine_leaf(domain, rows, G)
            nodes.append(child)
            if child.score > 0:
                entry = (-_comparable(child.score), depth + 1, 2 * place + side, len(nodes) - 1)
                heapq.heappush(queue, entry)
    final = nodes[queue[0][3]].score if queue else 0.0
    path = _path(nodes, split_node, final, domain.predicates.shape[1])
    return replace(path, names=domain.names)


def _path(
    nodes: list[_Leaf], split_node: list[int], final_score: float, n_features: int
) -> GrowthPath:
    zeros = np.array([node.zeros for node in nodes])
    ones = np.array([node.ones for node in nodes])
    variable = np.array([node.variable for node in nodes], dtype=np.intp)
    split = np.array(split_node, dtype=np.intp)
    return GrowthPath(
        split_node=split,
        split_variable=variable[split],
        node_value=one_is_likelier(zeros, ones).astype(np.intp),
        node_probability=zeros + ones,
        node_error=np.minimum(zeros, ones),
        node_cost=np.array([node.cost for node in nodes]),
        node_score=np.array([node.score for node in nodes]),
        node_variable=variable,
        final_score=final_score,
        rounding=ROUNDING,
        n_features=n_features,
    )


@with_hints
def grow_function(
    f: BooleanFunction,
    mu: ProductDistribution | None = None,
    cost: Cost = "gini",
    max_leaves: int | None = None,
) -> GrowthPath:
    """`grow_predicates` for a Boolean function under a product distribution (claim MN-ALG).

    The predicates are the n variables, 1 to 20 of them; the trees are over ``x_0 .. x_(n-1)``.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.majority(5)
    >>> for cost in ("error", "gini", "entropy", "sqrt"):
    ...     print(cost, dt.grow_function(f, cost=cost).n_leaves)
    error 2
    gini 20
    entropy 20
    sqrt 20
    """
    f = check_function(f)
    if f.n == 0 or f.n << f.n > MAX_ENTRIES:
        msg = f"f must have from 1 to 20 variables, got n = {f.n}"
        raise ValueError(msg)
    weights = None if mu is None else check_distribution(mu, f.n).weights()
    path = grow_predicates(cube_points(f.n), f.table, weights, cost, max_leaves)
    return replace(path, names=Names(f.variables))
