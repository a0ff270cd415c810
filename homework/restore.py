"""A submission as it is graded: the release with the student's answers, and what had been changed.

Everything but the answers comes from the release. What the student changed in our cells is found by
comparing with the release itself, so a resave by any editor, which changes checksums, ids, outputs
and line ends, changes nothing.
"""

import ast
import json
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import takewhile, zip_longest
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from homework.assignments import Assignment
from homework.findings import Finding

OWN = "own-"
"""Begins the names of cells that a student added; a number follows."""

FEWEST_WORDS = 3  # of what may be an answer beside its cell
_WORD = re.compile(r"[^\W\d_]{2,}")

MAX_CELLS = 2_000

_FLAGS = ("grade", "solution", "locked", "task", "points", "cell_type")
_NEW: dict[str, Callable[..., NotebookNode]] = {
    "code": new_code_cell,
    "markdown": new_markdown_cell,
    "raw": new_raw_cell,
}


class Unreadable(ValueError):  # noqa: N818 -- the name says what it is about
    """A submission that is no notebook; the message says why."""


@dataclass(eq=False)
class _Cell:
    """A cell as handed in; ``name`` is the id of the release cell it is, or ``""``."""

    kind: str
    source: str
    own_id: str
    meta: Mapping[str, Any]
    attachments: dict[str, Any]
    grade_id: str
    text: str
    name: str = ""


@dataclass
class _Match:
    """What became of the cells of the release, and what was found on the way.

    Of several cells that are the same one of the release, ``chosen`` is the one that counts.
    """

    cells: list[_Cell]
    release: dict[str, NotebookNode]
    chosen: dict[str, _Cell] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def report(self, cell: str, message: str) -> None:
        self.findings.append(Finding("restored", cell, message))


def restore(text: str, assignment: Assignment) -> tuple[NotebookNode, tuple[Finding, ...]]:
    """Put a student's answers into the notebook that is graded.

    An answer is found by its ``grade_id``, else by its cell id, else, when both are gone, by what
    it holds and where it is. Of several copies of an answer the one counts that is not empty;
    of several such the one that has kept its cell id, else the last. The other copies, and the
    student's own cells, stay where they were, after the same cell of ours.

    Returns `Assignment.grading` with the answers and the student's own cells, which have no
    metadata; and what of ours was changed, nothing for an honest submission, however it was saved.

    Raises
    ------
    Unreadable
        If the text is no notebook.
    """
    try:
        return _restore(_parse(text), assignment)
    except RecursionError as error:
        raise Unreadable("the notebook holds something nested too deeply") from error


def _restore(
    raw: dict[str, Any], assignment: Assignment
) -> tuple[NotebookNode, tuple[Finding, ...]]:
    release = {cell.metadata.nbgrader.grade_id: cell for cell in assignment.student.cells}
    cells = [_cell(number, cell) for number, cell in enumerate(raw["cells"])]
    match = _Match(cells, release)
    _by_name(match)
    _by_content(match, assignment)
    _choose(match, assignment)
    _compare(match)
    return _build(match, assignment), tuple(match.findings)


def normal(source: str) -> str:
    """A source without what editors change by themselves: line ends, blanks at ends of lines."""
    lines = unicodedata.normalize("NFC", source).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _parse(text: str) -> dict[str, Any]:
    try:
        raw: Any = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        raise Unreadable(f"the file is not JSON: {error}") from error
    notebook = isinstance(raw, dict) and isinstance(raw.get("nbformat"), int)
    if not notebook:
        raise Unreadable("the file is JSON, but not a notebook: it has no nbformat")
    if raw["nbformat"] > 4:
        raise Unreadable(f"the notebook's nbformat is {raw['nbformat']}, must be at most 4")
    if raw["nbformat"] < 4:
        raw = _upgrade(raw)
    cells = raw.get("cells")
    if not isinstance(cells, list):
        raise Unreadable("the notebook has no list of cells")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"the notebook has {len(cells)} cells, more than {MAX_CELLS}")
    return dict(raw)


def _upgrade(raw: dict[str, Any]) -> dict[str, Any]:
    """A notebook of an older format in this one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its cells get ids, which are not used
            return dict(nbformat.convert(nbformat.from_dict(raw), 4))
    except Exception as error:
        raise Unreadable(
            f"the notebook's nbformat {raw['nbformat']} cannot be upgraded: {error}"
        ) from error


def _cell(number: int, cell: Any) -> _Cell:
    kind = cell.get("cell_type") if isinstance(cell, dict) else cell
    if not isinstance(cell, dict) or not isinstance(kind, str) or kind not in _NEW:
        raise Unreadable(f"cell {number} of the notebook is of no known type: {_short(kind)}")
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(map(str, source))
    if not isinstance(source, str):
        raise Unreadable(f"the source of cell {number} is not text")
    source = _printable(source).replace("\r\n", "\n").replace("\r", "\n")
    meta = _mapping(_mapping(cell.get("metadata")).get("nbgrader"))
    return _Cell(
        kind=kind,
        source=source,
        own_id=str(cell.get("id", "")),
        meta=meta,
        attachments=_attachments(cell.get("attachments")),
        grade_id=str(meta.get("grade_id", "")),
        text=normal(source),
    )


def _printable(text: str) -> str:
    """A text that can be written as UTF-8: halves of a surrogate pair become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _attachments(value: Any) -> dict[str, Any]:
    """Pictures in a written answer, those that are of the form the format asks for."""
    return {
        _printable(name): {_printable(kind): _printable(data) for kind, data in bundle.items()}
        for name, bundle in _mapping(value).items()
        if isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values())
    }


def _by_name(match: _Match) -> None:
    """Cells that say which they are."""
    for cell in match.cells:
        if cell.grade_id in match.release:
            cell.name = cell.grade_id
        elif cell.own_id in match.release:
            cell.name = cell.own_id
        if cell.grade_id and cell.grade_id != cell.name:
            match.report(
                cell.name, f"the grade_id {_short(cell.grade_id)} is not one of this assignment's"
            )
        elif cell.grade_id and cell.own_id in match.release and cell.own_id != cell.name:
            match.report(cell.name, f"the cell of id {cell.own_id!r} had its grade_id changed")


def _by_content(match: _Match, assignment: Assignment) -> None:
    """Cells that do not say which they are: by what they hold, then by where they are."""
    missing = [name for name in match.release if name not in {c.name for c in match.cells}]
    contents = [_content(match.release[name]) for name in missing]
    unique = {c: n for n, c in zip(missing, contents, strict=True) if contents.count(c) == 1}
    found = set()
    for cell in match.cells:
        if not cell.name and (name := unique.pop((cell.kind, cell.text), "")):
            cell.name = name
            found.add(name)
    for name in missing:
        if name not in found and (given := _at_its_place(match, name, assignment)):
            given.name = name


def _content(cell: NotebookNode) -> tuple[str, str]:
    return cell.cell_type, normal(cell.source)


def _at_its_place(match: _Match, name: str, assignment: Assignment) -> _Cell | None:
    """The unknown cell in the place of a missing one: as released, or an answer."""
    order = {n: i for i, n in enumerate(match.release)}
    places = [(i, order[c.name]) for i, c in enumerate(match.cells) if c.name]
    start = max((i for i, place in places if place < order[name]), default=-1)
    end = min((i for i, place in places if place > order[name]), default=len(match.cells))
    kind, text = _content(match.release[name])
    unknown = [c for c in match.cells[start + 1 : end] if not c.name and c.text and c.kind == kind]
    untouched = [c for c in unknown if c.text == text]
    if not match.release[name].metadata.nbgrader.solution:
        unknown = untouched
    elif asks := _asks(assignment, name):
        # The last definition is the one that counts when the cells are run.
        unknown = [c for c in unknown if _defines(c.source, asks)][-1:] or untouched
    return next(iter(unknown), None)


def _asks(assignment: Assignment, name: str) -> tuple[str, ...]:
    question = assignment.question_of(name)
    return question.asks if question else ()


def _defines(source: str, names: tuple[str, ...]) -> bool:
    listed = "|".join(map(re.escape, names))
    pattern = rf"^(?:def\s+(?:{listed})\b|(?:{listed})\s*[=:,])"
    return re.search(pattern, source, re.MULTILINE) is not None


def _choose(match: _Match, assignment: Assignment) -> None:
    """Of several copies of a cell take one; the others become the student's own cells."""
    for name, release in match.release.items():
        copies = [c for c in match.cells if c.name == name]
        answer = release.metadata.nbgrader.solution
        if copies and answer:
            match.chosen[name] = _answer(match, copies, assignment)
        elif copies:
            untouched = [c for c in copies if c.text == normal(release.source)]
            match.chosen[name] = (untouched or copies)[0]
        else:
            what = "the answer's cell was deleted: it counts as empty"
            match.report(name, what if answer else "the cell was deleted")


def _answer(match: _Match, copies: list[_Cell], assignment: Assignment) -> _Cell:
    """Of several copies of an answer, the one that counts."""
    name = copies[0].name
    empty = {"", normal(match.release[name].source)}
    answered = [c for c in copies if c.text not in empty] or copies
    chosen = ([c for c in answered if c.own_id == name] or answered)[-1]
    # Of an answer in pieces, which all are run, one defines what is asked for.
    asks = _asks(assignment, name)
    rivals = copies[1:] if not asks else {c.text for c in copies if _defines(c.source, asks)}
    if len(rivals) > bool(asks):
        match.report(
            name,
            f"the answer's cell was there {len(copies)} times: copy {copies.index(chosen) + 1} "
            "counts, the others are kept as cells of the student's own",
        )
    return chosen


def _compare(match: _Match) -> None:
    for name, cell in match.chosen.items():
        release = match.release[name]
        ours = release.metadata.nbgrader
        if cell.kind != release.cell_type:
            match.report(name, f"its type is {release.cell_type!r}, not {cell.kind!r}")
        if cell.grade_id == name:
            for flag in _FLAGS:
                if cell.meta.get(flag) != ours.get(flag):
                    was = _short(cell.meta.get(flag))
                    match.report(name, f"its {flag} is {ours.get(flag)!r}, not {was}")
        if not ours.solution and cell.text != normal(release.source):
            match.report(name, f"the cell was edited: {_first_change(cell.text, release.source)}")


def _short(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _first_change(theirs: str, ours: str) -> str:
    """The first line in which an edited cell differs from ours."""
    lines = zip_longest(theirs.split("\n"), normal(ours).split("\n"), fillvalue="")
    pairs = ((number, was, is_) for number, (was, is_) in enumerate(lines, 1) if was != is_)
    number, was, is_ = next(pairs)
    # What a long line has in common with ours says nothing.
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, is_, strict=False)))
    mine, yours = (f"...{line[same - 20 :]}" if same > 40 else line for line in (is_, was))
    return f"line {number} is {_short(mine)}, not {_short(yours)}"


def _build(match: _Match, assignment: Assignment) -> NotebookNode:
    notebook = deepcopy(assignment.grading)
    own: dict[str, list[_Cell]] = {name: [] for name in ("", *match.release)}
    after = ""
    for cell in match.cells:
        if match.chosen.get(cell.name) is cell:
            after = cell.name
        elif not (cell.name and cell.text == normal(match.release[cell.name].source)):
            own[after].append(cell)  # an exact further copy of ours adds nothing
    order = ["", "", *match.release]
    for place, ours in enumerate(notebook.cells, 2):
        if ours.metadata.nbgrader.solution:
            near = [own[name] for name in order[place - 2 : place + 1]]
            _fill(ours, match.chosen.get(ours.id), near, _added(match, order[place - 1]))
    ids = (f"{OWN}{number}" for number in range(1, len(match.cells) + 1))
    cells = [_extra(extra, ids) for extra in own[""]]
    for ours in notebook.cells:
        cells += [ours, *(_extra(extra, ids) for extra in own[ours.id])]
    notebook.cells = cells
    return notebook


def _fill(cell: NotebookNode, given: _Cell | None, near: list[list[_Cell]], added: str) -> None:
    """Write an answer into its cell.

    An empty written answer takes the text that the student put into cells of their own next to it;
    if there is none, what reads like prose in other cells near it, the question's own included, so
    that a person sees it. Else it stays as released: nbgrader gives it 0 without asking anybody.
    """
    if cell.cell_type == "code":
        if given is not None:
            cell.source = given.source
        return
    parts = [given] if given is not None and not _blank(given, cell) else []
    if not parts:
        parts = [c for beside in near[-2:] for c in beside if c.kind == "markdown"]
        parts = [c for c in parts if not _blank(c, cell)]
    if not parts:
        parts = [c for beside in near for c in beside if not _blank(c, cell) and _prose(c)]
    for beside in near:
        beside[:] = [c for c in beside if c not in parts]
    texts = [part.source for part in parts]
    if not parts or parts[0] is not given:
        texts[:0] = [added] if added else []
    if texts:
        cell.source = "\n\n".join(texts)
    if attachments := {k: v for part in parts for k, v in part.attachments.items()}:
        cell.attachments = attachments


def _blank(given: _Cell, ours: NotebookNode) -> bool:
    return given.text.strip() in {"", normal(ours.source).strip()}


def _added(match: _Match, name: str) -> str:
    """What a student wrote into a text of ours, if it may be an answer."""
    given = match.chosen.get(name)
    if given is None or given.kind != "markdown":
        return ""
    ours = {line.strip() for line in normal(match.release[name].source).split("\n")}
    lines = [line for line in given.text.split("\n") if line.strip() not in ours]
    text = "\n".join(lines)
    return text if len(_WORD.findall(text)) >= FEWEST_WORDS else ""


def _prose(cell: _Cell) -> bool:
    """Whether it may be a text: of code, what is none, or comments and strings alone."""
    if len(_WORD.findall(cell.text)) < FEWEST_WORDS:
        return False
    if cell.kind != "code":
        return True
    if re.search(r"^\s*[%!]", cell.text, re.MULTILINE):
        return False
    try:
        body = ast.parse(cell.text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in body)


def _extra(cell: _Cell, ids: Iterator[str]) -> NotebookNode:
    new = _NEW[cell.kind](cell.source, id=next(ids))
    if cell.attachments and cell.kind != "code":
        new.attachments = cell.attachments
    return new
