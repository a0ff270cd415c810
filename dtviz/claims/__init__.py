"""The claims of the book's sources, each with a check that can fail.

``dt.check("BLT-L5.1a")`` tries a claim and prints a line; `check_all` tries them all, for the page
of claims. `claims` maps every ID to its claim, in the order of the book. The claims of a chapter
stand in its folder ``claims/``, each a plain `Claim` record; to add one is to write its forms and
list it there.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from dtviz.chapters import CHAPTERS
from dtviz.claims.evidence import Evidence, evaluate
from dtviz.claims.registry import Claim, Form, Outcome, Source, outcome
from dtviz.claims.report import Report
from dtviz.core.checks import shown

if TYPE_CHECKING:
    claims: Mapping[str, Claim]
    """Every claim by its ID, in the order of the book."""

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


@cache
def _all_claims() -> Mapping[str, Claim]:
    chapters = (import_module(f"dtviz.{chapter}.claims") for chapter in CHAPTERS)
    return by_id(chain.from_iterable(chapter.CLAIMS for chapter in chapters))


def __getattr__(name: str) -> Mapping[str, Claim]:
    """Find ``claims`` when it is first used: the modules of the chapters import this package."""
    if name != "claims":
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return _all_claims()


def _known() -> Mapping[str, Claim]:
    return sys.modules[__name__].claims  # type: ignore[no-any-return] # by way of __getattr__


def check(claim_id: str) -> Evidence:
    """Try a claim on its finite population and tell the verdict, the cases, the tightest case.

    A terminal shows one line; a notebook shows it with the statement, every form that was tried and
    the false variants that were refuted folded below, and the tightest case drawn if it can be.

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

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.check("BLT-L5.1a")  # doctest: +ELLIPSIS
    ✓ BLT-L5.1a: holds · 190,740 cases · tightest: error/cost = 0.5 for the single leaf and ...
    >>> found.ok
    True
    """
    found = evaluate(_find(claim_id))
    found.show()
    return replace(found, told=True)


def check_all(ids: Iterable[str] | None = None) -> Report:
    """Try many claims (all of them if ``ids`` is not given) and print nothing.

    Raises
    ------
    ValueError
        If there is no claim of such an ID.

    Examples
    --------
    >>> import dtviz as dt
    >>> print(dt.claims.check_all(["BLT-L5.1a", "EH-L5"]).summary)
    2 claims: 2 hold as stated, 0 fail; 16 of 16 false variants refuted
    """
    chosen = list(_known().values()) if ids is None else [_find(claim_id) for claim_id in ids]
    return Report(tuple(evaluate(claim) for claim in chosen))


def _find(claim_id: object) -> Claim:
    if isinstance(claim_id, str) and claim_id in _known():
        return _known()[claim_id]
    upper = {known.upper(): known for known in _known()}
    near = difflib.get_close_matches(str(claim_id).upper(), upper, n=3, cutoff=0.6)
    hint = (
        f"near matches: {', '.join(upper[k] for k in near)}" if near else "see dtviz.claims.claims"
    )
    msg = f"claim_id must be the ID of a claim of the book, got {shown(claim_id)}; {hint}"
    raise ValueError(msg)
