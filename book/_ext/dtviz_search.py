"""The book's own search: one script with all that can be found, which also works from disk.

Sphinx's search leads to pages, and asks a server for the text it quotes. Here every section,
statement, exercise, glossary term, function, source and claim is a row of an index with its own
address and its text, without code, outputs and solutions; `book/search-words.yml` adds what readers
call a thing that its page calls otherwise. `book/_static/search.js` loads the index when a reader
begins to search, and says how it is ranked.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import yaml
from docutils import nodes
from dtviz_claims import anchor, claims
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx_exercise.nodes import (  # type: ignore[import-untyped]
    exercise_enumerable_node,
    exercise_node,
    exercise_subtitle,
    exercise_title,
    solution_node,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
    from sphinx.environment import BuildEnvironment

INDEX = "dtviz-search-index.js"
CLAIMS = "book/claims"
WORDS_OF_READERS = Path(__file__).parents[1] / "search-words.yml"
# Sphinx's own search, and its marks on the page arrived at.
REPLACED = ("searchtools.js", "language_data.js", "sphinx_highlight.js")
NOT_TEXT = (
    nodes.comment,
    nodes.image,
    nodes.literal_block,
    nodes.raw,
    nodes.doctest_block,
    addnodes.index,
    addnodes.desc_signature,
    addnodes.toctree,
    solution_node,
)
CODE = {"cell_input", "cell_output", "toctree-wrapper"}
EXERCISES = (exercise_node, exercise_enumerable_node)


class Row(NamedTuple):
    """What can be found: its kind, what it is called on the page, its title, address and text."""

    kind: str
    label: str
    title: str
    anchor: str
    text: list[str]
    names: list[str]
    """Other words for it: those that a definition defines, other names of a function."""


# -- formulas as text ------------------------------------------------------------------------------

SIGNS = dict(
    re.findall(
        r"(\w+)=(\S)",
        "le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ in=∈ notin=∉ cdot=· times=× to=→ infty=∞ sum=∑ prod=∏"
        " sqrt=√ ldots=… dots=… cdots=… wedge=∧ land=∧ vee=∨ lor=∨ neg=¬ oplus=⊕ cup=∪ cap=∩"
        " subseteq=⊆ pm=± approx=≈ mid=| ell=ℓ alpha=α beta=β gamma=γ delta=δ varepsilon=ε"
        " epsilon=ε lambda=λ mu=μ sigma=σ tau=τ pi=π phi=φ varphi=φ theta=θ rho=ρ omega=ω Delta=Δ"
        " Omega=Ω Theta=Θ Sigma=Σ circ=° lVert=‖ rVert=‖ Vert=‖ lvert=| rvert=| lceil=⌈ rceil=⌉"
        " lfloor=⌊ rfloor=⌋ setminus=∖ mapsto=↦ gets=←",
    )
)
# What says how a formula looks, not what it says.
MANNER = re.compile(
    r"\\(?:begin|end)\{[a-z*]+\}(?:\{[clr|]*\})?|\\label\{[^}]*\}"
    r"|\\(?:math\w+|text\w*|operatorname\*?|left|right|[bB]igg?[lr]?|bar|hat|tilde|qq?uad)"
    r"(?![A-Za-z])\s*|\\[\\,;:! ]|~|&"
)
WORDS = re.compile(r"\\(?:math\w+|text\w*|operatorname\*?)\s*\{([^{}]*)\}")
RELATION = re.compile(r"\s*([≤≥≠∈∉⊆→≈←↦])\s*")
SCRIPT = re.compile(r"([_^])\{([^{}]*)\}")
HALF = re.compile(r"\\[dt]?frac\s*(\w)\s*(\w)")
FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
COMMAND = re.compile(r"\\(?![dt]?frac)([A-Za-z]+)\s*")


def readable(tex: str) -> str:
    """Return a formula as one would type it in a line."""
    text = MANNER.sub(" ", WORDS.sub(r"\1", tex))
    text = COMMAND.sub(lambda found: SIGNS.get(found[1], f"{found[1]} "), text)
    for _ in range(3):
        text = HALF.sub(r"\1/\2", FRACTION.sub(r"(\1)/(\2)", SCRIPT.sub(r"\1\2", text)))
    text = re.sub(r"\((\w+)\)/", r"\1/", re.sub(r"/\((\w+)\)", r"/\1", text))
    text = RELATION.sub(r" \1 ", text)
    return " ".join(re.sub(r"\\[dt]?frac|[{}\\$]", "", text).split())


def plain(node: nodes.Node) -> str:
    """Return the text of a node, its formulas readable, without code and outputs."""
    return " ".join("".join(_pieces(node)).split())


def _pieces(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, nodes.math | nodes.math_block):
        yield readable(node.astext())
        yield " " if isinstance(node, nodes.math_block) else ""
    elif isinstance(node, nodes.Element) and not _is_skipped(node):
        for child in node.children:
            yield from _pieces(child)
        if not isinstance(node, nodes.Inline):
            yield " "


def _is_skipped(node: nodes.Element) -> bool:
    return isinstance(node, NOT_TEXT) or bool(CODE & set(node.get("classes", ())))


# -- the rows of a page ----------------------------------------------------------------------------


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
        if "realtype" in node:
            return self._statement(node, place)
        if isinstance(node, EXERCISES):
            title = " ".join(plain(part) for part in node.findall(exercise_subtitle))
            label = self._numbered("Exercise", "exercise", place)
            return Row("exercise", label, title or label, place, _text(node), [])
        if isinstance(node, nodes.citation):
            label, *text = (plain(child) for child in node.children)
            authors = " ".join(text)[:80]
            return Row("source", "Source", label.strip("[]"), place, text, [authors])
        return None

    def _statement(self, node: nodes.Element, place: str) -> Row:
        kind = str(node["realtype"])
        label = self._numbered(kind.capitalize(), str(node["countertype"]), place)
        title = plain(node.children[0]).removeprefix("(").removesuffix(")")
        defined = [plain(word) for word in node.findall(nodes.emphasis)]
        return Row(
            kind, label, title or label, place, _text(node), defined if kind == "definition" else []
        )

    def _numbered(self, name: str, counter: str, place: str) -> str:
        number = self._figures.get(counter, {}).get(place, ())
        return f"{name} {'.'.join(map(str, number))}".strip()

    def _described(self, node: nodes.Element) -> None:
        """Add a row for a function, class, method or constant, and those for its parts."""
        signature = next(iter(node.findall(addnodes.desc_signature)), None)
        row = None
        if signature is not None and signature["ids"]:
            full, *others = map(str, signature["ids"])
            kind = str(node["objtype"])
            label = {"data": "constant"}.get(kind, kind).capitalize()
            kind = kind if kind in {"attribute", "property"} else "function"
            row = Row(kind, label, full, full, [], others)
            self.rows.append(row)
        self._inside(node.children, row)

    def _term(self, item: nodes.definition_list_item) -> None:
        """Add a row for a term of the glossary; what means the same is another name of it."""
        first, *others = item.findall(nodes.term)
        text = [plain(part) for part in item.children if not isinstance(part, nodes.term)]
        names = [plain(other) for other in others]
        self.rows.append(Row("term", "Glossary", plain(first), str(first["ids"][0]), text, names))


def _text(node: nodes.Element) -> list[str]:
    """Return the text of a box without its title."""
    titles = (nodes.title, exercise_title)
    return [plain(child) for child in node.children if not isinstance(child, titles)]


def rows_of(env: BuildEnvironment, page: str, doctree: nodes.document) -> list[Row]:
    """Return what can be found on a page."""
    collector = Collector(env, page)
    for child in doctree.children:
        collector.walk(child, collector.rows[0] if collector.rows else None)
    return collector.rows


# -- the index -------------------------------------------------------------------------------------


def _store(app: Sphinx) -> Path:
    return Path(app.outdir).parent / "search"


def _collect(
    app: Sphinx, page: str, _: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep the rows of a page as it is written, for builds that write others only."""
    files = context.get("script_files", [])
    context["script_files"] = [
        file for file in files if not str(getattr(file, "filename", file)).endswith(REPLACED)
    ]
    if doctree is not None:
        path = _store(app) / f"{page}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rows_of(app.env, page, doctree)), "utf-8")


def _stored(app: Sphinx, page: str) -> list[Row]:
    """Return the rows kept of a page; a page nobody kept is read again."""
    path = _store(app) / f"{page}.json"
    if not path.exists():
        return rows_of(app.env, page, app.env.get_and_resolve_doctree(page, app.builder))
    return [Row(*row) for row in json.loads(path.read_text("utf-8"))]


def places(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return the titles above each page of the book, from the outermost: part, chapter."""
    found: dict[str, list[str]] = {}

    def descend(page: str, above: list[str]) -> None:
        for toctree in env.get_doctree(page).findall(addnodes.toctree):
            caption = toctree.get("caption")
            part = [caption] if caption and not toctree.get("numbered") else []
            for _, child in toctree["entries"]:
                if child in env.titles and child not in found:
                    found[child] = [*above, *part]
                    descend(child, [*found[child], numbered_title(env, child)])

    found[env.config.root_doc] = []
    descend(env.config.root_doc, [])
    return found


def numbered_title(env: BuildEnvironment, page: str) -> str:
    """Return the title of a page as the contents show it."""
    number = env.toc_secnumbers.get(page, {}).get("", ())
    title = plain(env.titles[page])
    return f"{'.'.join(map(str, number))}. {title}" if number else title


def _claim_rows() -> Iterator[Row]:
    for claim in claims().values():
        text = re.sub(r"\$([^$]+)\$", lambda found: readable(found[1]), claim["statement"])
        yield Row("claim", "Claim", claim["id"], f"claim-{anchor(claim['id'])}", [text], [])


def add_words(rows: Mapping[str, list[Row]], words: Mapping[str, list[str]]) -> None:
    """Give the rows at these places (``page`` or ``page#anchor``) further names.

    Raises
    ------
    ExtensionError
        When nothing is at a place.

    """
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
    env = app.env
    above = dict(sorted(places(env).items()))
    found = {page: _stored(app, page) for page in above}
    add_words(found, yaml.safe_load(WORDS_OF_READERS.read_text("utf-8")))
    found[CLAIMS] += _claim_rows()
    pages = [[f"{page}.html", numbered_title(env, page), above[page]] for page in above]
    rows = [
        [number, *row[:4], " ".join(" ".join(row.text).split()), row.names]
        for number, page in enumerate(above)
        for row in found[page]
    ]
    index = json.dumps({"pages": pages, "rows": rows}, ensure_ascii=False, separators=(",", ":"))
    static = Path(app.outdir) / "_static"
    # A script ends a line at these two signs, which JSON takes for text.
    index = index.replace("\u2028", " ").replace("\u2029", " ")
    (static / INDEX).write_text(f"globalThis.dtvizSearchIndex={index};\n", "utf-8")
    for name in (*(static / name for name in REPLACED), Path(app.outdir) / "searchindex.js"):
        name.unlink(missing_ok=True)


def _leave_out_sphinx(app: Sphinx) -> None:
    """Make no index of Sphinx's."""
    if app.builder.format == "html":
        cast("StandaloneHTMLBuilder", app.builder).search = False


def _search_page(_: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    yield "search", {"title": "Search"}, "search.html"


def setup(app: Sphinx) -> dict[str, bool]:
    """Put our search in the place of Sphinx's; collect again when this file changes."""
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    app.add_config_value("dtviz_search", own, "html")
    app.connect("builder-inited", _leave_out_sphinx)
    app.connect("html-collect-pages", _search_page)
    # After those that load scripts of their own: what they add would be lost.
    app.connect("html-page-context", _collect, priority=600)
    app.connect("build-finished", _write_index)
    app.add_js_file("search.js", loading_method="defer")
    app.add_css_file("search.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
