"""The verdicts of many claims, as lines of text and as a table for the page of claims."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass

from dtviz.claims.registry import Claim, Evidence, Form, Outcome

__all__ = ["Report", "anchor"]

# The book's dark theme puts HTML outputs on a light ground; the table stays on the page's. White on
# the colours of the verdicts has a contrast above 4.5 to 1, so they read alike in both themes.
STYLE = """
html[data-theme] .bd-content div.cell_output .output.text_html:has(.dtviz-claims) {
  background: none; color: inherit; padding: 0; }
.dtviz-claims table { border-collapse: collapse; width: 100%; margin: 0; }
.dtviz-claims caption { caption-side: top; text-align: left; color: inherit; }
.dtviz-claims :is(th, td) { text-align: left; vertical-align: top; padding: .5rem .6rem .5rem 0;
  border-top: 1px solid #8886; background: none; color: inherit; white-space: normal; }
.dtviz-claims th { font-weight: 600; width: 11rem; }
.dtviz-claims td { overflow-wrap: anywhere; }
.dtviz-claims p { margin: 0 0 .3rem; }
.dtviz-claims ul { margin: 0; padding-left: 1.1rem; font-size: .85em; }
.dtviz-claims .verdict { display: inline-block; margin-top: .3rem; padding: .05rem .5rem;
  border-radius: .6rem; font-size: .8em; color: #fff; background: #0b6b46; }
.dtviz-claims .repaired { background: #7a5200; }
.dtviz-claims .prose { background: #586069; }
.dtviz-claims .red { background: #b3261e; }
.dtviz-claims .note { font-size: .85em; font-style: italic; }
@media (max-width: 40rem) {
  .dtviz-claims :is(table, caption, tbody, tr, th, td) { display: block; width: auto; }
  .dtviz-claims td { border-top: 0; padding-top: 0; } }
"""
KIND = {
    "holds": "holds",
    "holds after a repair": "repaired",
    "by definition": "prose",
    "not tested": "prose",
    "prose only": "prose",
    "FAILS": "red",
}


def anchor(claim_id: str) -> str:
    """The place of a claim on its page: ``BLT-L5.1a`` is told at ``#blt-l5-1a``."""
    return re.sub(r"[^a-z0-9]+", "-", claim_id.lower()).strip("-")


@dataclass(frozen=True)
class Report:
    """What was found for each of some claims. Printed, a line per claim; displayed, a table.

    Examples
    --------
    >>> import dtviz as dt
    >>> report = dt.claims.check_all(["BLT-L5.1a", "EH-L5"])
    >>> report.ok, len(report.evidence)
    (True, 2)
    """

    evidence: tuple[Evidence, ...]

    @property
    def ok(self) -> bool:
        """Whether the computation agrees with the book on every claim."""
        return all(found.ok for found in self.evidence)

    @property
    def summary(self) -> str:
        """How many claims got which verdict."""
        number = Counter(found.verdict for found in self.evidence)
        return (
            f"{len(self.evidence)} claims: {number['holds']} hold as stated, "
            f"{number['holds after a repair']} hold after a repair, "
            f"{number['by definition']} hold by definition, {number['not tested']} not tested, "
            f"{number['prose only']} told in prose only, {number['FAILS']} fail"
        )

    def __str__(self) -> str:
        return "\n".join([*map(str, self.evidence), self.summary])

    def _repr_html_(self) -> str:
        rows = "\n".join(map(_row, self.evidence))
        return (
            f'<div class="dtviz-claims"><style>{STYLE}</style>\n<table>'
            f"<caption>{html.escape(self.summary)}</caption>\n<tbody>\n{rows}\n</tbody></table></div>"
        )


def _row(found: Evidence) -> str:
    claim = found.claim
    forms = [
        *(_holding(form, got) for form, got in zip(claim.holds, found.held, strict=True)),
        *(_failing(form, got) for form, got in zip(claim.fails, found.failed, strict=True)),
    ]
    items = "".join(f"<li>{item}</li>" for item in forms)
    return (
        f'<tr id="claim-{anchor(claim.id)}"><th scope="row">{_link(claim)}<br>'
        f'<span class="verdict {KIND[found.verdict]}">{html.escape(found.verdict)}</span></th>'
        f"<td><p>{_mathematics(claim.statement)}</p>"
        + (f'<p class="note">{_mathematics(claim.note)}</p>' if claim.note else "")
        + (f"<ul>{items}</ul>" if items else "")
        + "</td></tr>"
    )


def _link(claim: Claim) -> str:
    return f'<a href="{claim.page}.html#{anchor(claim.id)}">{html.escape(claim.id)}</a>'


def _holding(form: Form, got: Outcome) -> str:
    if got.violations:
        return _refuted(form, got, "must hold, but is refuted")
    return html.escape(
        f"{form.label}: {got.cases:,} {got.unit}, none refutes it; tightest: {got.tightest}"
    )


def _failing(form: Form, got: Outcome) -> str:
    if not got.violations:
        return html.escape(f"{form.label}: must fail, but holds for all {got.cases:,} {got.unit}")
    return _refuted(form, got, "refuted")


def _refuted(form: Form, got: Outcome, how: str) -> str:
    return html.escape(
        f"{form.label}: {how} by {got.violations:,} of {got.cases:,} {got.unit}; "
        f"the first: {got.counterexample}"
    )


def _mathematics(text: str) -> str:
    """Text with formulas between dollar signs, as HTML that MathJax sets."""
    parts = re.split(r"\$([^$]+)\$", text)
    return "".join(
        f'<span class="math notranslate nohighlight">\\({html.escape(part)}\\)</span>'
        if k % 2
        else html.escape(part)
        for k, part in enumerate(parts)
    )
