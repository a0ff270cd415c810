"""How near two floats may be before they count as equal: every tolerance, with its argument.

Counts are integers and are compared exactly; what stands here is for sums of weights, logarithms
and square roots. A double carries 53 bits, so one operation is off by a share of at most
``2^-53``, about 1.1e-16.
"""

from __future__ import annotations

ROUNDING = 1e-12
"""Sums of weights are as close as this, in proportion, to what exact arithmetic would give.

At most ``2^24`` weights are added pairwise, each a product of 24 factors: some 50 roundings in a
row, a share of 6e-15, and a factor of 100 to spare.
"""

SCORE_TIE = 1e-9
"""Scores under a product distribution that differ by less than this fraction are tied.

Two scores that are equal in exact arithmetic differ by `ROUNDING` at most. Biases are given to a
few digits, so that scores which truly differ do so by far more than a billionth.
"""

DROP_TIE = 1e-12
"""Drops on examples tie within this fraction of their leaf's cost; so near 0 a drop is none.

A drop is a difference of costs of order 1, each a sum over the classes: its rounding is relative to
the cost and not to the drop, at most some 1e-14 for a hundred classes.
"""

SLACK = 1e-9
"""Shares may miss [0, 1], and their sum 1, by this much: whoever hands them over has rounded."""

SAME_PRICE = 1e-12
"""Prices of a leaf closer than this are one: two breaks, or a break and the price asked for.

A price is a difference of sums of impurities, of order 1 in all, by a number of leaves: its
rounding is below 1e-14 for trees of some tens of thousands of leaves. For squared loss it is this
share of the largest cost of a node.
"""

SAME_RISK = 1e-12
"""Risks within this share of the least are compared exactly, in integers.

A risk is computed in five roundings, each of 2^-53 at most: one farther off is larger in truth.
"""

CLOSE = 1e-12
"""Two ways to compute a number of order 1 agree when they differ by less than this."""
