"""Formulas as the build sets them: what Temml makes, what stands on a page, what is refused."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from bs4 import BeautifulSoup, Tag
from nbformat.v4 import new_code_cell, new_output
from support import site as checks
from support import web
from support.small_book import write_book

EXTENSION = checks.ROOT / "book" / "_ext" / "dtviz_math.py"
BUILT = "_build/html/book/page.html"
OUTPUT = r'<p>Cells give <span class="math notranslate nohighlight">\(a &lt; b_1\)</span>.</p>'
PAGE = r"""
A formula $\mathrm{Inf}_i(f) \le \tfrac12$, and see {eq}`eq-one`.

$$
x = \sum_{i=1}^n y_i
$$ (eq-one)

\begin{align}
a &= b \\
  &+ c
\end{align}
"""


@pytest.fixture(scope="module")
def extension() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("dtviz_math", EXTENSION)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["dtviz_math"] = module
    spec.loader.exec_module(module)
    yield module
    module.typesetter.close()


def mathml(extension: ModuleType, tex: str, *, display: bool = False) -> str:
    return str(extension.typesetter.mathml(extension.displayed(tex), display=display))


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("x_i", "<math><msub><mi>x</mi><mi>i</mi></msub></math>"),
        # A sign alone in its row would be set without space; no thin space stands before it.
        (
            r"\operatorname{Vr} = n",
            "<math><mrow><mi>Vr</mi><mo>\u2061</mo><mo>=</mo></mrow><mrow><mi>n</mi></mrow></math>",
        ),
        ("x,", '<math><mrow><mi>x</mi><mo rspace="0">,</mo></mrow></math>'),
        # TeX sets space after a sign that a formula begins with, and none before.
        (r"\le x", '<math><mrow><mo lspace="0">≤</mo><mi>x</mi></mrow></math>'),
        (r"a<b", "<math><mrow><mi>a</mi><mo>&lt;</mo></mrow><mrow><mi>b</mi></mrow></math>"),
    ],
)
def test_formulas_in_the_text(extension: ModuleType, tex: str, expected: str) -> None:
    assert mathml(extension, tex) == expected


@pytest.mark.parametrize(
    ("tex", "rows"),
    [
        ("x^2 + y_1 = z + w", ["x2+y1", "=z", "+w"]),
        ("x = y - z", ["x=y", "−z"]),
        ("(x = y) a b < -z", ["(x=y)ab", "<−z"]),
        (r"a = b, \qquad c \ge d", ["a=b,", "c", "≥d"]),
        ("x", []),
    ],
)
def test_a_display_breaks_where_a_line_may_end(
    extension: ModuleType, tex: str, rows: list[str]
) -> None:
    html = BeautifulSoup(mathml(extension, tex, display=True), "html.parser")
    assert [row.get_text() for row in html.select("math > mrow")] == rows


@pytest.mark.parametrize(
    ("tex", "stacked", "reads"),
    [
        (r"\frac12 x", 0, "1/2x"),
        (r"\tfrac{4s}{m_0}", 0, "4s/m0"),
        # A slash would say something else, or nothing more clearly.
        (r"\frac{n+1}2", 1, "n+12"),
        (r"\dfrac12", 1, "12"),
        (r"\binom n2", 1, "(n2)"),
        # A script: all of it, and a part, after which a factor would be read as below the line.
        (r"2^{\frac c2}", 0, "2c/2"),
        (r"2^{\frac12\log s}", 1, "212log\u2061s"),
    ],
)
def test_a_short_fraction_in_the_text_has_a_slash(
    extension: ModuleType, tex: str, stacked: int, reads: str
) -> None:
    html = BeautifulSoup(mathml(extension, tex), "html.parser")
    assert len(html.select("mfrac")) == stacked
    assert html.get_text().replace("\u2044", "/") == reads
    # On both sides of the line, where more may follow.
    assert bool(html.select("msup > mrow:first-child")) == (not stacked and "^" not in tex)
    assert len(BeautifulSoup(mathml(extension, tex, display=True), "html.parser")("mfrac")) == 1


def test_spaces_are_those_of_tex(extension: ModuleType) -> None:
    name = mathml(extension, r"p_i \log x")
    assert '</msub><mspace width="0.1667em"></mspace><mrow><mi>log</mi>' in name
    assert '<mo lspace="0" rspace="0">−</mo>' in mathml(extension, "x^{n-1}")
    assert '<mo form="infix"' in mathml(extension, r"\begin{aligned}a&\\&+b\end{aligned}")
    cases = mathml(extension, r"\begin{cases}-1&x\end{cases}")
    assert '<mo form="prefix"' in cases
    assert "infix" not in cases


@pytest.mark.parametrize("tex", [r"\frac{1}{2", r"\nosuch x", r"\text{猫}"])
def test_what_cannot_be_set_is_refused(extension: ModuleType, tex: str) -> None:
    with pytest.raises(extension.TexError):
        mathml(extension, tex)


def test_the_font_has_its_signs_and_what_stretches_them(extension: ModuleType) -> None:
    import io

    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(extension.font()))
    assert {ord(c) for c in "x0∑√≤𝔼𝑥ℓαε∅⌊′"} <= font.getBestCmap().keys()
    stretched = font["MATH"].table.MathVariants.VertGlyphConstruction
    paren = font.getBestCmap()[ord("(")]
    place = font["MATH"].table.MathVariants.VertGlyphCoverage.glyphs.index(paren)
    assert len(stretched[place].MathGlyphVariantRecord) > 3


def build(root: Path, text: str) -> None:
    """Build a book of one page, whose cell gave a formula."""
    given = [new_output("display_data", data={"text/html": OUTPUT})]
    write_book(root, {"page": [text, new_code_cell("x", outputs=given)]}, ["dtviz_math"])
    checks.jupyter_book(root, root)


@pytest.mark.slow
class TestBook:
    def test_every_kind_of_formula(self, tmp_path: Path) -> None:
        build(tmp_path, PAGE)
        html = BeautifulSoup((tmp_path / BUILT).read_text("utf-8"), "html.parser")
        formulas = html.select("article .math")
        assert len(formulas) == 4
        assert all(formula.find("math") for formula in formulas)
        first, last = (
            formula.get_text("", strip=True).replace("\u2061", "")
            for formula in (formulas[0], formulas[-1])
        )
        assert first == "Infi(f)≤1\u20442"
        assert last == "a<b1"
        one, aligned = html.select("article div.math")
        assert one.select_one(".eqno") is not None
        assert re.match(r"\(1\)", one.select(".eqno")[0].get_text())
        assert re.match(r"\(2\)", aligned.select(".eqno")[0].get_text())
        link = html.select_one('article p a.reference[href="#equation-eq-one"]')
        assert isinstance(link, Tag)
        assert link.get_text() == "(1)"
        assert one["id"] == "equation-eq-one"
        assert [s for s in html.select("script") if "mathjax" in str(s).lower()] == []

    def test_one_that_cannot_be_read_fails_the_build_with_its_place(self, tmp_path: Path) -> None:
        with pytest.raises(checks.BuildError) as failure:
            build(tmp_path, "Good $x$.\n\nBad $\\nosuch x$.\n")
        said = str(failure.value)
        assert re.search(r"page\.ipynb:\d+: WARNING: formula \\nosuch x: ", said)
        page = (tmp_path / BUILT).read_text("utf-8")
        assert r"<code>\nosuch x</code>" in page


# Relations on the pages, with less than half of their space before what follows on the line.
NARROW = """
() => [...document.querySelectorAll("math")].flatMap((math) => {
  const parts = [...math.querySelectorAll("mi, mn, mo, mtext")].filter(
    (part) => part.textContent.trim() && part.textContent !== "\u2061");
  const em = parseFloat(getComputedStyle(math).fontSize);
  const box = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect();
  };
  return parts.flatMap((part, k) => {
    const isRelation = part.localName === "mo" && "=<>≤≥≠≈≡∼∈⊆→".includes(part.textContent);
    const inScript = part.closest("msub, msup, msubsup, munder, mover, munderover");
    if (!isRelation || inScript || k + 1 === parts.length) return [];
    const [own, next] = [box(part), box(parts[k + 1])];
    const isBelow = next.left < own.left;
    return isBelow || next.left - own.right > 0.14 * em ? [] : [math.textContent];
  });
})
"""
FORMULAS = [
    r"= 1 - \sum_k p_k^2", r"\le \max_k p_k", r"= \frac14", r"a = b", r"x_i \le -1", r"= (a + b)^2",
]  # fmt: skip


@pytest.mark.parametrize("width", [390, 1440])
def test_relations_have_their_space(
    extension: ModuleType, visit: Callable[..., web.Visit], tmp_path: Path, width: int
) -> None:
    sheet = f"<style>{extension.style_sheet()}</style>"
    inline = (f'<p>is <span class="math">{mathml(extension, tex)}</span></p>' for tex in FORMULAS)
    shown = (
        f'<div class="math"><div class="formula">{mathml(extension, tex, display=True)}</div></div>'
        for tex in (
            *FORMULAS,
            r"D(f) + D(g) = 1 - \sum_k p_k^2 \le \max_k p_k + \frac14 = a + b + c",
        )
    )
    page = tmp_path / "page.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8>{sheet}{''.join((*inline, *shown))}", "utf-8"
    )
    assert visit(page.as_uri(), width=width).page.evaluate(NARROW) == []
