"""Student copies: what the site, its sources, its search index and its downloads may see."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from homework.assignments import COURSE, canonical, load, names, source_path
from homework.leaks import Secret, found, secrets

TARGET = COURSE.parent / "book" / "homework"
"""Where the book keeps its student copies."""


class Leaking(ValueError):  # noqa: N818 -- the name says what it is about
    """A student copy that holds a secret: it is not written."""

    def __init__(self, told: list[Secret]) -> None:
        super().__init__(f"nothing is written: {len(told)} secrets in student copies: {told[0]}")


def begin(course: Path) -> bool:
    """Begin a course with copies of the book's assignments, in a folder that is new or empty.

    What holds anything is left as it is: returned is whether the course is a new one.
    """
    # All of it or, if we are stopped meanwhile, nothing that would pass for a course.
    half = course / ".source"
    # A repository that is new has a folder .git, and maybe more that begins with a dot.
    if course.exists() and not (
        course.is_dir() and all(path.name.startswith(".") for path in course.iterdir())
    ):
        return False
    shutil.rmtree(half, ignore_errors=True)
    for name in names():
        half.joinpath(name).mkdir(parents=True)
        shutil.copy(source_path(name), half / name)
    half.rename(course / "source")
    return True


def copies(course: Path = COURSE) -> dict[str, str]:
    """The text of every student copy by the name of its assignment.

    Nothing is run, and the same sources give the same texts.

    Raises
    ------
    InvalidSource
        If a source breaks a rule.
    Leaking
        If a copy holds a secret.
    """
    texts = {name: canonical(load(name, course).student) for name in names(course)}
    known = secrets(course)
    if told := [secret for text in texts.values() for secret in found(text, known)]:
        raise Leaking(told)
    return texts


def outdated(course: Path) -> Iterator[Path]:
    """Take away what was made of sources that are there no more, and yield each file."""
    known, made = names(course), course / "release"
    copies = [path for path in made.glob("*/*.ipynb") if path.stem == path.parent.name]
    gone = [path for path in copies if path.stem not in known]
    for copy in sorted(gone):
        for path in (copy, course / "guides" / f"{copy.stem}.md"):
            path.unlink(missing_ok=True)
            yield path
