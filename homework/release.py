"""Student copies: what the site, its sources, its search index and its downloads may see."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homework.assignments import COURSE, canonical, load, names, secret, source_path
from homework.authoring import HIDDEN, RUBRIC, SOLUTION

TARGET = COURSE.parent / "book" / "homework"
"""Where the book keeps its student copies."""

SIGNIFICANT = 12
"""Characters besides blanks that a line must have to be a secret."""

# Programs that ask an index, and what follows their command.
_INSTALL = re.compile(
    r"(?:INSTALL\)|uvx|(?:pip[x\d.]*|uv|(?:micro)?mamba|conda|poetry|pdm)\b[^\n`#]*?\b"
    r"(?:install|add|create|download|upgrade|wheel|run)\b)([^\n`#]*)"
)
# An index calls all of dtviz-book, dtviz_book and dtviz.book the same. Not files, nor addresses.
_OURS = re.compile(
    r"(?<![\w./:-])(?<!-n )(?<!--name )dtviz(?:[-_.]+book)?(?![\w/-]|\.\w|\s*@)", re.IGNORECASE
)


@dataclass(frozen=True)
class Secret:
    """A line that no student may see: of a solution, hidden test, answer, rubric, or beside one."""

    assignment: str
    cell: str
    kind: str
    line: str

    def __str__(self) -> str:
        return f"{self.kind} of {self.assignment}, cell {self.cell!r}: {self.line!r}"


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
    ValueError
        If a copy holds a secret, or would install another project's dtviz.
    """
    texts = {name: canonical(load(name, course).student) for name in names(course)}
    for name, text in texts.items():
        for line in index_lines(text):
            raise ValueError(
                f"nothing is written: {name} says {line!r}, and on PyPI that name is another "
                "project's. Take the first cell of code from one of the book's assignments."
            )
    shown, hidden = part_secrets(course)
    public = "\n".join(shown)
    for found in hidden:
        written = json.dumps(found.line, ensure_ascii=False)[1:-1]
        long = len("".join(found.line.split())) >= SIGNIFICANT
        if long and found.line not in public and any(written in text for text in texts.values()):
            raise ValueError(f"nothing is written: a student copy would hold a {found}")
    return texts


def index_lines(text: str) -> list[str]:
    """List what would have dtviz, or dtviz-book, chosen by an index: neither name there is ours."""
    lines = re.sub(r"\\\n|,\n", " ", text.replace("\\n", "\n"))
    return [found[0].strip() for found in _INSTALL.finditer(lines) if _OURS.search(found[1])]


def part_secrets(course: Path) -> tuple[list[str], list[Secret]]:
    """Part the sources' lines into those that students may read, and those that they may not.

    The regions are cut out here, by their delimiters: what nbgrader leaves standing is found.
    """
    info: list[str] = []
    kept: list[Secret] = []
    for name in names(course):
        for cell in load(name, course).source.cells:
            written = cell.metadata.nbgrader.solution and cell.cell_type == "markdown"
            kind = "model answer" if written else ""
            for line in cell.source.split("\n"):
                if written and line == RUBRIC:
                    kind = "rubric"
                elif SOLUTION[0] in line:
                    kind = "solution"
                elif HIDDEN[0] in line:
                    kind = "hidden test"
                elif SOLUTION[1] in line or HIDDEN[1] in line:
                    kind = ""
                elif kind:
                    kept.append(Secret(name, cell.id, kind, line.strip()))
                else:
                    info.append(line)
            if secret(cell):
                beside = {**cell, "source": "", "id": "", "cell_type": ""}
                beside["metadata"] = {**cell.metadata, "nbgrader": "", "dtviz": ""}
                lines = {line.strip() for text in _strings(beside) for line in text.split("\n")}
                kept += [
                    Secret(name, cell.id, "picture, output or metadata", line) for line in lines
                ]
    return info, kept


def _strings(value: Any) -> Iterator[str]:
    """All texts in a value of JSON: pictures are texts, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def outdated(course: Path) -> Iterator[Path]:
    """Take away what was made of sources that are there no more, and yield each file."""
    known, made = names(course), course / "release"
    copies = [path for path in made.glob("*/*.ipynb") if path.stem == path.parent.name]
    gone = [path for path in copies if path.stem not in known]
    for copy in sorted(gone):
        for path in (copy, course / "guides" / f"{copy.stem}.md"):
            path.unlink(missing_ok=True)
            yield path
