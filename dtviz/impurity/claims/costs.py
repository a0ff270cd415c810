"""Chapter 4, purity: Gini, entropy and divergence, on every small vector of class counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dtviz import impurity as chapter
from dtviz.claims.registry import Claim, Form, Outcome, outcome
from dtviz.claims.sources import CU
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE
from dtviz.impurity.claims.cases import (
    all_counts,
    counts_in_words,
    shares,
    small_samples,
    splits,
)

__all__ = ["CLAIMS"]

PAGE = "4-impurity"
COUNTS = "vectors of class counts"
Cost = Callable[[Any], Any]


def _near(unit: str, found: Any, expected: Any, where: Callable[[int], str]) -> Outcome:
    """Two computations of each number, equal up to rounding."""
    gap = np.abs(np.asarray(found, dtype=float) - np.asarray(expected, dtype=float)).ravel()
    good = gap <= CLOSE
    return outcome(
        unit,
        good,
        ~good,
        lambda k: "equal up to rounding" if good[k] else f"off by {gap[k]:.3g} at {where(k)}",
    )


def _every(c_from: int, found: Cost, expected: Callable[[list[int]], float]) -> Outcome:
    """A function of shares against another computation from counts."""
    ours, theirs, names = [], [], []
    for c in range(c_from, 5):
        ours += np.asarray(found(shares(all_counts(c)))).tolist()
        theirs += [expected(counts) for counts in all_counts(c).tolist()]
        names += [counts_in_words(counts) for counts in all_counts(c)]
    return _near(COUNTS, ours, theirs, names.__getitem__)


# -- shares and Gini -------------------------------------------------------------------------------


def _shares_of_nodes() -> Outcome:
    """The counts that a path keeps for each node, against the labels of the rows there."""
    good, names = [], []
    for X, y, name in small_samples():
        path = chapter.grow(X, y)
        for step in range(path.n_splits + 1):
            tree, nodes = path.tree(step + 1), path.nodes(step + 1)
            leaf = tree.apply(X)
            for node in tree.leaves.tolist():
                inside = y[leaf == node]
                expected = [int(np.sum(inside == k)) for k in np.unique(y)]
                good.append(path.class_counts[nodes[node]].tolist() == expected)
                names.append(f"leaf {node} of {name} after {step} splits")
    return outcome(
        "leaves of grown trees",
        good,
        np.logical_not(good),
        lambda k: "equal counts at every leaf" if good[k] else names[k],
    )


def _pairs_that_differ(counts: list[int]) -> float:
    """The chance that two examples, drawn with replacement, are of different classes."""
    labels = [k for k, number in enumerate(counts) for _ in range(number)]
    differ = sum(a != b for a, b in itertools.product(labels, repeat=2))
    return float(Fraction(differ, len(labels) ** 2))


def _binary_gini() -> Outcome:
    counts = all_counts(2)
    q = shares(counts)[:, 1]
    found = [costs.gini(shares(counts)), costs.COST_FUNCTIONS["gini"](q)]
    where = counts_in_words
    return _near(COUNTS, found, [2 * q * (1 - q)] * 2, lambda k: where(counts[k % len(counts)]))


def _greatest_at_uniform(bound: Callable[[int], float], *, strict: bool) -> Outcome:
    """At most the bound; ``strict`` asks too that it is attained at uniform shares only."""
    good, value, names = [], [], []
    for c in (2, 3, 4):
        counts = all_counts(c)
        found = costs.gini(shares(counts))
        even = counts.max(axis=1) == counts.min(axis=1)
        reached = np.abs(found - bound(c)) <= CLOSE
        at_most = found <= bound(c) + CLOSE
        good += (at_most & (reached == even) if strict else at_most).tolist()
        value += (found - bound(c)).tolist()
        names += [f"{v:.4g} at {counts_in_words(n)}" for v, n in zip(found, counts, strict=True)]
    return outcome(COUNTS, good, value, lambda k: f"Gini {names[k]}")


# -- trees -----------------------------------------------------------------------------------------


def _recursion(cost: str) -> Outcome:
    """The impurity of a tree by its recursive definition, against the path's."""
    found, expected, names = [], [], []
    impurity = costs.gini if cost == "gini" else costs.entropy
    # The book's cost of growth is half the entropy, so that it is 1/2 at 1/2.
    unit = 1 if cost == "gini" else 2
    for X, y, name in small_samples():
        path = chapter.grow(X, y, cost)
        for step in range(path.n_splits + 1):
            tree = path.tree(step + 1)

            def of(node: int, rows: Any, tree: Any = tree, X: Any = X, y: Any = y) -> float:
                i = int(tree.variable[node])
                if i < 0:
                    counts = np.unique(y[rows], return_counts=True)[1]
                    return float(impurity(counts / counts.sum()))
                goes = X[rows, i] > tree.threshold[node]
                low, high = rows[~goes], rows[goes]
                below = of(int(tree.low[node]), low), of(int(tree.high[node]), high)
                return float((low.size * below[0] + high.size * below[1]) / rows.size)

            found.append(unit * path.costs[step])
            expected.append(of(0, np.arange(len(y))))
            names.append(f"{name} after {step} splits")
    return _near("grown trees", found, expected, names.__getitem__)


def _no_split_raises(impurity: str, *, weighted: bool) -> Outcome:
    """The impurity of the sides against that of the whole, for every split of counts."""
    function: Cost = getattr(costs, impurity)
    good, rise, names = [], [], []
    for c in (2, 3):
        low, high = splits(c)
        whole = low + high
        share = low.sum(axis=1) / whole.sum(axis=1) if weighted else np.full(len(low), 0.5)
        after = share * function(shares(low)) + (1 - share) * function(shares(high))
        up = after - function(shares(whole))
        good += (up <= CLOSE).tolist()
        # Where the sides have the shares of the whole nothing changes: not those are of interest.
        alike = (low * high.sum(axis=1)[:, None] == high * low.sum(axis=1)[:, None]).all(axis=1)
        rise += np.where(alike & (up <= CLOSE), -2.0, up).tolist()
        names += [
            f"{counts_in_words(a)} and {counts_in_words(b)}: {u:+.3g}"
            for a, b, u in zip(low, high, up, strict=True)
        ]
    return outcome("splits of class counts", good, rise, names.__getitem__)


# -- divergence and entropy ------------------------------------------------------------------------


def _pairs(c: int) -> tuple[Any, Any]:
    counts = all_counts(c)
    counts = counts[counts.sum(axis=1) <= 4]
    k = len(counts)
    return np.repeat(counts, k, axis=0), np.tile(counts, (k, 1))


def _divergence(check: str) -> Outcome:
    good, size, names = [], [], []
    for c in (2, 3):
        a, b = _pairs(c)
        p, q = shares(a), shares(b)
        there, back = costs.kl(p, q), costs.kl(q, p)
        same = np.abs(p - q).max(axis=1) <= CLOSE
        if check == "definition":
            by_terms = [_kl_by_terms(*pair) for pair in zip(p.tolist(), q.tolist(), strict=True)]
            expected = np.array(by_terms)
            infinite = np.isinf(expected)
            off = np.abs(np.where(infinite, 0, there) - np.where(infinite, 0, expected))
            equal = (np.isinf(there) == infinite) & (off <= CLOSE)
            good += (equal & (there >= 0) & ((there <= CLOSE) == same)).tolist()
            size += np.where(same, -9, -there).tolist()
        else:
            finite = np.isfinite(there) & np.isfinite(back)
            gap = np.abs(np.where(finite, there, 0) - np.where(finite, back, 0))
            good += ((gap <= CLOSE) & (np.isfinite(there) == np.isfinite(back))).tolist()
            size += gap.tolist()
        names += [
            f"KL({counts_in_words(x)} ‖ {counts_in_words(y)}) = {s:.4g}, back {t:.4g}"
            for x, y, s, t in zip(a, b, there, back, strict=True)
        ]
    return outcome("pairs of shares", good, size, names.__getitem__)


def _kl_by_terms(p: list[float], q: list[float]) -> float:
    """The sum of the definition; a class with no share in p adds nothing."""
    total = 0.0
    for a, b in zip(p, q, strict=True):
        if a > 0:
            if b == 0:
                return np.inf
            total += a * float(np.log2(a / b))
    return total


def _to_uniform(p: Any) -> Any:
    """KL to the uniform vector."""
    return costs.kl(p, np.full(p.shape[-1], 1 / p.shape[-1]))


def _log_minus_entropy() -> Outcome:
    def expected(counts: list[int]) -> float:
        p = np.array(counts) / sum(counts)
        return float(np.log2(len(counts)) - costs.entropy(p))

    return _every(1, _to_uniform, expected)


def _least_at_uniform() -> Outcome:
    good, value, names = [], [], []
    for c in (2, 3, 4):
        counts = all_counts(c)
        found = _to_uniform(shares(counts))
        even = counts.max(axis=1) == counts.min(axis=1)
        good += ((np.abs(found) <= CLOSE) == even).tolist()
        value += np.where(even, -9, -found).tolist()
        names += [f"{v:.4g} at {counts_in_words(n)}" for v, n in zip(found, counts, strict=True)]
    return outcome(COUNTS, good, value, names.__getitem__)


def _same_order() -> Outcome:
    """The larger KL to uniform, the smaller the entropy: for every two vectors of shares."""
    good, gap, names = [], [], []
    for c in (2, 3, 4):
        counts = all_counts(c)
        far, mixed = _to_uniform(shares(counts)), costs.entropy(shares(counts))
        closer = far[:, None] - far[None, :]
        purer = mixed[None, :] - mixed[:, None]
        agree = (np.sign(np.where(np.abs(closer) <= CLOSE, 0, closer))) == np.sign(
            np.where(np.abs(purer) <= CLOSE, 0, purer)
        )
        good += agree.ravel().tolist()
        gap += np.abs(closer - purer).ravel().tolist()
        names += [f"{c} classes"] * agree.size
    return outcome(
        "pairs of shares",
        good,
        np.logical_not(good),
        lambda k: "both order every pair alike" if good[k] else f"off by {gap[k]:.3g}, {names[k]}",
    )


def _equal_values() -> Outcome:
    """The greatest KL to uniform and the least entropy, as numbers."""
    most = [float(_to_uniform(shares(all_counts(c))).max()) for c in (2, 3, 4)]
    least = [float(costs.entropy(shares(all_counts(c))).min()) for c in (2, 3, 4)]
    gap = np.abs(np.array(most) - least)
    return outcome(
        "numbers of classes",
        gap <= CLOSE,
        gap,
        lambda k: f"max KL = {most[k]:.4g}, min H = {least[k]:.4g} for {k + 2} classes",
    )


def _entropy_from_counts(counts: list[int]) -> float:
    """``log2 n`` less the mean of ``log2 n_k`` over the examples."""
    n = sum(counts)
    return float(np.log2(n) - sum(k * np.log2(k) for k in counts if k) / n)


CLAIMS = (
    Claim(
        "CU-PK",
        CU,
        r"$p_k = |S_k| / |S|$ is the share of class $k$ among the examples $S$ of a leaf.",
        PAGE,
        (Form("class counts of every leaf of grown trees", _shares_of_nodes),),
    ),
    Claim(
        "CU-GINI",
        CU,
        r"The Gini impurity of a leaf is $G(S) = \sum_k p_k (1 - p_k)$: the chance that two random "
        r"examples of $S$ differ in class.",
        PAGE,
        (
            Form(
                "dt.gini against counting pairs", lambda: _every(1, costs.gini, _pairs_that_differ)
            ),
            Form("two classes: 2q(1-q), as COST_FUNCTIONS has it", _binary_gini),
        ),
    ),
    Claim(
        "CU-GINI-MAX",
        CU,
        r"With two classes Gini is largest at $p = 1/2$; with $c$ classes it is at most $1 - 1/c$, "
        r"and that at uniform shares only.",
        PAGE,
        (Form("at most 1 - 1/c", partial(_greatest_at_uniform, lambda c: 1 - 1 / c, strict=True)),),
        (
            Form(
                "1/2 for any number of classes",
                partial(_greatest_at_uniform, lambda _: 0.5, strict=False),
            ),
        ),
        note="The source shows a picture of the binary case.",
    ),
    Claim(
        "CU-GINI-TREE",
        CU,
        r"$G^T(S) = \frac{|S_L|}{|S|} G^T(S_L) + \frac{|S_R|}{|S|} G^T(S_R)$, and $G(S)$ at a "
        r"leaf. Since $G$ is concave, no split raises it.",
        PAGE,
        (
            Form("path.costs against the recursion", partial(_recursion, "gini")),
            Form("no split raises it", partial(_no_split_raises, "gini", weighted=True)),
        ),
        (Form("without the weights", partial(_no_split_raises, "gini", weighted=False)),),
        note="The source leaves out what holds at a leaf, and that impurity never rises.",
    ),
    Claim(
        "CU-KL",
        CU,
        r"$\mathrm{KL}(p \| q) = \sum_k p_k \log_2 (p_k / q_k)$ is at least 0, and 0 only for "
        r"$p = q$. It is not symmetric.",
        PAGE,
        (Form("dt.kl against the sum", partial(_divergence, "definition")),),
        (Form("were it symmetric", partial(_divergence, "symmetric")),),
    ),
    Claim(
        "CU-KL-EXP",
        CU,
        r"For $u$ uniform on $c$ classes, $\mathrm{KL}(p \| u) = \sum_k p_k \log_2 p_k + \log_2 c "
        r"= \log_2 c - H(p)$.",
        PAGE,
        (Form("up to 4 classes", _log_minus_entropy),),
    ),
    Claim(
        "CU-KL-UNIF",
        CU,
        r"$\mathrm{KL}(p \| u) = 0$ if $p$ is uniform, and only then.",
        PAGE,
        (Form("up to 4 classes", _least_at_uniform),),
    ),
    Claim(
        "CU-KL-OPT",
        CU,
        r"The $p$ farthest from uniform in KL are those of least entropy: "
        r"$\arg\max_p \mathrm{KL}(p \| u) = \arg\min_p H(p)$.",
        PAGE,
        (Form("KL and entropy order all shares in reverse", _same_order),),
        (Form("as printed, max KL = min H as numbers", _equal_values),),
        repaired=True,
        note="The source writes max KL = max sum p log p = min H. As numbers the first is log c "
        "and the last 0: a constant was dropped, and a sign turned a maximum into a minimum.",
    ),
    Claim(
        "CU-H",
        CU,
        r"The entropy of a leaf is $H(S) = -\sum_k p_k \log_2 p_k$, with $0 \log 0 = 0$.",
        PAGE,
        (
            Form(
                "dt.entropy against logarithms of counts",
                lambda: _every(1, costs.entropy, _entropy_from_counts),
            ),
        ),
        note="The source leaves the base open; the book takes 2, so that H is in bits.",
    ),
    Claim(
        "CU-H-TREE",
        CU,
        r"$H(S) = \frac{|S_L|}{|S|} H(S_L) + \frac{|S_R|}{|S|} H(S_R)$ for a tree. No split raises "
        r"it.",
        PAGE,
        (
            Form("path.costs, doubled, against the recursion", partial(_recursion, "entropy")),
            Form("no split raises it", partial(_no_split_raises, "entropy", weighted=True)),
        ),
        (Form("without the weights", partial(_no_split_raises, "entropy", weighted=False)),),
    ),
)
