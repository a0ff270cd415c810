"""Chapter 2, Lemma 1 (ii): how many functions and trees of low rank there are.

Trees and functions are counted in exact integers; bounds are compared by natural logarithms.
"""

import itertools
import math
from functools import cache

import numpy as np
from numpy.testing import assert_allclose

from claims.kit import at_most, bounds, holds, same
from claims.rank.populations import all_trees, labeled, stated
from dtviz import rank as chapter

PAIRS = "pairs (n, r)"
SMALL = [(n, r) for n in range(1, 5) for r in range(1, n + 1)]
LISTS = [(n, 1) for n in (*range(5, 21), 40, 100, 400)]
"""Beyond n = 4 the functions of rank 1 alone are counted: the decision lists."""
LISTED = [(n, r) for n in range(1, 13) for r in range(1, n + 1)] + LISTS[8:]
"""Pairs for which the reduced trees are counted."""


@cache
def decision_lists(n):
    """|F_n^1|, the number of functions of n variables with a decision list.

    One that depends on k >= 2 variables falls into blocks: the literals of a block give the same
    answer, the next block gives the other one, and the last block has two literals at least. That
    is one ordered partition of the variables, two signs each, and the first answer.
    """
    partitions, row = [1], [1]
    for k in range(1, n + 1):
        row = [1, *(a + b for a, b in itertools.pairwise(row)), 1]
        partitions.append(sum(row[j] * partitions[k - j] for j in range(1, k + 1)))
    total = 2 + 2 * n
    for k in range(2, n + 1):
        total += math.comb(n, k) * 2 * 2**k * (partitions[k] - k * partitions[k - 1])
    return total


def functions_counted(n, r):
    """|F_n^r|, counted: for n <= 4, and for r = 1."""
    if r == 1 and n > 4:
        return decision_lists(n)
    return int(chapter.functions_by_rank(n)[: r + 1].sum())


@cache
def trees_of_rank(n, r, both=1, low=1):
    """T(n, r) by its recurrence.

    Spoiled: with ``both`` at 0 both subtrees may have rank r, with ``low`` at 0 neither.
    """
    if n == 0 or r == 0:
        return 2
    smaller, t = (trees_of_rank(n - 1, q, both=both, low=low) for q in (r - 1, r))
    if not low:
        return 2 + n * smaller**2
    return 2 + n * (t * t - both * (t - smaller) ** 2)


@same(PAIRS)
def counted(pairs, formula):
    """The package's count against a formula, and for n <= 3 the count over all trees."""
    for n, r in pairs:
        counts = [functions_counted(n, r)]
        if n <= 3:
            code, rank, _ = labeled(n)
            counts.append(np.unique(code[rank <= r]).size)
        yield max(abs(count - formula(n)) for count in counts), f"n, r = {n, r}"


@stated("EH-L1ii-a", r"$|F_n^0| = 2$.", note="A tree of rank 0 is a leaf.")
@holds(
    "counted", r"|F_n^0| = 2", {"2n + 2: one query allowed": {"questions": 1}}, kind="definition"
)
def test_constants(questions=0):
    return counted([(n, 0) for n in range(1, 5)], lambda n: 2 + 2 * n * questions)


@stated("EH-L1ii-b", r"$|F_n^r| = 2^{2^n}$ if $n \le r$.")
@holds(
    "counted",
    r"|F_n^r| = 2^{2^n}",
    {"if n ≤ r + 1": {"least": 1}, "without parity and its complement": {"less": 2}},
)
def test_all_functions(least=0, less=0):
    pairs = [(n, r) for n in range(1, 5) for r in range(n - least, 6)]
    return counted(pairs, lambda n: 2 ** (2**n) - less)


def power(n, r, base=math.e, less=0):
    """``(en/r)^r ln(8n)``, or with a part of it spoiled."""
    return (base * n / r) ** (r - less) * math.log(8 * n)


@stated(
    "EH-L1ii-c", r"$|F_n^r| \le (8n)^{(en/r)^r}$ if $n > r \ge 1$; it holds for $n = r$ as well."
)
def test_few_functions(trial):
    pairs = SMALL + LISTS

    # The package's bound, or by leaves the one with L for (en/r)^r; exact for r >= n.
    for n, r in (*LISTED, (2000, 3), (2000, 150), (1, 3), (3, 4), (6, 9)):
        typed = [power(n, r), chapter.most_leaves(n, r) * math.log(8 * n)]
        package = [chapter.log_function_bound(n, r, by_leaves=of) for of in (False, True)]
        assert_allclose(package, [2**n * math.log(2)] * 2 if r >= n else typed, rtol=1e-9)
    for n in range(1, 5):
        assert decision_lists(n) == functions_counted(n, 1)

    @trial.form(
        "functions counted, n ≤ 4 or r = 1",
        r"|F_n^r| \le (8n)^{(en/r)^r}",
        {"n/r for en/r": {"base": 1}, "r - 1 for the exponent r": {"less": 1}},
    )
    def functions(**spoiled):
        """By logarithms; trivial where the bound exceeds 2^(2^n)."""
        true = [math.log(functions_counted(*at)) for at in pairs]
        allowed = np.array([power(*at, **spoiled) for at in pairs])
        trivial = allowed >= [math.log(2) * 2.0**n for n, _ in pairs]
        return at_most(PAIRS, true, allowed, lambda k: f"n, r = {pairs[k]}", trivial=trivial)


@stated(
    "OURS-RANK-COUNT",
    r"With $T(n, r)$ reduced trees of rank at most $r$ and $L = \sum_{i \le r} \binom ni$, "
    r"$T(n, r) = 2 + n\, T(n-1, r-1) (2\, T(n-1, r) - T(n-1, r-1))$ and "
    r"$|F_n^r| \le T(n, r) \le 2^L (2n)^{L-1} < (4n)^L$ for $n, r \ge 1$.",
)
def test_sharper_count(trial):
    @trial.form(
        "by T(n, r) and L",
        r"|F_n^r| \;\le\; T(n, r) \;\le\; 2^{L} (2n)^{L-1} \;<\; (4n)^{L}",
        {
            "L - 2 for L - 1": {"spare": 2},
            "0.86 of the logarithm of each but the last": {"first": 0.86},
        },
    )
    @bounds("inequalities between logarithms")
    def chain(spare=1, first=1, both=1):
        for n, r in itertools.product(range(1, 13), range(1, 14)):
            most = chapter.most_leaves(n, r)
            trees = math.log(trees_of_rank(n, r, both=both))
            bound = most * math.log(2) + (most - spare) * math.log(2 * n)
            numbers = [trees, bound, most * math.log(4 * n)]
            if n <= 4 or r == 1:
                numbers.insert(0, math.log(functions_counted(n, r)))
            *inner, end = itertools.pairwise(numbers)
            yield from ((a, first * b, f"n, r = {n, r}") for a, b in inner)
            yield end[0], end[1], f"n, r = {n, r}"

    @trial.form(
        "T(n, r), by listing the trees",
        r"T(n, r) &= 2 + n \, T(n-1, r-1) \bigl( 2\, T(n-1, r) - T(n-1, r-1) \bigr)",
        {"both subtrees of rank r": {"both": 0}, "each subtree of rank r - 1": {"low": 0}},
    )
    @same(PAIRS)
    def listed(**spoiled):
        for n, r in [(k, r) for k in (1, 2, 3) for r in range(k + 2)]:
            found = int((labeled(n)[1] <= r).sum())
            yield trees_of_rank(n, r, **spoiled) - found, f"n, r = {n, r}"


def of_size(n, i, labels=2, fewer=1):
    """``2^i n^(i-1) C(2i-1, i) / (2i-1)``, or with one of the factors spoiled."""
    return labels**i * n ** (i - fewer) * math.comb(2 * i - 1, i) // (2 * i - 1)


@stated(
    "EH-L1ii-CH",
    r"There are $\frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i}$ trees with $i$ leaves; summed up to "
    r"$\ell$, fewer than $(2n)^\ell \sum_{i \le \ell} \binom{2\ell-1}{i} < (2n)^\ell 2^{2\ell-1} < "
    r"(8n)^\ell$ for "
    r"$n \ge 2$.",
    note="The lemma needs n > r ≥ 1 only, so n ≥ 2. At $n = \\ell = 1$ the first < is an equality.",
)
def test_trees_by_size(trial):
    @same("pairs (n, i)")
    def listed(**spoiled):
        """Against the package, the convolution over the leaves below the root, and a list."""
        for n in range(1, 6):
            trees = [0, 2]
            for i in range(1, 12):
                trees.append(n * sum(trees[k] * trees[i + 1 - k] for k in range(1, i + 1)))
                count = of_size(n, i, **spoiled)
                package = chapter.count_trees_of_size(n, i)
                yield float(abs(trees[i] - count) + abs(package - count)), f"n = {n}, i = {i}"
        for n, i in ((1, 3), (1, 4), (2, 2), (2, 3), (2, 4)):
            listed = len(set(all_trees(n, i)))
            yield float(listed - of_size(n, i, **spoiled)), f"the list for n = {n}, i = {i}"

    @trial.form(
        "the chain for n = 2 to 7, k ≤ 24",
        r"\sum_{i=1}^{\ell} \frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i} &\;<\; (2n)^\ell "
        r"\sum_{i=1}^{\ell} \binom{2\ell-1}{i} \\ &\;<\; (2n)^\ell \, 2^{2\ell-1} \;<\; (8n)^\ell",
        {"0.74 of the first bound": {"first": 0.74}, "0.78 of the second": {"second": 0.78}},
    )
    @bounds("inequalities between integers")
    def chain(first=1, second=1, smallest=2):
        for n, k in itertools.product(range(smallest, 8), range(1, 25)):
            halves = (2 * n) ** k * sum(math.comb(2 * k - 1, i) for i in range(1, k + 1))
            doubled = (2 * n) ** k * 2 ** (2 * k - 1)
            # All are integers: "less than" is "at most, with one more on the left".
            listed, at = sum(of_size(n, i) for i in range(1, k + 1)), f"at n = {n}, k = {k}"
            yield 1 + listed, first * halves, f"inequality 1 {at}"
            yield 1 + halves, second * doubled, f"inequality 2 {at}"
            yield 1 + doubled, (8 * n) ** k, f"inequality 3 {at}"

    trial.holds(
        "trees with i leaves, by convolution and by listing",
        listed,
        r"\frac{2^i n^{i-1}}{2i-1} \binom{2i-1}{i}",
        {"n^i for n^(i-1)": {"fewer": 0}, "leaves without labels": {"labels": 1}},
    )
    trial.fails("for n = 1 as well", lambda: chain(smallest=1))
