"""The text of a function, shown on a page from the file that holds it.

A chapter shows its literal algorithms with this, so that what a reader sees is what the tests run.
The HTML is that of Sphinx: in the book its style sheet colors it and its button copies it; in
JupyterLab the colors are those of the editor.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from types import ModuleType
from typing import Any

from dtviz.core.checks import as_repr

# For hosts that bring no colors; `:where` lets every other style sheet win.
STYLE = """<style>
:where(.dtviz-literal .highlight pre) { line-height: 1.4; overflow-x: auto; }
:where(.dtviz-literal) :is(.k, .kn, .kc, .ow) { color: var(--jp-mirror-editor-keyword-color); }
:where(.dtviz-literal) .o { color: var(--jp-mirror-editor-operator-color); }
:where(.dtviz-literal) .nf { color: var(--jp-mirror-editor-def-color); }
:where(.dtviz-literal) .mi { color: var(--jp-mirror-editor-number-color); }
:where(.dtviz-literal) :is(.sd, .s1, .s2) { color: var(--jp-mirror-editor-string-color); }
:where(.dtviz-literal) .c1 { color: var(--jp-mirror-editor-comment-color); }
:where(.dtviz-literal) summary { cursor: pointer; }
</style>"""

PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')
"""A word in the color of the text. A third of a page would be such elements."""


@dataclass(frozen=True)
class Listing:
    """Functions of one module, to be shown; made by `show_source`.

    Attributes
    ----------
    module : str
        The name of the module.
    names : tuple of str
        The functions.
    text : str
        Their text. Of a docstring it has what stands before the first section.
    program : str
        The same functions in full, with all of the module that they need: it runs by itself.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.show_source(dt.rank.literal.rank).names
    ('rank',)
    """

    module: str
    names: tuple[str, ...]
    text: str
    program: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Listing: {', '.join(self.names)} of {self.module}>"

    def _repr_html_(self) -> str:
        """Show the text and, folded below it, the program; a script lets a reader run both."""
        return (
            f'{STYLE}<div class="dtviz-literal" data-module="{escape(self.module)}" '
            f'data-functions="{escape(" ".join(self.names))}">'
            f'<div class="dtviz-literal-text">{_highlight_code(self.text)}</div>'
            '<details class="dtviz-literal-program">'
            "<summary>The whole program, with all that this calls</summary>"
            f"{_highlight_code(self.program)}</details></div>"
        )


def show_source(*functions: Callable[..., Any]) -> Listing:
    """Show the text of functions of one module's top level as it stands in their file.

    Examples
    --------
    >>> import dtviz as dt
    >>> from dtviz.rank import literal
    >>> dt.show_source(literal.find, literal.find_min)
    <Listing: find, find_min of dtviz.rank.literal>
    """
    modules = {inspect.getmodule(one) if inspect.isfunction(one) else None for one in functions}
    names = tuple(str(getattr(one, "__name__", None)) for one in functions)
    module = modules.pop() if len(modules) == 1 else None
    if module is None or any(name not in _list_functions(module) for name in names):
        msg = f"functions must be functions of one module, at least one, got {as_repr(functions)}"
        raise ValueError(msg)
    text = "\n\n\n".join(_drop_sections(inspect.getsource(function)) for function in functions)
    return Listing(module.__name__, names, text, _program(module, names))


def _list_functions(module: ModuleType) -> set[str]:
    """The functions that a module defines at its top level."""
    statements = ast.parse(inspect.getsource(module)).body
    return {node.name for node in statements if isinstance(node, ast.FunctionDef)}


def _drop_sections(text: str) -> str:
    """A function without the sections of its docstring, such as that of its parameters."""
    lines = text.rstrip().split("\n")
    function = ast.parse(text).body[0]
    if not isinstance(function, ast.FunctionDef) or ast.get_docstring(function) is None:
        return _join_code(lines)
    first, last = function.body[0].lineno - 1, function.body[0].end_lineno
    rules = [k for k in range(first, last or first) if re.fullmatch(r" +-{3,}", lines[k])]
    if rules:
        kept = "\n".join(lines[first : rules[0] - 1]).rstrip()
        closing = '"""' if "\n" not in kept else '\n    """'
        lines[first:last] = [kept + closing]
    return _join_code(lines)


def _program(module: ModuleType, names: tuple[str, ...]) -> str:
    """The part of a module that some of its functions need, in its own order."""
    text = inspect.getsource(module)
    lines, statements = text.split("\n"), ast.parse(text).body
    needed, left = set[ast.stmt](), [statements[0], *_find_bindings(statements, set(names))]
    while left:
        node = left.pop()
        if node not in needed:
            needed.add(node)
            left += _find_bindings(
                statements, {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            )
    kept = [
        node
        for before, node in zip([None, *statements], statements, strict=False)
        if node in needed
        or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
        or (isinstance(node, ast.Expr) and before in needed)  # what is said of a constant
    ]
    pieces = []
    for before, node in zip([None, *kept], kept, strict=False):
        blank = 0
        if before is not None:
            big = isinstance(node, ast.FunctionDef) or isinstance(before, ast.FunctionDef)
            blank = 2 if big else min(node.lineno - (before.end_lineno or 0) - 1, 1)
        pieces += [""] * blank + lines[node.lineno - 1 : node.end_lineno]
    return _join_code(pieces)


def _find_bindings(statements: list[ast.stmt], names: set[str]) -> list[ast.stmt]:
    """The statements of a module that define or import one of the names."""
    found: list[ast.stmt] = []
    for node in statements:
        if isinstance(node, ast.FunctionDef):
            bound = {node.name}
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound = {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            bound = {target.id for target in node.targets if isinstance(target, ast.Name)}
        else:
            continue
        if bound & names:
            found.append(node)
    return found


def _join_code(lines: list[str]) -> str:
    """Join lines, without what they say to a linter."""
    return "\n".join(re.sub(r"  # noqa.*$", "", line) for line in lines)


def _highlight_code(text: str) -> str:
    """Python as HTML, in the elements and classes that Sphinx writes."""
    # Not everybody shows a listing, and the package has no types.
    from pygments import highlight  # type: ignore[import-untyped]  # noqa: PLC0415
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]  # noqa: PLC0415
    from pygments.lexers import PythonLexer  # type: ignore[import-untyped]  # noqa: PLC0415

    html = PLAIN.sub(r"\1", highlight(text, PythonLexer(), HtmlFormatter()))
    return f'<div class="highlight-python notranslate">{html}</div>'
