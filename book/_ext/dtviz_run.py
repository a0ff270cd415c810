"""Programs that the reader edits and runs in the page.

A directive, which takes functions of a chapter's ``literal.py`` by name, gives them a small input
and prints what they return::

    ```{run} rank.literal rank
    tree = (0, 1, (1, 0, 1))
    print(rank(tree))
    ```

The build runs it, and shows the input and the output; a button makes it an editor, with the whole
text of these functions, taken from their file. What is called ``tree`` in the end is drawn, with
``names`` for its variables. With a line ``# -- the public tests --`` it is an exercise: above that
line stands the head of a function to be written. (A fence of backticks: a notebook without MyST
shows it as code.)

Python in the page is Brython, from the wheel of that name; `dtviz_run.mjs` compiles what of its
standard library is offered. It stands in one script that only the first press loads: a worker's
source, as a string, because a worker of a page opened from disk cannot load a file. Which editor:
the browser's own text area. CodeMirror 6, bundled with its Python mode, is about 130 kB compressed
against 2, and all it would bring are colors.

A content security policy must allow ``script-src 'self' 'unsafe-eval'`` (Brython turns Python into
JavaScript) and ``worker-src blob:``, as that of ``deploy/nginx.conf`` does.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from docutils import nodes
from dtviz_explorers import SCRIPTS
from dtviz_math import node as node_path
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from dtviz.core.source_listing import show_source

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / "_build" / "python"
PYTHON = "run-python.js"
QUICK = [
    "__future__", "bisect", "collections", "collections.abc", "copy", "fractions", "functools",
    "heapq", "itertools", "math", "operator", "random",
]  # fmt: skip
"""Modules that are compiled when the book is built, with all they import."""
SLOW = [
    "dataclasses", "annotationlib", "ast", "_ast", "typing", "_typing", "string", "_string",
    "textwrap", "time", "_locale",
]  # fmt: skip
"""Modules that the page compiles when a program imports them; a second."""
LITERAL = re.compile(r"\w+\.literal")
DIVIDER = "# -- what runs ".ljust(79, "-")
TESTS = "# -- the public tests --"
MARKER = "dtviz-run-data"


class Program(NamedTuple):
    """What the editor shows: functions of the book, none in an exercise, and what runs them."""

    functions: str
    input: str
    title: str


def functions(module: str, names: list[str]) -> str:
    """Return the text of functions of a literal module, with all that they need.

    Raises
    ------
    ValueError
        If there is no such module, or it defines no such function.
    """
    if not LITERAL.fullmatch(module):
        raise ValueError(f"must name a module such as rank.literal, got {module!r}")
    try:
        found = importlib.import_module(f"dtviz.{module}")
        return show_source(*(getattr(found, name) for name in names)).program
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"names what is not there: {error}") from None


def whole(program: Program) -> str:
    """Return the text that the editor shows."""
    if not program.functions:
        return program.input
    return f"{program.functions}\n\n\n{DIVIDER}\n{program.input}"


def ran(text: str, space: dict[str, Any]) -> str:
    """Run a program with the names of a space, and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(text, space)  # noqa: S102 -- our own text
    return printed.getvalue()


# --- what stands in the page ---------------------------------------------------------------------


def data(program: Program, label: str, action: str) -> nodes.raw:
    """Return what `run.js` makes an editor of; without scripts it is nothing."""
    settings = {
        "program": program.functions,
        "input": program.input,
        "title": program.title,
        "label": label,
        "action": action,
        "python": PYTHON,
        "tree": SCRIPTS["tree"],
    }
    text = json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c")
    html = f'<script type="application/json" class="{MARKER}">{text}</script>'
    return nodes.raw("", f'<div class="dtviz-run">{html}</div>', format="html")


class Run(SphinxDirective):
    """A program: its input and its output, which the build finds, and the data of an editor."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        module, *names = self.arguments[0].split() if self.arguments else [""]
        text = "\n".join(self.content)
        try:
            taken = functions(module, names) if module else ""
            program = Program(taken, text, ", ".join(names) or "your function")
            output = ran(whole(program), {"__name__": "__main__"})
            if TESTS in text:
                program = Program("", whole(program), "your function")
        except Exception as error:
            raise self.error(f"run {module}: {type(error).__name__}: {error}") from error
        if module:
            self.env.note_dependency(str(sys.modules[f"dtviz.{module}"].__file__))
        box = nodes.container(classes=["dtviz-run-box"])
        code = nodes.literal_block(text, text, language="python")
        printed = nodes.literal_block(output, output, language="none", classes=["dtviz-run-prints"])
        box += [code, printed]
        label = f"run-{self.env.new_serialno('run')}"
        box += data(program, label, "Edit and run" if program.functions else "Write it here")
        self.set_source_info(box)
        return [box]


# --- what the first press loads ------------------------------------------------------------------


def brython() -> tuple[str, str]:
    """Return Brython and the standard library it comes with, as JavaScript."""
    try:
        folder = files("brython") / "data"
    except ModuleNotFoundError:
        raise ExtensionError("Brython is missing: run make setup") from None
    return (folder / "brython.js").read_text("utf-8"), (folder / "brython_stdlib.js").read_text(
        "utf-8"
    )


def library() -> dict[str, Any]:
    """Return the modules that a program can import, those of `QUICK` compiled; kept once made."""
    core, whole = brython()
    script = (HERE / "dtviz_run.mjs").read_text("utf-8")
    parts = (core, whole, script, *QUICK, "", *SLOW)
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    kept = CACHE / f"{key}.json"
    if not kept.exists():
        given = {"core": core, "library": whole, "quick": QUICK, "more": SLOW}
        done = subprocess.run(  # noqa: S603
            [node_path(), str(HERE / "dtviz_run.mjs")],
            input=json.dumps(given),
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        if done.returncode:
            raise ExtensionError(f"Brython cannot be compiled: {done.stderr[:500]}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{hashlib.sha256(str(id(done)).encode()).hexdigest()[:8]}")
        part.write_text(done.stdout, "utf-8")
        part.replace(kept)
    return cast("dict[str, Any]", json.loads(kept.read_text("utf-8")))


def worker() -> str:
    """Return the source of a worker that runs one program."""
    core, _ = brython()
    modules = library()
    boot = (HERE / "dtviz_run_boot.py").read_text("utf-8")
    boot += (
        f"\n\nfrom browser import self as page\n\npage.dtvizRun = run\nimport {', '.join(QUICK)}\n"
    )
    quiet = ", ".join(f"{name}() {{}}" for name in ("log", "info", "warn", "debug", "error"))
    return "\n".join(
        [
            # Brython talks to itself there.
            f"self.console = {{ {quiet} }};",
            # A worker made from a Blob has no address that it could be read from.
            'self.__BRYTHON__ = { brython_path: "http://localhost/" };',
            core,
            "__BRYTHON__.use_VFS = true;",
            f"__BRYTHON__.update_VFS({json.dumps(modules['files'])});",
            f"Object.assign(__BRYTHON__.precompiled, {json.dumps(modules['compiled'])});",
            f"self.dtvizBoot = {json.dumps(boot)};",
            (HERE / "dtviz_run_worker.js").read_text("utf-8"),
        ]
    )


def python_script() -> str:
    """Return the script that the first press loads: the source of the worker, as a string."""
    return f"globalThis.dtvizPython = {json.dumps(worker())};\n"


def write_assets(app: Sphinx) -> None:
    """Write what the first press loads where Sphinx looks for static files."""
    folder = Path(app.outdir).parent / "run"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PYTHON).write_text(python_script(), "utf-8")
    app.config.html_static_path.append(str(folder))


def add_scripts(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load the small script where there is something to run, and nowhere else."""
    if MARKER in context.get("body", ""):
        app.add_js_file("run.js", loading_method="defer")
        app.add_css_file("run.css")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the editors to the pages, and the scripts to the site."""
    app.add_directive("run", Run)
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
