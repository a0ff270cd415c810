"""The claims of the book's sources, each with a check that can fail.

``dt.check("BLT-L5.1a")`` tries a claim and prints a line; `check_all` tries them all, for the page
of claims. The claims of a chapter stand in modules of their own, each a tuple ``CLAIMS`` of plain
`Claim` records; to add one is to write its forms and list it there.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType

from dtviz._validate import shown
from dtviz.claims import (
    boosting_costs,
    boosting_definitions,
    boosting_rates,
    impurity_costs,
    impurity_growth,
    influence_definitions,
    influence_inequalities,
    influence_lemmas,
    influence_theorem,
    lower_bounds,
    product_definitions,
    product_depths,
    product_lemmas,
    product_samples,
    product_theorem,
    pruning_analysis,
    pruning_bound,
    pruning_choices,
    pruning_convergence,
    pruning_penalty,
    rank_counts,
    rank_definitions,
    rank_find,
    rank_learning,
)
from dtviz.claims.registry import Claim, Evidence, Form, Outcome, Source, evaluate, outcome
from dtviz.claims.report import Report

__all__ = [
    "Claim",
    "Evidence",
    "Form",
    "Outcome",
    "Report",
    "Source",
    "check",
    "check_all",
    "claims",
    "evaluate",
    "outcome",
]


def by_id(listed: Iterable[Claim]) -> Mapping[str, Claim]:
    """Index claims by their ID; a ValueError if two share one."""
    found: dict[str, Claim] = {}
    for claim in listed:
        if claim.id in found:
            msg = f"id must be unique, got {claim.id} twice"
            raise ValueError(msg)
        found[claim.id] = claim
    return MappingProxyType(found)


claims: Mapping[str, Claim] = by_id(
    chain(
        influence_definitions.CLAIMS,
        influence_lemmas.CLAIMS,
        influence_inequalities.CLAIMS,
        influence_theorem.CLAIMS,
        lower_bounds.CLAIMS,
        rank_definitions.CLAIMS,
        rank_find.CLAIMS,
        rank_counts.CLAIMS,
        rank_learning.CLAIMS,
        product_definitions.CLAIMS,
        product_lemmas.CLAIMS,
        product_theorem.CLAIMS,
        product_depths.CLAIMS,
        product_samples.CLAIMS,
        impurity_costs.CLAIMS,
        impurity_growth.CLAIMS,
        boosting_definitions.CLAIMS,
        boosting_costs.CLAIMS,
        boosting_rates.CLAIMS,
        pruning_choices.CLAIMS,
        pruning_penalty.CLAIMS,
        pruning_convergence.CLAIMS,
        pruning_analysis.CLAIMS,
        pruning_bound.CLAIMS,
    )
)
"""Every claim by its ID, in the order of the book."""


def check(claim_id: str) -> Evidence:
    """Try a claim on its finite population and print one line: ID, verdict, cases, tightest case.

    The verdict comes from the computation. A claim that the source printed wrongly is tried in both
    forms: as printed it must fail, repaired it must hold.

    Parameters
    ----------
    claim_id : str
        One of the keys of `claims`, such as ``"BLT-L5.1a"``.

    Returns
    -------
    Evidence
        The counts of every form; ``.details()`` puts them into words.

    Raises
    ------
    ValueError
        If there is no such claim; the message lists the nearest IDs.
    """
    found = evaluate(_find(claim_id))
    print(found)  # noqa: T201 (it is what the function is for)
    return found


def check_all(ids: Iterable[str] | None = None) -> Report:
    """Try many claims (all of them if ``ids`` is not given) and print nothing."""
    chosen = list(claims.values()) if ids is None else [_find(claim_id) for claim_id in ids]
    return Report(tuple(evaluate(claim) for claim in chosen))


def _find(claim_id: object) -> Claim:
    if isinstance(claim_id, str) and claim_id in claims:
        return claims[claim_id]
    upper = {known.upper(): known for known in claims}
    near = difflib.get_close_matches(str(claim_id).upper(), upper, n=3, cutoff=0.6)
    hint = (
        f"near matches: {', '.join(upper[k] for k in near)}" if near else "see dtviz.claims.claims"
    )
    msg = f"claim_id must be the ID of a claim of the book, got {shown(claim_id)}; {hint}"
    raise ValueError(msg)
