"""What a student reads where nbgrader's page cannot be made of what was handed in.

Renderers of Markdown need the square of some texts' length: a hundred thousand opened brackets, or
blanks, take minutes. So a written answer beyond a length is shown as it was written. A page that
still cannot be made, or not in time, gives way to one that holds the marks.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homework.assignments import Assignment
    from homework.gradebook import Entry

RENDERED = 20_000
"""Characters of a text up to which it is rendered, some ten times what a question asks for."""

RENDERED_IN_ALL = 100_000
"""Characters of a page's texts that are rendered."""

SHOWN = 100_000
"""Characters of a text that are shown at all."""


def written(source: str) -> str:
    """Show a text too long to be rendered, as HTML: its beginning, and a sentence on it."""
    # nbconvert looks for links in what has been rendered, and that takes a square as well.
    shown = html.escape(source[:SHOWN]).replace("[", "&#91;")
    cut = f", of which these are the first {SHOWN}" if len(source) > SHOWN else ""
    return (
        f"<p><em>This text has {len(source)} characters{cut}. Beyond {RENDERED} it is shown as it "
        f'was written.</em></p><pre style="white-space: pre-wrap">{shown}</pre>'
    )


def marks(assignment: Assignment, entry: Entry, reason: str, policy: str) -> str:
    """Make a page of the marks alone; the reason says why there is no more to be read."""
    rows = []
    for question in assignment.questions:
        cells = [cell for cell in (*question.tests, question.answer) if cell in entry.lines]
        lines = [entry.lines[cell] for cell in cells]
        points = f"{sum(line.score for line in lines):g} of {question.points:g} points"
        if any(line.waiting for line in lines):
            points += ", and a person has yet to read it"
        told = "".join(
            f"<br/>{html.escape(entry.comments[cell])}" for cell in cells if cell in entry.comments
        )
        rows.append(f"<li>Question {html.escape(question.number)}: {points}.{told}</li>")
    late = f"<p>For being late: -{entry.penalty:g}.</p>" if entry.penalty else ""
    return page(
        f"{assignment.name} (Score: {entry.score:g} / {assignment.max_score:g})",
        f"<ul>{''.join(rows)}</ul>{late}<p>Your answers cannot be shown here beside their marks "
        f"({html.escape(reason)}). You have them in the notebook.</p>",
        policy,
    )


def page(title: str, body: str, policy: str) -> str:
    """Make a page of a title and of HTML, which may load what the policy says."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>'
        f"<title>{html.escape(title)}</title></head><body>"
        f"<h1>{html.escape(title)}</h1>{body}</body></html>\n"
    )
