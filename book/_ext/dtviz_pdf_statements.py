"""Statements, proofs, exercises and questions on paper.

A statement has the number that it has on the site. An exercise and a question stand in their place;
solutions and answers are taken out, for the end of the book.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from docutils import nodes
from dtviz_pdf_cells import is_question
from dtviz_pdf_nodes import label_of, wrapped
from sphinx import addnodes
from sphinx_exercise.nodes import (  # type: ignore[import-untyped]
    exercise_enumerable_node,
    exercise_subtitle,
    solution_node,
)
from sphinx_proof.nodes import NODE_TYPES, proof_node  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterator

STATEMENTS = tuple(NODE_TYPES.values())


class Answer(NamedTuple):
    """What stands at the end of the book: its heading, where it was asked, and its text."""

    name: str
    label: str
    body: nodes.Node


class Page(NamedTuple):
    """A page, the numbers of what stands on it, and the answers that were taken out."""

    name: str
    numbers: dict[str, dict[str, tuple[int, ...]]]
    answers: list[Answer]

    def number(self, kind: str, place: str) -> str:
        """Return a number as the site writes it."""
        return ".".join(map(str, self.numbers.get(kind, {}).get(place, ())))


def prose(node: nodes.Element) -> Iterator[nodes.Node]:
    """Yield what stands in a box, without its title; its section is only a wrapper."""
    for part in list(node.children):
        if isinstance(part, nodes.section):
            yield from list(part.children)
        elif not isinstance(part, nodes.title):
            yield part


def titled(node: nodes.Element) -> list[nodes.Node]:
    """Return the title of a box without the brackets around it."""
    title = next((part for part in node.children if isinstance(part, nodes.title)), None)
    if title is None:
        return []
    parts = list(title.children)
    if parts and isinstance(parts[0], nodes.Text):
        parts[0] = nodes.Text(parts[0].lstrip().removeprefix("("))
    if parts and isinstance(parts[-1], nodes.Text):
        parts[-1] = nodes.Text(parts[-1].rstrip().removesuffix(")"))
    return parts


def print_statements(document: nodes.document, page: Page) -> None:
    """Turn statements and proofs into LaTeX."""
    for node in [n for n in document.findall(nodes.Element) if isinstance(n, STATEMENTS)]:
        name = f"{node['realtype'].title()} {page.number(node['countertype'], node['label'])}"
        title = titled(node)
        head = wrapped(rf"\dtvizhead{{{name}}}{{", title, "}")
        labels = [label_of(page.name, place) for place in node["ids"]]
        node.replace_self(
            wrapped(
                f"\n\n\\begin{{dtvizstatement}}{{{node['realtype']}}}",
                [head, *prose(node)],
                "\n\\end{dtvizstatement}\n\n",
                labels,
            )
        )
    for node in list(document.findall(proof_node)):
        body = [part for box in node.children for part in list(box.children)]
        first = body[0] if body else None
        if isinstance(first, nodes.paragraph) and first.astext().startswith("Proof."):
            start = first[0]
            if isinstance(start, nodes.Text):
                first[0] = nodes.Text(start.removeprefix("Proof.").lstrip())
        node.replace_self(wrapped("\n\n\\begin{dtvizproof}", body, "\n\\end{dtvizproof}\n\n"))


# --- exercises ------------------------------------------------------------------------------------


def print_exercises(document: nodes.document, page: Page) -> None:
    """Print exercises, and take out solutions."""
    names: dict[str, str] = {}
    for node in list(document.findall(exercise_enumerable_node)):
        names[node["label"]] = name = f"Exercise {page.number('exercise', node['label'])}"
        title = subtitle(node)
        head = wrapped(rf"\dtvizhead{{{name}}}{{", title, "}")
        labels = [label_of(page.name, place) for place in node["ids"]]
        body = [part for part in prose(node) if not is_title(part)]
        node.replace_self(
            wrapped(
                "\n\n\\begin{dtvizexercise}",
                [head, *body],
                "\n\\end{dtvizexercise}\n\n",
                labels,
            )
        )
    for node in list(document.findall(solution_node)):
        name = names[node["target_label"]]
        labels = [label_of(page.name, place) for place in node["ids"]]
        told = wrapped("", [part for part in prose(node) if not is_title(part)], labels=labels)
        page.answers.append(Answer(name, label_of(page.name, node["target_label"]), told))
        node.parent.remove(node)


def is_title(node: nodes.Node) -> bool:
    """Whether a node is the title of an exercise or of a solution."""
    return isinstance(node, nodes.title | exercise_subtitle)


def subtitle(node: nodes.Element) -> list[nodes.Node]:
    """Return the title of an exercise without its number: "Exercise 1.1 (Influences by hand)"."""
    title = next(part for part in node.children if isinstance(part, nodes.title))
    parts = list(title.children)
    opening = next((k for k, part in enumerate(parts) if part.astext() == " ("), None)
    return parts[opening + 1 : -1] if opening is not None else []


# --- questions to predict -------------------------------------------------------------------------


def print_questions(document: nodes.document, page: Page, count: list[int], chapter: str) -> None:
    """Print questions with their choices, and take out the answers."""
    for box in list(document.findall(nodes.container)):
        if not is_question(box):
            continue
        count[0] += 1
        name = f"Question {chapter}.{count[0]}"
        label = label_of(page.name, box["ids"][0])
        asked, choices, reasons = taken_apart(box)
        title = next(part for part in asked if "dtviz-predict-title" in part.get("classes", []))
        head = wrapped(rf"\dtvizasked{{{name}}}{{", list(title.children), "}")
        asked.remove(title)
        listed = nodes.bullet_list(bullet="*")
        for choice in choices:
            listed += nodes.list_item("", nodes.paragraph("", "", *choice))
        body = [*asked, *([listed] if choices else [])]
        box.replace_self(
            wrapped(
                "\n\n\\begin{dtvizquestion}",
                [head, *body, wrapped(rf"\dtvizanswerat{{\detokenize{{{label}-answer}}}}")],
                "\n\\end{dtvizquestion}\n\n",
                [label],
            )
        )
        told: list[nodes.Node] = []
        for right, term, reason in reasons:
            mark = "right" if right else "wrong"
            told.append(wrapped(rf"\dtvizreason{{{mark}}}{{", term, "}{"))
            told += [*reason, wrapped("}\n\n")]
        page.answers.append(Answer(name, label, wrapped("", told, labels=[f"{label}-answer"])))


Reason = tuple[bool, list[nodes.Node], list[nodes.Node]]


def taken_apart(
    box: nodes.container,
) -> tuple[list[nodes.Element], list[list[nodes.Node]], list[Reason]]:
    """Return what a question asks, its choices, and the reasons of each.

    The cell that computes the answer is folded on the site, and prints what is marked as right.
    """
    asked: list[nodes.Element] = []
    choices: list[list[nodes.Node]] = []
    reasons: list[Reason] = []
    stages = {"<form": "choices", "<details": "reasons", "</dl>": "answer"}
    stage = "asked"
    for part in list(box.children):
        if isinstance(part, nodes.raw):
            html = part.astext()
            stage = next((to for start, to in stages.items() if html.startswith(start)), stage)
            if html.startswith("<dt "):
                reasons.append(('class="right"' in html, [], []))
        elif stage == "asked" and isinstance(part, nodes.Element):
            asked.append(part)
        elif stage == "choices":
            choices.append(list(part.children))
        elif stage == "reasons":
            # The first is what one could answer, the rest why it is right or wrong.
            _, term, reason = reasons[-1]
            if term:
                reason.append(part)
            else:
                term.extend(part.children)
    return asked, choices, reasons


# --- other boxes ----------------------------------------------------------------------------------


def print_asides(document: nodes.document) -> None:
    """Print hints, notes and what stood folded, each as a quiet box or a paragraph."""
    boxes = [n for n in document.findall(nodes.Element) if isinstance(n, nodes.Admonition)]
    for node in boxes:
        if isinstance(node, nodes.system_message | addnodes.versionmodified):
            continue
        title = next((part for part in node.children if isinstance(part, nodes.title)), None)
        name = title.astext() if title is not None else type(node).__name__.title()
        kind = "dtvizaside"
        if "so-far" in node["classes"]:
            kind = "dtvizsofar"
        elif name == "Hint":
            kind = "dtvizhint"
        elif any(node.findall(nodes.table)):
            kind = "dtvizopen"  # a table of pages does not go into a box
        words = list(title.children) if title is not None else [nodes.Text(name)]
        head = wrapped(r"\dtvizasidehead{", words, "}")
        start, end = f"\n\n\\begin{{{kind}}}", f"\n\\end{{{kind}}}\n\n"
        node.replace_self(wrapped(start, [head, *prose(node)], end))


def numbered(document: nodes.document, page: Page) -> None:
    """Give each displayed formula that has one its number on the site."""
    for block in document.findall(nodes.math_block):
        if block.get("label"):
            place = f"equation-{nodes.make_id(block['label'])}"
            block["site_number"] = page.number("displaymath", place)
            block["docname"] = page.name
