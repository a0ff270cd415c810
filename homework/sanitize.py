"""What a student wrote, made inert: it can be read, and do nothing.

Two lists say what is kept; all else goes, or is shown as text. `reduce` cuts a notebook down: kinds
of output, metadata, attachments. `markdown` and `clean` make HTML of a few elements, with no
script, no style, no form, no name that a page's own script looks for, and no address that is asked
by itself. `Inert` is the last step of grading, so that what lies in ``autograded/`` is inert
whatever opens it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import nbformat
from bleach.css_sanitizer import CSSSanitizer  # type: ignore[import-untyped]
from bleach.html5lib_shim import Filter  # type: ignore[import-untyped]
from bleach.sanitizer import Cleaner  # type: ignore[import-untyped]
from jinja2 import pass_context
from mistune.plugins import import_plugin
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor  # type: ignore[import-untyped]
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

PICTURES = ("image/png", "image/jpeg")
"""Kinds of output, beside plain text, that hold no script and no reference."""

RENDERED = 20_000
"""Characters of a text up to which it is rendered, some ten times what a question asks for."""

RENDERED_IN_ALL = 100_000
"""Characters of a page's texts that are rendered."""

LONGEST = 100_000
"""Characters of a text that are shown at all."""

_BASE64 = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*")
_METADATA = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}


def reduce(notebook: NotebookNode) -> NotebookNode:
    """Cut a notebook down, in place, to what a page may show.

    Pictures and text stay of the outputs, pictures of the attachments, nbgrader's own of the
    metadata, which `homework.restore` took from the release. Sources stay as they are.
    """
    notebook["metadata"] = nbformat.from_dict(_METADATA)
    for cell in notebook["cells"]:
        kept = {"deletable", "editable", "nbgrader"} & cell["metadata"].keys()
        cell["metadata"] = NotebookNode({name: cell["metadata"][name] for name in sorted(kept)})
        if "attachments" in cell:
            cell["attachments"] = NotebookNode(_attachments(cell["attachments"]))
        if cell["cell_type"] == "code":
            count = cell.get("execution_count")
            cell["execution_count"] = count if isinstance(count, int) else None
            cell["outputs"] = list(_outputs(cell["outputs"]))
    return notebook


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _attachments(raw: Any) -> dict[str, NotebookNode]:
    pictures = {str(name): _pictures(bundle) for name, bundle in _mapping(raw).items()}
    return {name: NotebookNode(kept) for name, kept in pictures.items() if kept}


def _pictures(bundle: Any) -> dict[str, str]:
    return {
        kind: data
        for kind in PICTURES
        if isinstance(data := _mapping(bundle).get(kind), str) and _BASE64.fullmatch(data)
    }


def _outputs(outputs: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            name = "stderr" if output["name"] == "stderr" else "stdout"
            yield NotebookNode(output_type=kind, name=name, text=str(output["text"]))
        elif kind == "error":
            raw = {name: str(output[name]) for name in ("ename", "evalue")}
            trace = [str(line) for line in output["traceback"]]
            yield NotebookNode(output_type=kind, traceback=trace, **raw)
        elif kind in ("display_data", "execute_result"):
            data = _pictures(output["data"])
            text = output["data"].get("text/plain")
            if isinstance(text, str):
                data["text/plain"] = text
            # Of its metadata, a width is in the page without quotation marks.
            shown = NotebookNode(output_type=kind, data=NotebookNode(data), metadata=NotebookNode())
            if kind == "execute_result":
                count = output.get("execution_count")
                shown["execution_count"] = count if isinstance(count, int) else None
            if data:
                yield shown


_BARE = {
    *("b", "br", "code", "del", "em", "hr", "i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "s"),
    *("strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul"),
}
_ELEMENT = re.compile(
    rf"<(?!/?(?:{'|'.join(_BARE)})\s*/?>|https?://[^\s<>]*>)(?=[a-z/!?])", re.IGNORECASE
)


def disarm(source: str) -> str:
    """Leave no element in a Markdown text but bare ones: after its ``<`` comes an invisible sign.

    To the eye the text is the same, in code and in formulas too, whichever program shows it.
    """
    return _ELEMENT.sub("<\N{WORD JOINER}", source)


class Inert(NbGraderPreprocessor):  # type: ignore[misc]
    """The last step of grading: what is stored is inert."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook cut down, with no element in what a student wrote."""
        for cell in reduce(nb)["cells"]:
            if cell["cell_type"] == "raw":
                # A page shows it as HTML.
                cell["cell_type"] = "markdown"
            if cell["cell_type"] == "markdown" and _theirs(cell):
                cell["source"] = disarm(cell["source"])
        return nb, resources


def _theirs(cell: NotebookNode) -> bool:
    """Whether a student wrote it."""
    return bool(cell["metadata"].get("nbgrader", {"solution": True}).get("solution"))


_TAGS = frozenset(
    {*_BARE, "a", "blockquote", "dd", "div", "dl", "dt", "img", "span", "tfoot"}
    | {f"h{level}" for level in range(1, 7)}
)
_CLASSES = frozenset({"highlight", *STANDARD_TYPES.values()})
_LINK = re.compile(r"https?://\S+|mailto:[^\s?]+|#\S*", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)


def _allowed(tag: str, name: str, value: str) -> bool:
    """Whether an element may have the attribute."""
    if name == "class":
        # Those of colored code: others are the page's own.
        return tag in ("div", "span") and set(value.split()) <= _CLASSES
    if name == "style":
        return tag in ("td", "th")
    if tag == "a":
        return name == "title" or (name == "href" and bool(_LINK.fullmatch(value)))
    if tag == "img":
        return name in ("alt", "title") or (name == "src" and bool(_PICTURE.fullmatch(value)))
    return False


_HREF = (None, "href")


class _Outward(Filter):  # type: ignore[misc]
    """A link opens in a window of its own, which knows nothing of the page."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for token in super().__iter__():
            data = token.get("data")
            if token.get("name") == "a" and isinstance(data, dict) and ":" in data.get(_HREF, ""):
                data[None, "target"] = "_blank"
                data[None, "rel"] = "noopener noreferrer"
            yield token


def clean(text: str) -> str:
    """Keep of HTML the elements and attributes that are allowed; the others are shown as text."""
    cleaner = Cleaner(
        tags=_TAGS,
        attributes=_allowed,
        protocols={"http", "https", "mailto", "data"},
        filters=[_Outward],
        css_sanitizer=CSSSanitizer(allowed_css_properties=["text-align"]),
    )
    return str(cleaner.clean(text))


class _Renderer(IPythonRenderer):
    """nbconvert's, which a picture that is not there does not stop."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Show a picture of the cell's attachments, or one that is part of the text."""
        name = url.removeprefix("attachment:")
        if name != url:
            bundle = _pictures(self.attachments.get(name))
            url = next((f"data:{kind};base64,{data}" for kind, data in bundle.items()), "")
        return super().image(text, url, title)


# Of a list of tasks the boxes are form fields.
_PLUGINS = [
    import_plugin(name) for name in MarkdownWithMath.DEFAULT_PLUGINS if name != "task_lists"
]


def written(source: str) -> str:
    """Show a text too long to be rendered, as HTML: its beginning, and a sentence on it.

    Renderers of Markdown need the square of some texts' length: a hundred thousand opened brackets,
    or blanks, take minutes.
    """
    # nbconvert looks for links in what has been rendered, and that takes a square as well.
    shown = html.escape(source[:LONGEST]).replace("[", "&#91;")
    cut = f", of which these are the first {LONGEST}" if len(source) > LONGEST else ""
    return (
        f"<p><em>This text has {len(source)} characters{cut}. Beyond {RENDERED} it is shown as it "
        f'was written.</em></p><pre style="white-space: pre-wrap">{shown}</pre>'
    )


def markdown(source: str, attachments: Any = None) -> str:
    """Turn a Markdown text into inert HTML, unless it is so long that this may take minutes."""
    if len(source) > RENDERED:
        return written(source)
    renderer = _Renderer(
        escape=False,
        allow_harmful_protocols=False,
        exclude_anchor_links=True,
        attachments=dict(_mapping(attachments)),
    )
    try:
        return clean(MarkdownWithMath(renderer, plugins=_PLUGINS).render(source))
    except RecursionError:
        return f"<pre>{html.escape(source)}</pre>"


class InertExporter(HTMLExporter):
    """nbconvert's, for pages in which nothing of a student's can act, in some seconds."""

    rendered = 0

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Do as nbconvert does, with what is allowed."""
        self.rendered += len(source)
        if self.rendered > RENDERED_IN_ALL:
            return written(source)
        return markdown(source, context.get("cell", {}).get("attachments"))

    def default_filters(self) -> Iterator[tuple[str, Any]]:
        """Give the filters of the templates; raw cells go through the last."""
        yield from super().default_filters()  # type: ignore[no-untyped-call]
        yield "clean_html", clean

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **options: Any) -> Any:
        """Make the page."""
        self.rendered = 0
        return super().from_notebook_node(reduce(nb), resources, **options)
