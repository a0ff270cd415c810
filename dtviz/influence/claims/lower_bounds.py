"""Chapter 1, the lower bounds: functions on which greedy growth is far from the best tree.

LB-A and LB-B are constructions of this book with the parameters of the paper's lower bounds; LB-C
enumerates the monotone functions.
"""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz import influence as chapter
from dtviz.claims.monotone import monotone
from dtviz.claims.populations import all_functions
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import OURS
from dtviz.core import functions as zoo
from dtviz.core import measures
from dtviz.core.all_functions import greedy_all
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.growth import GrowthPath
from dtviz.core.optimal import optimal
from dtviz.core.topdown import build_top_down
from dtviz.core.tree import Tree

__all__ = ["CLAIMS", "SMALLEST", "WORST", "smallest_size", "three_parities"]

PAGE = "1-influence"
LONGEST = 8
EPSILONS = (0.49, 0.4, 0.3, 0.26, 0.24, 0.2, 0.1, 0.01)

SMALLEST = 16918030114510921920
"""The monotone function of 6 variables with the fewest leaves on which greedy is not optimal."""
WORST = 18368756680031792320
"""The monotone function of 6 variables with the worst ratio, greedy to optimum."""


def _compare(unit: str, found: list[int], stated: list[float], names: list[str]) -> Outcome:
    """Numbers of leaves against the formula for them; the last agreement is told."""
    gap = np.abs(np.array(found) - np.array(stated))

    def describe(k: int) -> str:
        if gap[k]:
            return f"{found[k]:,} leaves, not {stated[k]:,}, for {names[k]}"
        return f"{found[-1]:,} leaves for {names[-1]}"

    return outcome(unit, gap == 0, gap, describe)


def _ratio_then_size(greedy: npt.ArrayLike, size: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Order cases by greedy/optimum; among equals the larger function is the better witness."""
    return np.asarray(1000 * (np.asarray(greedy) / np.asarray(size)) + np.asarray(size))


# -- LB-A: a majority that chooses between two parities -------------------------------------------


@cache
def _multiplexer_path(parity_bits: int) -> GrowthPath:
    return build_top_down(zoo.parity_multiplexer(3, parity_bits))


def _greedy_reads_both_parities() -> Outcome:
    """``3.5 * 4^P`` leaves for two parities of P bits."""
    lengths = range(1, LONGEST + 1)
    return _compare(
        "functions",
        [_multiplexer_path(p).n_leaves_for(0) for p in lengths],
        [3.5 * 4**p for p in lengths],
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


def _optimum_reads_one_parity() -> Outcome:
    """``6 * 2^P`` leaves, by exact search."""
    lengths = range(1, 7)
    return _compare(
        "functions",
        [smallest_size(zoo.parity_multiplexer(3, p)) for p in lengths],
        [6 * 2**p for p in lengths],
        [f"P = {p}" for p in lengths],
    )


def _majority_tree(
    free: tuple[int, ...], ones: int, needed: int, leaves: tuple[Tree, Tree]
) -> Tree:
    """The tree of a majority vote that stops once it is decided, its leaves replaced."""
    if ones >= needed:
        return leaves[1]
    if ones + len(free) < needed:
        return leaves[0]
    low, high = (_majority_tree(free[1:], ones + b, needed, leaves) for b in (0, 1))
    return Tree.split(free[0], low, high)


def _parity_tree(variables: range, value: int = 0) -> Tree:
    if not variables:
        return Tree.leaf(value)
    low, high = (_parity_tree(variables[1:], value ^ b) for b in (0, 1))
    return Tree.split(variables[0], low, high)


def _explicit_tree() -> Outcome:
    """The tree that votes first and then reads one parity computes f with ``6 * 2^P`` leaves."""
    found, lengths = [], range(1, 7)
    for p in lengths:
        leaves = (_parity_tree(range(3, 3 + p)), _parity_tree(range(3 + p, 3 + 2 * p)))
        tree = _majority_tree((0, 1, 2), 0, 2, leaves)
        right = tree.function(3 + 2 * p) == zoo.parity_multiplexer(3, p)
        found.append(tree.n_leaves if right else 0)
    return _compare("functions", found, [6 * 2**p for p in lengths], [f"P = {p}" for p in lengths])


@cache
def _blocks(parity_bits: int) -> npt.NDArray[np.int64]:
    """Per node of the greedy path: bits read of the vote and of either block."""
    path = _multiplexer_path(parity_bits)
    read = np.zeros((2 * path.n_splits + 1, 3), dtype=np.int64)
    block = (path.split_variable - 3) // parity_bits + 1
    block[path.split_variable < 3] = 0
    for j, (node, which) in enumerate(zip(path.split_node.tolist(), block.tolist(), strict=True)):
        read[2 * j + 1 : 2 * j + 3] = read[node]
        read[2 * j + 1 : 2 * j + 3, which] += 1
    return read


def _vote_comes_last() -> Outcome:
    """No bit of the vote is queried before both parities are known."""
    good, names = [], []
    for p in range(1, 7):
        path, read = _multiplexer_path(p), _blocks(p)
        vote = path.split_variable < 3
        known = (read[path.split_node, 1:] == p).all(axis=1)
        good += (~vote | known).tolist()
        names += [f"step {j} for P = {p}" for j in range(path.n_splits)]
    return outcome(
        "splits",
        good,
        np.logical_not(good),
        lambda k: "every bit of the vote waits" if good[k] else names[k],
    )


def _error_of_open_leaves() -> Outcome:
    """Before the vote, a leaf with c of its 2 parities known errs on at least (1 - c/2)/2 of it."""
    spare, names = [], []
    for p in range(1, 7):
        path, read = _multiplexer_path(p), _blocks(p)
        before = np.flatnonzero(read[:, 0] == 0)
        closed = (read[before, 1:] == p).sum(axis=1)
        own = path.node_error[before] / path.node_probability[before]
        spare += (own - (1 - closed / 2) / 2).tolist()
        names += [f"a leaf with {c} parities known, P = {p}" for c in closed]
    return outcome(
        "leaves met on the way",
        np.array(spare) >= 0,
        -np.array(spare),
        lambda k: f"{spare[k]:g} above the bound at {names[k]}",
    )


def _size_below_error(parities: int) -> Outcome:
    """At least ``2^(P ceil(k(1 - 2 eps)) - 1)`` leaves for error epsilon, with k parities."""
    made = [(p, epsilon) for p in range(1, LONGEST + 1) for epsilon in EPSILONS]
    left = np.array([_multiplexer_path(p).n_leaves_for(epsilon) for p, epsilon in made])
    right = np.array([2.0 ** (p * math.ceil(parities * (1 - 2 * e)) - 1) for p, e in made])
    return outcome(
        "pairs (P, epsilon)",
        left >= right,
        right / left,
        lambda k: f"{left[k]:,} leaves against {right[k]:,.6g} at P, epsilon = {made[k]}",
    )


def three_parities(parity_bits: int) -> BooleanFunction:
    """LB-A with k = 3: one vote of 5 for block 0, else a vote of 3 chooses block 1 or 2.

    ``n = 8 + 3 parity_bits``; the 8 votes come first, then the blocks.
    """
    x = points(8 + 3 * parity_bits)
    chosen = np.where(x[:, :5].sum(axis=1) > 2, 0, 1 + (x[:, 5:8].sum(axis=1) > 1))
    blocks = x[:, 8:].reshape(-1, 3, parity_bits).sum(axis=2) % 2
    return BooleanFunction(8 + 3 * parity_bits, blocks[np.arange(len(x)), chosen])


# -- LB-B: the caterpillar ------------------------------------------------------------------------


def _caterpillar_greedy() -> Outcome:
    """``6 * 2^k - 4`` leaves, however ties are broken."""
    links = range(6)
    sizes = [chapter.greedy_sizes(zoo.caterpillar(k)) for k in links]
    return _compare(
        "functions, best and worst ties",
        [s.best for s in sizes] + [s.worst for s in sizes],
        [6 * 2**k - 4 for k in (*links, *links)],
        [f"k = {k}" for k in (*links, *links)],
    )


def _caterpillar_optimum() -> Outcome:
    links = range(1, 4)
    return _compare(
        "functions",
        [optimal(zoo.caterpillar(k)).n_leaves for k in links],
        [4 * k + 2 for k in links],
        [f"k = {k}" for k in links],
    )


def _caterpillar_influences() -> Outcome:
    """``w_k`` has influence 3/4, ``x_k`` and ``y_k`` 1/4, ``w_(k-1)`` 3/16: the wrong one first."""
    found, names = [], []
    for k in range(2, 7):
        influence = measures.influences(zoo.caterpillar(k))[-4:]
        found.append(np.abs(influence - [3 / 16, 1 / 4, 1 / 4, 3 / 4]).max())
        names.append(f"k = {k}")
    return equality("functions", found, names.__getitem__)


def _greedy_is_optimal(n: int) -> Outcome:
    """Greedy growth with the luckiest ties reaches the fewest leaves, for all functions."""
    best, size = greedy_all(n).best, all_functions(n).size
    return outcome(
        f"functions of {n} variables",
        best == size,
        _ratio_then_size(best, size),
        lambda code: f"greedy {best[code]}, optimum {size[code]} for from_int({n}, {code})",
    )


# -- LB-C: monotone functions ---------------------------------------------------------------------


def _monotone_optimal(*, luckiest: bool) -> Outcome:
    layer = monotone(5)
    greedy = layer.best if luckiest else layer.worst
    return outcome(
        "monotone functions of 5 variables",
        greedy == layer.size,
        _ratio_then_size(greedy, layer.size),
        lambda k: f"greedy {greedy[k]}, optimum {layer.size[k]} for from_int(5, {layer.code[k]})",
    )


def _monotone_counterexamples() -> Outcome:
    """Greedy with the luckiest ties against the optimum, for two functions of 6 variables."""
    codes = (SMALLEST, WORST)
    functions = [BooleanFunction.from_int(6, code) for code in codes]
    greedy = np.array([chapter.greedy_sizes(f).best for f in functions])
    size = np.array([optimal(f).n_leaves for f in functions])
    return outcome(
        "monotone functions of 6 variables",
        [not f.is_monotone() for f in functions] | (greedy == size),
        greedy / size,
        lambda k: f"greedy {greedy[k]}, optimum {size[k]} for from_int(6, {codes[k]})",
    )


def _smallest_in_words() -> Outcome:
    """The terms of the smallest counterexample, and its influences times 64."""
    terms = ((1, 2), (0, 2, 3), (0, 1, 4), (0, 3, 4), (0, 3, 5))
    x = points(6)
    table = np.any([x[:, term].all(axis=1) for term in terms], axis=0)
    f = BooleanFunction.from_int(6, SMALLEST)
    gap = np.append(measures.influence_counts(f) - [24, 28, 24, 16, 8, 4], (table != f.table).sum())
    return equality("numbers", gap, lambda k: f"number {k}")


CLAIMS = (
    Claim(
        "LB-A",
        OURS,
        r"A selector chooses one of $k$ parities of $P$ bits, each with probability $1/k$. If "
        r"every variable of the selector has influence below $1/k$ (below 1 if $k = 2$), greedy "
        r"growth reads all parities before the selector and makes at least "
        r"$2^{P \lceil k(1 - 2\varepsilon) \rceil - 1}$ leaves for error $\varepsilon$. A majority "
        r"of 3 choosing between 2: $3.5 \cdot 4^P$ leaves, where $6 \cdot 2^P$ suffice.",
        PAGE,
        (
            Form("greedy size 3.5 * 4^P", _greedy_reads_both_parities),
            Form("optimum 6 * 2^P", _optimum_reads_one_parity),
            Form("an explicit tree of 6 * 2^P leaves", _explicit_tree),
            Form("the vote is read last", _vote_comes_last),
            Form("error of leaves before the vote", _error_of_open_leaves),
            Form("size for error epsilon", partial(_size_below_error, 2)),
        ),
        note=r"With $P = k$ and address bits of small influence: $s^{\tilde\Omega(\log s)}$. That "
        "version is proved, and too large to run.",
    ),
    Claim(
        "LB-B",
        OURS,
        r"The caterpillar of $k$ links has a tree of $4k + 2$ leaves; greedy growth to error 0 "
        r"makes $6 \cdot 2^k - 4$, however ties are broken.",
        PAGE,
        (
            Form("greedy size 6 * 2^k - 4", _caterpillar_greedy),
            Form("optimum 4k + 2", _caterpillar_optimum),
            Form("influences 3/16, 1/4, 1/4, 3/4", _caterpillar_influences),
            Form("greedy is optimal for 3 variables", partial(_greedy_is_optimal, 3)),
        ),
        (Form("for all functions of 4 variables to be optimal", partial(_greedy_is_optimal, 4)),),
    ),
    Claim(
        "LB-C",
        OURS,
        r"Greedy growth with the luckiest ties is size-optimal for all monotone functions of at "
        r"most 5 variables, but not of 6: $x_1x_2 \vee x_0x_2x_3 \vee x_0x_1x_4$ "
        r"$\vee\; x_0x_3x_4 \vee x_0x_3x_5$ has a tree of 11 leaves, and greedy growth makes 12 "
        r"under every tie-break.",
        PAGE,
        (
            Form("up to 5 variables", partial(_monotone_optimal, luckiest=True)),
            Form("the terms and influences of the counterexample", _smallest_in_words),
        ),
        (
            Form("with 6 variables", _monotone_counterexamples),
            Form("with the unluckiest ties", partial(_monotone_optimal, luckiest=False)),
        ),
        note="All 7,828,354 monotone functions of 6 variables are searched in the tests.",
    ),
)
