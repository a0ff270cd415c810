"""Chapter 4, growth: ID3, XOR, the split scan, regression, depth."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz import impurity as chapter
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import CU
from dtviz.core import costs
from dtviz.core import functions as zoo
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.optimal import optimal
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree
from dtviz.impurity.claims.cases import (
    FUNCTIONS,
    SmallSample,
    count_reads,
    drop_of,
    gains,
    id3_trees,
    naive_scan,
    small_samples,
)

__all__ = ["CLAIMS"]

PAGE = "4-impurity"
TABLES = "small tables"
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


# -- small trees -----------------------------------------------------------------------------------


def _pure_and_consistent() -> Outcome:
    """Both the exact optimum and ID3 give a tree with pure leaves; the optimum is no larger."""
    best = optimal_all(3).n_leaves
    wrong, names = [], []
    for code, tree in enumerate(id3_trees()):
        f = BooleanFunction.from_int(3, code)
        small = optimal(f).tree()
        agrees = tree.function(3) == f and small.function(3) == f
        wrong.append(not agrees or small.n_leaves != best[code] or tree.n_leaves < best[code])
        names.append(f"function {code}: {tree.n_leaves} leaves, least {best[code]}")
    return equality(FUNCTIONS, wrong, names.__getitem__)


def _id3_is_smallest() -> Outcome:
    size = np.array([tree.n_leaves for tree in id3_trees()])
    best = optimal_all(3).n_leaves
    return outcome(
        FUNCTIONS,
        size <= best,
        size - best,
        lambda k: f"{size[k]} leaves, least {best[k]}, function {k}",
    )


# -- ID3 -------------------------------------------------------------------------------------------


def _mixed(y: npt.NDArray[Any]) -> bool:
    return bool((y != y[0]).any())


def _splittable(X: npt.NDArray[Any]) -> bool:
    return bool((X[0] != X).any())


def _each_node(sample: SmallSample, tree: Tree) -> list[tuple[int, npt.NDArray[Any]]]:
    """Every node of a tree with the rows that reach it."""
    found, stack = [], [(0, np.arange(len(sample.y)))]
    while stack:
        node, rows = stack.pop()
        found.append((node, rows))
        i = int(tree.variable[node])
        if i >= 0:
            goes = sample.X[rows, i] > tree.threshold[node]
            stack += [(int(tree.low[node]), rows[~goes]), (int(tree.high[node]), rows[goes])]
    return found


@cache
def _id3_of_samples() -> tuple[Tree, ...]:
    return tuple(chapter.id3(sample.X, sample.y) for sample in small_samples())


def _leaves_are_base_cases() -> Outcome:
    """A node is a leaf just where a base case applies, and is labelled by a mode."""
    wrong, names = [], []
    for sample, tree in zip(small_samples(), _id3_of_samples(), strict=True):
        for node, rows in _each_node(sample, tree):
            y, X = sample.y[rows], sample.X[rows]
            leaf = int(tree.variable[node]) < 0
            bad = leaf == (_mixed(y) and _splittable(X))
            if leaf and not bad and tree.value is not None:
                labels = y.tolist()
                bad = labels.count(tree.value[node]) < max(map(labels.count, labels))
            wrong.append(bad)
            names.append(f"node {node} of {sample.name}")
    return equality("nodes of trees", wrong, names.__getitem__)


def _splits_are_best() -> Outcome:
    """No split takes more off the entropy than the one chosen."""
    short, names = [], []
    for sample, tree in zip(small_samples(), _id3_of_samples(), strict=True):
        for node, rows in _each_node(sample, tree):
            i = int(tree.variable[node])
            if i < 0:
                continue
            X, y = sample.X[rows], sample.y[rows]
            drops = [
                drop_of(y, X[:, f] <= t) for f in range(X.shape[1]) for t in np.unique(X[:, f])[:-1]
            ]
            short.append(max(drops) - drop_of(y, X[:, i] <= tree.threshold[node]))
            names.append(f"node {node} of {sample.name}")
    good = np.array(short) <= CLOSE
    return outcome(
        "splits",
        good,
        ~good,
        lambda k: "none better" if good[k] else f"{short[k]:.3g} short at {names[k]}",
    )


def _means_at_the_end() -> Outcome:
    """For regression the leaves hold the mean of their labels."""
    off, names = [], []
    for sample in small_samples():
        tree = chapter.id3(sample.X, sample.y, "squared")
        for node, rows in _each_node(sample, tree):
            if int(tree.variable[node]) < 0 and tree.value is not None:
                off.append(abs(float(tree.value[node]) - float(sample.y[rows].mean())))
                names.append(f"node {node} of {sample.name}")
    good = np.array(off) <= CLOSE
    return outcome("leaves", good, ~good, lambda k: "the mean" if good[k] else names[k])


# -- XOR and myopia --------------------------------------------------------------------------------


def _first_split_of_xor_gains_nothing() -> Outcome:
    y = np.array([0, 1, 1, 0])
    cases = list(itertools.product(costs.CLASS_COST_FUNCTIONS, (0, 1)))
    drops = [drop_of(y, XOR[:, i] == 0, cost) for cost, i in cases]
    good = np.abs(drops) <= CLOSE
    return outcome(
        "features and costs",
        good,
        ~good,
        lambda k: f"drop {drops[k] if not good[k] else 0:g} for {cases[k][0]}",
    )


def _parity_is_learned(*, stop_early: bool) -> Outcome:
    """Leaves of ID3, or of ID3 that stops where no split lowers the entropy, on parities."""
    sizes, wrong, names = [], [], []
    for n in (2, 3, 4, 5):
        f = zoo.parity(n)
        path = chapter.grow(points(n), f.table, "entropy")
        useless = np.flatnonzero(path.scores[:-1] == 0)
        steps = int(useless[0]) if stop_early and useless.size else path.n_splits
        tree = path.tree(steps + 1)
        sizes.append(tree.n_leaves)
        wrong.append(tree.n_leaves != 2**n or float(path.errors[steps]) > 0)
        leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
        names.append(f"{leaves}, error {path.errors[steps]:g}, for parity of {n}")
    return outcome("parities", np.logical_not(wrong), sizes, names.__getitem__)


_LEARNERS: dict[str, Callable[[BooleanFunction], Tree]] = {
    "ID3": lambda f: id3_trees()[f.code],
    "a search for the least rank": lambda f: optimal(f).tree("rank"),
    "the exact programme": lambda f: optimal(f).tree(),
}


def _root_gains(which: str) -> Outcome:
    """Whether the root that a learner chooses has the greatest gain of all variables."""
    good, short, names = [], [], []
    for code in range(256):
        f = BooleanFunction.from_int(3, code)
        if f.is_constant:
            continue
        tree = _LEARNERS[which](f)
        gain = gains(f)
        missed = float(gain.max() - gain[tree.variable[0]])
        good.append(missed <= CLOSE)
        short.append(missed)
        best = id3_trees()[code].n_leaves
        names.append(
            f"root x{tree.variable[0]} gains {missed:.3g} less than the best, {tree.n_leaves} "
            f"leaves against ID3's {best}, function {code}"
            if missed > CLOSE
            else "the root has the greatest gain"
        )
    return outcome("functions of 3 variables, not constant", good, short, names.__getitem__)


# -- splits ----------------------------------------------------------------------------------------


def _sides_of_a_split() -> Outcome:
    """Rows with x_f <= t go low, the others high, and neither side is empty."""
    wrong, names = [], []
    for sample, tree in zip(small_samples(), _id3_of_samples(), strict=True):
        leaf = tree.apply(sample.X)
        for node, rows in _each_node(sample, tree):
            i = int(tree.variable[node])
            if i < 0:
                wrong.append(bool((leaf[rows] != node).any()))
            else:
                x = sample.X[rows, i]
                wrong.append(not x.min() <= tree.threshold[node] < x.max())
            names.append(f"node {node} of {sample.name}")
    return equality("nodes of trees", wrong, names.__getitem__)


def _number_of_thresholds(*, distinct: bool) -> Outcome:
    """Thresholds, all parting the examples differently: n - 1, or one less than the values."""
    number, expected, wrong, names = [], [], [], []
    for sample in small_samples():
        for i, x in enumerate(sample.X.T):
            found = chapter.threshold_scan(x, sample.y).thresholds
            ways = {(x <= t).tobytes() for t in found}
            number.append(len(ways))
            expected.append((len(set(x.tolist())) if distinct else len(x)) - 1)
            wrong.append(not len(found) == number[-1] == expected[-1])
            names.append(
                f"{len(found)} thresholds for {len(x)} examples, {len(set(x.tolist()))} values, "
                f"feature {i} of {sample.name}"
            )
    return outcome("features", np.logical_not(wrong), number, names.__getitem__)


def _every_distinct_value() -> Outcome:
    number, names = [], []
    for n in range(1, 21):
        x = np.random.default_rng(n).permutation(n) / 7
        found = chapter.threshold_scan(x, np.arange(n) % 3).thresholds
        number.append(len(found) - (n - 1))
        names.append(f"n = {n}")
    return equality("features with distinct values", number, names.__getitem__)


def _both_scans_agree() -> Outcome:
    gap, names = [], []
    for sample in small_samples():
        for i, x in enumerate(sample.X.T):
            for cost in chapter.GROWTH_COSTS:
                found = chapter.threshold_scan(x, sample.y, cost)
                expected = naive_scan(x, sample.y, cost)
                same = found.thresholds.shape == expected.thresholds.shape
                off = [math.inf]
                if same:
                    off = [
                        float(np.abs(a - b).max(initial=0.0))
                        for a, b in zip(found, expected, strict=True)
                    ]
                gap.append(max(off))
                names.append(f"feature {i} of {sample.name}, {cost}")
    good = np.array(gap) <= CLOSE
    return outcome(
        "features and costs",
        good,
        ~good,
        lambda k: "equal up to rounding" if good[k] else f"off by {gap[k]:.3g} at {names[k]}",
    )


def _reads_of(which: str) -> Outcome:
    """Labels read by a scan of n examples in order, against 2 n; the best cuts are the same."""
    sizes = (4, 8, 16, 32, 64)
    found = [count_reads([k * k % 7 % 3 for k in range(n)]) for n in sizes]
    reads = [float(getattr(r, which)) for r in found]
    same = [r.naive_best == r.incremental_best for r in found]
    ratio = [r / n for r, n in zip(reads, sizes, strict=True)]
    return outcome(
        "scans",
        np.logical_and(np.array(ratio) <= 2, same),
        ratio,
        lambda k: f"{reads[k]:,.0f} labels read for n = {sizes[k]}",
    )


# -- regression ------------------------------------------------------------------------------------


def _numbers() -> list[list[int]]:
    rng = np.random.default_rng(4)
    found = [list(bits) for m in range(2, 7) for bits in itertools.product((0, 1), repeat=m)]
    return found + [rng.integers(-9, 10, rng.integers(2, 9)).tolist() for _ in range(100)]


def _loss_by_definition() -> Outcome:
    off, names = [], []
    for y in _numbers():
        mean = Fraction(sum(y), len(y))
        expected = sum((v - mean) ** 2 for v in y) / len(y)
        off.append(abs(float(expected) - costs.squared_loss(y)))
        names.append(f"{y}")
    good = np.array(off) <= 1e-12
    return outcome("lists of labels", good, ~good, lambda k: "equal" if good[k] else names[k])


def _drop_of_squared_loss() -> Outcome:
    """What each cut takes off, by definition, against ``n_L n_R / n^2`` times the gap squared."""
    wrong, names = [], []
    for y in _numbers():
        n = len(y)
        scan = chapter.threshold_scan(np.arange(n), y, "squared")
        for cut in range(1, n):
            low, high = y[:cut], y[cut:]
            gap = Fraction(sum(low), cut) - Fraction(sum(high), n - cut)
            identity = Fraction(cut * (n - cut), n * n) * gap**2
            parts = [Fraction(0)] * 3
            for k, side in enumerate((y, low, high)):
                mean = Fraction(sum(side), len(side))
                parts[k] = sum(((v - mean) ** 2 for v in side), Fraction(0)) / n
            drop = parts[0] - parts[1] - parts[2]
            off = abs(float(parts[1] + parts[2]) - float(scan.impurities[cut - 1]))
            wrong.append(drop != identity or off > 1e-10)
            names.append(f"{low} | {high}")
    return equality("cuts", wrong, names.__getitem__)


def _half_of_gini() -> Outcome:
    lists = [y for y in _numbers() if set(y) <= {0, 1}]
    off = [abs(costs.squared_loss(y) - costs.gini([1 - np.mean(y), np.mean(y)]) / 2) for y in lists]
    good = np.array(off) <= CLOSE
    return outcome(
        "lists of 0/1 labels",
        good,
        ~good,
        lambda k: "half of Gini" if good[k] else f"{lists[k]}",
    )


# -- depth -----------------------------------------------------------------------------------------

LINES = (8, 16, 32, 64)


@cache
def _alternating() -> tuple[Tree, ...]:
    return tuple(chapter.id3(np.arange(n)[:, None], np.arange(n) % 2, "gini") for n in LINES)


def _chains() -> Outcome:
    depth = [tree.depth for tree in _alternating()]
    return outcome(
        "alternating labels on a line",
        [d == n - 1 for d, n in zip(depth, LINES, strict=True)],
        depth,
        lambda k: f"depth {depth[k]} for n = {LINES[k]}",
    )


def _at_least_log() -> Outcome:
    trees = [*_alternating(), *_id3_of_samples(), *id3_trees()]
    spare = [tree.depth - math.log2(tree.n_leaves) for tree in trees]
    return outcome(
        "trees",
        [s >= -CLOSE for s in spare],
        np.negative(spare),
        lambda k: f"depth {trees[k].depth}, {trees[k].n_leaves} leaves",
    )


def _at_most_log() -> Outcome:
    """Depth against ``5 log2 n``."""
    ratio = [t.depth / math.log2(n) for t, n in zip(_alternating(), LINES, strict=True)]
    return outcome(
        "alternating labels on a line",
        np.array(ratio) <= 5,
        ratio,
        lambda k: f"depth {_alternating()[k].depth} for n = {LINES[k]}",
    )


CLAIMS = (
    Claim(
        "CU-GOAL",
        CU,
        r"The goal is a tree of fewest leaves, all of them pure.",
        PAGE,
        (Form("dt.optimal finds it, and ID3 none smaller", _pure_and_consistent),),
        (Form("were ID3's always smallest", _id3_is_smallest),),
        note="The source says that the greedy strategy approximates it very effectively. It proves "
        "no factor, and on the caterpillars the factor is exponential.",
    ),
    Claim(
        "CU-NPH",
        CU,
        r"To find a smallest such tree is NP-hard.",
        PAGE,
        note="Whether there is one of at most s leaves is NP-complete: proved in the chapter, from "
        "set cover. Hyafil and Rivest (1976) prove it for the mean number of questions. No "
        "computation shows this.",
    ),
    Claim(
        "CU-ID3",
        CU,
        r"ID3: if all labels are equal, a leaf with that label; if all rows are equal, a leaf with "
        r"the most frequent label, or the mean; else split where the weighted impurity of the "
        r"sides is least, and recur.",
        PAGE,
        (
            Form("leaves are the base cases, labelled by a mode", _leaves_are_base_cases),
            Form("no split lowers the entropy more", _splits_are_best),
            Form("regression: leaves hold means", _means_at_the_end),
        ),
    ),
    Claim(
        "CU-XOR",
        CU,
        r"ID3 does not stop where no split lowers the impurity: on XOR the first split leaves it "
        r"as it is, the second brings it to 0.",
        PAGE,
        (
            Form("the first split gains 0", _first_split_of_xor_gains_nothing),
            Form("2^n pure leaves", partial(_parity_is_learned, stop_early=False)),
        ),
        (Form("stopping where nothing is gained", partial(_parity_is_learned, stop_early=True)),),
    ),
    Claim(
        "CU-MYOPIC",
        CU,
        r"ID3 is myopic: it looks at one feature at a time, and its root is a variable of greatest "
        r"gain. FIND and the exact programmes are not.",
        PAGE,
        (Form("the root of ID3 has the greatest gain", partial(_root_gains, "ID3")),),
        (
            Form(
                "as printed, possibly all algorithms: exact",
                partial(_root_gains, "the exact programme"),
            ),
            Form(
                "possibly all algorithms: a search for the least rank",
                partial(_root_gains, "a search for the least rank"),
            ),
        ),
        repaired=True,
        note="The source says: ID3, and possibly all algorithms used to find decision trees.",
    ),
    Claim(
        "CU-SPLIT",
        CU,
        r"A split on feature $f$ at $t$ parts $S$ into $S_L = \{x_f \le t\}$ and "
        r"$S_R = \{x_f > t\}$.",
        PAGE,
        (Form("both sides of every split of grown trees", _sides_of_a_split),),
    ),
    Claim(
        "CU-NTHRESH",
        CU,
        r"$n$ distinct values of a feature leave $n - 1$ places for a threshold; in general one "
        r"less than there are values.",
        PAGE,
        (
            Form("n distinct values", _every_distinct_value),
            Form("repeated values too", partial(_number_of_thresholds, distinct=True)),
        ),
        (Form("n - 1 also with repeated values", partial(_number_of_thresholds, distinct=False)),),
    ),
    Claim(
        "CU-TIME",
        CU,
        r"A feature is scanned in $O(n \log n)$, a node of $d$ features in $O(d n \log n)$: by "
        r"sorting, and keeping class counts while the threshold moves.",
        PAGE,
        (
            Form("running counts give what counting anew gives", _both_scans_agree),
            Form("running counts read at most 2n labels", partial(_reads_of, "incremental")),
        ),
        (Form("counting anew at each threshold", partial(_reads_of, "naive")),),
        note="The source does not say that the counts must be kept; without, it is O(d n^2).",
    ),
    Claim(
        "CU-CART-L",
        CU,
        r"Regression uses the squared loss $L(S) = \frac1{|S|} \sum (y - \bar y_S)^2$. A split "
        r"takes $\frac{n_L n_R}{n^2} (\bar y_L - \bar y_R)^2$ off it; for 0/1 labels it is half of "
        r"Gini.",
        PAGE,
        (
            Form("dt.squared_loss in fractions", _loss_by_definition),
            Form("the drop of a cut", _drop_of_squared_loss),
            Form("0/1 labels: half of Gini", _half_of_gini),
        ),
    ),
    Claim(
        "CU-CART-CHAR",
        CU,
        r"CART has certain characteristics.",
        PAGE,
        note="The list that should follow is missing in the source.",
    ),
    Claim(
        "CU-PARAM",
        CU,
        r"A tree grown to full depth is a non-parametric model, for it grows with the data; one of "
        r"bounded depth is parametric.",
        PAGE,
        note="A convention about words.",
    ),
    Claim(
        "CU-DEPTH",
        CU,
        r"The depth of a tree is at least $\log_2$ of its leaves; with $n$ examples it may be as "
        r"much as $n - 1$.",
        PAGE,
        (
            Form("alternating labels: depth n - 1", _chains),
            Form("depth ≥ log2 leaves", _at_least_log),
        ),
        (Form("as printed, O(log2 n), with factor 5", _at_most_log),),
        repaired=True,
        note="The source says: in practice O(log2 n). That is no theorem.",
    ),
)
