r"""Mathematics as MathML, set when the book is built: a page shows it at once, without a script.

Temml, run by Node, turns each formula into MathML. A formula that it cannot read is a warning with
its place, and stands on the page as code. What cells give holds formulas as ``\(...\)`` in a span
of the class ``math``, for Jupyter to set; they are turned into MathML too. The font is STIX Two
Math, of which the site gets the signs below. Both come from npm (`dtviz_npm`). Without them the
book is built all the same, its formulas as they are typed.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from docutils import nodes
from dtviz_npm import PACKAGES, find_program, has
from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

HERE = Path(__file__).resolve().parent
FONT = PACKAGES / "@fontsource" / "stix-two-math"

SIGNS: tuple[tuple[int, int], ...] = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x131, 0x131), (0x237, 0x237), (0x2C6, 0x2DD), (0x300, 0x30C),
    (0x338, 0x338), (0x391, 0x3F6), (0x2010, 0x2027), (0x2030, 0x2037), (0x203E, 0x203E),
    (0x2044, 0x2044), (0x2061, 0x2064), (0x20D6, 0x20D7), (0x2100, 0x214F), (0x2190, 0x21D5),
    (0x2200, 0x22FF), (0x2308, 0x230B), (0x23B4, 0x23B5), (0x23DC, 0x23E1), (0x25A0, 0x25CF),
    (0x27E6, 0x27EB), (0x27F5, 0x27FA), (0x2A00, 0x2A06), (0x2A7D, 0x2A7E), (0x2AAF, 0x2AB0),
    (0x1D400, 0x1D4CF), (0x1D538, 0x1D56B), (0x1D6E2, 0x1D71B), (0x1D7CE, 0x1D7E1),
    (0xFE00, 0xFE00), (0xFE0E, 0xFE0E),
)  # fmt: skip
"""The first and last of each run of characters that the font of the site holds."""

TYPED = re.compile(r'<span class="math notranslate nohighlight">\\\((.*?)\\\)</span>', re.DOTALL)
"""A formula in the HTML that a cell gave."""

NUMBERED = re.compile(r"\\(begin|end)\{(align|alignat|equation|flalign|gather|multline)\}")
ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)

# As that of the text: `type.css`.
FACE = '@font-face { font-display: optional; font-family: STIX2; src: url("stix-two-math.woff2"); }'

MADE = [HERE / f"dtviz_math.{kind}" for kind in ("py", "mjs", "css", "js")]
MADE += [package / "package.json" for package in (PACKAGES / "temml", FONT)]
INSTALLED = has("temml", "@fontsource/stix-two-math")

logger = logging.getLogger(__name__)


class TexError(Exception):
    """Temml cannot read a formula."""


class Typesetter:
    """One process of Node, started for the first formula, and all that it has set."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, bool], str] = {}
        self.process: subprocess.Popen[str] | None = None

    def mathml(self, tex: str, *, display: bool = False) -> str:
        """Set a formula.

        Raises
        ------
        TexError
            If it cannot be read, or has a sign that the font lacks.

        """
        key = tex, display
        if key not in self.known:
            self.known[key] = self._asked(tex, display)
        return self.known[key]

    def _asked(self, tex: str, display: bool) -> str:  # noqa: FBT001  (as it is in the key)
        if self.process is None:
            self.process = subprocess.Popen(  # noqa: S603
                [str(find_program("node")), str(HERE / "dtviz_math.mjs")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        given, taken = cast("tuple[IO[str], IO[str]]", (self.process.stdin, self.process.stdout))
        print(json.dumps({"tex": tex, "display": display}), file=given, flush=True)
        line = taken.readline()
        if not line:
            raise ExtensionError("Temml did not answer: remove node_modules and build again")
        answer: dict[str, str] = json.loads(line)
        if "error" in answer:
            raise TexError(answer["error"])
        mathml = answer["mathml"]
        lacking = {c for c in html.unescape(re.sub("<[^>]*>", "", mathml)) if not drawn(c)}
        if lacking:
            raise TexError(f"the font of the site lacks {' '.join(sorted(lacking))}: add to SIGNS")
        return mathml

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.communicate()
            self.process = None


def drawn(character: str) -> bool:
    """Whether the font of the site has the character."""
    return any(first <= ord(character) <= last for first, last in SIGNS)


typesetter = Typesetter()


def markup(tex: str, *, display: bool, location: Any) -> str:
    """Set a formula; one that cannot be read is a warning, and code."""
    try:
        if INSTALLED:
            return typesetter.mathml(displayed(tex) if display else tex, display=display)
    except TexError as error:
        logger.warning("formula %s: %s", tex.strip(), error, location=location, type="math")
    return f"<code>{html.escape(tex.strip())}</code>"


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in the text."""
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate"))
    self.body.append(markup(node.astext(), display=False, location=node))
    self.body.append("</span>")
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula, and its number beside it."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, _("Link to this equation"))
        self.body.append("</span>")
    formula = markup(node.astext(), display=True, location=node)
    self.body.append(f'<div class="formula">{formula}</div>')
    self.body.append("</div>\n")
    raise nodes.SkipNode


def displayed(tex: str) -> str:
    """Return a display as Temml reads it: its number is ours, and several lines are aligned."""
    parts = [part.strip() for part in NUMBERED.sub(r"\\\1{\2*}", tex).split("\n\n")]
    parts = [part for part in parts if part]
    if len(parts) == 1 and "\\\\" not in ENVIRONMENT.sub("", parts[0]):
        return parts[0]
    lines = r"\\".join(parts)
    return rf"\begin{{aligned}}{lines}\end{{aligned}}"


def set_typed(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Set the formulas in what cells gave."""

    def found(match: re.Match[str]) -> str:
        mathml = markup(html.unescape(match[1]), display=False, location=page)
        return f'<span class="math notranslate">{mathml}</span>'

    if "body" in context:
        context["body"] = TYPED.sub(found, context["body"])


def style_sheet() -> str:
    """Join Temml's style sheet for this font, with its signs of the font, and our own."""
    own = (HERE / "dtviz_math.css").read_text("utf-8")
    if not INSTALLED:
        return own
    theirs = (PACKAGES / "temml" / "dist" / "Temml-STIX2.css").read_text("utf-8")
    theirs, found = re.subn(r"@font-face \{[^}]*\}", FACE, theirs, count=1)
    if not found:
        raise ExtensionError("Temml's style sheet has another form than it had")
    return f"{theirs}\n{own}"


def font() -> bytes:
    """Return the signs of the font, with what its table MATH makes of them."""
    file = FONT / "files" / "stix-two-math-latin-400-normal.woff"
    whole = TTFont(file, recalcTimestamp=False)
    options = Options(layout_features=["ssty", "ss01", "ss04", "dtls", "flac"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes={c for first, last in SIGNS for c in range(first, last + 1)})
    subsetter.subset(whole)
    whole.flavor = "woff2"
    made = io.BytesIO()
    whole.save(made)
    return made.getvalue()


def write_assets(app: Sphinx) -> None:
    """Write style sheet, script, font and license where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "math"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dtviz-math.css").write_text(style_sheet(), "utf-8")
    app.config.html_static_path.append(str(folder))
    if INSTALLED:
        (folder / "stix-two-math.woff2").write_bytes(font())
        shutil.copyfile(HERE / "dtviz_math.js", folder / "dtviz-math.js")
        shutil.copyfile(FONT / "LICENSE", folder / "stix-two-math-LICENSE.txt")


def close(app: Sphinx, error: Exception | None) -> None:
    """End the process when the build does."""
    typesetter.close()


def setup(app: Sphinx) -> dict[str, bool]:
    """Set what Sphinx writes and what cells give, and ship what that needs."""
    read = [path.read_bytes() for path in MADE if path.exists()]
    # Pages hold what is made here, so they are written again when that changes.
    app.add_config_value("dtviz_math", hashlib.sha256(b"\0".join(read)).hexdigest(), "html")
    app.add_html_math_renderer("temml", (visit_inline, None), (visit_display, None))
    app.connect("html-page-context", set_typed)
    app.connect("builder-inited", write_assets)
    app.add_css_file("dtviz-math.css")
    if not INSTALLED:
        logger.warning("formulas stay as TeX: npm brought no Temml")
        return {"parallel_read_safe": True, "parallel_write_safe": True}
    app.connect("build-finished", close)
    app.add_js_file("dtviz-math.js", loading_method="defer")
    # All formulas go through one process.
    return {"parallel_read_safe": True, "parallel_write_safe": False}
