"""Sources: where a statement stands in its source, and the labels of the works cited.

The role ``{source}`Key Lemma 5.1` `` inside a statement becomes a line below its title; elsewhere
it stands where it is. Only there the numbers of other texts appear: in prose all are the book's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from pybtex.plugin import register_plugin  # type: ignore[import-untyped]
from pybtex.style.formatting.unsrt import Style  # type: ignore[import-untyped]
from pybtex.style.labels import BaseLabelStyle  # type: ignore[import-untyped]
from pybtex.style.template import field, sentence  # type: ignore[import-untyped]
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode
from sphinxcontrib.bibtex.citation_target import CitationTarget
from sphinxcontrib.bibtex.plugin import register_plugin as register_bibtex_plugin
from sphinxcontrib.bibtex.roles import CitationRef
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pybtex.database import Entry  # type: ignore[import-untyped]
    from sphinx.application import Sphinx
    from sphinxcontrib.bibtex.domain import BibtexDomain, Citation

MOST_NAMES = 3
"""A source with more authors goes by the first."""

logger = logging.getLogger(__name__)


class source_mark(nodes.inline):  # noqa: N801  (as docutils spells its nodes)
    """Where something stands in a source, until the works cited are known."""


class SourceRole(SphinxRole):
    """A key of the references, and mostly a place in that work."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        key, _, place = self.text.partition(" ")
        works = cast("BibtexDomain", self.env.get_domain("cite"))
        mark = source_mark("", key=key, place=place.strip(), classes=["dtviz-source"])
        self.set_source_info(mark)
        target = CitationTarget(key=key, pre="", post="")
        name = f"source-{self.env.docname}-{self.env.new_serialno('source')}"
        works.citation_refs.append(CitationRef(name, self.env.docname, self.lineno, [target]))
        return [mark], []


def last_names(entry: Entry) -> list[str]:
    """Return the last names of a work's authors."""
    persons = entry.persons.get("author", [])
    return [
        " ".join(str(part) for part in [*p.rich_prelast_names, *p.rich_last_names]) for p in persons
    ]


def short(entry: Entry) -> str:
    """Name a work by all its authors, if they are few, and its year."""
    names = last_names(entry)
    who = ", ".join(names) if len(names) <= MOST_NAMES else f"{names[0]} et al."
    year = entry.fields.get("year")
    return f"{who} ({year})" if year else who


class Sources(SphinxPostTransform):
    """Turn each mark into a link, and put those of a statement below its title."""

    default_priority = 6

    def run(self, **kwargs: Any) -> None:
        works = cast("BibtexDomain", self.env.get_domain("cite"))
        known = {work.key: work for work in works.citations}
        for mark in list(self.document.findall(source_mark)):
            work = known.get(mark["key"])
            if work is None:
                logger.warning("source %s is not in the references", mark["key"], location=mark)
                continue
            content = statement(mark)
            place = nodes.inline(classes=["dtviz-source"])
            place += self.link(work)
            if mark["place"]:
                place += nodes.Text(f"{',' if content is None else ':'} {mark['place']}")
            if content is None:
                mark.replace_self(place)
            else:
                remove(mark)
                line = nodes.paragraph("", "", *place.children, classes=["dtviz-source"])
                content.insert(n_sources(content), line)

    def link(self, work: Citation) -> nodes.reference:
        """Link the short name of a work to its entry."""
        return make_refnode(
            self.app.builder, self.env.docname, work.bibliography_key.docname,
            work.citation_id, nodes.Text(short(work.entry)),
        )  # fmt: skip


def statement(node: nodes.Node) -> nodes.Element | None:
    """Return the content of the statement in which a node stands, if it stands in one."""
    while node.parent is not None:
        box = node.parent.parent
        if isinstance(node.parent, nodes.section) and box is not None and box.get("realtype"):
            return node.parent
        node = node.parent
    return None


def n_sources(content: nodes.Element) -> int:
    """Return how many lines of sources stand in a statement already."""
    lines = (child for child in content if isinstance(child, nodes.paragraph))
    return sum("dtviz-source" in line["classes"] for line in lines)


def remove(mark: nodes.Element) -> None:
    """Take a mark out of its paragraph, and an empty paragraph out of the text."""
    paragraph = mark.parent
    paragraph.remove(mark)
    left = any(isinstance(child, nodes.Element) for child in paragraph)
    if not left and not paragraph.astext().strip():
        paragraph.parent.remove(paragraph)
    elif paragraph.children and isinstance(paragraph[0], nodes.Text):
        paragraph[0] = nodes.Text(paragraph[0].lstrip())


class AuthorYearLabels(BaseLabelStyle):  # type: ignore[misc]
    """The label of a work reads as its citation in the text does."""

    def format_labels(self, sorted_entries: Iterable[Entry]) -> Iterable[str]:
        """Yield a label for each entry."""
        for entry in sorted_entries:
            names = last_names(entry)
            who = " and ".join(names) if len(names) < MOST_NAMES else f"{names[0]} et al."
            # From here on the list and the citations have the letter, too.
            if letter := entry.fields.pop("extrayear", ""):
                entry.fields["year"] += letter
            year = entry.fields.get("year", "undated")
            yield f"{who} ({year})"


class BookStyle(Style):  # type: ignore[misc]
    """The list: sorted by authors and year; titles keep the capitals that they have."""

    default_label_style = "dtviz"
    default_sorting_style = "author_year_title"

    def format_title(
        self,
        e: Entry,
        which_field: str,
        as_sentence: bool = True,  # noqa: FBT001, FBT002  (the parent's)
    ) -> Any:
        """Return a title as it is stored."""
        title = field(which_field)
        return sentence[title] if as_sentence else title


class BookReferences(AuthorYearReferenceStyle):
    """Citations in the text: Blanc et al. (2020), or in brackets (Blanc et al., 2020)."""

    def __init__(self) -> None:
        round_brackets = BracketStyle(left="(", right=")")
        super().__init__(bracket_textual=round_brackets, bracket_parenthetical=round_brackets)


register_plugin("pybtex.style.labels", "dtviz", AuthorYearLabels)
register_plugin("pybtex.style.formatting", "dtviz", BookStyle)
register_bibtex_plugin("sphinxcontrib.bibtex.style.referencing", "dtviz", BookReferences)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the role and what becomes of it."""
    app.add_node(source_mark)
    app.add_role("source", SourceRole())
    app.add_post_transform(Sources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
