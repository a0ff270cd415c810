"""The glossary's terms in the text: the first mention on each page is a link to the definition.

A term goes by its spellings in the glossary and their plurals. The role ``{forms}`` in a definition
lists, instead, all the forms that are linked; an empty list, ``{forms}`-` ``, links none. Once a
page has come to the place where the book defines a term, it needs no link any more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from docutils import nodes
from dtviz_reference import inside
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

NOT_ON = re.compile(r"book/(?:index|claims|references|teaching|reference/.*)")

logger = logging.getLogger(__name__)


class Term(NamedTuple):
    """A term: its address, the forms that are linked, the place in the book that defines it."""

    page: str
    place: str
    forms: tuple[str, ...]
    defined: str


class forms_mark(nodes.inline):  # noqa: N801  (as docutils spells its nodes)
    """The forms of a term, which nobody sees."""


class FormsRole(SphinxRole):
    """The forms of a term that are linked, separated by commas."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        forms = [form.strip() for form in self.text.split(",")]
        return [forms_mark("", forms=[form for form in forms if form != "-"])], []


def plural(word: str) -> str:
    """Return the regular plural."""
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(?:s|x|ch|sh)$", word) else f"{word}s"


def terms_of(page: str, document: nodes.document) -> Iterator[Term]:
    """Yield the terms of the glossaries on a page."""
    for item in document.findall(nodes.definition_list_item):
        names = [node for node in item.findall(nodes.term) if node["ids"]]
        marks = list(item.findall(forms_mark))
        links = (x["reftarget"] for x in item.findall(addnodes.pending_xref) if is_place(x))
        if names and isinstance(item.parent.parent, addnodes.glossary):
            spelled = [node.astext() for node in names]
            forms = marks[0]["forms"] if marks else [f for s in spelled for f in (s, plural(s))]
            yield Term(page, names[0]["ids"][0], tuple(forms), next(links, ""))


def is_place(link: addnodes.pending_xref) -> bool:
    """Whether a link leads to a place of the text: a statement, a section, an equation."""
    return link["reftype"] in {"ref", "eq", "numref"} and link["refdomain"] in {
        "prf",
        "std",
        "math",
    }


def collect(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Read the glossary; where it changed, all pages are written again."""
    pages = {env.domaindata["std"]["objects"][key][0] for key in term_keys(env)}
    found = [term for page in sorted(pages) for term in terms_of(page, env.get_doctree(page))]
    forms = [form for term in found for form in term.forms]
    for form in sorted({form for form in forms if forms.count(form) > 1}):
        logger.warning("two terms of the glossary go by the form %r", form)
    for term in found:
        if not term.defined:
            logger.warning("term %s names no place in the book", term.place)
    if getattr(env, "dtviz_terms", None) == found:
        return []
    env.dtviz_terms = found  # type: ignore[attr-defined]
    return sorted(env.found_docs)


def term_keys(env: BuildEnvironment) -> list[tuple[str, str]]:
    """Return the terms that Sphinx knows."""
    return [key for key in env.domaindata["std"]["objects"] if key[0] == "term"]


def pattern(forms: list[str]) -> re.Pattern[str]:
    """Match any of the forms as whole words: the longest, begun by a capital letter or not."""

    def either(form: str) -> str:
        first = f"[{form[0]}{form[0].upper()}]" if form[0].islower() else re.escape(form[0])
        return first + re.escape(form[1:]).replace(r"\ ", r"\s+")

    words = "|".join(either(form) for form in sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")


class FirstTerms(SphinxPostTransform):
    """Link the first mention of each term in the prose of a page."""

    default_priority = 8  # after what is cited, and the functions, have become links
    NOT_IN: ClassVar = (
        nodes.title, nodes.reference, addnodes.pending_xref, nodes.rubric, nodes.literal,
        nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.term, nodes.citation,
        nodes.caption, addnodes.desc, addnodes.glossary,
    )  # fmt: skip

    def run(self, **kwargs: Any) -> None:
        terms = cast("list[Term]", getattr(self.env, "dtviz_terms", []))
        if not terms or NOT_ON.fullmatch(self.env.docname):
            return
        of_form = {form.lower(): term for term in terms for form in term.forms}
        words = pattern([form for term in terms for form in term.forms])
        of_place: dict[str, list[Term]] = {nodes.make_id(term.defined): [] for term in terms}
        for term in terms:
            of_place[nodes.make_id(term.defined)].append(term)
        seen: set[Term] = set()
        for node in list(self.document.findall()):
            if isinstance(node, nodes.Element):
                for place in cast("list[str]", node.get("ids", [])):
                    seen.update(of_place.get(nodes.make_id(place), []))
            elif isinstance(node, nodes.Text) and not inside(node, self.NOT_IN):
                self.link(node, words, of_form, seen)

    def link(
        self, node: nodes.Text, words: re.Pattern[str], of_form: dict[str, Term], seen: set[Term]
    ) -> None:
        """Replace a text by its parts, some of which are links."""
        text, start, parts = node.astext(), 0, []
        for found in words.finditer(text):
            term = of_form[re.sub(r"\s+", " ", found[0]).lower()]
            if term in seen:
                continue
            seen.add(term)
            link = make_refnode(
                self.app.builder, self.env.docname, term.page, term.place, nodes.Text(found[0])
            )
            link["classes"].append("dtviz-term")
            parts += [nodes.Text(text[start : found.start()]), link]
            start = found.end()
        if parts:
            # By place: docutils takes texts that read alike for the same.
            place = next(k for k, child in enumerate(node.parent) if child is node)
            node.parent[place : place + 1] = [*parts, nodes.Text(text[start:])]


def skip(translator: Any, node: nodes.Element) -> None:
    """Show nothing."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the role and the links."""
    app.add_node(forms_mark, html=(skip, None), text=(skip, None))
    app.add_role("forms", FormsRole())
    app.add_post_transform(FirstTerms)
    app.connect("env-updated", collect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
