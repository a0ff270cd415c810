"""Two zips: what students get, and what they get back."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from homework import feedback
from homework.assignments import Assignment, canonical
from homework.marking import write_whole
from tools.wheel import build_wheel

COLLECTED = "collected-as.txt"
"""Stands beside a submission, and says what Canvas or Moodle called it."""

ENVIRONMENT = """\
name: dtviz
dependencies:
  - python>=3.11
  - pip
  - pip:
      - jupyterlab
      - ./{wheel}
"""
_ENDING = re.compile(r"\.ipynb(\.txt|\.json)?$|\.zip$", re.IGNORECASE)


def student_zip(course: Path, assignments: Iterable[Assignment]) -> Path:
    """Write ``release/students.zip``: notebooks, data, the wheel of `dtviz`, and how to start.

    Raises
    ------
    ValueError
        If two assignments have different files of one name, or the wheel cannot be built.
    """
    with TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        files = {wheel.name: wheel.read_bytes()}
    guide = Path(__file__).with_name("students.md").read_text("utf-8")
    for name, text in ("environment.yml", ENVIRONMENT), ("README.md", guide):
        files[name] = text.replace("{wheel}", wheel.name).encode()
    for assignment in assignments:
        files[f"{assignment.name}.ipynb"] = canonical(assignment.student).encode()
        for name, data in assignment.files:
            if files.setdefault(name, data) != data:
                raise ValueError(f"source/{assignment.name}/{name}: another file has this name.")
    path = course / "release" / "students.zip"
    write_whole(path, _zip(files))
    return path


def hand_back(course: Path, assignment: str) -> Path | None:
    """Write a zip of all pages of an assignment, called as Canvas or Moodle called what came.

    There is none where nothing was collected from there.
    """
    files = {}
    for info in sorted((course / "submitted").glob(f"*/{assignment}/{COLLECTED}")):
        page = feedback.page_path(course, info.parents[1].name, assignment)
        name = info.read_text("utf-8").strip()
        if page.is_file():
            folder, slash, last = name.rpartition("/")
            # In Moodle's folders any name will do; Canvas reads whose it is from the name.
            own = f"{assignment}.html" if slash else _ENDING.sub("", last) + ".html"
            files[f"{folder}{slash}{own}"] = page.read_bytes()
    path = course / "handback" / f"{assignment}.zip"
    if not files:
        return None
    write_whole(path, _zip(files))
    return path


def _zip(files: Mapping[str, bytes]) -> bytes:
    """Pack files, the same ones to the same bytes."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return packed.getvalue()
