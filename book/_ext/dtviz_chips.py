"""What was tried of a statement is a chip in the corner of it.

A statement names its claims by the role ``{claim}`MN-REP` `` (several with blanks between). The
chip says the verdict of the record and opens to what was tried. Each claim of the record is named
once in the book; a theorem, proposition, lemma or corollary that names none is marked "proof only".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_claims import (
    RECORD,
    VERDICTS,
    anchor,
    chip,
    claims,
    code,
    counted,
    details,
    kind,
    mathematics,
)
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.osutil import relative_uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CLAIMS = "book/claims"
BLOCKS = (nodes.paragraph, nodes.list_item, nodes.math_block)
PROVED = {"theorem", "proposition", "lemma", "corollary"}

logger = logging.getLogger(__name__)


class claim_mark(nodes.Inline, nodes.Element):  # noqa: N801 (nodes are named so)
    """The place where a page states some claims."""


class ClaimRole(SphinxRole):
    """Names the claims that are stated here."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.note_dependency(str(RECORD))
        names = self.text.split()
        for name in names:
            if name not in claims():
                logger.warning("%s is no claim", name, location=self.get_location())
                continue
            here = self.env.docname
            there = stated(self.env).setdefault(name, here)
            if there != here:
                said = "%s is stated on %s already"
                logger.warning(said, name, there, location=self.get_location())
        mark = claim_mark(names=[], claims=[name for name in names if name in claims()])
        self.set_source_info(mark)
        return [mark], []


def stated(env: BuildEnvironment) -> dict[str, str]:
    """The page that states each claim."""
    pages: dict[str, str] = env.__dict__.setdefault("dtviz_stated", {})
    return pages


def forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    """Forget the claims of a page that is read again."""
    for name in [name for name, there in stated(env).items() if there == page]:
        del stated(env)[name]


def report_missing(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of claims that no page states."""
    for name in sorted(set(claims()) - set(stated(env))):
        logger.warning("the claim %s is stated on no page", name)


class Chips(SphinxPostTransform):
    """Put a chip in the corner of every statement."""

    default_priority = 6
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        page = relative_uri(f"{self.env.docname}.html", f"{CLAIMS}.html")
        for mark in list(self.document.findall(claim_mark)):
            if entries := [claims()[name] for name in mark["claims"]]:
                place(statement(mark), folded(entries, page))
            drop(mark)
        for box in self.document.findall(nodes.Element):
            classes: set[str] = (
                set(box.get("classes", [])) if isinstance(box, nodes.Admonition) else set()
            )
            if PROVED & classes and "dtviz-checked" not in classes:
                place(box, PROOF_ONLY.format(page=page))


PROOF_ONLY = (
    '<details class="dtviz-chip proof"><summary>proof only</summary><div class="dtviz-chip-body">'
    '<p>Proved in the text, and not tried by a computer. <a href="{page}#verdicts">What the marks'
    " mean</a></p></div></details>"
)


def folded(entries: list[dict[str, Any]], page: str) -> str:
    """One chip for all claims of a statement."""
    kinds = {kind(entry) for entry in entries}
    order = ("red", "repaired", "weak", "holds")
    worst = next(k for k in (*order, *sorted(kinds)) if k in kinds)
    return (
        f'<details class="dtviz-chip {worst}"><summary>{summary(entries)}</summary>'
        f'<div class="dtviz-chip-body">{"".join(opened(entry, page) for entry in entries)}'
        f'<p><a href="{page}#verdicts">What the marks mean</a></p></div></details>'
    )


def summary(entries: list[dict[str, Any]]) -> str:
    """What is in the corner: the verdict, or how many claims got each."""
    verdicts = [entry["verdict"] for entry in entries]
    if len(entries) == 1:
        return chip(entries[0])
    if len(set(verdicts)) == 1:
        return f"{VERDICTS[verdicts[0]][1]} ({len(entries)} claims)"
    others = [v for v in VERDICTS if v in verdicts and v != "holds"]
    counts = ", ".join(f"{verdicts.count(v)} {VERDICTS[v][1].lstrip('✓✗ ')}" for v in others)
    return f"{'✗' if 'fails' in verdicts else '✓'} {len(entries)} claims, {counts}"


def opened(entry: dict[str, Any], page: str) -> str:
    """What a chip shows of one claim, once opened."""
    here = anchor(entry["id"])
    line = f" · {counted(entry)}" if entry["forms"] else ""
    note = f"<p><em>{mathematics(entry['note'])}</em></p>" if entry["note"] else ""
    return (
        f'<section id="{here}"><p class="dtviz-chip-line"><a href="{page}#claim-{here}">'
        f"{entry['id']}</a> {entry['verdict']}{line}</p><p>{mathematics(entry['statement'])}</p>"
        f'{note}{details(entry)}<p><small><a href="{page.removesuffix("claims.html")}'
        f'{code(entry)}">Code of the check</a></small></p></section>'
    )


def ancestors(node: nodes.Node) -> Iterable[nodes.Element]:
    """The elements around a node, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def statement(mark: nodes.Element) -> nodes.Element:
    """The box around a mark, or a box made of its paragraph."""
    around = list(ancestors(mark))
    for node in around:
        if isinstance(node, nodes.Admonition):
            return node
    block = next(node for node in around if isinstance(node, BLOCKS))
    if isinstance(block, nodes.list_item):
        return block
    parent, made = block.parent, nodes.compound()
    parent.insert(parent.index(block), made)
    parent.remove(block)
    made += block
    return made


def place(box: nodes.Element, chip: str) -> None:
    """Put a chip in the corner of a box: behind what it says, or before it where it floats."""
    titled = isinstance(box, nodes.Admonition)
    box.insert(len(box) if titled else 0, nodes.raw("", chip, format="html"))
    box["classes"] = [*box.get("classes", []), "dtviz-checked"]


def drop(mark: nodes.Element) -> None:
    """Take a mark away, and its paragraph where nothing else is in it."""
    parent = mark.parent
    parent.remove(mark)
    blank = all(isinstance(part, nodes.Text) and not part.strip() for part in parent)
    if isinstance(parent, nodes.paragraph) and blank:
        parent.parent.remove(parent)


def pass_by(translator: Any, node: nodes.Node) -> None:
    """Other formats than HTML show nothing for a mark."""
    raise nodes.SkipNode


def lead_home(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Let the table of all claims lead to the pages that state them."""
    if page != CLAIMS:
        return
    for name, there in stated(app.env).items():
        chapter, here = claims()[name]["page"], anchor(name)
        home = relative_uri(f"{page}.html", f"{there}.html")
        old = f'href="{chapter}/index.html#{here}"'
        context["body"] = context["body"].replace(old, f'href="{home}#{here}"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the role and the transform."""
    app.add_node(claim_mark, html=(pass_by, None), text=(pass_by, None))
    app.add_role("claim", ClaimRole())
    app.add_post_transform(Chips)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", report_missing)
    app.connect("html-page-context", lead_home)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
