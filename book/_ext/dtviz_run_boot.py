"""What runs a reader's program in the page: Python for Brython, inside a worker.

The worker (`dtviz_run_worker.js`) runs this once and then calls ``run``, for one program. The tests
import it, too, to describe a tree as the page does.
"""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False  # typing takes a second to load in the page
if TYPE_CHECKING:
    from typing import Any

OFFERED = "fractions, math, random, itertools, functools, collections, heapq, bisect, dataclasses"
ELSEWHERE = (
    "This Python runs in the page. It has the standard library's "
    f"{OFFERED} and typing, and not NumPy or dtviz. Download the page (the arrow at its top) and "
    "run it in Jupyter to use those."
)
MOST_NODES = 2001
"""Of a tree that is drawn."""
MOST_FRAMES = 6
"""Of a traceback, from either end."""


def is_split(tree: object) -> bool:
    """Whether the tuple is ``(variable, low, high)`` or ``(feature, threshold, low, high)``."""
    return isinstance(tree, tuple) and len(tree) in {3, 4}


def question(tree: tuple[Any, ...], names: list[str]) -> str:
    """The test at the root of a tree, in few characters."""
    i = tree[0]
    known = isinstance(i, int) and 0 <= i < len(names)
    name = names[i] if known else f"x{i}"
    return f"{name} ≤ {tree[1]}" if len(tree) == 4 else name


def described(tree: object, names: object = ()) -> list[str]:
    """Return a tree as lines: ``?`` and a test, then its two subtrees; or ``=`` and a label.

    Parameters
    ----------
    tree : label or tuple
        As the literal algorithms write it.
    names : list of str
        Of the variables, or of the predicates.

    Returns
    -------
    list of str
        Empty where there is no tree, or too large a one.

    Examples
    --------
    >>> described((1, 0, (0, 0, 1)))
    ['?x1', '=0', '?x0', '=0', '=1']
    """
    named = [str(name) for name in names] if isinstance(names, (list, tuple)) else []
    lines: list[str] = []
    left = [tree]
    while left:
        here = left.pop()
        if here is None or len(lines) == MOST_NODES:
            return []
        if is_split(here):
            lines.append("?" + question(here, named))  # type: ignore[arg-type]
            left += [here[-1], here[-2]]  # type: ignore[index]
        else:
            lines.append("=" + str(here))
    return lines


def frames(error: BaseException) -> list[tuple[int, str]]:
    """The lines of the program on the way to an error, the outermost first."""
    found, here = [], error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == "<string>":
            found.append((here.tb_lineno, here.tb_frame.f_code.co_name))
        here = here.tb_next
    return found


def describe_error(error: BaseException, source: str) -> tuple[str, int]:
    """Return an error as Python prints it, and the line of the program it is at, 0 for none."""
    lines = source.split("\n")
    kind, words = type(error).__name__, str(error)
    if isinstance(error, SyntaxError):
        line = error.lineno or 0
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return f"line {line}\n    {text}\n{kind}: {error.msg}", line
    if kind == "JavascriptError":  # Brython's, for what it did not foresee
        kind = "Error"
    way = frames(error)
    shown = ["Traceback (most recent call last):"]
    for place, (line, name) in enumerate(way):
        if len(way) > 2 * MOST_FRAMES and place == MOST_FRAMES:
            shown.append(f"  ... {len(way) - 2 * MOST_FRAMES} more calls ...")
        if len(way) <= 2 * MOST_FRAMES or not MOST_FRAMES <= place < len(way) - MOST_FRAMES:
            text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
            shown += [f"  line {line}, in {name}", f"    {text}"]
    shown.append(f"{kind}: {words}" if words else kind)
    if isinstance(error, ImportError):
        shown += ["", ELSEWHERE]
    return "\n".join(shown), way[-1][0] if way else 0


class Output:
    """Where a program prints to: it goes to the page."""

    encoding = "utf-8"

    def __init__(self, take: Any) -> None:
        self.take = take

    def write(self, text: str) -> int:
        self.take(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing: the worker flushes."""


def refuse_input(prompt: object = "") -> str:
    """Stand for ``input``."""
    raise OSError("input() cannot ask here: write the value into the program")


def refuse_open(*given: object, **more: object) -> None:
    """Stand for ``open``."""
    raise OSError("there are no files here: write the data into the program")


def run(source: str, page: Any) -> None:
    """Run a program, and report to the page what became of it."""
    sys.stdout = sys.stderr = Output(page.took)
    builtins.input, builtins.open = refuse_input, refuse_open  # type: ignore[assignment]
    # What the program does to these is its own affair.
    text, number, join = str, int, "\n".join
    space: dict[str, Any] = {"__name__": "__main__"}
    error, line = "", 0
    try:
        exec(source, space)  # noqa: S102 -- the reader's own
    except SystemExit:
        pass
    except BaseException as caught:  # noqa: BLE001
        error, line = describe_error(caught, source)
    tree: list[str] = []
    try:
        tree = described(space.get("tree"), space.get("names", ()))
    except Exception as caught:  # noqa: BLE001
        error = error or f"the tree cannot be drawn: {caught}"
    page.ended(text(error), number(line), join(one.replace("\n", " ") for one in tree))
