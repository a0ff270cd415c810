"""The book's own search: one script with all that can be found, which also works from disk.

Sphinx's search leads to pages, and asks a server for the text it quotes. Here every section,
statement, exercise, glossary term, function, source and claim is a row of an index with its own
address and its text, without code, outputs and solutions. `book/search-words.yml` adds the words of
readers; `book/_static/search.js` loads the index and MiniSearch, and says how rows are ranked.
"""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize
from xml.etree import ElementTree as ET

import yaml
from docutils import nodes
from dtviz_claims import anchor, claims
from dtviz_math import displayed, markup
from dtviz_npm import PACKAGES, has
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx_exercise import nodes as exercise  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

INDEX = "dtviz-search-index.js"
MINISEARCH = PACKAGES / "minisearch"
CLAIMS = "book/claims"
WORDS_OF_READERS = Path(__file__).parents[1] / "search-words.yml"
# Sphinx's own search, and its marks on the page arrived at.
REPLACED = ("searchtools.js", "language_data.js", "sphinx_highlight.js")
NOT_TEXT = {"comment", "raw", "literal_block", "doctest_block", "desc_signature", "solution_node"}
EXERCISES = (exercise.exercise_node, exercise.exercise_enumerable_node)

logger = logging.getLogger(__name__)


class Row(NamedTuple):
    """What can be found: its kind, label on the page, title, address, text, and other names."""

    kind: str
    label: str
    title: str
    anchor: str
    text: list[str]
    names: list[str]


SCRIPTS = {"msub": "_", "munder": "_", "msup": "^", "msubsup": "_^", "munderover": "_^"}
SPACED = set("=<>≤≥≠≈∈∉⊆⊂→←↦⇒⇔+−·∧∨⊕")
UNSEEN = str.maketrans({"⁄": "/", "\u2061": "", "ˆ": "", "‾": "", "~": ""})


def readable(tex: str) -> str:
    """Return a formula as one would type it in a line."""
    mathml = ET.fromstring(markup(displayed(tex), display=False, location=None))  # noqa: S314
    return " ".join(normalize("NFKC", _line(mathml).translate(UNSEEN)).split())


def _line(node: ET.Element) -> str:
    """Return what MathML shows, in a line: fractions with a slash, scripts after their signs."""
    tag, own = node.tag, node.text or ""
    parts = [_line(part) for part in node]
    groups = [re.sub(r"^(?!\w+$)(.*)$", r"(\1)", part.strip()) for part in parts]
    if tag == "mfrac":
        return ("/" if node.get("linethickness") is None else " over ").join(groups)
    if tag in SCRIPTS and parts[0]:
        return parts[0] + "".join(map("".join, zip(SCRIPTS[tag], groups[1:], strict=True)))
    if tag == "msqrt":
        return "√" + "".join(groups)
    spaced = tag in {"mspace", "mtr"} or own in SPACED
    return f" {own}{''.join(parts)} " if spaced else own + "".join(parts)


def plain(node: nodes.Node) -> str:
    """Return the text of a node, its formulas readable, without code and outputs."""
    return " ".join("".join(_pieces(node)).split())


def _pieces(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, nodes.math | nodes.math_block):
        yield readable(node.astext()) + " " * isinstance(node, nodes.math_block)
    elif isinstance(node, nodes.Element) and not _is_skipped(node):
        for child in node.children:
            yield from _pieces(child)
        if not isinstance(node, nodes.Inline):
            yield " "


def _is_skipped(node: nodes.Element) -> bool:
    cells = {"cell_input", "cell_output", "toctree-wrapper"}
    return node.tagname in NOT_TEXT or not cells.isdisjoint(node.get("classes", ()))


class Collector:
    """Collects the rows of a page, in its order; text belongs to the innermost of them."""

    def __init__(self, env: BuildEnvironment, page: str) -> None:
        self.rows: list[Row] = []
        self._figures = env.toc_fignumbers.get(page, {})

    def walk(self, node: nodes.Node, row: Row | None) -> None:
        """Collect what stands in ``node``, which is part of ``row``."""
        if not isinstance(node, nodes.Element) or _is_skipped(node):
            return
        if new := self._row(node, first=row is None):
            self.rows.append(new)
            if new.kind in {"page", "section"}:
                self._inside(node.children[1:], new)
        elif isinstance(node, addnodes.desc) and node.get("domain") == "py":
            self._described(node)
        elif isinstance(node, addnodes.glossary):
            for item in node.findall(nodes.definition_list_item):
                self._term(item)
        elif not isinstance(node, nodes.TextElement):
            self._inside(node.children, row)
        elif row is not None and (text := plain(node)):
            row.text.append(text)

    def _inside(self, children: Iterable[nodes.Node], row: Row | None) -> None:
        for child in children:
            self.walk(child, row)

    def _row(self, node: nodes.Element, *, first: bool) -> Row | None:
        """Return the row that a node begins, if it begins one."""
        if not node.get("ids"):
            return None
        place = str(node["ids"][0])
        if isinstance(node, nodes.section) and isinstance(node.children[0], nodes.title):
            title = plain(node.children[0])
            return Row("page" if first else "section", "", title, "" if first else place, [], [])
        if "realtype" in node or isinstance(node, EXERCISES):
            kind = str(node.get("realtype", "exercise"))
            numbers = self._figures.get(str(node.get("countertype", kind)), {}).get(place, ())
            label = f"{kind.capitalize()} {'.'.join(map(str, numbers))}".strip()
            subtitles = list(node.findall(exercise.exercise_subtitle))
            called = subtitles if kind == "exercise" else node.children[:1]
            title = " ".join(map(plain, called)).removeprefix("(").removesuffix(")") or label
            words = node.findall(nodes.emphasis) if kind == "definition" else ()
            return Row(kind, label, title, place, _text(node), [*map(plain, words)])
        if isinstance(node, nodes.citation):
            label, *text = map(plain, node.children)
            return Row("source", "Source", label.strip("[]"), place, text, [" ".join(text)[:80]])
        return None

    def _described(self, node: nodes.Element) -> None:
        """Add a row for a function, class, method or constant, and those for its parts."""
        row = None
        signature = node.next_node(addnodes.desc_signature)
        if signature is not None and signature["ids"]:
            full, *others = map(str, signature["ids"])
            kind = str(node["objtype"])
            label = "Constant" if kind == "data" else kind.capitalize()
            kind = kind if kind in {"attribute", "property"} else "function"
            row = Row(kind, label, full, full, [], others)
            self.rows.append(row)
        self._inside(node.children, row)

    def _term(self, item: nodes.definition_list_item) -> None:
        """Add a row for a term of the glossary; what means the same is another name of it."""
        first, *others = item.findall(nodes.term)
        place = str(first["ids"][0])
        names = [*map(plain, others)]
        self.rows.append(Row("term", "Glossary", plain(first), place, _text(item), names))


def _text(node: nodes.Element) -> list[str]:
    """Return the text of a box without its title."""
    titles = (nodes.title, nodes.term, exercise.exercise_title)
    return [plain(child) for child in node.children if not isinstance(child, titles)]


def rows_of(env: BuildEnvironment, page: str, doctree: nodes.document) -> list[Row]:
    """Return what can be found on a page."""
    collector = Collector(env, page)
    for child in doctree.children:
        collector.walk(child, collector.rows[0] if collector.rows else None)
    return [*collector.rows, *(_claim_rows() if page == CLAIMS else ())]


def _collect(
    app: Sphinx, page: str, _: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep the rows of a page as it is written, and leave out the scripts of Sphinx's search."""
    files = context.get("script_files", [])
    context["script_files"] = [
        file for file in files if not str(getattr(file, "filename", file)).endswith(REPLACED)
    ]
    if doctree is not None:
        path = Path(app.doctreedir, "search", f"{page}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rows_of(app.env, page, doctree)), "utf-8")


def _kept(app: Sphinx, page: str) -> list[Row]:
    """Return the rows kept of a page; a page nobody kept is read again."""
    path = Path(app.doctreedir, "search", f"{page}.json")
    if not path.exists():
        return rows_of(app.env, page, app.env.get_and_resolve_doctree(page, app.builder))
    return [Row(*row) for row in json.loads(path.read_text("utf-8"))]


def places(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return the titles above each page of the book, from the outermost: part, chapter."""
    contents = yaml.safe_load((Path(env.srcdir) / "_toc.yml").read_text("utf-8"))
    found: dict[str, list[str]] = {contents["root"]: []}
    for part in contents["parts"]:
        above = [] if part.get("numbered") else [part["caption"]]
        for chapter in part["chapters"]:
            found[chapter["file"]] = above
            inside = [*above, numbered_title(env, chapter["file"])]
            found |= {page["file"]: inside for page in chapter.get("sections", ())}
    return dict(sorted(found.items()))


def numbered_title(env: BuildEnvironment, page: str) -> str:
    """Return the title of a page as the contents show it."""
    number = env.toc_secnumbers.get(page, {}).get("", ())
    title = plain(env.titles[page])
    return f"{'.'.join(map(str, number))}. {title}" if number else title


def _claim_rows() -> Iterator[Row]:
    for claim in claims().values():
        name, statement = claim["id"], claim["statement"]
        text = re.sub(r"\$([^$]+)\$", lambda found: readable(found[1]), statement)
        yield Row("claim", "Claim", name, f"claim-{anchor(name)}", [text], [])


def add_words(rows: Mapping[str, list[Row]], words: Mapping[str, list[str]]) -> None:
    """Give the rows at these places (``page`` or ``page#anchor``) further names."""
    for place, names in words.items():
        page, _, anchor = place.partition("#")
        row = next((row for row in rows.get(page, ()) if row.anchor == anchor), None)
        if row is None:
            raise ExtensionError(f"{WORDS_OF_READERS.name}: nothing is at {place}")
        row.names.extend(names)


def _write_index(app: Sphinx, error: Exception | None) -> None:
    """Write the index as a script: a page opened from disk may load that, and nothing else."""
    if error is not None or app.builder.format != "html":
        return
    words = yaml.safe_load(WORDS_OF_READERS.read_text("utf-8"))
    above = places(app.env)
    found = {page: _kept(app, page) for page in above}
    add_words(found, words.pop("places"))
    pages = [[f"{page}.html", numbered_title(app.env, page), above[page]] for page in above]
    rows = [
        [number, *row[:4], "\n".join(row.text), row.names]
        for number, page in enumerate(above)
        for row in found[page]
    ]
    index = {"pages": pages, "rows": rows, **words}
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    static = Path(app.outdir) / "_static"
    (static / INDEX).write_text(f"globalThis.dtvizSearchIndex={text};\n", "utf-8")
    if has("minisearch"):
        shutil.copyfile(MINISEARCH / "dist" / "umd" / "index.js", static / "minisearch.js")
        shutil.copyfile(MINISEARCH / "LICENSE.txt", static / "minisearch-LICENSE.txt")
    else:
        logger.warning("pages cannot be searched: npm brought no MiniSearch")
    for name in (*(static / name for name in REPLACED), Path(app.outdir) / "searchindex.js"):
        name.unlink(missing_ok=True)


def _leave_out_sphinx(app: Sphinx) -> None:
    app.builder.search = False  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, bool]:
    """Put our search in the place of Sphinx's; collect again when this file changes."""
    app.add_config_value("dtviz_search", sha256(Path(__file__).read_bytes()).hexdigest(), "html")
    app.connect("builder-inited", _leave_out_sphinx)
    app.connect("html-collect-pages", lambda _: [("search", {"title": "Search"}, "search.html")])
    # After those that load scripts of their own: what they add would be lost.
    app.connect("html-page-context", _collect, priority=600)
    app.connect("build-finished", _write_index)
    app.add_js_file("search.js", loading_method="defer")
    app.add_css_file("search.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
