"""Chapter 1, LB-A: a selector chooses between parities, and greedy growth reads all of them first.

Small selectors are run as they are. Larger ones, with more parities, are run by the states of their
nodes: as long as only bits of the blocks have been asked, a node is known by how many bits of each
block are known and by the parities of those that are complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from claims.influence.populations import PAGE, Floats, Ints, sharp
from claims.influence.selectors import Levels, Selector, by_states, by_weight, of_table, tribes
from claims.kit import OURS, Outcome, Trial, at_most, claim, equality, outcome
from claims.kit.populations import all_functions
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.growth_path import GrowthPath
from dtviz.core.optimal import optimal
from dtviz.core.tree import Tree

SMALL = "selectors of 2 parities, with P"
FORMULA = r"2^{\,P\left\lceil(1-2\varepsilon)/q_{\max}\right\rceil-1}"


class Small(NamedTuple):
    """A selector of two blocks of ``length`` bits as a function, and its run.

    Its bits come first, or ``last``: ties must not matter.
    """

    p: BooleanFunction
    selector: Selector
    length: int
    last: bool
    path: GrowthPath
    level: Levels

    @property
    def bits(self) -> range:
        """The variables of the selector."""
        first = 2 * self.length if self.last else 0
        return range(first, first + self.p.n)

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.selector.name}, P = {self.length}"


def chosen_parity(p: BooleanFunction, length: int, *, last: bool = False) -> BooleanFunction:
    """The function g for two blocks."""
    n = p.n + 2 * length
    x = points(n)
    z, w = (x[:, 2 * length :], x[:, : 2 * length]) if last else (x[:, : p.n], x[:, p.n :])
    parities = w.reshape(-1, 2, length).sum(axis=2) % 2
    which = p.table[z @ (1 << np.arange(p.n))].astype(np.intp)
    return BooleanFunction(n, parities[np.arange(len(x)), which])


@cache
def small_cases() -> tuple[Small, ...]:
    """Selectors on 3 and 4 bits: one for each mean and influences that occur."""
    found = []
    for n in (3, 4):
        every = all_functions(n)
        rows = np.column_stack([every.ones, np.sort(every.changes, axis=1)])
        _, codes = np.unique(rows, axis=0, return_index=True)
        for code in codes[(every.ones[codes] > 0) & (every.ones[codes] < 1 << n)].tolist():
            p = BooleanFunction.from_int(n, code)
            selector = of_table(f"from_int({n}, {code})", every.table[code] + 0, 2)
            for length in (1, 2):
                level = by_states(selector, length)
                for last in (False, True):
                    path = topdown.build_top_down(chosen_parity(p, length, last=last))
                    found.append(Small(p, selector, length, last, path, level))
    return tuple(found)


@cache
def large_selectors() -> tuple[tuple[Selector, int], ...]:
    """Selectors of 2 to 8 blocks, and how long these are; also some that break the hypothesis."""
    cuts = [(21, 10, 12), (31, 15, 17), (41, 19, 23), (101, 47, 51, 55), (301, 144, 149, 153, 158)]
    cuts += [(9, 4, 6), (11, 5, 7), (5, 3), (7, 3), (9, 5)]
    chosen = [(by_weight(*cut), length) for cut in cuts for length in (1, 2, 4)]
    chosen += [(tribes(r), 1 << r) for r in (1, 2, 3)]
    chosen += [(tribes(r, r), 1 << r) for r in (2, 3)]
    # The address itself, for 4 blocks.
    chosen.append((of_table("2 bits of address", np.arange(4), 4), 4))
    return tuple(chosen)


@cache
def levels(place: int, *, in_turn: bool) -> Levels:
    """Ties between equally likely blocks: block by block, or one bit of each ``in_turn``."""
    selector, length = large_selectors()[place]
    return by_states(selector, length, in_turn=in_turn)


def epsilons(selector: Selector) -> list[float]:
    """Just below the values at which the bound for this selector jumps."""
    q = float(selector.q.max())
    return [(1 - c * q) / 2 * (1 - 2**-20) for c in range(selector.blocks) if c * q < 1]


def bits_needed(
    selector: Selector,
    length: int,
    epsilon: float,
    quantile: Callable[[Floats], float] = np.max,
    spare: tuple[int, int] = (0, -1),
) -> int:
    """``log2`` of the leaves that are not enough: ``P ceil((1 - 2 eps)/q_max) - 1``.

    Or of ``spare`` blocks and bits more.
    """
    return length * (math.ceil((1 - 2 * epsilon) / quantile(selector.q)) + spare[0]) + spare[1]


def read(path: GrowthPath, selector: range, length: int) -> Ints:
    """Per node: how many bits were asked of the selector and of either block."""
    start = 0 if selector.start else selector.stop
    block = (path.split_variable - start) // length + 1
    block[(path.split_variable >= selector.start) & (path.split_variable < selector.stop)] = 0
    found = np.zeros((2 * path.n_splits + 1, 3), dtype=np.int64)
    for j, (node, which) in enumerate(zip(path.split_node.tolist(), block, strict=True)):
        found[2 * j + 1 : 2 * j + 3] = found[node]
        found[2 * j + 1 : 2 * j + 3, which] += 1
    return found


def parity_tree(variables: range, value: int = 0) -> Tree:
    """The complete tree of a parity, or of its complement."""
    if not variables:
        return Tree.leaf(value)
    low, high = (parity_tree(variables[1:], value ^ b) for b in (0, 1))
    return Tree.split(variables[0], low, high)


def grafted(tree: Tree, leaves: tuple[Tree, Tree], node: int = 0) -> Tree:
    """The tree with others in place of its leaves, by their labels."""
    if tree.variable[node] < 0:
        return leaves[int(np.asarray(tree.value)[node])]
    low, high = (grafted(tree, leaves, int(side[node])) for side in (tree.low, tree.high))
    return Tree.split(int(tree.variable[node]), low, high)


@cache
def multiplexer_path(parity_bits: int, voters: int = 3) -> GrowthPath:
    """The run of a vote between two parities."""
    return topdown.build_top_down(zoo.parity_multiplexer(voters, parity_bits))


def smallest_size(f: BooleanFunction) -> int:
    """The fewest leaves of a tree of f, by a recursion that meets each restriction once.

    On a symmetric function few restrictions differ, so it goes beyond the 12 variables of
    `dtviz.core.optimal`.
    """

    @cache
    def solve(g: BooleanFunction) -> int:
        if g.is_constant:
            return 1
        return min(solve(g.restrict(i, 0)) + solve(g.restrict(i, 1)) for i in range(g.n))

    return solve(f)


def _leaves_needed(most: float | None = None, **how: Any) -> Outcome:
    """Selectors with ``rho < most q_min``, by default as the theorem says."""
    rows = [
        (bits_needed(case.selector, case.length, epsilon, **how), case, epsilon)
        for case in small_cases()
        if case.selector.fits(most)
        for epsilon in epsilons(case.selector)
    ]
    left = [2.0**bits + 1 for bits, *_ in rows]
    right = [case.path.n_leaves_for(epsilon) for _, case, epsilon in rows]
    unit = f"{SMALL} and epsilon"
    return sharp(unit, left, right, lambda k: f"{rows[k][1].name}, epsilon {rows[k][2]:.4f}")


def _more_parities(most: float | None = None, **how: Any) -> Outcome:
    """All are read before the selector, level by level.

    So the tree of ``2^d`` leaves is complete, and more are needed if it errs on over epsilon.
    """
    left, right, names = [], [], []
    for place, (selector, length) in enumerate(large_selectors()):
        for in_turn in (False, True) if selector.fits(most) else ():
            level = levels(place, in_turn=in_turn)
            first = bool((level.lead > 0).all() and (np.diff(level.score) < 0).all())
            for epsilon in epsilons(selector):
                depth = bits_needed(selector, length, epsilon, **how)
                errs = first and depth < level.error.size
                left.append(epsilon)
                right.append(level.error[depth] if errs else 1e-9)
                names.append(f"2^{depth} leaves of {selector.name}, P = {length}")
    unit = "selectors of 2 to 8 parities, with P and epsilon"
    return at_most(unit, left, right, names.__getitem__)


def _states(turn: int = 0, ahead: float = 0) -> Outcome:
    """By states and by runs: at which depth a bit of the selector is first asked.

    Whether its influence is small or not; if it is, also the errors of the trees before.
    """
    gap, names = [], []
    for case in small_cases():
        level = case.level
        level = replace(level, error=np.roll(level.error, turn), lead=level.lead - ahead)
        chosen = np.isin(case.path.split_variable, case.bits)
        asked = case.path.node_depth[case.path.split_node[chosen]].min()
        # Ties go to the lowest variable.
        early = np.flatnonzero(level.lead < 0 if case.last else level.lead <= 0)
        gap.append(asked - (early[0] if early.size else 2 * case.length))
        names.append(f"first bit of the selector, {case.name}")
        if case.selector.fits():
            gap += [e - case.path.errors[(1 << d) - 1] for d, e in enumerate(level.error)]
            names += [f"depth {d}, {case.name}" for d in range(level.error.size)]
    return equality("depths of selectors of 2 parities", gap, names.__getitem__)


@cache
def _trees(crossed: bool) -> list[tuple[int, int, int, str]]:
    """Size of p, P, leaves of the tree, 0 if it does not compute g."""
    found = []
    for case in small_cases()[:: 2 * 3]:
        p, length, best = case.p, case.length, optimal(case.p)
        blocks = [parity_tree(range(p.n + b * length, p.n + (b + 1) * length)) for b in (0, 1)]
        tree = grafted(best.tree(), (blocks[crossed], blocks[not crossed]))
        right = tree.function(p.n + 2 * length) == chosen_parity(p, length)
        found.append((best.n_leaves, length, tree.n_leaves if right else 0, case.name))
    return found


def _small_tree(leaves: Callable[[int, int], float], crossed: bool = False) -> Outcome:
    """Ask the selector, then read one parity; ``crossed``: that of the other block."""
    gap = [found - leaves(size, length) for size, length, found, _ in _trees(crossed)]
    return equality(SMALL, gap, lambda k: _trees(crossed)[k][-1])


def _open_leaves(quantile: Callable[[Floats], float] = np.max, factor: float = 1) -> Outcome:
    """A leaf with c closed blocks errs on ``(1 - c q_max)/2`` of its points, at least.

    As long as no bit of the selector was asked.
    """
    spare, names = [], []
    for case in small_cases():
        path = case.path
        found = read(path, case.bits, case.length)
        before = np.flatnonzero(found[:, 0] == 0)
        closed = (found[before, 1:] == case.length).sum(axis=1)
        own = path.node_error[before] / path.node_probability[before]
        spare += (own - factor * (1 - closed * quantile(case.selector.q)) / 2).tolist()
        names += [f"a leaf with {c} closed, {case.name}" for c in closed]
    left = -np.array(spare)
    return outcome("leaves met before the selector", left <= 0, left, names.__getitem__)


def _greedy(leaves: Callable[[int], float] = lambda p: 3.5 * 4**p) -> Outcome:
    gap = [multiplexer_path(p).n_leaves_for(0) - leaves(p) for p in range(1, 9)]
    return equality("functions", gap, lambda k: f"P = {k + 1}")


@cache
def _optimum(p: int) -> int:
    return smallest_size(zoo.parity_multiplexer(3, p))


def _smallest(leaves: Callable[[int], float] = lambda p: 6 * 2**p) -> Outcome:
    gap = [_optimum(p) - leaves(p) for p in range(1, 6)]
    return equality("functions", gap, lambda k: f"P = {k + 1}")


def _vote_last(voters: int = 3, needed: int = 2) -> Outcome:
    """No bit of the vote is queried before both parities are known, and then no other."""
    wrong, names = [], []
    for p in range(1, 6):
        path = multiplexer_path(p, voters)
        known = (read(path, range(voters), p)[path.split_node, 1:] == p).sum(axis=1) >= needed
        wrong += ((path.split_variable < voters) != known).tolist()
        names += [f"step {j} for P = {p}" for j in range(path.n_splits)]
    return equality("splits", wrong, names.__getitem__)


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
def test_greed_reads_all_parities(trial: Trial) -> None:
    false = {
        "whatever the influence of the selector": {"most": 99},
        "q_min for q_max": {"quantile": np.min},
        "one parity more": {"spare": (1, -1)},
        "without the - 1 in the exponent": {"spare": (0, 0)},
    }
    own = {"influence 2 q_min allowed": {"most": 2.001}}
    trial.holds("leaves for error epsilon", _leaves_needed, FORMULA, false | own)
    own = {"influence below 2 q_min, whatever k": {"most": 2}}
    trial.holds("for more parities, by the states of the run", _more_parities, FORMULA, false | own)
    trial.holds(
        "the states are those of the runs",
        _states,
        "",
        {
            "one level later": {"turn": -1},
            "the selector ahead by 0.06": {"ahead": 0.06},
            "the selector behind by 0.06": {"ahead": -0.06},
        },
    )
    trial.holds(
        "a tree of size(p) * 2^P leaves",
        partial(_small_tree, lambda size, length: size * 2**length),
        r"\operatorname{size}(p)\cdot2^P",
        {
            "size(p) + 2^P leaves": partial(_small_tree, lambda size, length: size + 2**length),
            "reading the other parity": {"crossed": True},
        },
    )
    trial.holds(
        "error of leaves before the selector",
        _open_leaves,
        r"\frac12(1-cq_{\max})",
        {"q_min for q_max": {"quantile": np.min}, "1.001 times as much": {"factor": 1.001}},
    )
    less = {"one leaf less": {"leaves": lambda p: 3.5 * 4**p - 1}}
    trial.holds("greedy size 3.5 * 4^P", _greedy, r"3.5\cdot4^P", less)
    less = {"one leaf less": {"leaves": lambda p: 6 * 2**p - 1}}
    trial.holds("optimum 6 * 2^P", _smallest, r"6\cdot2^P", less)
    variants = {"with one voter": {"voters": 1}, "once one parity is known": {"needed": 1}}
    trial.holds("the vote is read last", _vote_last, "", variants)


@claim(
    "OURS-BLOW-UP",
    OURS,
    r"For $k = 2^r$ there is a function of $O(k^2)$ variables that has a tree with $\log_2 s = "
    r"O(k \log^2 k)$, while greedy growth needs $\log_2(\mathrm{size}) \ge "
    r"\frac{1 - 2\varepsilon}{1.3} k^2 - 1$.",
    PAGE,
    note="The selector, $r$ address bits of tribes, is tried for each $r$ up to 20, and runs are "
    "followed by their states for $k$ = 2, 4 and 8.",
)
def test_superpolynomial_blow_up(trial: Trial) -> None:
    def selector(low: float = 0.75, high: float = 1.3, wider: int = 2) -> Outcome:
        """An address that is all zero, or all one, is the likeliest."""
        left, right = [], []
        for r in range(1, 21):
            k, u = 2.0**r, 2.0 ** -(r + wider)
            zero = math.exp(int(math.log(2) / u) * math.log1p(-u))
            spread, rho = math.exp(2 * u * r), 2 * u * zero / (1 - u)
            least, most = k * min(zero, 1 - zero) ** r, k * max(zero, 1 - zero) ** r
            left += [low, 1 - 2 * u * r, most, spread, math.exp(1 / 4), k * rho, 1 / 2]
            right += [1 - 2 * u * r, least, spread, math.exp(1 / 4), high, 1 / 2, least]
        return at_most("inequalities", left, right, lambda i: f"number {i % 7}, r = {i // 7 + 1}")

    def leaves_needed(high: float = 1.3) -> Outcome:
        """The last complete tree that errs on more than epsilon is that large."""
        left, right, names = [], [], []
        for place, (chosen, k) in enumerate(large_selectors()):
            if "tribes" in chosen.name and chosen.fits():
                level = levels(place, in_turn=False)
                for epsilon in epsilons(chosen):
                    left.append((1 - 2 * epsilon) / high * k**2)
                    right.append(np.flatnonzero(level.error > epsilon)[-1] + 1)
                    names.append(f"{chosen.name}, epsilon {epsilon:.4f}")
        return at_most("selectors and epsilon", left, right, names.__getitem__)

    def small_tree(factor: float = 1) -> Outcome:
        """``log2 s <= a + k`` and ``n = a + k^2`` for ``a = r (r + 2) t``, ``t <= 4k ln 2``."""
        r = np.arange(1.0, 21)
        k, a = 2**r, r * (r + 2) * np.floor(4 * 2**r * math.log(2))
        left = np.concatenate([a + k, a + k**2])
        right = factor * np.concatenate([(12 * math.log(2) + 1) * k * r**2, 12 * k**2])
        return at_most("numbers k", left, right, lambda i: f"r = {i % 20 + 1}")

    trial.holds(
        "nearly balanced, of little influence",
        selector,
        r"q_{\min}\ge\frac1k(1-2ur)\ge\frac34\cdot\frac1k,"
        r"q_{\max}\le\frac1k\,e^{2ur}\le\frac{e^{1/4}}k<\frac{1.3}k",
        {"0.76/k": {"low": 0.76}, "1.28/k": {"high": 1.28}, "tribes narrower by 1": {"wider": 1}},
    )
    trial.holds(
        "leaves",
        leaves_needed,
        r"\log(\text{size})\ge\frac{(1-2\varepsilon)}{1.3}k^2-1",
        {"1.5 times as much": {"high": 1.3 / 1.5}},
    )
    trial.holds("the small tree, and n", small_tree, "", {"half of it": {"factor": 1 / 2}})
