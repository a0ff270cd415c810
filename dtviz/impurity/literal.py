"""ID3, best-first growth and the threshold scan, as chapter 4 states them: slow and plain.

The data are those of every chapter's literal algorithms. A point is a tuple, here of numbers; a
sample is a list of examples ``(point, label)``. A tree is its label if it is a leaf, and else a
tuple ``(feature, threshold, low, high)``, where ``low`` is the subtree for "at most". The record of
a growth is a dictionary ``{answers: (feature, threshold)}``, an answer being 0 for low and 1 for
high: which question followed which answers, in the order of the splits.

An impurity is a function of the class counts, a dictionary ``{label: how many}``. Gini, the error
and the squared loss are fractions. Entropy and the square root need the module math and are floats;
these are compared to ten digits, so that rounding does not break ties.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

Point = tuple[float, ...]
Sample = list[tuple[Point, int]]
Counts = dict[int, int]
Number = Fraction | float
Impurity = Callable[[Counts], Number]
Question = tuple[int, float]
Answers = tuple[int, ...]
Splits = dict[Answers, Question]
Tree = object


def shares(counts: Counts) -> list[Fraction]:
    """The shares of the classes that occur (CU-PK)."""
    n = sum(counts.values())
    return [Fraction(k, n) for k in counts.values() if k > 0]


def gini(counts: Counts) -> Fraction:
    """``sum p_k (1 - p_k)`` (CU-GINI)."""
    return sum((p * (1 - p) for p in shares(counts)), Fraction(0))


def entropy(counts: Counts) -> float:
    """``-sum p_k log2 p_k``, in bits (CU-H)."""
    return sum(-p * math.log2(p) for p in shares(counts))


def error(counts: Counts) -> Fraction:
    """``1 - max p_k``: what the most common label gets wrong."""
    return 1 - max(shares(counts))


def square_root(counts: Counts) -> float:
    """``sum sqrt(p_j p_k)`` over the pairs of classes j < k."""
    p = shares(counts)
    return sum(math.sqrt(p[j] * p[k]) for k in range(len(p)) for j in range(k))


def squared_loss(counts: Counts) -> Fraction:
    """The mean squared deviation of the labels, which are numbers, from their mean (CU-CART-L)."""
    middle, n = mean(counts), sum(counts.values())
    return sum((k * (y - middle) ** 2 for y, k in counts.items()), Fraction(0)) / n


def mean(counts: Counts) -> Fraction:
    """The mean label."""
    return Fraction(sum(y * k for y, k in counts.items())) / sum(counts.values())


def labels_of(sample: Sample) -> Counts:
    """How often each label occurs."""
    return Counter(label for _, label in sample)


def questions(sample: Sample) -> list[Question]:
    """Every way to split the sample, features and thresholds ascending (CU-SPLIT, CU-NTHRESH).

    The thresholds lie midway between neighboring values.
    """
    found = []
    for feature in range(len(sample[0][0])):
        values = sorted({x[feature] for x, _ in sample})
        neighbors = zip(values, values[1:], strict=False)  # noqa: RUF007 -- Brython has no pairwise
        found += [(feature, (a + b) / 2) for a, b in neighbors]
    return found


def sides(sample: Sample, question: Question) -> tuple[Sample, Sample]:
    """The examples with ``x_feature <= threshold``, and the others."""
    feature, threshold = question
    low = [(x, label) for x, label in sample if x[feature] <= threshold]
    high = [(x, label) for x, label in sample if x[feature] > threshold]
    return low, high


def after(low: Counts, high: Counts, impurity: Impurity) -> Number:
    """The weighted impurity of two sides: ``|L|/n I(L) + |R|/n I(R)``."""
    n_low, n_high = sum(low.values()), sum(high.values())
    return (n_low * impurity(low) + n_high * impurity(high)) / (n_low + n_high)


def best_question(sample: Sample, impurity: Impurity) -> Question:
    """The question whose two sides are purest: the lowest feature, then the lowest threshold."""

    def impurity_after(question: Question) -> Number:
        low, high = sides(sample, question)
        return comparable(after(labels_of(low), labels_of(high), impurity))

    return min(questions(sample), key=impurity_after)  # min takes the first if tied


def comparable(number: Number) -> Number:
    """A fraction as it is, a float to ten digits."""
    return round(number, 10) if isinstance(number, float) else number


def answer(sample: Sample, impurity: Impurity) -> Fraction | int:
    """What a leaf predicts: the most common label, the lowest if tied, or for squares the mean."""
    counts = labels_of(sample)
    if impurity is squared_loss:
        return mean(counts)
    return min(counts, key=lambda label: (-counts[label], label))


def id3(sample: Sample, impurity: Impurity = entropy) -> Tree:
    """ID3(S): ask the question that leaves the labels purest, and recurse (CU-ID3).

    No rule stops it where no question lowers the impurity (CU-XOR). Ties: the lowest feature, then
    the lowest threshold; of the labels the lowest.
    """
    # 1. All labels are equal.
    if len({label for _, label in sample}) == 1:
        return sample[0][1]
    # 2. All points are equal.
    if len({x for x, _ in sample}) == 1:
        return answer(sample, impurity)
    # 3. The purest split.
    question = best_question(sample, impurity)
    low, high = sides(sample, question)
    return (*question, id3(low, impurity), id3(high, impurity))


def is_base_case(sample: Sample) -> bool:
    """Whether ID3 makes a leaf: all labels, or all points, are equal."""
    return len({label for _, label in sample}) == 1 or len({x for x, _ in sample}) == 1


def grow(
    sample: Sample, impurity: Impurity = gini, max_leaves: int | None = None
) -> tuple[Tree, Splits]:
    """Best-first growth, CART's: split the leaf whose best question gains most next.

    A gain is ``|leaf| / |S|`` times the drop of the impurity. Growth continues where the largest
    gain is 0, so that the last tree is that of ID3. Ties: within a leaf as ID3; among leaves the
    shallowest, then the leftmost.
    """

    def gain(part: Sample) -> Number:
        low, high = sides(part, best_question(part, impurity))
        drop = impurity(labels_of(part)) - after(labels_of(low), labels_of(high), impurity)
        return comparable(Fraction(len(part), len(sample)) * drop)

    # The leaves from left to right: the answers that lead there, and the examples there.
    leaves: list[tuple[Answers, Sample]] = [((), sample)]
    splits: Splits = {}
    while max_leaves is None or len(leaves) < max_leaves:
        mixed = [leaf for leaf in leaves if not is_base_case(leaf[1])]
        if not mixed:
            break
        best = min(mixed, key=lambda leaf: (-gain(leaf[1]), len(leaf[0])))
        answers, part = best
        splits[answers] = best_question(part, impurity)
        low, high = sides(part, splits[answers])
        place = leaves.index(best)
        leaves[place : place + 1] = [((*answers, 0), low), ((*answers, 1), high)]
    labels = {answers: answer(part, impurity) for answers, part in leaves}
    return assemble_tree(splits, labels), splits


def assemble_tree(
    splits: Splits, labels: dict[Answers, Fraction | int], answers: Answers = ()
) -> Tree:
    """The tree below the given answers, from its questions and the labels of its leaves."""
    if answers not in splits:
        return labels[answers]
    low, high = (assemble_tree(splits, labels, (*answers, bit)) for bit in (0, 1))
    return (*splits[answers], low, high)


def threshold_scan(sample: Sample, feature: int, impurity: Impurity) -> list[tuple[float, Number]]:
    """The weighted impurity at each threshold of one feature, by running counts (CU-TIME)."""
    # 1. Sort. At first no example is on the left, and all are on the right.
    in_order = sorted(sample, key=lambda example: example[0][feature])
    left: Counts = Counter()
    right = labels_of(sample)
    found = []
    # 2. Each example in turn changes sides.
    neighbors = zip(in_order, in_order[1:], strict=False)  # noqa: RUF007 -- as above
    for (x, k), (following, _) in neighbors:
        left[k] += 1
        right[k] -= 1
        if following[feature] > x[feature]:
            found.append(((x[feature] + following[feature]) / 2, after(left, right, impurity)))
    return found
