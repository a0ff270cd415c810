"""Who is in the course: ``roster.csv``, and whether what was handed in is theirs."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

TOLD = 20
"""So many strangers are named: who is meant takes a while to find in a large class."""

COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")


def read(course: Path) -> list[dict[str, str]]:
    """Read ``roster.csv``, a row for each student; nobody if there is no such file.

    Parameters
    ----------
    course : Path
        The course's folder.

    Raises
    ------
    ValueError
        If a column has another name, a row no id or more values than columns, or a student two
        rows; or if the file is no UTF-8 text.
    """
    path = course / "roster.csv"
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restkey="", strict=True)
            _check_columns(path, reader.fieldnames or ())
            rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: {error}. Save it as CSV in UTF-8.") from error
    known: dict[str, int] = {}
    students = []
    for line, row in rows:
        if "" in row:
            raise ValueError(f"{path}, line {line}: has more values than there are columns.")
        told = {name: (value or "").strip() for name, value in row.items()}
        student = told["id"]
        if not student:
            if any(told.values()):
                raise ValueError(f"{path}, line {line}: has no id.")
            continue
        if student in known:
            raise ValueError(
                f"{path}, line {line}: {student!r} has a row already, line {known[student]}."
            )
        known[student] = line
        students.append(told)
    return students


def _check_columns(path: Path, named: Iterable[str]) -> None:
    names = [*named]
    if "id" not in names or len({*names}) < len(names) or not {*names} <= {*COLUMNS}:
        raise ValueError(
            f"{path}: its first line must name columns among {', '.join(COLUMNS)}, each at most "
            f"once, id always; it is {names}."
        )


def check_chosen(chosen: Iterable[str], known: Iterable[str]) -> None:
    """See that each student chosen is known, from the roster or by a submission.

    Raises
    ------
    ValueError
        If one is not; the message names the likeliest others.
    """
    students = sorted({*known})
    for student in chosen:
        if student not in students:
            near = get_close_matches(student, students)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise ValueError(
                f"--student {student}: is not on the roster and has handed in nothing.{hint}"
            )


def strangers(rows: list[dict[str, str]], submitted: Iterable[str]) -> str:
    """Name who handed in but is not on the roster, the first with who may be meant.

    It is empty if all are there, or there is no roster.
    """
    students = [row["id"] for row in rows]
    unknown = sorted({*submitted}.difference(students)) if students else []
    told = []
    for student in unknown[:TOLD]:
        near = get_close_matches(student, students, n=1)
        told.append(student + (f" ({near[0]}?)" if near else ""))
    if len(unknown) > TOLD:
        told.append(f"and {len(unknown) - TOLD} more")
    return ", ".join(told)
