"""What the tests of claims share: how a claim is written, what a check gives, the record.

A claim is a test function. Its decorator says what is claimed; its body tries the statement in one
or more forms, each beside false variants that the same cases must refute::

    @claim("BLT-T3-SIZE", r"After $j$ splits the tree has $j + 1$ leaves.", "1-influence")
    @holds("leaves counted", variants={"j leaves after j splits": {"more": 0}})
    def test_size(more: int = 1) -> Outcome: ...

``pytest tests/claims`` runs them; ``make claims`` writes what they found to ``book/claims.json``,
of which the book makes its chips and its page of claims.
"""

from claims.kit.outcomes import (
    Outcome,
    at_most,
    bounds,
    chances,
    equality,
    every,
    outcome,
    rowwise,
    same,
)
from claims.kit.trial import Claim, Trial, claim, evaluate, holds

__all__ = [
    "Claim",
    "Outcome",
    "Trial",
    "at_most",
    "bounds",
    "chances",
    "claim",
    "equality",
    "evaluate",
    "every",
    "holds",
    "outcome",
    "rowwise",
    "same",
]
