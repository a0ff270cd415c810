"""The checks of a page leave its text: each becomes a chip in the corner of what it checks.

In a notebook a statement names its claims by the role ``{claim}`MN-REP` `` (several with blanks
between), and a cell tagged ``claim`` runs ``dt.check`` on each. In the book the cell is taken out,
and what it displayed is folded into one small ``<details>`` at the statement: in the corner of the
box that holds the role, or behind the paragraph, where there is no box. Every check needs a role
and every role a check on the same page; each claim of the package is named once in the book. Pages
that name no claim keep their cells: that of all claims does.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.osutil import relative_uri

from dtviz.claims import claims
from dtviz.claims.rendering import anchor, first_code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

CLAIMS = "book/claims"
BLOCKS = (nodes.paragraph, nodes.list_item, nodes.math_block)
CHECK = re.compile(
    r'<details class="dtviz-claim (?P<kind>[\w-]+)" data-claim="(?P<id>[^"]+)"'
    r' data-chip="(?P<chip>[^"]+)">(?:<style>.*?</style>)?<summary>(?P<line>.*?)</summary>'
    r"(?P<body>.*)</details>",
    re.DOTALL,
)

logger = logging.getLogger(__name__)


class claim_mark(nodes.Inline, nodes.Element):  # noqa: N801 (nodes are named so)
    """The place where a page states some claims."""


class Check(NamedTuple):
    """What a cell displayed for a claim."""

    id: str
    kind: str
    chip: str
    line: str
    body: str


class ClaimRole(SphinxRole):
    """Names the claims that are stated here."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        names = self.text.split()
        for name in names:
            if name not in claims:
                logger.warning("%s is no claim", name, location=self.get_location())
                continue
            here = self.env.docname
            there = stated(self.env).setdefault(name, here)
            if there != here:
                said = "%s is stated on %s already"
                logger.warning(said, name, there, location=self.get_location())
        mark = claim_mark(names=[], claims=[name for name in names if name in claims])
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


def merge(app: Sphinx, env: BuildEnvironment, pages: set[str], other: BuildEnvironment) -> None:
    """Take over what another process read."""
    stated(env).update({name: page for name, page in stated(other).items() if page in pages})


def report_missing(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of claims that no page states."""
    for name in sorted(set(claims) - set(stated(env))):
        logger.warning("the claim %s is stated on no page", name)


class Chips(SphinxPostTransform):
    """Move what the checks displayed into chips."""

    # After myst-nb has chosen what to show of an output (4).
    default_priority = 6
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        marks = list(self.document.findall(claim_mark))
        if not marks:
            return
        checks = self.taken_out()
        for mark in marks:
            names = mark["claims"]
            for name in set(names) - set(checks):
                logger.warning("no cell of this page checks %s", name, location=mark)
            found = [checks.pop(name) for name in names if name in checks]
            if found:
                place(mark, nodes.raw("", self.chip(found), format="html"))
            drop(mark)
        for name in checks:
            logger.warning("%s is checked, but stated nowhere on this page", name)

    def taken_out(self) -> dict[str, Check]:
        """Take the cells of the checks out of the page; what each check displayed."""
        checks: dict[str, Check] = {}
        for cell in list(self.document.findall(nodes.container)):
            if "tag_claim" not in cell["classes"]:
                continue
            for shown in cell.findall(nodes.raw):
                if found := CHECK.search(shown.astext()):
                    check = Check(*(found[part] for part in ("id", *Check._fields[1:])))
                    checks[html.unescape(check.id)] = check
            cell.parent.remove(cell)
        return checks

    def chip(self, checks: list[Check]) -> str:
        """One chip for all claims of a statement."""
        page = relative_uri(f"{self.env.docname}.html", f"{CLAIMS}.html")
        told = "".join(opened(check, page) for check in checks)
        kinds = {check.kind for check in checks}
        kind = next(k for k in ("red", "repaired", "holds", *sorted(kinds)) if k in kinds)
        return (
            f'<details class="dtviz-chip {kind}"><summary>{summary(checks)}</summary>'
            f'<div class="dtviz-chip-body">{told}</div></details>'
        )


def summary(checks: list[Check]) -> str:
    """What stands in the corner."""
    if len(checks) == 1:
        return checks[0].chip
    failed, repaired = (sum(c.kind == kind for c in checks) for kind in ("red", "repaired"))
    if failed:
        return f"✗ {failed} of {len(checks)} claims fail"
    if repaired:
        return f"✓ {len(checks)} claims, {repaired} repaired"
    if {check.kind for check in checks} == {"prose"}:
        return "cited"
    return f"✓ {len(checks)} claims"


def opened(check: Check, page: str) -> str:
    """What a chip shows of one claim, once opened."""
    name, here = html.unescape(check.id), anchor(html.unescape(check.id))
    line = check.line.partition(f"{check.id}: ")[2]
    code = f'<code>dt.check("{check.id}")</code>'
    if place := first_code(claims[name]):
        module, number = place
        address = f"{page.removesuffix('claims.html')}checks/{module}.html#line-{number}"
        code += f' runs <a href="{address}">this code</a>'
    body = re.sub(r"<p><small>The code of the check:.*?</small></p>", "", check.body)
    return (
        f'<section id="{here}"><p class="dtviz-chip-line">'
        f'<a href="{page}#claim-{here}">{check.id}</a> {line}</p>{body}'
        f"<p><small>{code}.</small></p></section>"
    )


def ancestors(node: nodes.Node) -> Iterable[nodes.Element]:
    """The elements around a node, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def place(mark: nodes.Element, chip: nodes.raw) -> None:
    """Put a chip at the end of the box around a mark, else behind its paragraph."""
    around = list(ancestors(mark))
    if box := next((node for node in around if isinstance(node, nodes.Admonition)), None):
        box += chip
        box["classes"] = [*box.get("classes", []), "dtviz-checked"]
        return
    block = next(node for node in around if isinstance(node, BLOCKS))
    block.parent.insert(block.parent.index(block) + 1, chip)


def drop(mark: nodes.Element) -> None:
    """Take a mark away, and its paragraph where nothing else stands in it."""
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
        chapter, here = claims[name].page, anchor(name)
        address = relative_uri(f"{page}.html", f"{there}.html")
        old = f'href="{chapter}/index.html#{here}"'
        context["body"] = context["body"].replace(old, f'href="{address}#{here}"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the role and the transform."""
    app.add_node(claim_mark, html=(pass_by, None), latex=(pass_by, None), text=(pass_by, None))
    app.add_role("claim", ClaimRole())
    app.add_post_transform(Chips)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-check-consistency", report_missing)
    app.connect("html-page-context", lead_home)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
