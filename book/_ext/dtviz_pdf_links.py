"""Links on paper: the number of the page where another page of the site stands, and an index.

A link within a page of the site stays a link. One to another gets "(p. 12)" at its first mention,
and one to what is not printed becomes its words. The glossary's terms are indexed: where the book
defines them (in bold), and at their first mention on each page of the site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from dtviz_pdf_nodes import label_of, wrap, wrapped
from sphinx import addnodes
from sphinx.builders.latex.nodes import math_reference

if TYPE_CHECKING:
    from collections.abc import Container

    from dtviz_glossary import Term
    from sphinx.environment import BuildEnvironment

HEADS = (r"\dtvizhead", r"\dtvizasked")
REFERENCES, GLOSSARY = "book/references", "book/glossary"


def plain_references(document: nodes.document, page: str, env: BuildEnvironment) -> None:
    """Turn every kind of reference within the book into one kind: a link to ``%page#place``."""
    for equation in list(document.findall(math_reference)):
        place = f"equation-{nodes.make_id(equation['target'])}"
        found = (
            env.toc_fignumbers.get(equation["docname"], {}).get("displaymath", {}).get(place, ())
        )
        words = f"({'.'.join(map(str, found))})"
        link = nodes.reference("", words, refuri=f"%{equation['docname']}#{place}", internal=True)
        equation.replace_self(link)
    for number in list(document.findall(addnodes.number_reference)):
        link = nodes.reference("", "", *list(number.children), internal=True)
        link["refuri"] = number.get("refuri") or f"%{page}#{number['refid']}"
        number.replace_self(link)
    for node in document.findall(nodes.reference):
        if node.get("refid") and not node.get("refuri"):
            node["refuri"] = f"%{page}#{node.attributes.pop('refid')}"
        elif node.get("refuri", "").startswith("#"):
            node["refuri"] = f"%{page}{node['refuri']}"


def print_links(document: nodes.document, page: str, printed: Container[str]) -> None:
    """Add page numbers to links that leave a page; take away those to what is not printed."""
    seen: set[str] = set()
    for link in list(document.findall(nodes.reference)):
        uri = link.get("refuri", "")
        if not uri.startswith("%"):
            continue
        there, _, place = uri[1:].partition("#")
        if there not in printed:
            link.replace_self(list(link.children))
        elif there not in (page, REFERENCES, GLOSSARY) and uri not in seen and not in_head(link):
            seen.add(uri)
            command = "dtvizpageafter" if in_brackets(link) else "dtvizpage"
            mark = wrapped(rf"\{command}{{\detokenize{{{label_of(there, place)}}}}}")
            link.parent.insert(link.parent.index(link) + 1, mark)


def in_head(node: nodes.Node) -> bool:
    """Whether a node stands in a heading or a caption, where page numbers disturb."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.title | nodes.caption):
            return True
        if isinstance(node, wrap) and str(node["before"]).startswith(HEADS):
            return True
    return False


def in_brackets(link: nodes.reference) -> bool:
    """Whether the text before a link, in its paragraph, has opened a bracket."""
    before = ""
    for part in link.parent.children[: link.parent.index(link)]:
        before += "" if isinstance(part, wrap | nodes.math) else part.astext()
    return before.count("(") > before.count(")")


# --- the index of terms ---------------------------------------------------------------------------


def term_names(env: BuildEnvironment) -> dict[tuple[str, str], str]:
    """Return the word of each term by the place of its entry."""
    return {
        (place[0], place[1]): name
        for (kind, name), place in env.domaindata["std"]["objects"].items()
        if kind == "term"
    }


def index_terms(document: nodes.document, page: str, env: BuildEnvironment) -> None:
    """Index the terms that a page mentions or defines; their links become words."""
    names = term_names(env)
    # Sphinx's own entries, of the glossary alone.
    for entry in list(document.findall(addnodes.index)):
        entry.parent.remove(entry)
    for link in list(document.findall(nodes.reference)):
        if "dtviz-term" in link["classes"]:
            there, _, place = link["refuri"].lstrip("%").partition("#")
            word = names.get((there, place), "")
            marks = [wrapped(rf"\index{{{word}}}")] if word and not in_head(link) else []
            link.replace_self([*marks, *list(link.children)])
    for item in document.findall(nodes.term):
        for place in item["ids"]:
            if (page, place) in names:
                item.insert(0, wrapped(rf"\index{{{names[page, place]}}}"))
    for term in cast("list[Term]", vars(env).get("dtviz_terms", [])):
        mark = wrapped(rf"\index{{{names[term.page, term.place]}|textbf}}")
        for node in document.findall(nodes.Element):
            if nodes.make_id(term.defined) in node.get("ids", []) and term.defined:
                after_title(node, mark)
                break


def after_title(node: nodes.Element, mark: nodes.Node) -> None:
    """Put a mark into a section or a statement, behind its title."""
    title = next((k for k, part in enumerate(node.children) if isinstance(part, nodes.title)), -1)
    inner = next((part for part in node.children if isinstance(part, nodes.section)), None)
    if isinstance(node, nodes.section) or inner is None:
        node.insert(title + 1, mark)
    else:
        inner.insert(0, mark)
