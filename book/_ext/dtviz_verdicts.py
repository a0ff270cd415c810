"""A claim and what was found for it, as HTML: in a notebook, and in the table of all claims."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from dtviz.claims.registry import Claim, Form, Outcome
from dtviz.core.pictured import drawn

if TYPE_CHECKING:
    from dtviz.claims.evidence import Evidence

__all__ = [
    "anchor",
    "chip",
    "code_of",
    "computed_by",
    "first_code",
    "folded",
    "mathematics",
    "tried",
]

KIND = {
    "holds": "holds",
    "holds after a repair": "repaired",
    "by definition": "definition",
    "not tested": "untested",
    "prose only": "prose",
    "FAILS": "red",
}
"""The verdicts as a style sheet names them."""

CHIP = {
    "holds after a repair": "✓ repaired",
    "by definition": "by definition",
    "not tested": "not testable here",
    "prose only": "cited",
}
"""The same verdicts in the corner of a statement; one that holds tells its cases."""

LONGEST_UNIT = 16

MOST_LEAVES = 12
"""Larger trees are not drawn: a page shows dozens of claims."""

FOLDED = (
    "<style>.dtviz-claim > summary { cursor: pointer; overflow-wrap: anywhere; }\n"
    ".dtviz-claim ul { margin: 0; padding-left: 1.1rem; }</style>"
)


def anchor(claim_id: str) -> str:
    """The place of a claim on its page: ``BLT-L5.1a`` is told at ``#blt-l5-1a``."""
    return re.sub(r"[^a-z0-9]+", "-", claim_id.lower()).strip("-")


def mathematics(text: str) -> str:
    """Text with formulas between dollar signs, as HTML: Jupyter sets them, or the book's build."""
    parts = re.split(r"\$([^$]+)\$", text)
    return "".join(_formula(part) if k % 2 else html.escape(part) for k, part in enumerate(parts))


def _formula(text: str) -> str:
    if re.search(r"(?<!\\)&|\\\\", text):
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    return f'<span class="math notranslate nohighlight">\\({html.escape(text)}\\)</span>'


def computed_by(form: Form) -> Callable[..., Any]:
    """The function that a form calls, without the arguments that are set for it."""
    check: Callable[..., Any] = form.check
    while isinstance(check, partial):
        check = check.func
    return check


def code_of(form: Form) -> tuple[str, int] | None:
    """The module and the line where a check is written; None if it has no text."""
    check = computed_by(form)
    code = getattr(inspect.unwrap(check), "__code__", None)
    return (check.__module__, code.co_firstlineno) if code else None


def first_code(claim: Claim) -> tuple[str, int] | None:
    """Where the first check of a claim is written; None for a claim that is told in prose only."""
    forms = (*claim.holds, *claim.fails)
    return code_of(forms[0]) if forms else None


def folded(found: Evidence) -> str:
    """One line, and below it, once opened: the statement, the forms, the tightest case drawn."""
    claim = found.claim
    line = f"{_mark(found)} {claim.id}: {found.verdict}"
    if found.cases:
        unit = found.held[0].unit if len(found.held) == 1 else "cases"
        line += f" · {found.cases:,} {unit}"
    if found.planted:
        line += f" · {found.killed} of {found.planted} false variants refuted"
    place = first_code(claim)
    where = f"{place[0]}, line {place[1]}" if place else ""
    named = f'data-claim="{html.escape(claim.id)}" data-chip="{html.escape(chip(found))}"'
    note = f"<p><em>{mathematics(claim.note)}</em></p>" if claim.note else ""
    return (
        f'<details class="dtviz-claim {KIND[found.verdict]}" {named}>{FOLDED}'
        f"<summary>{html.escape(line)}</summary><p>{mathematics(claim.statement)}</p>{note}{tried(found)}"
        + (f"<figure>{pictured}</figure>" if (pictured := "".join(_picture(found))) else "")
        + (f"<p><small>The code of the check: <code>{where}</code></small></p>" if where else "")
        + "</details>"
    )


def chip(found: Evidence) -> str:
    """What the corner of a boxed statement has room for."""
    if not found.ok:
        return "✗ fails"
    if found.verdict != "holds":
        return CHIP[found.verdict]
    unit = found.held[0].unit if len(found.held) == 1 else "cases"
    short = unit if len(unit) <= LONGEST_UNIT else "cases"
    return f"✓ {found.cases:,} {short}"


def _mark(found: Evidence) -> str:
    if not found.ok:
        return "✗"
    return "–" if found.verdict in {"prose only", "not tested"} else "✓"


def _picture(found: Evidence) -> Iterator[str]:
    """The tightest case of the claim as the book states it, if it can be drawn."""
    example = found.held[0].example if found.held else None
    if example is None or getattr(example, "n_leaves", 0) > MOST_LEAVES:
        return
    if picture := drawn(example):
        # The caption tells it to those who do not see the picture.
        yield f'<div aria-hidden="true">{picture}</div>'
        yield f"<figcaption>{html.escape(f'Tightest: {found.tightest}')}</figcaption>"


def tried(found: Evidence, *, brief: bool = False) -> str:
    """Every form with what it gave, and its false variants, as lists.

    Briefly, without formulas and without the cases that refute the false variants: the page of all
    claims has a thousand of them.
    """
    claim = found.claim
    items = []
    for k, (form, got) in enumerate(zip(claim.holds, found.held, strict=True)):
        results = found.mutants[k] if found.mutants else ()
        told = _holding(got, found.bites[k] if found.bites else "")
        items.append(_head(form, brief=brief) + told + _variants(form, results, brief=brief))
    for form, got in zip(claim.fails, found.failed, strict=True):
        items.append(_head(form, brief=brief) + _failing(got))
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else ""


def _head(form: Form, *, brief: bool) -> str:
    kind = "" if form.kind == "statement" else f" ({form.kind})"
    formula = f" {_formula(form.formula)}" if form.formula and not brief else ""
    return f"<strong>{html.escape(form.label + kind)}</strong>{formula}: "


def _holding(got: Outcome, bites: str) -> str:
    if got.violations:
        return _refuted(got, "must hold, but is refuted")
    if bites:
        told = f"a trivial bound says as much in all {got.cases:,} {got.unit}; {bites}"
    else:
        told = f"{got.cases:,} {got.unit}, none refutes it; tightest: {got.tightest}"
    return html.escape(f"{told}; {got.confidence}" if got.confidence else told)


def _variants(form: Form, results: tuple[Outcome, ...], *, brief: bool) -> str:
    if not results:
        return ""
    items = "".join(
        f"<li>{html.escape(mutant.label)}: {_falsified(got, brief=brief)}</li>"
        for mutant, got in zip(form.mutants, results, strict=True)
    )
    return f"<br>False variants:<ul>{items}</ul>"


def _falsified(got: Outcome, *, brief: bool) -> str:
    if not got.violations:
        return "<strong>not told from it</strong>"
    return f"refuted by {got.violations:,}" if brief else _refuted(got)


def _failing(got: Outcome) -> str:
    if not got.violations:
        return html.escape(f"must fail, but holds for all {got.cases:,} {got.unit}")
    return _refuted(got)


def _refuted(got: Outcome, how: str = "refuted") -> str:
    """How many cases refute a form, and the first that does."""
    return html.escape(
        f"{how} by {got.violations:,} of {got.cases:,} {got.unit}; the first: {got.counterexample}"
    )
