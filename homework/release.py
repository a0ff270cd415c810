"""Student copies: what the site, its sources, its search index and its downloads may see."""

from pathlib import Path

from homework.assignments import COURSE, canonical, load, names
from homework.leaks import Leak, leaks_in, secrets

TARGET = COURSE.parent / "book" / "homework"
"""Where the book keeps its student copies."""


class Leaking(ValueError):  # noqa: N818 -- the name says what it is about
    """A student copy that holds a secret: it is not written."""

    def __init__(self, found: list[Leak]) -> None:
        super().__init__(f"nothing is written: {len(found)} secrets in student copies: {found[0]}")
        self.found = found


def copies(course: Path = COURSE) -> dict[str, str]:
    """The text of every student copy by the name of its assignment.

    Nothing is run, and the same sources give the same texts.

    Parameters
    ----------
    course : Path
        The folder that holds ``source/``.

    Raises
    ------
    InvalidSource
        If a source breaks a rule.
    Leaking
        If a copy holds a secret.
    """
    texts = {name: canonical(load(name, course).student) for name in names(course)}
    known = secrets(course)
    if found := [leak for name, t in texts.items() for leak in leaks_in(t, known, f"{name}.ipynb")]:
        raise Leaking(found)
    return texts


def release(course: Path = COURSE, to: Path = TARGET) -> tuple[Path, ...]:
    """Write the student copies, all or none.

    Parameters
    ----------
    course : Path
        The folder that holds ``source/``.
    to : Path
        The folder to write into; it is made if need be.

    Returns
    -------
    tuple of Path
        The files written.
    """
    texts = copies(course)
    to.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in texts.items():
        path = to / f"{name}.ipynb"
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return tuple(written)
