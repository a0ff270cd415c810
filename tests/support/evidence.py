"""What the claims give, found once a run: by the first test or notebook that asks.

`make test` names a fresh folder in ``DTVIZ_EVIDENCE``. What a claim gave is kept there, a file a
claim, for all processes of the run: the tests of the claims, and the kernels that execute the pages
(`load_ipython_extension`). Without the folder each process finds out for itself, once.

Only the claims of the book are kept. A planted claim, and any claim while wrong code stands in the
package, is tried with `dtviz.claims.evaluate` itself.
"""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from dtviz import claims
from dtviz.claims.evidence import Evidence, evaluate
from dtviz.claims.registry import Claim
from dtviz.claims.rendering import anchor

FOLDER = "DTVIZ_EVIDENCE"


@cache
def found(claim_id: str) -> Evidence:
    """What this run found for a claim of the book."""
    claim = claims.claims[claim_id]
    folder = os.environ.get(FOLDER)
    return kept(Path(folder), claim) if folder else evaluate(claim)


def kept(folder: Path, claim: Claim, tried: Callable[[Claim], Evidence] = evaluate) -> Evidence:
    """What ``folder`` holds for a claim; the first process that asks tries it, others wait."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / anchor(claim.id)).open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = file.read()
        if not known:
            evidence = tried(claim)
            # All but the claim itself, whose forms are functions.
            pickle.dump((evidence.held, evidence.failed, evidence.mutants, evidence.bites), file)
            return evidence
    return Evidence(claim, *pickle.loads(known))  # noqa: S301 (our own bytes)


def shared(claim: Claim) -> Evidence:
    """What `evaluate` gives; for a claim of the book, what this run has found."""
    return found(claim.id) if claims.claims.get(claim.id) is claim else evaluate(claim)


def load_ipython_extension(_: Any) -> None:
    """Let the cells of a notebook read what this run has found."""
    if os.environ.get(FOLDER):
        claims.evaluate = shared  # what `check` and `check_all` call
