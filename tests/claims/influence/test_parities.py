"""Chapter 1, LB-A: a selector chooses between parities, and greedy growth reads all of them first.

Small selectors are run as they are. Larger ones, with more parities, are run by the states of their
nodes: as long as only bits of the blocks have been asked, a node is known by how many bits of each
block are known and by the parities of those that are complete.
"""

import math
from functools import cache, partial
from types import SimpleNamespace

import numpy as np

from claims.influence.populations import stated, tight
from claims.influence.selectors import by_states, by_weight, of_table, tribes
from claims.kit import at_most, bounds, same
from claims.kit.populations import all_functions
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees import topdown
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.tree.tree import Tree

SMALL = "selectors of 2 parities, with P"
FORMULA = r"2^{\,P\left\lceil(1-2\varepsilon)/q_{\max}\right\rceil-1}"


def chosen_parity(p, length, *, last=False):
    """The function g for two blocks; the bits of p come first, or ``last``."""
    n = p.n + 2 * length
    x = cube_points(n)
    z, w = (x[:, 2 * length :], x[:, : 2 * length]) if last else (x[:, : p.n], x[:, p.n :])
    parities = w.reshape(-1, 2, length).sum(axis=2) % 2
    which = p.table[z @ (1 << np.arange(p.n))].astype(np.intp)
    return BooleanFunction(n, parities[np.arange(len(x)), which])


@cache
def small_cases():
    """Selectors ``p`` on 3 and 4 bits of two blocks: one for each mean and influences that occur.

    With the ``path`` of the run, which has the bits of p first, or ``last``: ties must not matter.
    """
    found = []
    for n in (3, 4):
        every = all_functions(n)
        rows = np.column_stack([every.ones, np.sort(every.changes, axis=1)])
        _, codes = np.unique(rows, axis=0, return_index=True)
        for code in codes[(every.ones[codes] > 0) & (every.ones[codes] < 1 << n)].tolist():
            p, label = BooleanFunction.from_int(n, code), f"from_int({n}, {code})"
            selector = of_table(label, every.table[code] + 0, 2)
            for length in (1, 2):
                known = {"p": p, "selector": selector, "length": length}
                known |= {"level": by_states(selector, length), "name": f"{label}, P = {length}"}
                for last in (False, True):
                    path = topdown.build_top_down(chosen_parity(p, length, last=last))
                    found.append(SimpleNamespace(**known, last=last, path=path))
    return found


@cache
def large_selectors():
    """Selectors of 2 to 8 blocks, and how long these are; also some that break the hypothesis."""
    cuts = [(21, 10, 12), (31, 15, 17), (41, 19, 23), (101, 47, 51, 55), (301, 144, 149, 153, 158)]
    cuts += [(9, 4, 6), (11, 5, 7), (5, 3), (7, 3), (9, 5)]
    chosen = [(by_weight(*cut), length) for cut in cuts for length in (1, 2, 4)]
    chosen += [(tribes(r), 1 << r) for r in (1, 2, 3)]
    chosen += [(tribes(r, r), 1 << r) for r in (2, 3)]
    # The address itself, for 4 blocks.
    return [*chosen, (of_table("2 bits of address", np.arange(4), 4), 4)]


@cache
def levels(place, *, in_turn):
    """Ties between equally likely blocks: block by block, or one bit of each ``in_turn``."""
    return by_states(*large_selectors()[place], in_turn=in_turn)


def epsilons(selector):
    """Just below the values at which the bound for this selector jumps."""
    q = float(selector.q.max())
    return [(1 - c * q) / 2 * (1 - 2**-20) for c in range(selector.blocks) if c * q < 1]


def bits_needed(selector, length, epsilon, quantile=np.max, spare=(0, -1)):
    """``log2`` of the leaves that are not enough: ``P ceil((1 - 2 eps)/q_max) - 1``.

    Or of ``spare`` blocks and bits more.
    """
    return length * (math.ceil((1 - 2 * epsilon) / quantile(selector.q)) + spare[0]) + spare[1]


def parity_tree(variables, value=0):
    if not variables:
        return Tree.leaf(value)
    low, high = (parity_tree(variables[1:], value ^ b) for b in (0, 1))
    return Tree.split(variables[0], low, high)


def grafted(tree, leaves, node=0):
    """The tree with others in place of its leaves, by their labels."""
    if tree.variable[node] < 0:
        return leaves[int(tree.value[node])]
    low, high = (grafted(tree, leaves, int(side[node])) for side in (tree.low, tree.high))
    return Tree.split(int(tree.variable[node]), low, high)


@cache
def smallest_size(f):
    """The fewest leaves of a tree of f, by a recursion that meets each restriction once.

    On a symmetric function few differ: it goes beyond the 12 variables of `dtviz.optimal`.
    """
    halves = [[f.restrict(i, b) for b in (0, 1)] for i in range(f.n)]
    return 1 if f.is_constant else min(sum(map(smallest_size, both)) for both in halves)


@tight(f"{SMALL} and epsilon")
def leaves_needed(most=None, **how):
    """Selectors with ``rho < most q_min``, by default as the theorem says."""
    for case in small_cases():
        for epsilon in epsilons(case.selector) if case.selector.fits(most) else ():
            left = 2.0 ** bits_needed(case.selector, case.length, epsilon, **how) + 1
            yield left, case.path.n_leaves_for(epsilon), f"{case.name}, epsilon {epsilon:.4f}"


@bounds("selectors of 2 to 8 parities, with P and epsilon")
def more_parities(most=None, **how):
    """All are read before the selector, level by level.

    So the tree of ``2^d`` leaves is complete, and more are needed if it errs on over epsilon.
    """
    for place, (selector, length) in enumerate(large_selectors()):
        for in_turn in (False, True) if selector.fits(most) else ():
            level = levels(place, in_turn=in_turn)
            first = bool((level.lead > 0).all() and (np.diff(level.score) < 0).all())
            for epsilon in epsilons(selector):
                depth = bits_needed(selector, length, epsilon, **how)
                errs = first and depth < level.error.size
                where = f"2^{depth} leaves of {selector.name}, P = {length}"
                yield epsilon, level.error[depth] if errs else 1e-9, where


@same("depths of selectors of 2 parities")
def states(turn=0, ahead=0):
    """By states and by runs: at which depth a bit of the selector is first asked.

    Whether its influence is small or not; if it is, also the errors of the trees before.
    """
    for case in small_cases():
        path, lead = case.path, case.level.lead - ahead
        bit = path.split_variable - (2 * case.length if case.last else 0)
        asked = path.node_depth[path.split_node[(bit >= 0) & (bit < case.p.n)]].min()
        # Ties go to the lowest variable.
        early = np.flatnonzero(lead < 0 if case.last else lead <= 0)
        gap = asked - (early[0] if early.size else 2 * case.length)
        yield gap, f"first bit of the selector, {case.name}"
        for d, error in enumerate(np.roll(case.level.error, turn)):
            if case.selector.fits():
                yield error - path.errors[(1 << d) - 1], f"depth {d}, {case.name}"


@same(SMALL)
def small_tree(leaves, crossed=False):
    """Ask the selector, then read one parity; ``crossed``: that of the other block."""
    for case in small_cases()[:: 2 * 3]:
        p, length, best = case.p, case.length, optimal(case.p)
        blocks = [parity_tree(range(p.n + b * length, p.n + (b + 1) * length)) for b in (0, 1)]
        tree = grafted(best.tree(), blocks[::-1] if crossed else blocks)
        right = tree.function(p.n + 2 * length) == chosen_parity(p, length)
        yield right * tree.n_leaves - leaves(best.n_leaves, length), case.name


@stated(
    "LB-A",
    "A selector chooses one of $B$ parities of $P$ bits, each with a probability from "
    r"$q_{\min}$ to $q_{\max}$. If every variable of the selector has influence below $q_{\min}$ "
    r"(below $2q_{\min}$ if $B = 2$), greedy growth reads all parities before the selector and "
    r"makes more than $2^{P \lceil (1 - 2\varepsilon)/q_{\max} \rceil - 1}$ leaves for error "
    r"$\varepsilon$, where $\mathrm{size}(\mathrm{sel}) \cdot 2^P$ suffice for error 0. A "
    r"majority of 3 choosing between 2: $3.5 \cdot 4^P$ leaves, where $6 \cdot 2^P$ suffice.",
    note=r"With $P = B$ and address bits of small influence: $s^{\tilde\Omega(\log s)}$. That "
    "version is proved; its runs are followed by their states up to 8 parities.",
)
def test_greed_reads_all_parities(trial):
    votes = [zoo.parity_multiplexer(3, p) for p in range(1, 9)]
    made = [topdown.build_top_down(f).n_leaves_for(0) for f in votes]
    fewest = [smallest_size(f) for f in votes[:5]]

    @same("functions")
    def leaves_made(sizes, by_formula, less=0):
        for p, size in enumerate(sizes, 1):
            yield size - (by_formula(p) - less), f"P = {p}"

    trial.holds(
        "leaves for error epsilon",
        leaves_needed,
        FORMULA,
        {"one parity more": {"spare": (1, -1)}, "influence 2 q_min allowed": {"most": 2.001}},
    )
    trial.holds(
        "for more parities, by the states of the run",
        more_parities,
        FORMULA,
        {
            "q_min for q_max": {"quantile": np.min},
            "influence below 2 q_min, whatever B": {"most": 2},
        },
    )
    trial.holds(
        "the states are those of the runs",
        states,
        "",
        {"one level later": {"turn": -1}, "the selector ahead by 0.06": {"ahead": 0.06}},
    )
    trial.holds(
        "a tree of size(p) * 2^P leaves",
        partial(small_tree, lambda size, length: size * 2**length),
        r"\operatorname{size}(\operatorname{sel})\cdot2^P",
        {
            "size(p) + 2^P leaves": partial(small_tree, lambda size, length: size + 2**length),
            "reading the other parity": {"crossed": True},
        },
    )
    less = {"one leaf less": {"less": 1}}
    greedy = partial(leaves_made, made, lambda p: 3.5 * 4**p)
    trial.holds("greedy size 3.5 * 4^P", greedy, r"3.5\cdot4^P", less)
    smallest = partial(leaves_made, fewest, lambda p: 6 * 2**p)
    trial.holds("optimum 6 * 2^P", smallest, r"6\cdot2^P", less)


@stated(
    "OURS-BLOW-UP",
    r"For each power of two $B \ge 2$ there is a function of $O(B^2)$ variables that has a tree "
    r"with $\log_2 s = O(B \log^2 B)$, while greedy growth makes at least $2^{(1 - 2\varepsilon) "
    "B^2/1.3 - 1}$ leaves.",
    note="The selector, address bits of tribes, is tried for up to 20 of them, and runs are "
    "followed by their states for $B$ = 2, 4 and 8.",
)
def test_superpolynomial_blow_up(trial):
    @trial.form(
        "nearly balanced, of little influence",
        r"q_{\min}\ge\frac1B(1-2\alpha\log B)\ge\frac34\cdot\frac1B,"
        r"q_{\max}\le\frac1B\,e^{2\alpha\log B}\le\frac{e^{1/4}}B<\frac{1.3}B",
        {"0.76/k": {"low": 0.76}, "1.28/k": {"high": 1.28}},
    )
    @bounds("inequalities")
    def selector(low=0.75, high=1.3):
        """An address that is all zero, or all one, is the likeliest."""
        for r in range(1, 21):
            k, u = 2.0**r, 2.0 ** -(r + 2)
            zero = math.exp(int(math.log(2) / u) * math.log1p(-u))
            spread, rho = math.exp(2 * u * r), 2 * u * zero / (1 - u)
            least, most = k * min(zero, 1 - zero) ** r, k * max(zero, 1 - zero) ** r
            left = [low, 1 - 2 * u * r, most, spread, math.exp(1 / 4), k * rho, 1 / 2]
            right = [1 - 2 * u * r, least, spread, math.exp(1 / 4), high, 1 / 2, least]
            for number, row in enumerate(zip(left, right, strict=True)):
                yield *row, f"number {number}, r = {r}"

    @trial.form(
        "leaves",
        r"\log(\text{size})\ge\frac{(1-2\varepsilon)}{1.3}B^2-1",
        {"1.5 times as much": {"high": 1.3 / 1.5}},
    )
    @bounds("selectors and epsilon")
    def leaves_needed(high=1.3):
        """The last complete tree that errs on more than epsilon is that large."""
        for place, (chosen, k) in enumerate(large_selectors()):
            if "tribes" in chosen.name and chosen.fits():
                error = levels(place, in_turn=False).error
                for epsilon in epsilons(chosen):
                    depth = np.flatnonzero(error > epsilon)[-1] + 1
                    where = f"{chosen.name}, epsilon {epsilon:.4f}"
                    yield (1 - 2 * epsilon) / high * k**2, depth, where

    @trial.form("the small tree, and n", "", {"half of it": {"factor": 1 / 2}})
    def small_tree(factor=1):
        """``log2 s <= a + k`` and ``n = a + k^2`` for ``a = r (r + 2) t``, ``t <= 4k ln 2``."""
        r = np.arange(1.0, 21)
        k, a = 2**r, r * (r + 2) * np.floor(4 * 2**r * math.log(2))
        right = factor * np.array([(12 * math.log(2) + 1) * k * r**2, 12 * k**2])
        return at_most("numbers k", [a + k, a + k**2], right, lambda i: f"r = {i % 20 + 1}")
