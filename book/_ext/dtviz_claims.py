"""The record of the claims as HTML, and the code of each check as a page.

``book/claims.json`` is what the tests of the claims found when ``make claims`` was last run; the
tests fail where it is out of date. Every test file of claims becomes a page ``book/checks/...``
with an anchor a line. A source is found in the references under the name of its key.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.tree.tree import Tree
from dtviz.plot.html import picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "book" / "claims.json"
REFERENCES = "book/references"

Entry = dict[str, Any]

VERDICTS = {
    "holds": ("holds", "✓ holds"),
    "holds, far from tight": ("weak", "✓ far from tight"),
    "holds after a repair": ("repaired", "✓ repaired"),
    "by definition": ("definition", "by definition"),
    "not testable here": ("untested", "not testable here"),
    "cited": ("cited", "cited"),
    "proof only": ("proof", "proof only"),
    "fails": ("red", "✗ fails"),
}
"""Each verdict as a style sheet names it, and as a chip says it."""


@cache
def claims() -> dict[str, Entry]:
    """The entries of the record by their ID, in the order of the book."""
    return {entry["id"]: entry for entry in json.loads(RECORD.read_text("utf-8"))}


def kind(entry: Entry) -> str:
    """The verdict on a claim as a style sheet names it."""
    return VERDICTS[entry["verdict"]][0]


def chip(entry: Entry) -> str:
    """The verdict on a claim as its chip says it."""
    words = VERDICTS[entry["verdict"]][1]
    if not entry["verdict"].endswith("tight"):
        return words
    repaired = "repaired, " if entry["repaired"] else ""
    return words.replace("far", f"{repaired}far") + f" (uses {used(entry):.1%})"


def used(entry: Entry) -> float:
    """The largest share that a case uses of the loosest bound of a claim."""
    return float(min(form["used"] for form in entry["forms"] if form["used"] is not None))


def held(entry: Entry) -> list[Entry]:
    """The forms of a claim that must hold."""
    return [form for form in entry["forms"] if form["must"] == "hold"]


def variants(entry: Entry) -> list[Entry]:
    """The false variants of all forms of a claim."""
    return [variant for form in entry["forms"] for variant in form["variants"]]


def anchor(name: str) -> str:
    """The place of a claim on its page: ``BLT-L5.1a`` is at ``#blt-l5-1a``."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def mathematics(text: str) -> str:
    """Text with formulas between dollar signs, as HTML; the build sets them."""
    parts = re.split(r"\$([^$]+)\$", text)
    return "".join(_formula(part) if k % 2 else html.escape(part) for k, part in enumerate(parts))


def _formula(text: str) -> str:
    if re.search(r"(?<!\\)&|\\\\", text):
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    return f'<span class="math notranslate nohighlight">\\({html.escape(text)}\\)</span>'


def counted(entry: Entry) -> str:
    """On how many cases a claim was tried, and how many false variants they refuted.

    Several forms may share their cases, so the numbers are not added up.
    """
    forms = held(entry)
    cases = sorted({form["cases"] for form in forms})
    unit = forms[0]["unit"] if len({form["unit"] for form in forms}) == 1 else "cases"
    line = f"{' to '.join(f'{number:,}' for number in dict.fromkeys((cases[0], cases[-1])))} {unit}"
    if len(forms) > 1:
        line = f"{len(forms)} forms, {line} each"
    tried = variants(entry)
    refuted = sum(variant["violations"] > 0 for variant in tried)
    return f"{line} · {refuted} of {len(tried)} false variants refuted" if tried else line


def details(entry: Entry) -> str:
    """Every form with what it gave, and its false variants, as lists."""
    items = "".join(f"<li>{_form(form)}</li>" for form in entry["forms"])
    faults = "".join(f"<li><strong>{html.escape(fault)}</strong></li>" for fault in entry["faults"])
    return f"<ul>{faults}{items}</ul>" if faults or items else ""


def _form(form: Entry) -> str:
    head = form["label"] + ("" if form["kind"] == "statement" else f" ({form['kind']})")
    formula = f" {_formula(form['formula'])}" if form["formula"] else ""
    text = f"<strong>{html.escape(head)}</strong>{formula}: {html.escape(_result(form))}"
    text += drawing(form)
    if not form["variants"]:
        return text
    items = "".join(
        f"<li>{html.escape(variant['label'])}: {html.escape(_refuted(variant))}</li>"
        for variant in form["variants"]
    )
    return f"{text}<br>False variants:<ul>{items}</ul>"


def _result(form: Entry) -> str:
    if form["violations"]:
        first = f"the first: {form['counterexample']}"
        must = "must hold, but is " if form["must"] == "hold" else ""
        return (
            f"{must}refuted by {form['violations']:,} of {form['cases']:,} {form['unit']}; {first}"
        )
    if form["bites"]:
        silent = f"a trivial bound says as much for all {form['cases']:,} {form['unit']}"
        return f"{silent}; {form['bites']}"
    text = f"{form['cases']:,} {form['unit']}, none refutes it; tightest: {form['tightest']}"
    return f"{text}; {form['confidence']}" if form["confidence"] else text


def _refuted(variant: Entry) -> str:
    return f"refuted by {variant['violations']:,}; the first: {variant['counterexample']}"


def drawing(form: Entry) -> str:
    """The case that the record keeps of a form, drawn: the tightest, or the first that refutes."""
    if not (data := form["drawing"]):
        return ""
    refuted = form["violations"] > 0
    words = f"Refutes it: {form['counterexample']}" if refuted else f"Tightest: {form['tightest']}"
    thing = (
        Tree.from_dict(data["tree"])
        if "tree" in data
        else BooleanFunction.from_int(data["n"], data["code"])
    )
    # The caption says it to those who do not see the picture.
    return (
        f'<figure><div aria-hidden="true">{picture(thing)}</div>'
        f"<figcaption>{html.escape(words)}</figcaption></figure>"
    )


def code(entry: Entry) -> str:
    """The address of the function that tries a claim, from the folder of the page of claims."""
    lines = (ROOT / entry["file"]).read_text("utf-8").splitlines()
    start = f"def {entry['function']}("
    number = next(k for k, line in enumerate(lines, 1) if line.startswith(start))
    return f"checks/{_page(entry['file'])}.html#line-{number}"


def _page(file: str) -> str:
    return file.removeprefix("tests/claims/").removesuffix(".py").replace("/", ".")


def code_pages(_: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each file that holds a check."""
    for file in sorted({entry["file"] for entry in claims().values()}):
        formatter = HtmlFormatter(lineanchors="line", wrapcode=True)
        lines = highlight((ROOT / file).read_text("utf-8"), PythonLexer(), formatter)
        # A place, not a link: nobody wants to reach each line by the tabulator key.
        link = r'<a id="line-(\d+)" name="line-\1" href="#line-\1"></a>'
        lines = re.sub(link, r'<span id="line-\1"></span>', lines)
        body = f'<h1>{file}</h1>\n<p><a href="../claims.html">All claims</a></p>\n{lines}'
        name = _page(file)
        yield f"book/checks/{name}", {"title": file, "body": body, "parents": []}, "page.html"


def name_sources(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Give each entry of the references its key as a second address."""
    if page == REFERENCES:
        for entry in app.env.get_domain("cite").citations:  # type: ignore[attr-defined]
            start = rf'(<div class="citation" id="{entry.citation_id}"[^>]*>)'
            named = rf'\1<span id="{anchor(entry.key)}"></span>'
            context["body"] = re.sub(start, named, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the pages and the addresses."""
    app.connect("html-collect-pages", code_pages)
    app.connect("html-page-context", name_sources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
