"""A course, its students and its days: zips, rosters, deadlines, lateness, extra credit.

Answers are executed in this process, by a stand-in for the sandbox.
"""

from __future__ import annotations

import csv
import io
import stat
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from support.course import (
    HIDDEN_LINE,
    MODEL_LINE,
    RIGHT,
    RUBRIC_LINE,
    SOLUTION_LINE,
    WRONG,
    answers,
    submission,
    write_course,
)
from support.grading import NOISE, Patch, Printed

from homework import collect, deadlines, feedback, ledger, marking, zips
from homework.__main__ import main
from homework.assignments import load
from homework.gradebook import Desk
from homework.zips import COLLECTED

pytestmark = NOISE

ROSTER = """id,first_name,last_name,email,lms_user_id
ada,Ada,Lovelace,ada@example.org,12345
obrien,Zoë,O'Brien,zoe@example.org,77
ada2,Ada,Lovelace,ada2@example.org,
kurt,Kurt,Gödel,kurt@example.org,
"""
DUE = "demo,,2026-03-02 23:59 Europe/Berlin\n"


def _course(folder: Path, *, due: str = "", config: str = "", students: str = ROSTER) -> Path:
    """A course with one assignment, ``demo``."""
    write_course(folder)
    (folder / "roster.csv").write_text(students, encoding="utf-8")
    if due:
        _write(folder / "deadlines.csv", f"assignment,student,due\n{due}")
    if config:
        _write(folder / "nbgrader_config.py", f"c = get_config()\n{config}\n")
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return _course(tmp_path / "course")


def _zip(course: Path, files: Mapping[Any, str | bytes]) -> Path:
    path = course.parent / "handed_in.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def _collect(course: Path, files: Mapping[Any, str | bytes], *options: str) -> int:
    text = ["collect", str(_zip(course, files)), "--course", str(course), "--assignment", "demo"]
    return main([*text, *options])


def _submitted(course: Path) -> dict[str, str]:
    folder = course / "submitted"
    return {
        str(path.relative_to(folder)): path.read_text("utf-8").strip()
        for path in folder.rglob("*")
        if path.is_file() and path.name != COLLECTED
    }


def test_a_zip_of_canvas_goes_where_it_belongs(course: Path, capsys: Printed) -> None:
    files = {
        "lovelaceada_12345_1000_demo-2.ipynb": "the latest",
        "lovelaceada_12345_89_demo.ipynb": "older: 89 is less than 1000",
        "lovelaceada_12345_901_notes.pdf": "%PDF",
        # Its number is not on the roster: the name serves, for one who has no number there.
        "gödelkurt_LATE_555_902_Demo (1).ipynb": "late",
        "obrienzoë_77_903_my homework.ipynb": "by another name",
        "__MACOSX/._lovelaceada_12345_1000_demo-2.ipynb": "of a Mac",
    }
    assert _collect(course, files) == 0
    assert _submitted(course) == {
        "ada/demo/demo.ipynb": "the latest",
        "kurt/demo/demo.ipynb": "late",
        "obrien/demo/demo.ipynb": "by another name",
    }
    output = capsys.readouterr().out
    assert "new: 3 (ada, obrien, kurt)" in output
    assert "late, says Canvas: 1 (kurt)" in output
    assert "no notebook in the zip: 1 (ada2)" in output
    assert "not the latest, left out: 1 (lovelaceada_12345_89_demo.ipynb)" in output
    assert "not called demo.ipynb, but taken for it: 1 (obrienzoë" in output
    assert "neither late nor in time (see --at, --zone): 3" in output
    assert "no notebook, left out: 1 (lovelaceada_12345_901_notes.pdf)" in output


def test_the_first_folder_says_whose_a_file_is_whatever_a_student_packed(course: Path) -> None:
    neighbor = "Kurt Gödel_504_assignsubmission_file_"
    files = {
        f"Zoe OBrien_503_assignsubmission_file_/{neighbor}/demo.ipynb": "by Zoë",
        f"ada/{neighbor}/obrienzoë_77_903_demo.ipynb": "by the first Ada",
    }
    assert _collect(course, files) == 0
    assert _submitted(course) == {
        "obrien/demo/demo.ipynb": "by Zoë",
        "ada/demo/demo.ipynb": "by the first Ada",
    }


def test_a_notebook_that_was_zipped_or_has_another_ending_is_taken_and_named(
    course: Path, capsys: Printed
) -> None:
    packed, many = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("homework/demo.ipynb", "zipped")
        archive.writestr("__MACOSX/homework/._demo.ipynb", "of a Mac")
    with zipfile.ZipFile(many, "w") as archive:
        archive.writestr("one.ipynb", "")
        archive.writestr("two.ipynb", "")
    files = {
        "lovelaceada_12345_1_demo.ipynb.txt": "another ending",
        "obrienzoë_77_2_demo.zip": packed.getvalue(),
    }
    assert _collect(course, files) == 0
    assert _submitted(course) == {
        "ada/demo/demo.ipynb": "another ending",
        "obrien/demo/demo.ipynb": "zipped",
    }
    output = capsys.readouterr().out
    assert "a notebook zipped or with another ending, taken: 2 (lovelaceada_12345_1_demo" in output
    assert _collect(course, {"gödelkurt_555_3_demo.zip": many.getvalue()}) == 2
    assert "holds 2 notebooks, must hold one" in capsys.readouterr().err


def test_what_goes_back_is_called_as_what_came(course: Path) -> None:
    files = {
        "Ada Lovelace_501_assignsubmission_file_/my work.ipynb": "a",
        "obrienzoë_77_903_demo-1.ipynb.txt": "b",
    }
    (course / "roster.csv").write_text(ROSTER.replace("ada2,Ada", "ada2,Ava"), "utf-8")
    assert _collect(course, files) == 0
    for student in ("ada", "obrien", "kurt"):
        _write(course / "feedback" / student / "demo" / "demo.html", student)
    path = zips.hand_back(course, "demo")
    assert path is not None
    with zipfile.ZipFile(path) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == {
            "Ada Lovelace_501_assignsubmission_file_/demo.html": "ada",
            "obrienzoë_77_903_demo-1.html": "obrien",
        }


def test_the_zip_for_students_holds_notebooks_data_and_the_library_and_nothing_else(
    course: Path,
) -> None:
    _write(course / "source" / "demo" / "table.csv", "x\n1\n")
    path = zips.student_zip(course, [load("demo", course)])
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        texts = "".join(archive.read(name).decode() for name in names if name[-4:] != ".whl")
    (wheel,) = [name for name in names if name.endswith(".whl")]
    assert {*names} == {"demo.ipynb", "table.csv", "environment.yml", "README.md", wheel}
    assert texts.count(f"./{wheel}") == 3
    assert "{wheel}" not in texts
    assert not any(line in texts for line in (HIDDEN_LINE, SOLUTION_LINE, RUBRIC_LINE, MODEL_LINE))


def test_a_zip_of_moodle_is_reported_apart_by_its_worksheet(course: Path, capsys: Printed) -> None:
    files = {
        "Ada Lovelace_501_assignsubmission_file_/demo.ipynb": "the first Ada's",
        "Ada Lovelace_502_assignsubmission_file/parts/demo.ipynb": "the second Ada's",
        "Zoe OBrien_503_assignsubmission_file_demo.ipynb": "of no folder",
        "Kurt Gödel_504_assignsubmission_onlinetext_/onlinetext.html": "<p>no notebook</p>",
    }
    assert _collect(course, files) == 2
    output = capsys.readouterr().err
    assert (
        "Ada Lovelace_501_assignsubmission_file_/demo.ipynb: on the roster, this is ada or ada2"
        in output
    )
    assert _submitted(course) == {}
    sheet = course / "sheet.csv"
    _write(
        sheet,
        "\ufeffIdentifier,Full name,Email address,Status,Last modified (submission)\n"
        'Participant 501,Ada Lovelace,ADA@example.org,ok,"Monday, 2 March 2026, 11:58 PM"\n'
        'Participant 502,Ada Lovelace,ada2@example.org,ok,"Monday, 30 March 2026, 11:58 PM"\n'
        "Participant 503,Zoë O'Brien,private@example.com,ok,-\n",
    )
    assert _collect(course, files, "--worksheet", str(sheet), "--zone", "Europe/Berlin") == 0
    # The clocks were put forward between the two.
    assert _submitted(course) == {
        "ada/demo/demo.ipynb": "the first Ada's",
        "ada/demo/timestamp.txt": "2026-03-02 22:58:00 UTC",
        "ada2/demo/demo.ipynb": "the second Ada's",
        "ada2/demo/timestamp.txt": "2026-03-30 21:58:00 UTC",
        "obrien/demo/demo.ipynb": "of no folder",
    }


def test_strangers_and_doubles_are_all_reported_before_anything_is_written(
    course: Path, capsys: Printed
) -> None:
    files = {
        "turingalan_999_1_demo.ipynb": "not on the roster",
        "obrienzoë_999_2_demo.ipynb": "not she, whose number is 77",
        "gödelkurt_555_3_demo.ipynb": "two of one name:",
        "gödelkurt_556_4_demo.ipynb": "which is he?",
        "demo.ipynb": "nobody's",
        "ada2@example.org/demo.ipynb": "one",
        "ada2@example.org/demo (1).ipynb": "another",
        "zoe@example.org/demo.ipynb": "Zoë's",
        "77/demo.ipynb": "Zoë's by number",
        "lovelaceada_12345_900_demo.ipynb": "fine",
    }
    assert _collect(course, files) == 2
    output = capsys.readouterr().err
    assert "turingalan_999_1_demo.ipynb: on the roster, this is nobody" in output
    assert "obrienzoë_999_2_demo.ipynb: on the roster, this is nobody" in output
    assert "  demo.ipynb: on the roster, this is nobody" in output
    assert "kurt: has several, none surely the latest: gödelkurt_555_3_demo.ipynb, göd" in output
    assert "ada2: has several, none surely the latest: ada2@example.org/demo.ipynb, ada2" in output
    assert "obrien: has several" in output
    assert "nothing has been written" in output
    assert not (course / "submitted").exists()
    assert _collect(course, files, "--skip") == 0
    assert _submitted(course) == {"ada/demo/demo.ipynb": "fine"}


def test_what_is_collected_again_keeps_the_latest_and_its_time(
    course: Path, capsys: Printed
) -> None:
    early, late = "2026-03-01 12:00 UTC", "2026-03-05 12:00 UTC"
    assert _collect(course, {"ada/demo.ipynb": "1", "kurt/demo.ipynb": "1"}, "--at", early) == 0
    capsys.readouterr()
    # Who handed in nothing new is in time, though this zip is of later.
    assert _collect(course, {"ada/demo.ipynb": "1", "kurt/demo.ipynb": "2"}, "--at", late) == 0
    output = capsys.readouterr().out
    assert "unchanged: 1 (ada)" in output
    assert "replaced: 1 (kurt)" in output
    expected = {
        "ada/demo/demo.ipynb": "1",
        "ada/demo/timestamp.txt": "2026-03-01 12:00:00 UTC",
        "kurt/demo/demo.ipynb": "2",
        "kurt/demo/timestamp.txt": "2026-03-05 12:00:00 UTC",
    }
    assert _submitted(course) == expected
    assert _collect(course, {"kurt/demo.ipynb": "1"}, "--at", early) == 0
    assert "older than what is there, left out: 1 (kurt/demo.ipynb)" in capsys.readouterr().out
    assert _submitted(course) == expected
    # Nobody knows when this one came: the time of the one before is not its.
    assert _collect(course, {"kurt/demo.ipynb": "3"}) == 0
    del expected["kurt/demo/timestamp.txt"]
    assert _submitted(course) == expected | {"kurt/demo/demo.ipynb": "3"}


def _link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def _packed(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_LZMA
    return info


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (_link("ada/demo.ipynb"), "/etc/passwd", "is a link"),
        (_packed("ada/demo.ipynb"), "{}", "packed in an unusual way"),
        ("ada/demo.ipynb", b"0" * (marking.LARGEST + 1), "has 20 MiB, more than 20"),
        ("../../outside_12345_1_demo.ipynb", "{}", "this is nobody"),
        ("ada/../../../demo.ipynb", "{}", ""),
        ("../demo.ipynb", "{}", "this is nobody"),
        ("/etc/demo.ipynb", "{}", "this is nobody"),
    ],
    ids=["link", "lzma", "bomb", "slip, Canvas", "slip, folder", "above", "root"],
)
def test_no_zip_writes_outside_or_too_much(
    course: Path, capsys: Printed, name: Any, text: str | bytes, said: str
) -> None:
    before = {path for path in course.parent.rglob("*") if course / "submitted" not in path.parents}
    assert _collect(course, {name: text}) == (2 if said else 0)
    assert said in capsys.readouterr().err
    assert _submitted(course) == ({} if said else {"ada/demo/demo.ipynb": "{}"})
    made = {course / "submitted", course / "grade.log", course / "grade.lock"}
    made.add(course.parent / "handed_in.zip")
    after = {path for path in course.parent.rglob("*") if course / "submitted" not in path.parents}
    assert after - before <= made


def test_a_zip_that_lies_or_is_none_and_a_link_in_the_course_are_refused(
    course: Path, capsys: Printed
) -> None:
    assert _collect(course, {"ada/demo.ipynb": b"0" * 1000, "kurt/demo.ipynb": "fine"}) == 0
    path = course.parent / "handed_in.zip"
    # The first file says that it has ten bytes: what is read is not what was packed.
    raw = path.read_bytes().replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(raw)
    text = ["collect", str(path), "--course", str(course), "--assignment", "demo"]
    assert main(text) == 2
    assert "ada/demo.ipynb is broken" in capsys.readouterr().err
    path.write_bytes(b"PK nonsense")
    assert main(text) == 2
    assert "handed_in.zip: File is not a zip file" in capsys.readouterr().err
    (course / "submitted" / "zoe").mkdir()
    (course / "submitted" / "obrien").symlink_to(course.parent)
    assert _collect(course, {"zoe@example.org/demo.ipynb": "x", "ada/demo.ipynb": "new"}) == 2
    assert "is a link, which may lead out of the course" in capsys.readouterr().err
    assert not (course.parent / "demo").exists()
    assert _submitted(course)["ada/demo/demo.ipynb"] == "0" * 1000


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--zone", "EST"], "--zone: must name a time zone, such as Europe/Berlin or UTC"),
        (["--at", "2026-03-02 23:59"], "--at: '2026-03-02 23:59': must name a time zone"),
        (["--assignment", "demon"], "--assignment demon: there is none"),
        (["--worksheet", "none.csv"], "--worksheet none.csv: there is no such file"),
        (["--course", "."], "must list the students"),
    ],
)
def test_what_cannot_be_collected_is_reported(
    course: Path, monkeypatch: Patch, capsys: Printed, options: list[str], said: str
) -> None:
    write_course(course / "other")
    monkeypatch.chdir(course / "other")
    assert _collect(course, {"ada/demo.ipynb": "1"}, *options) == 2
    assert said in capsys.readouterr().err
    assert not (course / "submitted").exists()


def test_another_systems_names_are_nbgraders_setting(tmp_path: Path) -> None:
    regexp = r"demo_(?P<student_id>\w+)_attempt_(?P<timestamp>[^_]+)_(?P<file_id>.+)"
    course = _course(tmp_path / "c", config=f"c.FileNameCollectorPlugin.named_regexp = r'{regexp}'")
    files = {"demo_kurt_attempt_2026-03-02 10.15.00_demo.ipynb": "his"}
    assert _collect(course, files, "--zone", "Asia/Tokyo") == 0
    assert _submitted(course) == {"kurt/demo/demo.ipynb": "his"}
    files = {"demo_kurt_attempt_2026-03-02 10:15:00_demo.ipynb": "his"}
    assert _collect(course, files, "--zone", "Asia/Tokyo") == 0
    assert _submitted(course)["kurt/demo/timestamp.txt"] == "2026-03-02 01:15:00 UTC"


@pytest.mark.parametrize("text", ["2/3/2026, 11:58 PM", "2/3/26", "-", "", "2026-03-02 10:15 CET"])
def test_a_time_that_may_be_another_is_none(text: str) -> None:
    found = collect.Found(zipfile.ZipInfo("demo.ipynb"), {"timestamp": text})
    assert collect.Plan(zone=deadlines.zone("Europe/Berlin", "zone")).time(found) is None


def test_an_id_that_would_be_an_option_is_refused(course: Path) -> None:
    text = submission(load("demo", course), answers())
    _write(course / "submitted" / "-ada" / "demo" / "demo.ipynb", text)
    assert "no hyphen at the beginning" in marking.submission(course, "-ada", "demo").fault


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("demo,,2026-03-02 23:59", "must name a time zone, such as Europe/Berlin or UTC, not ''"),
        ("demo,,2026-03-02 23:59 Europe/Berlim", "not 'Europe/Berlim'"),
        ("demo,,2026-03-02 23:59 ../../etc/passwd", "not '../../etc/passwd'"),
        ("demo,,2026-03-02 23:59 CET", "not 'CET'"),
        ("demo,,2 March 23:59 UTC", "must read like 2026-03-02 23:59 Europe/Berlin"),
        ("demo,,2026-02-30 23:59 UTC", "day is out of range"),
        ("demo,,2026-03-29 02:30 Europe/Berlin", "the clocks skip it"),
        ("demo,,", "line 2: has no due"),
        ("demon,,2026-03-02 23:59 UTC", "assignment 'demon': there is none; there are demo"),
        (f"{DUE}{DUE}", "line 3: demo  has a row already, line 2"),
        (f"{DUE}demo,adda,2026-03-05 23:59 UTC", "student adda: is not on the roster"),
        (f"{DUE}demo,ada,2026-03-02 22:58 UTC", "the extension of ada must not end before"),
        ("demo,ada,2026-03-02 22:58 UTC", "which needs a row of demo without a student"),
    ],
)
def test_a_deadline_that_is_none_stops_before_anything_runs(
    tmp_path: Path, ran: list[str], capsys: Printed, text: str, said: str
) -> None:
    course = _course(tmp_path / "c", due=text)
    _hand_in(course, "ada", "2026-03-01 12:00:00 UTC", **RIGHT)
    _grade(course, code=2)
    output = capsys.readouterr().err
    assert "deadlines.csv, line " in output
    assert said in output
    assert ran == []
    assert not (course / "gradebook.db").exists()


def test_a_time_is_that_of_its_zone_with_summer_and_all() -> None:
    for text, result in [
        ("2026-03-02 23:59 Europe/Berlin", datetime(2026, 3, 2, 22, 59, tzinfo=UTC)),
        ("2026-07-02T23:59:59 Europe/Berlin", datetime(2026, 7, 2, 21, 59, 59, tzinfo=UTC)),
        # Twice on the clocks: the later one, which is kinder.
        ("2026-10-25 02:30 Europe/Berlin", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
        ("2026-03-02 23:59 UTC", datetime(2026, 3, 2, 23, 59, tzinfo=UTC)),
    ]:
        assert deadlines.moment(text, "due") == result


def _hand_in(course: Path, student: str, time: str, **given: str) -> None:
    folder = course / "submitted" / student / "demo"
    _write(folder / "demo.ipynb", submission(load("demo", course), given))
    _write(folder / "timestamp.txt", time)


def _grade(course: Path, code: int = 0) -> None:
    assert main(["grade", "--course", str(course), "--shards", "1"]) == code


def _table(course: Path, name: str = "grades", key: str = "student") -> dict[str, dict[str, str]]:
    with (course / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return {row[key]: row for row in csv.DictReader(file)}


def _late(course: Path) -> dict[str, tuple[str, str, str]]:
    return {
        student: (row["late"], row["late_penalty"], row["score"])
        for student, row in _table(course).items()
        if row["status"] == "graded"
    }


def _by_hand(course: Path, student: str, cell: str = "q4-answer", **marks: Any) -> None:
    """What a person does in formgrader."""
    with ledger.opened(Desk.of(course).url) as book:
        grade = book.find_grade(cell, "demo", "demo", student)
        for name, value in {"needs_manual_grade": False, **marks}.items():
            setattr(grade, name, value)
        book.db.commit()


def test_deadlines_and_extensions_are_the_files(tmp_path: Path, ran: list[str]) -> None:
    course = _course(
        tmp_path / "c",
        due=f"{DUE}demo,ada,2026-03-04 12:00 America/New_York\ndemo,obrien,2026-04-01 12:00 UTC\n",
        config="c.LatePenalty.rule = '10% per day'",
    )
    for student in ("ada", "ada2", "kurt"):
        _hand_in(course, student, "2026-03-03 22:58:59 UTC", **answers(q4=""))
    _write(course / "submitted" / "kurt" / "demo" / "timestamp.txt", "2026-03-02 22:59:00 UTC")
    _grade(course)
    assert _late(course) == {
        "ada": ("no", "0", "11"),
        "ada2": ("yes", "1.1", "9.9"),
        "kurt": ("no", "0", "11"),
    }
    with ledger.opened(Desk.of(course).url) as book:
        # In UTC, as nbgrader and formgrader have it.
        assert book.find_assignment("demo").duedate == datetime(2026, 3, 2, 22, 59)  # noqa: DTZ001
        extension = timedelta(days=1, hours=18, minutes=1)
        assert book.find_submission("demo", "ada").extension == extension
    # The extension is taken back, another is given; who has handed in nothing has not.
    _write(
        course / "deadlines.csv",
        "assignment,due,student\ndemo,2026-03-02 23:59 UTC,\ndemo,2026-03-09 23:59 UTC,ada2\n",
    )
    _grade(course)
    assert {student: result[0] for student, result in _late(course).items()} == {
        "ada": "yes",
        "ada2": "no",
        "kurt": "no",
    }
    assert _table(course)["obrien"]["status"] == "not submitted"
    assert len(ran) == 3


@pytest.mark.parametrize(
    ("rule", "seconds", "taken"),
    [
        ("10% per day", 1, 1.0),
        ("10% per day", 86400, 1.0),
        ("10% per day", 86401, 2.0),
        ("10% per day", 10**7, 10.0),
        ("2.5% per hour", 7200, 0.5),
        ("2 points per day", 86401, 4.0),
        ("1 point per hour, floor 50%", 10**6, 5.0),
        ("10% per day, grace 15 minutes, floor 75%", 900, None),
        ("10% per day, grace 15 minutes, floor 75%", 901, 1.0),
        ("10% per day, grace 15 minutes, floor 75%", 10**6, 2.5),
        ("", 10**6, None),
    ],
)
def test_a_rule_takes_what_it_says(rule: str, seconds: float, taken: float | None) -> None:
    result = deadlines.LatePenalty(rule=rule).late_submission_penalty("ada", 10.0, seconds)
    assert result == (None if taken is None else pytest.approx(taken))


@pytest.mark.parametrize(
    "rule", ["10%", "ten % per day", "10% per day, floor 101%", "10% per week"]
)
def test_a_rule_that_is_none_stops_before_anything_runs(
    tmp_path: Path, ran: list[str], capsys: Printed, rule: str
) -> None:
    course = _course(tmp_path / "c", config=f"c.LatePenalty.rule = {rule!r}")
    _hand_in(course, "ada", "2026-03-01 12:00:00 UTC", **RIGHT)
    _grade(course, code=2)
    assert f"c.LatePenalty.rule: {rule!r} must read like" in capsys.readouterr().err
    assert ran == []


def test_a_penalty_follows_marks_by_hand_and_the_rule(tmp_path: Path, ran: list[str]) -> None:
    course = _course(tmp_path / "c", due=DUE, config="c.LatePenalty.rule = '10% per day'")
    _hand_in(course, "ada", "2026-03-03 12:00:00 UTC", **RIGHT)
    _grade(course)
    _by_hand(course, "ada", manual_score=3.0)
    _grade(course)
    assert _late(course) == {"ada": ("yes", "1.4", "12.6")}
    page = feedback.page_path(course, "ada", "demo")
    assert "Late submission penalty (Score: -1.4)" in page.read_text("utf-8")
    assert _table(course, "canvas", "SIS Login ID")["ada"]["demo"] == "12.6"
    _write(
        course / "nbgrader_config.py", "c = get_config()\nc.LatePenalty.rule = '1 point per day'"
    )
    _grade(course)
    assert _late(course) == {"ada": ("yes", "1", "13")}
    assert "Late submission penalty (Score: -1.0)" in page.read_text("utf-8")
    _write(course / "deadlines.csv", "assignment,due\ndemo,2026-03-09 12:00 UTC\n")
    _grade(course)
    assert _late(course) == {"ada": ("no", "0", "14")}
    assert "Late submission penalty" not in page.read_text("utf-8")
    assert len(ran) == 1


def test_a_new_submission_without_a_time_has_not_that_of_the_one_before(
    tmp_path: Path, ran: list[str]
) -> None:
    course = _course(tmp_path / "c", due=DUE)
    _hand_in(course, "ada", "2026-03-01 12:00:00 UTC", **answers(q4=""))
    _grade(course)
    assert _table(course)["ada"]["late"] == "no"
    _hand_in(course, "ada", "", **answers(q4="", q1=WRONG["q1"]))
    (course / "submitted" / "ada" / "demo" / "timestamp.txt").unlink()
    _grade(course)
    assert _table(course)["ada"]["late"] == ""
    _grade(course)
    assert len(ran) == 2


def test_extra_credit_counts_everywhere_and_stays(
    tmp_path: Path, ran: list[str], monkeypatch: Patch
) -> None:
    course = _course(tmp_path / "c")
    _hand_in(course, "ada", "", **RIGHT)
    _grade(course)
    _by_hand(course, "ada", manual_score=3.0, extra_credit=1.5)
    _by_hand(course, "ada", "q1-hidden", extra_credit=0.5)
    for engine in ("this", "another"):
        with monkeypatch.context() as newer:
            newer.setattr(marking, "engine", lambda name=engine: name)
            _grade(course)
        row = _table(course)["ada"]
        assert (row["status"], row["score"], row["max_score"]) == ("graded", "16", "14")
        assert _table(course, "canvas", "SIS Login ID")["ada"]["demo"] == "16"
        assert _table(course, "moodle", "ID number")["12345"]["demo"] == "16"
        assert [_table(course, "questions")["ada"][f"q{k}"] for k in (1, 4)] == ["4.5", "4.5"]
        page = feedback.page_path(course, "ada", "demo").read_text("utf-8")
        assert "(Score: 16.0 / 14.0)" in page
        assert "(Score: 4.5 / 3.0)" in page
    assert len(ran) == 3
    config = Desk.of(course).config
    assert NbGraderAPI(CourseDirectory(config=config), config=config).autograde("demo", "ada")[
        "success"
    ]
    with ledger.opened(Desk.of(course).url) as book:
        assert ledger.entries(book)["ada", "demo"].score == 16.0


@pytest.mark.usefixtures("ran")
def test_a_question_of_extra_credit_is_beyond_the_points_there_are(tmp_path: Path) -> None:
    course = _course(tmp_path / "c")
    source = course / "source" / "demo" / "demo.ipynb"
    text = source.read_text("utf-8")
    _write(source, text.replace("A plot (3 points)", "A plot (3 points, extra credit)"))
    assert load("demo", course).max_score == 11
    _hand_in(course, "ada", "", **answers())
    _hand_in(course, "kurt", "", **answers(q3=""))
    _grade(course)
    for student in ("ada", "kurt"):
        _by_hand(course, student, manual_score=3.0)
    _grade(course)
    found = {student: row["score"] for student, row in _table(course).items() if row["score"]}
    assert found == {"ada": "14", "kurt": "11"}
    assert {row["max_score"] for row in _table(course).values()} == {"11"}
    assert _table(course, "canvas", "SIS Login ID")[""]["demo"] == "11"
    for student, score in found.items():
        page = feedback.page_path(course, student, "demo").read_text("utf-8")
        assert f"(Score: {score}.0 / 11.0)" in page
