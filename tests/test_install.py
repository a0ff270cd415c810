"""Who installs dtviz gets ours: both of its names may be other projects' on an index."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from packaging.requirements import Requirement
from support.site import ROOT

import dtviz
from homework.assignments import load, names
from homework.release import TARGET, copies, index_lines
from homework.zips import student_zip

OURS = [f"dtviz_book-{dtviz.__version__}"]
# IPython comes from here; the processes that it starts do not see it.
RUN = """
import sys
sys.path.append(sys.argv[1])
from IPython.core.interactiveshell import InteractiveShell
done = InteractiveShell.instance().run_cell(sys.stdin.read())
sys.exit(done.error_in_exec and str(done.error_in_exec))
"""


def write_stub(folder: Path, name: str, version: str, text: str | None = None) -> None:
    """Write a wheel that holds nothing, or dtviz of this text; an index of ``folder`` lists it."""
    about = f"{name.replace('-', '_')}-{version}"
    folder.mkdir(parents=True)
    with ZipFile(folder / f"{about}-py3-none-any.whl", "w") as wheel:
        if text is not None:
            wheel.writestr("dtviz/__init__.py", text)
        about += ".dist-info/"
        wheel.writestr(
            f"{about}METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"
        )
        wheel.writestr(
            f"{about}WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any"
        )
        wheel.writestr(f"{about}RECORD", "")
        (folder / "index.html").write_text(f'<a href="{Path(wheel.filename).name}">{name}</a>')


class Student:
    """A folder with the unpacked zip, and an index that holds decoys, on a machine of its own."""

    def __init__(self, home: Path) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        for needed in ("jupyterlab", *(Requirement(one).name for one in project["dependencies"])):
            write_stub(home / "index" / needed, needed, "99")
        for decoy in ("dtviz", "dtviz-book"):
            write_stub(home / "index" / decoy, decoy, "9.9", text="")
        self.folder = home / "decision trees"
        with ZipFile(student_zip(home, [load("1-influence")])) as packed:
            packed.extractall(self.folder)
        self.env = {"PATH": f"{sys.base_prefix}/bin:/usr/bin:/bin", "HOME": str(home)}
        self.env |= {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": (home / "index").as_uri()}
        self.env |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.python = self.folder / ".venv" / "bin" / "python"

    def type(self, command: list[str], text: str = "", folder: Path | None = None) -> str:
        """Return what the command complains of if it fails, and nothing if it does not."""
        done = subprocess.run(
            command,
            input=text,
            cwd=folder or self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr.strip() if done.returncode else ""

    def run(self, cell: str, folder: Path | None = None) -> str:
        """Run a cell; return the message of its error."""
        command = [str(self.python), "-c", RUN, sysconfig.get_path("purelib")]
        return self.type(command, cell, folder)

    def installed(self) -> list[str]:
        """List the distributions that would be called dtviz."""
        found = self.python.parents[1].glob("lib/python3*/site-packages/dtviz*.dist-info")
        return sorted(path.stem for path in found)


def first_cell(path: Path) -> str:
    return next(c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code")


def test_all_assignments_begin_with_the_same_cell():
    assert len({first_cell(TARGET / f"{name}.ipynb") for name in names()}) == 1


@pytest.mark.slow
def test_a_student_gets_ours_whatever_an_index_offers(tmp_path):
    student = Student(tmp_path)
    guide = (student.folder / "README.md").read_text("utf-8")
    typed = re.search(r"(?s)```sh\n(.*?)jupyter lab\n", guide)
    assert student.type(["bash", "-ec", typed[1]]) == ""
    assert student.installed() == OURS
    started = student.folder / "environment.yml"
    assert named(started, started.read_text("utf-8")) + index_lines(guide) == []
    cell = first_cell(student.folder / "1-influence.ipynb")
    assert student.run(cell) == ""

    # A notebook alone: one sentence that says where the wheel is, and nothing is installed.
    pip = [str(student.python), "-m", "pip", "--quiet"]
    student.type([*pip, "uninstall", "--yes", "dtviz-book"])
    alone = tmp_path / "downloads"
    alone.mkdir()
    shutil.copy(student.folder / "1-influence.ipynb", alone)
    said = student.run(cell, alone)
    assert "dtviz_book-*.whl" in said
    assert f"into the folder {alone}, and run this cell again." in said
    assert not re.search(r"[.!?]\s", said)
    assert student.installed() == []

    # Another project's: what the cell says to do helps, and then it installs the wheel.
    decoy = "dtviz"
    student.type([*pip, "install", decoy])
    assert student.installed() == ["dtviz-9.9"]
    said = student.run(cell)
    assert "dtviz/__init__.py is not the dtviz of the book" in said
    assert student.installed() == ["dtviz-9.9"]
    (remedy,) = re.findall(r"`(%pip .*?)`", said)
    assert student.run(remedy) == ""
    assert student.installed() == []
    assert student.run(cell) == ""
    assert student.installed() == OURS

    # With the next assignment comes a newer one.
    for version in ("10.9.0", "10.10.0"):
        write_stub(tmp_path / version, "dtviz-book", version, f'BooleanFunction = "{version}"')
        shutil.copy(*tmp_path.glob(f"{version}/*.whl"), student.folder)
    assert student.run(cell) == ""
    assert student.installed() == ["dtviz_book-10.10.0"]


REQUIREMENT = re.compile(
    r"(?im)^[\s\"'-]*(dtviz(?:[-_.]+book)?\s*(?:\[[^\]\n]*\])?\s*(?:[<=>!~;].*)?)[\"',\s]*$"
)


def named(path: Path, text: str) -> list[str]:
    """List the lines of a file that leave it to an index what dtviz is."""
    listed = REQUIREMENT.findall(text) if path.suffix in {".toml", ".txt", ".yml"} else []
    return index_lines(text) + listed


def test_no_line_of_the_repository_leaves_it_to_an_index_what_dtviz_is():
    git = ["git", "-c", "safe.directory=*", "ls-files"]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]
    assert len(paths) > 500
    found = {path: named(path, path.read_text("utf-8", "replace")) for path in paths}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "# %pip install --quiet --find-links . NAME",
        '!pip3 install "NAME[test]>=0.3"',
        "python -m pip download -d wheels numpy NAME==0.3.0",
        "pip install \\\n  --upgrade \\\n  NAME",
        'run([sys.executable, "-m", "pip", "install",\n     "NAME"])',
        "$(BIN)/python $(INSTALL) NAME --no-build-isolation",
        "uv add NAME",
        "uvx NAME",
        "conda create -n trees NAME",
        "Install it with `pip install NAME`.",
    ],
)
@pytest.mark.parametrize("name", ["dtviz", "dtviz-book", "Dtviz_Book"])
def test_a_line_that_does_is_found(line, name):
    assert index_lines(line.replace("NAME", name))


@pytest.mark.parametrize("line", ["NAME", "  - NAME>=0.3", '    "NAME[homework]",', "'NAME==0.3',"])
def test_a_list_of_requirements_that_does_is_found(line):
    assert named(Path("any.yml"), f"- numpy\n{line.replace('NAME', 'dtviz-book')}\n")


@pytest.mark.parametrize(
    "line",
    [
        "pip install . installs it",
        'pip install --editable ".[homework]"',
        "%pip install --quiet ./NAME_book-0.3.0-py3-none-any.whl",
        "`pip install .` installs NAME",
        "pip install .  # NAME",
        'pip install "NAME-book @ git+https://example.org/NAME.git"',
        "conda create -n NAME python",
        "conda activate NAME",
        "%pip uninstall --yes NAME NAME-book",
    ],
)
def test_a_line_that_names_a_file_or_a_folder_is_not(line):
    assert index_lines(line.replace("NAME", "dtviz")) == []


def test_a_course_of_an_earlier_edition_is_refused(tmp_path):
    source = tmp_path / "source" / "2-rank" / "2-rank.ipynb"
    source.parent.mkdir(parents=True)
    text = (ROOT / "homework" / "source" / "2-rank" / "2-rank.ipynb").read_text("utf-8")
    source.write_text(text.replace("./{_wheels[-1]}", "dtviz"), "utf-8")
    with pytest.raises(ValueError, match=r"2-rank says .*pip install.* another project's"):
        copies(tmp_path)
