"""The page of claims: the directives ``claims-table`` and ``claims-repairs``, from the record."""

from __future__ import annotations

import html
from itertools import groupby
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_claims import (
    RECORD,
    VERDICTS,
    anchor,
    claims,
    code,
    counted,
    drawing,
    kind,
    mathematics,
    variants,
)
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

Entry = dict[str, Any]


class ClaimsTable(SphinxDirective):
    """A directive that takes nothing and gives one piece of HTML, made of the record."""

    make: Callable[[list[Entry]], str]

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(RECORD))
        body = type(self).make(list(claims().values()))
        return [nodes.raw("", f'<div class="dtviz-claims">{body}</div>', format="html")]


def title(page: str) -> str:
    """The chapter of a claim, in words."""
    number, _, name = page.partition("-")
    return f"{number}. {name.capitalize()}" if name else page.capitalize()


def table(every: list[Entry]) -> str:
    """Two filters, by verdict and by chapter, and a table a chapter.

    The filters are of boxes that a style sheet reads, so that they work without a script.
    """
    chapters = [(page, list(of)) for page, of in groupby(every, key=lambda entry: entry["page"])]
    tables = "\n".join(
        f'<table class="verdicts" data-chapter="{anchor(page)}"><caption>{title(page)}</caption>'
        f"\n<tbody>{''.join(map(row, of))}</tbody></table>"
        for page, of in chapters
    )
    counts = {verdict: sum(e["verdict"] == verdict for e in every) for verdict in VERDICTS}
    verdicts = [(VERDICTS[v][0], f"{v} ({count})") for v, count in counts.items() if count]
    pages = [(anchor(page), f"{title(page)} ({len(of)})") for page, of in chapters]
    refuted = sum(len(variants(entry)) for entry in every)
    return (
        f"{choice('verdict', 'tr', verdicts, len(every))}"
        f"{choice('chapter', '.verdicts', pages, len(every))}"
        f"<p>The checks refute {refuted:,} false variants.</p>{tables}"
    )


def choice(name: str, of: str, values: list[tuple[str, str]], count: int) -> str:
    """A filter: its boxes, and the rules that hide what has another value."""
    rules = "".join(
        f'.dtviz-claims:has(input[name="claims-{name}"][value="{value}"]:checked) '
        f'{of}[data-{name}]:not([data-{name}="{value}"]) {{ display: none; }}\n'
        for value, _ in values
    )
    labels = "".join(
        f'<label><input type="radio" name="claims-{name}" value="{value}"'
        f"{' checked' if value == 'all' else ''}> {html.escape(words)}</label> "
        for value, words in (("all", f"all ({count})"), *values)
    )
    legend = f"<legend>{name.capitalize()}</legend>"
    return f"<style>{rules}</style><fieldset>{legend}{labels}</fieldset>"


def address(entry: Entry) -> str:
    """Where the book states a claim; the build names the page of the chapter."""
    return html.escape(f"{entry['page']}/index.html#{anchor(entry['id'])}")


def source(entry: Entry) -> str:
    """The name of the source, a link if the references list it."""
    name = html.escape(entry["source"])
    place = f"references.html#{anchor(entry['key'])}"
    return f'<a href="{place}">{name}</a>' if entry["key"] else name


def row(entry: Entry) -> str:
    """A claim as a row: its verdict and what it says; what was tried is where it is stated."""
    note = f'<p class="note">{mathematics(entry["note"])}</p>' if entry["note"] else ""
    links = [f'<a href="{address(entry)}">Statement</a>', source(entry)]
    if entry["forms"]:
        links += [f'<a href="{code(entry)}">Code of the check</a>', counted(entry)]
    return (
        f'<tr id="claim-{anchor(entry["id"])}" data-verdict="{kind(entry)}"><th scope="row">'
        f'<a href="{address(entry)}">{html.escape(entry["id"])}</a><br>'
        f'<span class="verdict {kind(entry)}">{html.escape(entry["verdict"])}</span></th>'
        f"<td><p>{mathematics(entry['statement'])}</p>{note}<p>{' · '.join(links)}</p>"
        "</td></tr>\n"
    )


def repairs(every: list[Entry]) -> str:
    """The claims that hold after a repair, a short story each.

    Not folded is, of each chapter, the one whose printed form most cases refute.
    """
    repaired = [entry for entry in every if entry["repaired"] and printed(entry)]
    ranked = sorted(repaired, key=lambda entry: -printed(entry)["violations"])
    shown = list({entry["page"]: entry for entry in reversed(ranked)}.values())
    rest = [entry for entry in repaired if entry not in shown]
    return (
        "".join(story(entry) for entry in repaired if entry in shown)
        + f"<details><summary>The other repairs: {len(rest)} more</summary>"
        + f"{''.join(map(story, rest))}</details>"
    )


def printed(entry: Entry) -> Entry:
    """The form that the source prints and the computation refutes, if there is one."""
    return next((form for form in entry["forms"] if form["must"] == "fail"), {})


def story(entry: Entry) -> str:
    """What holds, what the source says in its place, and the first case that refutes that."""
    form = printed(entry)
    how = f"{form['label']}; the first of {form['violations']:,} that refute it, "
    how += f"of {form['cases']:,} {form['unit']}"
    case = drawing(form) or html.escape(form["counterexample"])
    return (
        f'<div class="story"><p><a href="{address(entry)}"><strong>{html.escape(entry["id"])}'
        f"</strong></a> · {title(entry['page'])} · {source(entry)}</p>"
        f"<dl><dt>Holds</dt><dd>{mathematics(entry['statement'])}</dd>"
        f"<dt>Printed</dt><dd>{mathematics(entry['note'])}</dd>"
        f"<dt>Refuted</dt><dd>{case} <small>({html.escape(how)})</small></dd></dl></div>"
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    for name, make in (("table", table), ("repairs", repairs)):
        app.add_directive(
            f"claims-{name}", type(name, (ClaimsTable,), {"make": staticmethod(make)})
        )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
