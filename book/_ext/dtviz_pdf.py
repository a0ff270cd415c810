"""The PDF edition: the whole book as one LaTeX document, by a builder of its own.

``make pdf`` (tools/pdf.py) runs it and then XeLaTeX. Sphinx's LaTeX builder resolves the book as
one large page; here each page is resolved by itself, as for the site, so that every number, first
mention and map is the site's. Then boxes, cells and explorers become LaTeX (the other modules
``dtviz_pdf_*``), solutions and answers go to the end, and Sphinx's translator writes the rest.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_pdf_cells import elements, for_paper, keep_listings
from dtviz_pdf_explorers import OnPaper
from dtviz_pdf_figures import Pictures, figure, svg_of
from dtviz_pdf_links import index_terms, plain_references, print_links
from dtviz_pdf_nodes import PdfTranslator, hold_headings, label_of, wrap, wrapped
from dtviz_pdf_statements import (
    Answer,
    Page,
    numbered,
    print_asides,
    print_exercises,
    print_questions,
    print_statements,
)
from dtviz_pdf_tables import print_tables
from sphinx import addnodes
from sphinx.builders.latex import LaTeXBuilder
from sphinx.builders.latex.nodes import thebibliography
from sphinx.util.docutils import new_document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

STYLE = Path(__file__).with_suffix(".sty")
ON_SCREEN = ("book/claims", "book/reference/")
"""What is for the screen: the table of claims, which one sorts and opens, and the reference."""
PDFS = {"decision-trees.pdf": "A4", "decision-trees-letter.pdf": "letter paper"}
"""What `make pdf` leaves beside the site, by the name of its paper."""
AT_THE_END = ("book/glossary", "book/references")
"""What stands behind the solutions."""
PREFACE = "book/about"
COVERS = {"cover-a4paper.pdf": "cover.pdf", "cover-letterpaper.pdf": "cover-letter.pdf"}
"""The first sheet of each paper, by the name that dtviz_pdf.sty knows."""
ANSWERS = "Solutions and answers"
MOVING = "Pictures that move"


def chapters(builder: LaTeXBuilder) -> Iterator[tuple[str, list[str]]]:
    """Yield the pages that stand in the contents, each with those below it."""
    below = builder.env.toctree_includes
    listed = below[builder.config.root_doc]
    for page in sorted(listed, key=lambda page: page in AT_THE_END):
        if page != PREFACE and not page.startswith(ON_SCREEN):
            yield page, below.get(page, [])


class PdfBuilder(LaTeXBuilder):
    """Writes the LaTeX of the book and its pictures."""

    name = "pdf"
    default_translator_class = PdfTranslator
    epilog = "The LaTeX of the book is in %(outdir)s; make pdf sets it."

    def init(self) -> None:
        super().init()
        self.pictures = Pictures(Path(self.outdir))
        self.answers: dict[str, list[Answer]] = {}
        self.moving: dict[str, list[tuple[str, nodes.Node]]] = {}

    def get_contentsname(self, indexfile: str) -> str:
        """The contents hold more than the chapters."""
        return "Contents"

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """Every page has an address; links to what is not printed are taken away later."""
        return f"%{docname}"

    def copy_assets(self) -> None:
        """Add our own style; Sphinx would warn where an older one is replaced."""
        super().copy_assets()
        shutil.copyfile(STYLE, Path(self.outdir, STYLE.name))

    def assemble_doctree(
        self,
        indexfile: str,
        toctree_only: bool,  # noqa: FBT001  (the parent's)
        appendices: list[str],
    ) -> nodes.document:
        """Return the book: preface, chapters, homework, solutions, glossary, references."""
        found = list(chapters(self))
        self.docnames = {PREFACE, *(page for top, below in found for page in (top, *below))}
        book = nodes.section()
        book += nodes.title("", self.config.project)
        book += self.preface()
        numbered_before = True
        for top, below in found:
            is_numbered = top in self.env.toc_secnumbers and bool(
                self.env.toc_secnumbers[top].get("")
            )
            if numbered_before and not is_numbered:
                book += wrapped("\n\\dtvizunnumbered\n")
            numbered_before = is_numbered
            if top == AT_THE_END[0]:
                book += self.solutions()
                book += self.where_pictures_move()
            book += self.chapter(top, below)
        document = new_document("<the book>")
        document += book
        document["docname"] = "the-book"
        return document

    def preface(self) -> nodes.Node:
        """Return what the book says of itself; the first page of the site is only its door."""
        first = self.page(PREFACE, "")
        title = next(first.findall(nodes.title))
        title.children = []
        title += nodes.Text("Preface")
        return wrapped("\n\\dtvizfront\n", [first], "\n\\dtvizmain\n")

    def chapter(self, top: str, below: list[str]) -> nodes.Node:
        """Return a chapter with its sections."""
        number = self.env.toc_secnumbers.get(top, {}).get("", ())
        name = ".".join(map(str, number))
        count = [0]
        first = self.page(top, name, count)
        section = next(first.findall(nodes.section))
        for page in below:
            section += self.page(page, name, count)
        return first

    def page(self, name: str, chapter: str, count: list[int] | None = None) -> nodes.Element:
        """Return a page of the site as it is printed."""
        document = self.env.get_doctree(name)
        for toctree in list(document.findall(addnodes.toctree)):
            toctree.parent.remove(toctree)
        keep_listings(document)
        self.env.apply_post_transforms(document, name)
        page = Page(name, self.env.toc_fignumbers.get(name, {}), [])
        plain_references(document, name, self.env)
        index_terms(document, name, self.env)
        numbered(document, page)
        self.draw(document, page)
        explorers = OnPaper(document, name, self.env, self.pictures)
        for_paper(document, self.pictures, explorers)
        if explorers.places:
            self.moving[name] = explorers.places
        print_links(document, name, set(self.docnames))
        print_exercises(document, page)
        print_questions(document, page, count if count is not None else [0], chapter)
        print_statements(document, page)
        print_asides(document)
        print_tables(document)
        hold_headings(document)
        self.list_works(document, page)
        if page.answers:
            self.answers.setdefault(chapter, []).extend(page.answers)
        file = addnodes.start_of_file(docname=name)
        file += list(document.children)
        for part in file.findall(nodes.section):
            if part.parent is file:
                mark = wrapped("", labels=[label_of(name, "")])
                part.insert(1, mark)
        return file

    def draw(self, document: nodes.document, page: Page) -> None:
        """Put the pictures of a page in place, those with a caption as figures."""
        for image in list(document.findall(nodes.image)):
            svg = svg_of(image, Path(self.srcdir))
            inside = isinstance(image.parent, nodes.figure)
            image.replace_self(
                wrapped(self.pictures.command(svg)) if inside else self.pictures.shown(svg)
            )
        for node in list(document.findall(nodes.figure)):
            boxed = any(isinstance(part, nodes.Admonition) for part in ancestors(node))
            node.replace_self(
                figure(node, page.name, page.numbers.get("figure", {}), floats=not boxed)
            )

    def list_works(self, document: nodes.document, page: Page) -> None:
        """Print the works cited as a list without labels: each begins with its authors and year."""
        # Sphinx has put them together behind the text.
        for works in list(document.findall(thebibliography)):
            works.parent.remove(works)
            next(document.findall(nodes.section)).extend(works.children)
        for work in list(document.findall(nodes.citation)):
            parts = [
                part
                for part in elements(work)
                if not isinstance(part, nodes.label) and "dtviz-cited" not in part["classes"]
            ]
            labels = [label_of(page.name, place) for place in work["ids"]]
            work.replace_self(
                wrapped("\n\\begin{dtvizwork}", [wrapped("", parts, labels=labels)],
                        "\\end{dtvizwork}\n")
            )  # fmt: skip

    def solutions(self) -> nodes.Node:
        """Return all solutions and answers, chapter by chapter."""
        section = nodes.section()
        section += nodes.title("", ANSWERS)
        for chapter, answers in self.answers.items():
            part = nodes.section()
            part += nodes.title("", f"Chapter {chapter}" if chapter else "Homework")
            for answer in answers:
                head = rf"\dtvizanswer{{{answer.name}}}{{\detokenize{{{answer.label}}}}}"
                part += wrapped(f"\n\n{head}", [answer.body], "\n\\dtvizanswerend\n\n")
            section += part
        file = addnodes.start_of_file(docname="answers")
        file += section
        return file

    def where_pictures_move(self) -> nodes.Node:
        """Return the list of the explorers: where each is printed, and where it moves."""
        section = nodes.section()
        section += nodes.title("", MOVING)
        for name, places in self.moving.items():
            title = self.env.titles[name].astext()
            for label, place in places:
                page = wrapped(rf"\dtvizpage{{\detokenize{{{label}}}}}:\newline ")
                section += nodes.paragraph("", "", nodes.Text(title), page, place)
        file = addnodes.start_of_file(docname="moving")
        file += section
        return file

    def finish(self) -> None:
        """Write the words of figures, copy the covers, and convert the pictures."""
        self.write_message_catalog()
        for name, drawn in COVERS.items():
            shutil.copyfile(Path(self.srcdir, "book", "_static", drawn), Path(self.outdir, name))
        self.pictures.convert()


def ancestors(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the nodes around a node."""
    while node.parent is not None:
        node = node.parent
        yield node


def settings(app: Sphinx) -> None:
    """Give the builder its one document."""
    config = app.config
    config.latex_documents = [
        (config.root_doc, "book.tex", config.project, config.author, "manual", False)
    ]


# --- the site offers what is there ----------------------------------------------------------------


def editions(app: Sphinx) -> list[Path]:
    """Return the PDFs that stand beside the site, the one on A4 first."""
    folder = Path(app.outdir).parent / "pdf"
    return [folder / name for name in PDFS if (folder / name).exists()]


def offer(app: Sphinx) -> None:
    """Let Sphinx copy the PDFs to the site."""
    if app.builder.format == "html":
        app.config.html_extra_path.extend(str(path) for path in editions(app))


def outdated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the first page again when a PDF has come, or gone."""
    here = [path.name for path in editions(app)]
    before = vars(env).get("dtviz_pdfs")
    vars(env)["dtviz_pdfs"] = here
    return [] if before == here else [app.config.root_doc]


def tell(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Give the templates the addresses, and the first page a line with links, of what is there."""
    context["dtviz_pdfs"] = here = [path.name for path in editions(app)]
    if page != app.config.root_doc or not here or "body" not in context:
        return
    up = "../" * page.count("/")
    links = " or ".join(f'<a href="{up}{name}">{PDFS[name]}</a>' for name in here)
    line = f'<p class="dtviz-pdf">To print: the whole book as a PDF, on {links}.</p>'
    start, end, rest = context["body"].rpartition("</section>")
    context["body"] = f"{start}{line}{end}{rest}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the builder and its node."""
    app.add_builder(PdfBuilder)
    app.add_node(wrap)
    app.connect("builder-inited", settings)
    app.connect("builder-inited", offer)
    app.connect("env-updated", outdated)
    app.connect("html-page-context", tell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
