"""What runs a reader's program in the page: Python for Brython, inside a worker.

The worker (`dtviz_run_worker.js`) runs this once and then calls ``run``, for one program. The tests
import it, too, to describe a tree as the page does.
"""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False  # typing is not in the page
if TYPE_CHECKING:
    from typing import Any

ELSEWHERE = (
    "This Python runs in the page. It has bisect, collections, copy, fractions, functools, heapq, "
    "itertools, math, operator and random, and not NumPy or dtviz. Download the page (the arrow at "
    "its top) and run it in Jupyter to use those."
)
MOST_CHARACTERS = 100_000
"""That a program may print."""
MOST_NODES = 2001
"""Of a tree that is drawn."""
MOST_CALLS = 6
"""Of a traceback, from either end."""


def describe_tree(tree: Any, names: Any = ()) -> list[str]:
    """Return a tree as lines: ``?`` and a test, then its two subtrees; or ``=`` and a label.

    Parameters
    ----------
    tree : label or tuple
        ``(variable, low, high)`` or ``(feature, threshold, low, high)``, as the literal algorithms
        write it.
    names : list of str
        Of the variables, or of the predicates.

    Returns
    -------
    list of str
        Empty where there is no tree, or too large a one.

    Examples
    --------
    >>> describe_tree((1, 0, (0, 0, 1)))
    ['?x1', '=0', '?x0', '=0', '=1']
    """
    known = names if isinstance(names, (list, tuple)) else ()
    lines: list[str] = []
    left = [tree]
    while left:
        node = left.pop()
        if node is None or len(lines) == MOST_NODES:
            return []
        if isinstance(node, tuple) and len(node) in {3, 4}:
            feature, *threshold, low, high = node
            is_named = isinstance(feature, int) and 0 <= feature < len(known)
            name = str(known[feature]) if is_named else f"x{feature}"
            lines.append("?" + " ≤ ".join([name, *map(str, threshold)]))
            left += [high, low]
        else:
            lines.append(f"={node}")
    return lines


def describe_error(error: Any, source: str) -> tuple[str, int]:
    """Return an error as Python prints it, and the line of the program it is at, 0 for none."""
    kind, words, lines = type(error).__name__, str(error), ["", *source.split("\n")]

    def text(line: int) -> str:
        return lines[line].strip() if line < len(lines) else ""

    if isinstance(error, SyntaxError):
        line = error.lineno or 0
        return f"line {line}\n    {text(line)}\n{kind}: {error.msg}", line
    calls, line, here = [], 0, error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == "<string>":
            line = here.tb_lineno
            name = here.tb_frame.f_code.co_name
            calls.append(f"  line {line}, in {name}\n    {text(line)}")
        here = here.tb_next
    if len(calls) > 2 * MOST_CALLS:
        more = f"  ... {len(calls) - 2 * MOST_CALLS} more calls ..."
        calls = [*calls[:MOST_CALLS], more, *calls[-MOST_CALLS:]]
    last = f"{kind}: {words}" if words else kind
    if isinstance(error, ImportError):
        last += f"\n\n{ELSEWHERE}"
    return "\n".join(["Traceback (most recent call last):", *calls, last]), line


class Output:
    """Where a program prints to: it goes to the page."""

    encoding = "utf-8"

    def __init__(self, send: Any) -> None:
        self.send, self.left = send, MOST_CHARACTERS

    def write(self, text: str) -> int:
        self.left -= len(text)
        if self.left < 0:
            raise RuntimeError("a program in the page may print 100,000 characters")
        self.send(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing: the worker flushes."""


def refuse(*_: object, **__: object) -> None:
    """Stand for ``input`` and ``open``."""
    raise OSError("a program in the page has no input and no files: write the data into it")


def run(source: str, page: Any) -> None:
    """Run a program, and report to the page what became of it."""
    sys.stdout = sys.stderr = Output(page.print)
    builtins.input = builtins.open = refuse  # type: ignore[assignment]
    # The program may change these.
    text, number, join = str, int, "\n".join
    space: dict[str, Any] = {"__name__": "__main__"}
    error, line, tree = "", 0, []
    try:
        exec(source, space)  # noqa: S102 -- the reader's own
    except SystemExit:
        pass
    except BaseException as caught:  # noqa: BLE001
        error, line = describe_error(caught, source)
    try:
        tree = describe_tree(space.get("tree"), space.get("names", ()))
    except Exception as caught:  # noqa: BLE001
        error = error or f"the tree cannot be drawn: {caught}"
    page.end(text(error), number(line), join(one.replace("\n", " ") for one in tree))
