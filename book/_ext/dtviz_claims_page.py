"""The verdicts of many claims, as lines of text and as a table for the page of claims."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from dtviz.claims.evidence import Evidence
from dtviz.claims.registry import Claim
from dtviz.claims.rendering import KIND, anchor, first_code, mathematics, tried

__all__ = ["Report"]

TITLES = {
    "holds": "Proved and tested",
    "holds after a repair": "Repaired; refuted as printed",
    "by definition": "True by definition or by algebra",
    "not tested": "Proved, not testable here",
    "prose only": "Cited only",
    "FAILS": "Fails",
}
"""The verdicts as the totals name them."""
VERDICTS = (
    ("holds", "hold as stated"),
    ("holds after a repair", "hold after a repair"),
    ("by definition", "hold by definition"),
    ("not tested", "not tested"),
    ("prose only", "told in prose only"),
)
"""The verdicts as a line of text tells how many they are."""

MOST_STORIES = 8
"""How many repairs are told on a page before it folds the others."""

# The dark theme of the book puts HTML outputs on a light ground; this stays on that of the page.
# White on the colours of the verdicts has a contrast above 4.5 to 1: alike in both themes.
STYLE = """
html[data-theme] .bd-content div.cell_output .output.text_html:has(.dtviz-claims) {
  background: none; color: inherit; padding: 0; }
.dtviz-claims { overflow-wrap: break-word; }
.dtviz-claims table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; }
.dtviz-claims caption { caption-side: top; text-align: left; color: inherit; font-weight: 600; }
.dtviz-claims :is(th, td) { text-align: left; vertical-align: top; padding: .5rem .6rem .5rem 0;
  border-top: 1px solid #8886; background: none; color: inherit; white-space: normal; }
.dtviz-claims .scroll { overflow-x: auto; }
.dtviz-claims .totals :is(th, td) { padding: .2rem .6rem .2rem 0; font-size: .9em; }
.dtviz-claims .totals th:first-child { min-width: 10rem; }
.dtviz-claims .totals th { font-weight: 400; }
.dtviz-claims .totals td { text-align: right; white-space: nowrap; }
.dtviz-claims .totals thead th:not(:first-child) { text-align: right; }
.dtviz-claims .verdicts { table-layout: fixed; }
.dtviz-claims .verdicts th { font-weight: 600; width: 9.5rem; }
.dtviz-claims .verdicts td { overflow-wrap: anywhere; padding-right: 0; }
.dtviz-claims p { margin: 0 0 .3rem; }
.dtviz-claims ul { margin: 0; padding-left: 1.1rem; font-size: .85em; }
.dtviz-claims li ul { font-size: 1em; }
.dtviz-claims fieldset { border: 0; margin: 0 0 .6rem; padding: 0; min-width: 0; }
.dtviz-claims legend { font-size: 1em; font-weight: 600; margin: 0; float: none; }
.dtviz-claims label { margin-right: 1rem; white-space: nowrap; }
.dtviz-claims summary { cursor: pointer; }
.dtviz-claims .verdict { display: inline-block; margin-top: .3rem; padding: .05rem .5rem;
  border-radius: .6rem; font-size: .8em; color: #fff; background: #0b6b46; }
.dtviz-claims .repaired { background: #7a5200; }
.dtviz-claims :is(.prose, .untested, .definition) { background: #586069; }
.dtviz-claims .red { background: #b3261e; }
.dtviz-claims .note { font-size: .85em; font-style: italic; }
.dtviz-claims .story { border-top: 1px solid #8886; padding: .6rem 0 .8rem; }
.dtviz-claims .story dl { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr);
  gap: .3rem .6rem; margin: .3rem 0 0; }
.dtviz-claims .story dt { font-weight: 400; font-style: italic; margin: 0; }
.dtviz-claims .story dd { margin: 0; padding: 0; }
@media (max-width: 40rem) {
  .dtviz-claims .totals :is(th, td):not(:first-child, :last-child) { display: none; }
  .dtviz-claims .story dl { display: block; }
  .dtviz-claims .verdicts, .dtviz-claims .verdicts :is(caption, tbody, tr, th, td) {
    display: block; width: auto; }
  .dtviz-claims .verdicts td { border-top: 0; padding-top: 0; } }
"""


@dataclass(frozen=True)
class Stories:
    """Claims that hold after a repair. Printed, a line each; displayed, a short story each."""

    evidence: tuple[Evidence, ...]

    @property
    def told(self) -> tuple[Evidence, ...]:
        """The stories that are not folded, from all chapters.

        Of each chapter it is the one whose printed form most cases refute, and then, while there is
        room, those that most cases refute of all others; in the order of the book.
        """
        ranked = sorted(self.evidence, key=lambda found: -found.failed[0].violations)
        first = {found.claim.page: found for found in reversed(ranked)}.values()
        others = [found for found in ranked if found not in first]
        chosen = [*first, *others[: max(0, MOST_STORIES - len(first))]]
        return tuple(found for found in self.evidence if found in chosen)

    def __str__(self) -> str:
        return "\n".join(map(str, self.evidence))

    def _repr_html_(self) -> str:
        told = self.told
        rest = [found for found in self.evidence if found not in told]
        folded = (
            f"<details><summary>The other repairs: {len(rest)} more</summary>"
            f"{''.join(map(_story, rest))}</details>"
        )
        return (
            f'<div class="dtviz-claims"><style>{STYLE}</style>\n'
            f"{''.join(map(_story, told))}{folded if rest else ''}</div>"
        )


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
        """How many claims got which verdict, and how many false variants were refuted."""
        number = Counter(found.verdict for found in self.evidence)
        told = [f"{number[verdict]} {words}" for verdict, words in VERDICTS if number[verdict]]
        told.append(f"{number['FAILS']} fail")
        line = f"{len(self.evidence)} claims: {', '.join(told)}"
        killed, planted = _variants(self.evidence)
        return f"{line}; {killed} of {planted} false variants refuted" if planted else line

    @property
    def repairs(self) -> Stories:
        """The claims that hold after a repair; displayed, a short story each."""
        repaired = "holds after a repair"
        return Stories(tuple(found for found in self.evidence if found.verdict == repaired))

    def __str__(self) -> str:
        return "\n".join([*map(str, self.evidence), self.summary])

    def _repr_html_(self) -> str:
        chapters = [
            (page, tuple(found))
            for page, found in groupby(self.evidence, key=lambda found: found.claim.page)
        ]
        tables = "\n".join(_table(page, found) for page, found in chapters)
        return (
            f'<div class="dtviz-claims"><style>{STYLE}{_hiding(chapters)}</style>\n'
            f"{_totals(chapters, self.evidence)}\n{_filters(chapters)}\n{tables}</div>"
        )


Chapters = Sequence[tuple[str, tuple[Evidence, ...]]]


def _title(page: str) -> str:
    number, dash, name = page.partition("-")
    return f"Chapter {number}, {name}" if dash else page


# -- stories --------------------------------------------------------------------------------------


def _story(found: Evidence) -> str:
    """What holds, what the source says in its place, and the first case that refutes that."""
    claim, got = found.claim, found.failed[0]
    number = claim.page.partition("-")[0]
    tried_as = f"{claim.fails[0].label}; the first of {got.violations:,} that refute it"
    return (
        f'<div class="story"><p><a href="{_address(claim)}"><strong>{html.escape(claim.id)}'
        f"</strong></a> · Chapter {html.escape(number)} · {_source(claim)}"
        f' · <a href="#claim-{anchor(claim.id)}">all that was tried</a></p>'
        f"<dl><dt>Holds</dt><dd>{mathematics(claim.statement)}</dd>"
        f"<dt>Printed</dt><dd>{mathematics(claim.note)}</dd>"
        f"<dt>Refuted</dt><dd>{html.escape(got.counterexample)} "
        f"<small>({html.escape(f'{tried_as}, of {got.cases:,} {got.unit}')})</small></dd>"
        "</dl></div>"
    )


# -- totals ----------------------------------------------------------------------------------------


def _totals(chapters: Chapters, every: tuple[Evidence, ...]) -> str:
    """How many claims of each chapter got which verdict."""
    given = {found.verdict for found in every}
    verdicts = [verdict for verdict in TITLES if verdict in given]
    columns = [page.replace("-", ". ") for page, _ in chapters]
    columns += ["All"] if len(chapters) > 1 else []
    groups = [found for _, found in chapters]
    groups += [every] if len(chapters) > 1 else []
    rows = [
        (TITLES[verdict], [str(sum(found.verdict == verdict for found in of)) for of in groups])
        for verdict in verdicts
    ]
    counts = [_variants(of) for of in groups]
    told = [
        f"{killed:,}" if killed == all_ else f"{killed:,} of {all_:,}" for killed, all_ in counts
    ]
    rows.append(("False variants refuted", told))
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in ("", *columns))
    body = "".join(
        f'<tr><th scope="row">{title}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for title, cells in rows
    )
    return (
        f'<div class="scroll"><table class="totals"><caption>{len(every)} claims</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _variants(every: tuple[Evidence, ...]) -> tuple[int, int]:
    """How many false variants were refuted, and how many were planted."""
    return sum(found.killed for found in every), sum(found.planted for found in every)


# -- filters: boxes that a style sheet reads, so that they work without a script -------------------


def _filters(chapters: Chapters) -> str:
    verdicts = [(KIND[verdict], title) for verdict, title in TITLES.items() if verdict != "FAILS"]
    pages = [(anchor(page), _title(page)) for page, _ in chapters]
    return _choice("verdict", "Verdict", verdicts) + _choice("chapter", "Chapter", pages)


def _choice(name: str, legend: str, values: Sequence[tuple[str, str]]) -> str:
    labels = "".join(
        f'<label><input type="radio" name="claims-{name}" value="{value}"'
        f"{' checked' if value == 'all' else ''}> {html.escape(title)}</label> "
        for value, title in (("all", "all"), *values)
    )
    return f"<fieldset><legend>{legend}</legend>{labels}</fieldset>"


def _hiding(chapters: Chapters) -> str:
    """Rules that hide the rows of other verdicts, and the tables of other chapters."""
    kinds = [KIND[verdict] for verdict in TITLES if verdict != "FAILS"]
    rules = [
        _rule("verdict", kind, "tr[data-verdict]", f'[data-verdict="{kind}"]') for kind in kinds
    ]
    rules += [
        _rule("chapter", anchor(page), ".verdicts", f'[data-chapter="{anchor(page)}"]')
        for page, _ in chapters
    ]
    return "".join(rules)


def _rule(name: str, value: str, of: str, kept: str) -> str:
    chosen = f'input[name="claims-{name}"][value="{value}"]:checked'
    return f".dtviz-claims:has({chosen}) {of}:not({kept}) {{ display: none; }}\n"


# -- rows ------------------------------------------------------------------------------------------


def _table(page: str, every: tuple[Evidence, ...]) -> str:
    rows = "\n".join(map(_row, every))
    return (
        f'<table class="verdicts" data-chapter="{anchor(page)}">'
        f"<caption>{html.escape(_title(page))}</caption>\n<tbody>\n{rows}\n</tbody></table>"
    )


def _address(claim: Claim) -> str:
    """Where the book states a claim, for an attribute; the build names the page of the chapter."""
    return html.escape(f"{claim.page}/index.html#{anchor(claim.id)}")


def _row(found: Evidence) -> str:
    claim, kind = found.claim, KIND[found.verdict]
    note = f'<p class="note">{mathematics(claim.note)}</p>' if claim.note else ""
    return (
        f'<tr id="claim-{anchor(claim.id)}" data-verdict="{kind}"><th scope="row">'
        f'<a href="{_address(claim)}">{html.escape(claim.id)}</a><br>'
        f'<span class="verdict {kind}">{html.escape(found.verdict)}</span></th>'
        f"<td><p>{mathematics(claim.statement)}</p>{note}<p>{_links(found)}</p>"
        f"{_details(found)}</td></tr>"
    )


def _source(claim: Claim) -> str:
    """The name of the source, a link if the references list it."""
    name = html.escape(claim.source.name)
    place = f"references.html#{anchor(claim.source.key)}"
    return f'<a href="{place}">{name}</a>' if claim.source.key else name


def _links(found: Evidence) -> str:
    """Links to the statement, to its source, and to the code of its check."""
    claim = found.claim
    links = [f'<a href="{_address(claim)}">Statement</a>']
    if claim.source.key:
        links.append(_source(claim))
    if place := first_code(claim):
        module, line = place
        links.append(f'<a href="checks/{module}.html#line-{line}">Code of the check</a>')
    return " · ".join(links)


def _details(found: Evidence) -> str:
    """What was tried, folded unless something is wrong."""
    told = tried(found, brief=True)
    if not told:
        return ""
    line = f"{found.cases:,} cases"
    if found.planted:
        line += f", {found.killed} of {found.planted} false variants refuted"
    return f"<details{'' if found.ok else ' open'}><summary>{line}</summary>{told}</details>"
