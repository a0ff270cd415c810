"""Chapter 2, Lemma 1 (ii): how many functions and trees of low rank there are.

Trees and functions are counted in exact integers; bounds are compared by natural logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise

import numpy as np

from claims.kit import EH, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import labelled_trees, trees_and_functions
from claims.rank.test_definitions import all_trees
from dtviz import rank as chapter

__all__ = ["decision_lists", "functions_counted"]

PAGE = "2-rank"
PAIRS = "pairs (n, r)"
SMALL = [(n, r) for n in range(1, 5) for r in range(1, n + 1)]
LISTS = [(n, 1) for n in (*range(5, 21), 40, 100, 400)]
"""Beyond n = 4 the functions of rank 1 alone are counted: the decision lists."""
LISTED = [(n, r) for n in range(1, 13) for r in range(1, n + 1)] + LISTS[8:]
"""Pairs for which the reduced trees are counted."""


# -- counting --------------------------------------------------------------------------------------


@cache
def decision_lists(n: int, *, last: int = 2, signs: int = 2) -> int:
    """|F_n^1|, the number of functions of n variables with a decision list.

    One that depends on k >= 2 variables falls into blocks: the literals of a block give the same
    answer, the next block gives the other one, and the last block has two literals at least. That
    is one ordered partition of the variables, two ``signs`` each, and the first answer. The size of
    the ``last`` block and the signs can be spoilt.
    """
    partitions, row = [1], [1]
    for k in range(1, n + 1):
        row = [1, *(a + b for a, b in pairwise(row)), 1]
        partitions.append(sum(row[j] * partitions[k - j] for j in range(1, k + 1)))
    total = 2 + 2 * n
    for k in range(2, n + 1):
        ordered = partitions[k] - (k * partitions[k - 1] if last == 2 else 0)
        total += math.comb(n, k) * 2 * signs**k * ordered
    return total


def functions_counted(n: int, r: int) -> int:
    """|F_n^r|, counted: for n <= 4, and for r = 1."""
    if r == 1 and n > 4:
        return decision_lists(n)
    return int(chapter.functions_by_rank(n)[: r + 1].sum())


@cache
def _computed_by_trees(n: int, r: int) -> int:
    """How many functions the reduced trees of rank at most r compute, tree by tree; n <= 3."""
    trees = labelled_trees(n)
    rank = np.array([tree.rank for tree in trees_and_functions(n).trees])[trees.tree]
    return np.unique(trees.code[rank <= r]).size


@cache
def _trees_listed(n: int, r: int) -> int:
    trees = labelled_trees(n)
    rank = np.array([tree.rank for tree in trees_and_functions(n).trees])[trees.tree]
    return int((rank <= r).sum())


@cache
def _trees_of_rank(n: int, r: int, both: int = 1) -> int:
    """T(n, r) of the chapter, by its recurrence; ``both`` at 0 lets both subtrees have rank r."""
    if n == 0 or r == 0:
        return 2
    s, t = _trees_of_rank(n - 1, r - 1, both), _trees_of_rank(n - 1, r, both)
    return 2 + n * (t * t - both * (t - s) ** 2)


# -- functions -------------------------------------------------------------------------------------


def _functions_exactly(pairs: list[tuple[int, int]], formula: Callable[[int], int]) -> Outcome:
    """The package's count against a formula, and for n <= 3 the count over all trees."""
    gap = []
    for n, r in pairs:
        counts = [functions_counted(n, r)] + ([_computed_by_trees(n, r)] if n <= 3 else [])
        gap.append(max(abs(count - formula(n)) for count in counts))
    return equality(PAIRS, gap, lambda k: f"n, r = {pairs[k]}")


def _log_bound_is_exact(logarithm: Callable[[int], float] = math.log) -> Outcome:
    """Where |F_n^r| is known exactly, the package's logarithm is that of the count."""
    pairs = [(n, r) for n in range(1, 5) for r in range(6) if r == 0 or r >= n]
    good = [
        math.isclose(
            chapter.log_function_bound(n, r), logarithm(functions_counted(n, r)), rel_tol=1e-12
        )
        for n, r in pairs
    ]
    return equality(PAIRS, np.logical_not(good), lambda k: f"n, r = {pairs[k]}")


def _lists_are_counted(count: Callable[[int], int] = decision_lists) -> Outcome:
    """The formula for decision lists against the count over all functions."""
    sizes = (1, 2, 3, 4)
    gap = [count(n) - int(chapter.functions_by_rank(n)[:2].sum()) for n in sizes]
    return equality("numbers of variables", gap, lambda k: f"n = {sizes[k]}")


LogBound = Callable[[int, int], float]


def _log_bound(n: int, r: int) -> float:
    """``(en/r)^r ln(8n)``, and for r < n the package says so too (else it knows better)."""
    return chapter.log_function_bound(n, r) if r < n else _power(n, r)


def _power(n: int, r: int, *, base: float = math.e, less: int = 0, share: float = 1) -> float:
    """``(en/r)^r ln(8n)``, or with a part of it spoilt."""
    return share * (base * n / r) ** (r - less) * math.log(8 * n)


def _with_8(n: int, r: int) -> float:
    return (math.e * n / r) ** r * math.log(8)


def _numbers_below(
    pairs: list[tuple[int, int]], count: Callable[[int, int], int], bound: LogBound = _log_bound
) -> Outcome:
    """The logarithm of a count against that of a bound; trivial where that exceeds 2^n ln 2."""
    true = np.array([math.log(count(n, r)) for n, r in pairs])
    allowed = np.array([bound(n, r) for n, r in pairs])
    everything = np.array([math.log(2) * 2.0**n for n, _ in pairs])
    said = allowed < everything
    return outcome(
        PAIRS,
        true <= allowed,
        true / allowed + said,
        lambda k: (
            f"logarithm / bound = {true[k] / allowed[k]:.3g} at n, r = {pairs[k]}; the bound is "
            f"below 2^(2^n) for {int(said.sum())} of {said.size} pairs"
        ),
        trivial=~said,
    )


def _chain_of_counts(*, spare: int = 1, root: int = 2, both: int = 1) -> Outcome:
    """``|F_n^r| <= T(n, r) <= 2^L (2n)^(L-1) < (4n)^L``."""
    left, right, names = [], [], []
    pairs = [(n, r) for n in range(1, 13) for r in range(1, n + 1)]
    for n, r in pairs:
        most = chapter.most_leaves(n, r)
        trees = _trees_of_rank(n, r, both)
        bound = (2**most) * (root * n) ** (most - spare)
        numbers = [trees, bound, (4 * n) ** most]
        if (n, r) in SMALL or r == 1:
            numbers.insert(0, functions_counted(n, r))
        if n <= 3:
            numbers[1:1] = [_trees_listed(n, r), trees]
        left += numbers[:-1]
        right += numbers[1:]
        names += [f"n, r = {n, r}"] * (len(numbers) - 1)
    good = [a <= b for a, b in zip(left, right, strict=True)]
    ratio = [math.log(a) / math.log(b) for a, b in zip(left, right, strict=True)]
    return outcome(
        "inequalities between integers",
        good,
        [value if value != 1 else 0 for value in ratio],
        lambda k: f"ratio of logarithms {ratio[k]:.4g} at {names[k]}",
    )


def _trees_by_listing(recurrence: Callable[[int, int], int] = _trees_of_rank) -> Outcome:
    """T(n, r), by its recurrence, against all reduced trees with labels."""
    pairs = [(n, r) for n in (1, 2, 3) for r in range(n + 1)]
    gap = [recurrence(n, r) - _trees_listed(n, r) for n, r in pairs]
    return equality(PAIRS, gap, lambda k: f"n, r = {pairs[k]}")


# -- trees with so many leaves ---------------------------------------------------------------------


def _by_the_package(n: int, leaves: int) -> int:
    return chapter.count_trees_of_size(n, leaves)


def _labels_variables_shapes(
    n: int, i: int, *, labels: int = 2, questions: int = 1, index: int = 0
) -> int:
    """``2^i n^(i-1) C(2i-1, i) / (2i-1)``, or with one of the factors spoilt."""
    shapes = math.comb(2 * i - 1 + index, i) // (2 * i - 1 + index)
    return int(labels**i * n ** (i - questions) * shapes)


def _trees_by_leaves(count: Callable[[int, int], int] = _by_the_package) -> Outcome:
    """The number of trees with i leaves against the convolution over the leaves below the root.

    And against the list of all trees with two variables and up to four leaves.
    """
    gap, names = [], []
    for n in range(1, 6):
        trees = [0, 2]
        for i in range(2, 12):
            trees.append(n * sum(trees[k] * trees[i - k] for k in range(1, i)))
        gap += [float(trees[i] - count(n, i)) for i in range(1, 12)]
        names += [f"n = {n}, i = {i}" for i in range(1, 12)]
    for n, i in ((1, 3), (1, 4), (2, 2), (2, 3), (2, 4)):
        gap.append(float(len(set(all_trees(n, i))) - count(n, i)))
        names.append(f"the list for n = {n}, i = {i}")
    return equality("pairs (n, i)", gap, names.__getitem__)


def _chain_of_tree_counts(
    smallest: int = 2, *, two: int = 2, four: int = 4, top: int = 2
) -> Outcome:
    """The three strict inequalities of Lemma 1 (ii), in exact integers."""
    left, right, names = [], [], []
    for n in range(smallest, 8):
        for k in range(1, 25):
            counted = sum(chapter.count_trees_of_size(n, i) for i in range(1, k + 1))
            halves = sum(math.comb(2 * k - 1, i) for i in range(1, k + 1))
            # The powers of 4 are halved, so both sides are doubled.
            chain = [
                2 * counted,
                2 * (two * n) ** k * halves,
                (2 * n) ** k * four**k,
                top * (8 * n) ** k,
            ]
            left += chain[:-1]
            right += chain[1:]
            names += [f"inequality {j} at n = {n}, k = {k}" for j in (1, 2, 3)]
    ratio = [a / b for a, b in zip(left, right, strict=True)]
    return outcome(
        "inequalities between integers",
        [a < b for a, b in zip(left, right, strict=True)],
        ratio,
        lambda j: f"ratio {ratio[j]:.4g} of {names[j]}",
    )


@claim(
    "EH-L1ii-a",
    EH,
    r"$|F_n^0| = 2$.",
    PAGE,
    note="A tree of rank 0 is a leaf.",
)
def test_eh_l1ii_a(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "counted",
                partial(_functions_exactly, [(n, 0) for n in range(1, 5)], lambda _: 2),
                formula=r"|F_n^0| = 2",
                kind="definition",
                mutants=(
                    Form(
                        "2n + 2: one question allowed",
                        partial(
                            _functions_exactly,
                            [(n, 0) for n in range(1, 5)],
                            lambda n: 2 * n + 2,
                        ),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-L1ii-b",
    EH,
    r"$|F_n^r| = 2^{2^n}$ if $n \le r$.",
    PAGE,
)
def test_eh_l1ii_b(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "counted",
                partial(
                    _functions_exactly,
                    [(n, r) for n in range(1, 5) for r in range(n, 6)],
                    lambda n: 2 ** (2**n),
                ),
                formula=r"|F_n^r| = 2^{2^n}",
                mutants=(
                    Form(
                        "if n ≤ r + 1",
                        partial(
                            _functions_exactly,
                            [(n, r) for n in range(1, 5) for r in range(n - 1, 6)],
                            lambda n: 2 ** (2**n),
                        ),
                    ),
                    Form(
                        "without parity and its complement",
                        partial(
                            _functions_exactly,
                            [(n, r) for n in range(1, 5) for r in range(n, 6)],
                            lambda n: 2 ** (2**n) - 2,
                        ),
                    ),
                ),
            ),
            Form(
                "its logarithm in the package",
                _log_bound_is_exact,
                mutants=(Form("log2", partial(_log_bound_is_exact, math.log2)),),
            ),
        )
    )


@claim(
    "EH-L1ii-c",
    EH,
    r"$|F_n^r| \le (8n)^{(en/r)^r}$ if $n > r \ge 1$; it holds for $n = r$ as well.",
    PAGE,
)
def test_eh_l1ii_c(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "functions counted, n ≤ 4 or r = 1",
                partial(_numbers_below, SMALL + LISTS, functions_counted),
                formula=r"|F_n^r| \le (8n)^{(en/r)^r}",
                mutants=tuple(
                    Form(label, partial(_numbers_below, SMALL + LISTS, functions_counted, bound))
                    for label, bound in (
                        ("n/r for en/r", partial(_power, base=1)),
                        ("r - 1 for the exponent r", partial(_power, less=1)),
                        ("8 for 8n", _with_8),
                        ("a quarter of the logarithm", partial(_power, share=0.25)),
                    )
                ),
            ),
            Form(
                "decision lists, by formula and by counting, n ≤ 4",
                _lists_are_counted,
                mutants=(
                    Form(
                        "a last block of one literal",
                        partial(_lists_are_counted, partial(decision_lists, last=1)),
                    ),
                    Form(
                        "without negations",
                        partial(_lists_are_counted, partial(decision_lists, signs=1)),
                    ),
                ),
            ),
            Form(
                "reduced trees counted, n ≤ 12 or r = 1",
                partial(
                    _numbers_below,
                    LISTED,
                    _trees_of_rank,
                ),
                formula=r"(8n)^{(en/r)^r}",
                mutants=tuple(
                    Form(
                        label,
                        partial(_numbers_below, LISTED, _trees_of_rank, bound),
                    )
                    for label, bound in (
                        ("n/r for en/r", partial(_power, base=1)),
                        ("r - 1 for the exponent r", partial(_power, less=1)),
                        ("a quarter of the logarithm", partial(_power, share=0.25)),
                    )
                ),
            ),
            Form(
                "ours: by T(n, r) and L",
                _chain_of_counts,
                formula=r"|F_n^r| \;\le\; T(n, r) \;\le\; 2^{L} (2n)^{L-1} \;<\; (4n)^{L}",
                mutants=(
                    Form("L - 2 for L - 1", partial(_chain_of_counts, spare=2)),
                    Form("n for 2n", partial(_chain_of_counts, root=1)),
                    Form("both subtrees of rank r", partial(_chain_of_counts, both=0)),
                ),
            ),
            Form(
                "T(n, r), by listing the trees",
                _trees_by_listing,
                formula=r"T(n, r) &= 2 + n \, T(n-1, r-1) \bigl( 2\, T(n-1, r) - "
                r"T(n-1, r-1) \bigr)",
                mutants=(
                    Form(
                        "both subtrees of rank r",
                        partial(_trees_by_listing, partial(_trees_of_rank, both=0)),
                    ),
                    Form(
                        "each subtree of rank r - 1",
                        partial(
                            _trees_by_listing,
                            lambda n, r: (
                                2 + n * _trees_of_rank(n - 1, r - 1) ** 2 if n and r else 2
                            ),
                        ),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-L1ii-CH",
    EH,
    r"There are $\frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i}$ trees with $i$ leaves; summed up to "
    r"$k$, fewer than $(2n)^k \sum_{i \le k} \binom{2k-1}{i} < (2n)^k 2^{2k-1} < (8n)^k$ for "
    r"$n \ge 2$.",
    PAGE,
    note="The lemma needs n > r ≥ 1 only, so n ≥ 2. At n = k = 1 the first < is an equality.",
)
def test_eh_l1ii_ch(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the chain for n = 2 to 7, k ≤ 24",
                _chain_of_tree_counts,
                formula=r"\sum_{i=1}^{k} \frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i} &\;<\; (2n)^k "
                r"\sum_{i=1}^{k} \binom{2k-1}{i} \\ &\;<\; (2n)^k \, 2^{2k-1} \;<\; (8n)^k",
                mutants=(
                    Form("n^k for (2n)^k", partial(_chain_of_tree_counts, two=1)),
                    Form("3^k/2 for 4^k/2", partial(_chain_of_tree_counts, four=3)),
                    Form("half of (8n)^k", partial(_chain_of_tree_counts, top=1)),
                ),
            ),
            Form(
                "trees with i leaves, by convolution and by listing",
                _trees_by_leaves,
                formula=r"\frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i}",
                mutants=tuple(
                    Form(label, partial(_trees_by_leaves, partial(_labels_variables_shapes, **of)))
                    for label, of in (
                        ("n^i for n^(i-1)", {"questions": 0}),
                        ("leaves without labels", {"labels": 1}),
                        ("2i + 1 for 2i - 1", {"index": 2}),
                    )
                ),
            ),
        ),
        (Form("for n = 1 as well", partial(_chain_of_tree_counts, 1)),),
    )
