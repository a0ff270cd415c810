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
line is the head of a function to be written. (A fence of backticks: a notebook without MyST shows
it as code.)

The editor is CodeMirror and Python is Brython; `dtviz_run.mjs` makes one classic script of both,
which only the first press loads. A content security policy must allow ``script-src 'self'
'unsafe-eval'`` (Brython turns Python into JavaScript) and ``worker-src blob:`` (a page opened from
disk cannot load a worker's file), as that of ``deploy/nginx.conf`` does.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from dtviz_explorers import SCRIPTS
from dtviz_npm import find_program, has
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from dtviz.core.source_listing import show_source

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = ROOT / "_build" / "python"
PYTHON = "run-python.js"
DIVIDER = "# -- what runs ".ljust(79, "-")
TESTS = "# -- the public tests --"
MARKER = "dtviz-run-data"
IS_WHOLE = has("esbuild", "@codemirror/view")

logger = logging.getLogger(__name__)


def functions(module: str, names: list[str]) -> str:
    """Return the text of functions of a literal module, with all that they need.

    Raises
    ------
    ValueError
        If there is no such module, or it defines no such function.
    """
    if not re.fullmatch(r"\w+\.literal", module):
        raise ValueError(f"must name a module such as rank.literal, got {module!r}")
    try:
        found = importlib.import_module(f"dtviz.{module}")
        return show_source(*(getattr(found, name) for name in names)).program
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"names what is not there: {error}") from None


def output_of(program: str, space: dict[str, Any]) -> str:
    """Run a program with the names of a space, and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, space)  # noqa: S102 -- our own text
    return printed.getvalue()


def editor_data(program: str, title: str, label: str, action: str) -> nodes.raw:
    """Return what `run.js` makes an editor of; without scripts it is nothing."""
    settings = {
        "program": program,
        "title": title,
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
        text = program = "\n".join(self.content)
        try:
            if module:
                program = f"{functions(module, names)}\n\n\n{DIVIDER}\n{text}"
                self.env.note_dependency(str(sys.modules[f"dtviz.{module}"].__file__))
            output = output_of(program, {"__name__": "__main__"})
        except Exception as error:
            raise self.error(f"run {module}: {type(error).__name__}: {error}") from error
        is_exercise = not module or TESTS in text
        title = "your function" if is_exercise else ", ".join(names)
        action = "Write it here" if is_exercise else "Edit and run"
        box = nodes.container(classes=["dtviz-run-box"])
        box += [
            nodes.literal_block(text, text, language="python"),
            nodes.literal_block(output, output, language="none", classes=["dtviz-run-prints"]),
            editor_data(program, title, f"run-{self.env.new_serialno('run')}", action),
        ]
        self.set_source_info(box)
        return [box]


def python_script() -> str:
    """Return the script that the first press loads: editor and Python; kept once made."""
    try:
        brython = Path(str(files("brython"))) / "data"
    except ModuleNotFoundError:
        raise ExtensionError("Brython is missing: run make setup") from None
    made_of = [ROOT / "package-lock.json", *sorted(HERE.glob("dtviz_run*")), *brython.glob("*.js")]
    key = hashlib.sha256(b"\0".join(path.read_bytes() for path in made_of)).hexdigest()[:16]
    kept = CACHE / f"{key}.js"
    if not kept.exists():
        command = [str(find_program("node")), str(HERE / "dtviz_run.mjs"), str(brython)]
        done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")  # noqa: S603
        if done.returncode:
            raise ExtensionError(f"Python for the page cannot be made: {done.stderr[:500]}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Tests of several processes may be at this at once.
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(done.stdout, "utf-8")
        part.replace(kept)
    return kept.read_text("utf-8")


def write_assets(app: Sphinx) -> None:
    """Write what the first press loads where Sphinx looks for static files."""
    if not IS_WHOLE:
        logger.warning("programs cannot be edited and run in the page: npm brought no esbuild")
        return
    folder = Path(app.outdir).parent / "run"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PYTHON).write_text(python_script(), "utf-8")
    app.config.html_static_path.append(str(folder))


def add_scripts(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Load the small script where there is something to run, and nowhere else."""
    if IS_WHOLE and MARKER in context.get("body", ""):
        app.add_js_file("run.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the editors to the pages, and the scripts to the site."""
    app.add_directive("run", Run)
    app.add_css_file("run.css")
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
