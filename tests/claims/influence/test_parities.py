"""Chapter 1, LB-A: a selector chooses between parities, and greedy growth reads all of them first.

Small selectors are run as they are. Larger ones, with more parities, are run by the states of their
nodes: as long as only bits of the blocks have been asked, a node is told by how many bits of each
block are known and by the parities of those that are complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.influence.selectors import (
    Levels,
    Selector,
    by_states,
    by_weight,
    of_table,
    tribes,
)
from claims.influence.variants import PAGE, compare, spoilt
from claims.kit import OURS, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import all_functions
from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.growth import GrowthPath
from dtviz.core.optimal import optimal
from dtviz.core.topdown import build_top_down
from dtviz.core.tree import Tree

__all__ = ["parity_tree", "smallest_size", "three_parities"]

LONGEST = 8
BELOW = 1 - 2**-20
Floats = npt.NDArray[np.float64]


# -- populations --------------------------------------------------------------------------------


@cache
def _small_selectors() -> tuple[tuple[BooleanFunction, Selector], ...]:
    """Selectors of two blocks on 3 and 4 bits: one for each mean and influences that occur."""
    found = []
    for n in (3, 4):
        every = all_functions(n)
        rows = np.column_stack([every.ones, np.sort(every.changes, axis=1)])
        _, codes = np.unique(rows, axis=0, return_index=True)
        for code in codes[(every.ones[codes] > 0) & (every.ones[codes] < 1 << n)].tolist():
            f = BooleanFunction.from_int(n, code)
            found.append((f, of_table(f"from_int({n}, {code})", every.table[code] + 0, 2)))
    return tuple(found)


@cache
def _large_selectors() -> tuple[tuple[Selector, int], ...]:
    """Selectors of 2 to 8 blocks, and how long these are; also some that break the hypothesis."""
    cuts = [(21, 10, 12), (31, 15, 17), (41, 19, 23), (101, 47, 51, 55), (301, 144, 149, 153, 158)]
    cuts += [(9, 4, 6), (11, 5, 7), (5, 3), (7, 3), (9, 5)]
    chosen = [(by_weight(*cut), length) for cut in cuts for length in (1, 2, 4)]
    chosen += [(tribes(r), 1 << r) for r in (1, 2, 3)]
    chosen += [(tribes(r, r), 1 << r) for r in (2, 3)]
    # The address itself, for 4 blocks.
    chosen.append((of_table("2 bits of address", np.arange(4), 4), 4))
    return tuple(chosen)


def _bound(q: float, epsilon: float, length: int, *, blocks: int = 0, less: int = 1) -> int:
    """``log2`` of the leaves that are not enough: ``P ceil((1 - 2 eps)/q) - 1``."""
    return length * (math.ceil((1 - 2 * epsilon) / q) + blocks) - less


def _epsilons(selector: Selector) -> list[float]:
    """Just below the values at which the bound for this selector jumps."""
    q = float(selector.q.max())
    return [(1 - c * q) / 2 * BELOW for c in range(selector.blocks) if c * q < 1]


Quantile = Callable[[Floats], float]


def _largest(q: Floats) -> float:
    return float(q.max())


# -- the theorem on small selectors ---------------------------------------------------------------


def _chosen_parity(p: BooleanFunction, length: int, *, last: bool = False) -> BooleanFunction:
    """The function g for two blocks; the bits of the selector come first, or ``last``."""
    n = p.n + 2 * length
    x = points(n)
    z, w = (x[:, 2 * length :], x[:, : 2 * length]) if last else (x[:, : p.n], x[:, p.n :])
    parities = w.reshape(-1, 2, length).sum(axis=2) % 2
    which = p.table[z @ (1 << np.arange(p.n))].astype(np.intp)
    return BooleanFunction(n, parities[np.arange(len(x)), which])


@cache
def _small_path(place: int, length: int, *, last: bool) -> GrowthPath:
    return build_top_down(_chosen_parity(_small_selectors()[place][0], length, last=last))


def _small_cases() -> Iterable[tuple[int, int, bool]]:
    """Selector, length of the blocks, and whether its bits come last: ties must not matter."""
    for place in range(len(_small_selectors())):
        for length in (1, 2):
            for last in (False, True):
                yield place, length, last


def _leaves_for_error(
    most: float | None = None, quantile: Quantile = _largest, blocks: int = 0, less: int = 1
) -> Outcome:
    """More than ``2^(P ceil((1 - 2 eps)/q_max) - 1)`` leaves for error epsilon.

    Mutants: selectors with ``rho < most q_min``, another q, other blocks or bits in the exponent.
    """
    left, right, names = [], [], []
    for place, length, last in _small_cases():
        selector = _small_selectors()[place][1]
        if selector.fits(most):
            path = _small_path(place, length, last=last)
            for epsilon in _epsilons(selector):
                left.append(path.n_leaves_for(epsilon))
                q = quantile(selector.q)
                right.append(2.0 ** _bound(q, epsilon, length, blocks=blocks, less=less))
                names.append(f"{selector.name}, P = {length}, epsilon {epsilon:.4f}")
    ratio = np.array(right) / np.array(left)
    return outcome(
        "selectors of 2 parities, with P and epsilon",
        ratio < 1,
        ratio,
        lambda k: f"{left[k]:,} leaves, more than {right[k]:,.5g}, for {names[k]}",
    )


def _bits_read(path: GrowthPath, selector: range, length: int) -> npt.NDArray[np.int64]:
    """Per node: how many bits were asked of the selector and of either of two blocks."""
    start = 0 if selector.start else selector.stop
    block = (path.split_variable - start) // length + 1
    block[(path.split_variable >= selector.start) & (path.split_variable < selector.stop)] = 0
    read = np.zeros((2 * path.n_splits + 1, 3), dtype=np.int64)
    for j, (node, which) in enumerate(zip(path.split_node.tolist(), block, strict=True)):
        read[2 * j + 1 : 2 * j + 3] = read[node]
        read[2 * j + 1 : 2 * j + 3, which] += 1
    return read


def _error_of_open_leaves(quantile: Quantile = _largest, factor: float = 1) -> Outcome:
    """A leaf with c closed blocks errs on at least ``(1 - c q_max)/2`` of its points.

    As long as no bit of the selector was asked.
    """
    spare, names = [], []
    for place, length, last in _small_cases():
        p, selector = _small_selectors()[place]
        path = _small_path(place, length, last=last)
        first = 2 * length if last else 0
        read = _bits_read(path, range(first, first + p.n), length)
        before = np.flatnonzero(read[:, 0] == 0)
        closed = (read[before, 1:] == length).sum(axis=1)
        own = path.node_error[before] / path.node_probability[before]
        spare += (own - factor * (1 - closed * quantile(selector.q)) / 2).tolist()
        names += [f"a leaf with {c} closed, {selector.name}, P = {length}" for c in closed]
    return outcome(
        "leaves met before the selector",
        np.array(spare) >= 0,
        -np.array(spare),
        lambda k: f"{spare[k]:g} above the bound at {names[k]}",
    )


def parity_tree(variables: range, value: int = 0) -> Tree:
    """The complete tree of a parity, or of its complement."""
    if not variables:
        return Tree.leaf(value)
    low, high = (parity_tree(variables[1:], value ^ b) for b in (0, 1))
    return Tree.split(variables[0], low, high)


def _grafted(tree: Tree, leaves: tuple[Tree, Tree], node: int = 0) -> Tree:
    """The tree with others in place of its leaves, by their labels."""
    if tree.variable[node] < 0:
        return leaves[int(np.asarray(tree.value)[node])]
    low, high = (_grafted(tree, leaves, int(side[node])) for side in (tree.low, tree.high))
    return Tree.split(int(tree.variable[node]), low, high)


@cache
def _small_trees(*, crossed: bool) -> list[tuple[int, int, int, str]]:
    """Size of p, P, leaves of the tree (0 if it does not compute g), and a name."""
    found = []
    for p, selector in _small_selectors():
        best = optimal(p)
        for length in (1, 2):
            blocks = [parity_tree(range(p.n + b * length, p.n + (b + 1) * length)) for b in (0, 1)]
            tree = _grafted(best.tree(), (blocks[crossed], blocks[not crossed]))
            right = tree.function(p.n + 2 * length) == _chosen_parity(p, length)
            name = f"{selector.name}, P = {length}"
            found.append((best.n_leaves, length, tree.n_leaves if right else 0, name))
    return found


def _small_tree(
    leaves: Callable[[int, int], float] = lambda size, length: size * 2**length,
    *,
    crossed: bool = False,
) -> Outcome:
    """The tree that asks the selector and then reads one parity computes g.

    Mutants: another number of leaves, or the parity of the other block.
    """
    sizes, lengths, found, names = zip(*_small_trees(crossed=crossed), strict=True)
    stated = [leaves(size, length) for size, length in zip(sizes, lengths, strict=True)]
    return compare("selectors of 2 parities, with P", list(found), stated, list(names))


# -- runs by their states -------------------------------------------------------------------------


@cache
def _levels(place: int, *, in_turn: bool) -> Levels:
    """Ties between equally likely blocks: block by block, or one bit of each ``in_turn``."""
    selector, length = _large_selectors()[place]
    return by_states(selector, length, in_turn=in_turn)


def _leaves_for_error_of_larger(
    most: float | None = None, quantile: Quantile = _largest, blocks: int = 0, less: int = 1
) -> Outcome:
    """The theorem for more parities: all are read before the selector, level by level.

    So the tree of ``2^d`` leaves is complete, and more are needed as long as its error is above
    epsilon. Mutants as in `_leaves_for_error`.
    """
    good, tight, names = [], [], []
    for place, (selector, length) in enumerate(_large_selectors()):
        if not selector.fits(most):
            continue
        for in_turn in (False, True):
            level = _levels(place, in_turn=in_turn)
            first = bool((level.lead > 0).all() and (np.diff(level.score) < 0).all())
            for epsilon in _epsilons(selector):
                depth = _bound(quantile(selector.q), epsilon, length, blocks=blocks, less=less)
                error = level.error[depth] if depth < level.error.size else 0.0
                good.append(first and error > epsilon)
                tight.append(epsilon / max(error, 1e-9))
                told = f"2^{depth} leaves err on {error:.4f}, epsilon {epsilon:.4f}"
                told = told if first else "a bit of the selector is asked before a parity is known"
                names.append(f"{told}, for {selector.name}, P = {length}")
    return outcome(
        "selectors of 2 to 8 parities, with P and epsilon", good, tight, names.__getitem__
    )


def _states_are_those_of_runs(
    read: Callable[[Levels], Levels] = lambda level: level,
) -> Outcome:
    """By the states and by the package: at which depth a bit of the selector is first asked.

    Whether its influence is small or not; if it is, also the errors of the complete trees before.
    """
    gap, names = [], []
    for place, length, last in _small_cases():
        p, selector = _small_selectors()[place]
        path, level = _small_path(place, length, last=last), read(by_states(selector, length))
        first = 2 * length if last else 0
        chosen = (path.split_variable >= first) & (path.split_variable < first + p.n)
        asked = path.node_depth[path.split_node[chosen]].min()
        # Ties go to the lowest variable.
        early = np.flatnonzero(level.lead < 0 if last else level.lead <= 0)
        gap.append(abs(asked - (early[0] if early.size else 2 * length)))
        names.append(f"first bit of the selector, {selector.name}, P = {length}")
        if selector.fits():
            gap += [abs(e - path.errors[(1 << d) - 1]) for d, e in enumerate(level.error)]
            names += [f"depth {d}, {selector.name}, P = {length}" for d in range(2 * length)]
    off = np.array(gap)
    return outcome(
        "depths of selectors of 2 parities",
        off == 0,
        off,
        lambda k: f"off by {off[k]:g} at {names[k]}" if off[k] else "equal in every case",
    )


def _selector_of_the_corollary(
    low: float = 0.75, high: float = 1.3, influence: float = 0.5, wider: int = 2
) -> Outcome:
    """``k q_min >= 1 - 2ur >= 3/4``, ``k q_max <= e^(2ur) <= e^(1/4) < 1.3``, for k = 2^r.

    And ``k rho <= 1/2 < k q_min``. An address that is all zero, or all one, is the likeliest.
    """
    ratio, names = [], []
    for r in range(1, 41):
        k, u = 2.0**r, 2.0 ** -(r + wider)
        zero = math.exp(int(math.log(2) / u) * math.log1p(-u))
        least, most = k * min(zero, 1 - zero) ** r, k * max(zero, 1 - zero) ** r
        rho = k * 2 * u * zero / (1 - u)
        spread = math.exp(2 * u * r)
        parts = [(1 - 2 * u * r) / least, low / (1 - 2 * u * r), most / spread]
        parts += [spread / math.exp(1 / 4), math.exp(1 / 4) / high, rho / influence, rho / least]
        ratio.append(max(parts))
        names.append(f"k q_min, k q_max, k rho = {least:.4f}, {most:.4f}, {rho:.4f} at k = 2^{r}")
    return outcome("numbers k", np.array(ratio) <= 1, ratio, names.__getitem__)


# -- a vote of three between two parities ---------------------------------------------------------


@cache
def _multiplexer_path(parity_bits: int, voters: int = 3) -> GrowthPath:
    return build_top_down(zoo.parity_multiplexer(voters, parity_bits))


def _greedy_reads_both_parities(leaves: Callable[[int], float] = lambda p: 3.5 * 4**p) -> Outcome:
    """``3.5 * 4^P`` leaves for two parities of P bits."""
    lengths = range(1, LONGEST + 1)
    return compare(
        "functions",
        [_multiplexer_path(p).n_leaves_for(0) for p in lengths],
        [leaves(p) for p in lengths],
        [f"P = {p}" for p in lengths],
    )


def smallest_size(f: BooleanFunction) -> int:
    """The fewest leaves of a tree of f, by a recursion that meets each restriction once.

    Slower than `dtviz.core.optimal` on most functions; on a symmetric one few restrictions differ,
    so it goes beyond 12 variables.
    """
    known: dict[BooleanFunction, int] = {}

    def solve(g: BooleanFunction) -> int:
        if g.is_constant:
            return 1
        if g not in known:
            known[g] = min(solve(g.restrict(i, 0)) + solve(g.restrict(i, 1)) for i in range(g.n))
        return known[g]

    return solve(f)


@cache
def _optima() -> dict[int, int]:
    return {p: smallest_size(zoo.parity_multiplexer(3, p)) for p in range(1, 7)}


def _optimum_reads_one_parity(leaves: Callable[[int], float] = lambda p: 6 * 2**p) -> Outcome:
    """``6 * 2^P`` leaves, by exact search."""
    found = _optima()
    return compare(
        "functions", list(found.values()), [leaves(p) for p in found], [f"P = {p}" for p in found]
    )


def _vote_comes_last(voters: int = 3, needed: int = 2) -> Outcome:
    """No bit of the vote is queried before both parities are known, and then no other."""
    good, names = [], []
    for p in range(1, 7):
        path = _multiplexer_path(p, voters)
        read = _bits_read(path, range(voters), p)
        known = (read[path.split_node, 1:] == p).sum(axis=1) >= needed
        good += ((path.split_variable < voters) == known).tolist()
        names += [f"step {j} for P = {p}" for j in range(path.n_splits)]
    return outcome(
        "splits",
        good,
        np.logical_not(good),
        lambda k: "every bit of the vote waits" if good[k] else names[k],
    )


def three_parities(parity_bits: int) -> BooleanFunction:
    """Three blocks: one vote of 5 for block 0, else a vote of 3 chooses block 1 or 2.

    ``n = 8 + 3 parity_bits``; the 8 votes come first, then the blocks.
    """
    x = points(8 + 3 * parity_bits)
    chosen = np.where(x[:, :5].sum(axis=1) > 2, 0, 1 + (x[:, 5:8].sum(axis=1) > 1))
    blocks = x[:, 8:].reshape(-1, 3, parity_bits).sum(axis=2) % 2
    return BooleanFunction(8 + 3 * parity_bits, blocks[np.arange(len(x)), chosen])


FALSE_THEOREMS: Mapping[str, Mapping[str, Any]] = {
    "whatever the influence of the selector": {"most": 99},
    "q_min for q_max": {"quantile": lambda q: float(q.min())},
    "one parity more": {"blocks": 1},
    "without the - 1 in the exponent": {"less": 0},
}


@claim(
    "LB-A",
    OURS,
    r"A selector chooses block $b$ of $k$ parities of $P$ bits with probability $q_b$. If "
    r"every variable of the selector has influence below $q_{\min}$ (below $2q_{\min}$ if "
    r"$k = 2$), greedy growth reads all parities before the selector and makes more than "
    r"$2^{P \lceil (1 - 2\varepsilon)/q_{\max} \rceil - 1}$ leaves for error $\varepsilon$, "
    r"where $\mathrm{size}(p) \cdot 2^P$ suffice for error 0. A majority of 3 choosing "
    r"between 2: $3.5 \cdot 4^P$ leaves, where $6 \cdot 2^P$ suffice.",
    PAGE,
    note=r"With $P = k$ and address bits of small influence: $s^{\tilde\Omega(\log s)}$. That "
    "version is proved; its runs are followed by their states up to 8 parities.",
)
def test_lb_a(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "leaves for error epsilon",
                _leaves_for_error,
                r"2^{\,P\left\lceil(1-2\varepsilon)/q_{\max}\right\rceil-1}",
                spoilt(
                    _leaves_for_error,
                    {**FALSE_THEOREMS, "influence 2 q_min allowed": {"most": 2.001}},
                ),
            ),
            Form(
                "for more parities, by the states of the run",
                _leaves_for_error_of_larger,
                r"2^{\,P\left\lceil(1-2\varepsilon)/q_{\max}\right\rceil-1}",
                spoilt(
                    _leaves_for_error_of_larger,
                    {**FALSE_THEOREMS, "influence below 2 q_min, whatever k": {"most": 2}},
                ),
            ),
            Form(
                "the states are those of the runs",
                _states_are_those_of_runs,
                mutants=spoilt(
                    _states_are_those_of_runs,
                    {
                        "one level later": {
                            "read": lambda level: replace(level, error=np.roll(level.error, -1))
                        },
                        "the score for the error": {
                            "read": lambda level: replace(level, error=level.score)
                        },
                        "the selector ahead by 0.06": {
                            "read": lambda level: replace(level, lead=level.lead - 0.06)
                        },
                        "the selector behind by 0.06": {
                            "read": lambda level: replace(level, lead=level.lead + 0.06)
                        },
                    },
                ),
            ),
            Form(
                "a tree of size(p) * 2^P leaves",
                _small_tree,
                r"\operatorname{size}(p)\cdot2^P",
                spoilt(
                    _small_tree,
                    {
                        "size(p) + 2^P leaves": {"leaves": lambda size, p: size + 2**p},
                        "reading the other parity": {"crossed": True},
                    },
                ),
            ),
            Form(
                "error of leaves before the selector",
                _error_of_open_leaves,
                r"\frac12(1-cq_{\max})",
                spoilt(
                    _error_of_open_leaves,
                    {
                        "q_min for q_max": {"quantile": lambda q: float(q.min())},
                        "1.001 times as much": {"factor": 1.001},
                    },
                ),
            ),
            Form(
                "the selectors of the corollary",
                _selector_of_the_corollary,
                r"q_{\min}\ge\frac1k(1-2ur)\ge\frac34\cdot\frac1k,"
                r"q_{\max}\le\frac1k\,e^{2ur}\le\frac{e^{1/4}}k<\frac{1.3}k",
                spoilt(
                    _selector_of_the_corollary,
                    {
                        "q_min ≥ 0.76/k": {"low": 0.76},
                        "q_max < 1.28/k": {"high": 1.28},
                        "rho ≤ 1/(4k)": {"influence": 1 / 4},
                        "tribes narrower by one": {"wider": 1},
                    },
                ),
            ),
            Form(
                "greedy size 3.5 * 4^P",
                _greedy_reads_both_parities,
                r"3.5\cdot4^P",
                spoilt(
                    _greedy_reads_both_parities,
                    {
                        "one leaf less": {"leaves": lambda p: 3.5 * 4**p - 1},
                        "two votes of three for equal parities": {"leaves": lambda p: 6 * 4**p},
                    },
                ),
            ),
            Form(
                "optimum 6 * 2^P",
                _optimum_reads_one_parity,
                r"6\cdot2^P",
                spoilt(
                    _optimum_reads_one_parity,
                    {
                        "one leaf less": {"leaves": lambda p: 6 * 2**p - 1},
                        "4 * 2^P": {"leaves": lambda p: 4 * 2**p},
                    },
                ),
            ),
            Form(
                "the vote is read last",
                _vote_comes_last,
                mutants=spoilt(
                    _vote_comes_last,
                    {
                        "with a single voter": {"voters": 1},
                        "once one parity is known": {"needed": 1},
                    },
                ),
            ),
        )
    )
