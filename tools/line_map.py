"""A plugin of pytest that records which test runs which line, of Python and of JavaScript.

With ``LINE_MAP=folder`` each process writes there what its tests ran, as coverage.py does, and how
many seconds of a processor each test took that passed. With ``LINE_MAP_ONLY=file`` only the tests
that this JSON file lists are run, in its order.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build/planted"
PYTEST = [sys.executable, "-m", "pytest", "-q", "--doctest-modules", "-p", "no:cacheprovider"]
PYTEST += ["-p", "tools.line_map"]
UNIT = "not (site or browser or homework or thorough or pdf)"
SECONDS = 120
"""Of a processor, for the tests of one fault."""
CODE = ("dtviz", "book/_ext", "homework", "tools", "atlas", "tests/support")
Script = dict[str, Any]


class Recorder:
    """Starts with a process of tests; its contexts are the names of the tests."""

    def __init__(self, folder: str) -> None:
        self.scripts = tempfile.TemporaryDirectory()
        # Node writes there what it ran, once it ends.
        os.environ["NODE_V8_COVERAGE"] = self.scripts.name
        self.coverage = coverage.Coverage(
            data_file=f"{folder}/lines",
            data_suffix=True,
            config_file=False,
            include=[f"{code}/*" for code in CODE],
        )
        self.coverage.set_option("run:relative_files", True)  # noqa: FBT003
        self.coverage.start()
        self.javascript = coverage.CoverageData(f"{folder}/lines", suffix=f"js.{os.getpid()}")
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.times = Path(folder, f"seconds.{os.getpid()}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, bool, bool]:
        """Name the context after the test, and add what Node ran meanwhile."""
        self.coverage.switch_context(item.nodeid)
        before = sum(os.times()[:4])
        done = yield
        self.seconds[item.nodeid] = round(sum(os.times()[:4]) - before, 2)
        self.coverage.switch_context("")
        self.javascript.set_context(item.nodeid)
        for report in Path(self.scripts.name).iterdir():
            # Where Node was killed, the report is cut off.
            with suppress(ValueError):
                self.add(json.loads(report.read_text("utf-8"))["result"])
            report.unlink(missing_ok=True)
        return done

    def add(self, scripts: list[Script]) -> None:
        """Add what Node ran."""
        for script in scripts:
            path = Path(script["url"].removeprefix("file://"))
            if path.is_relative_to(ROOT) and path.exists():
                name = str(path.relative_to(ROOT))
                self.javascript.add_lines({name: lines_run(path.read_text("utf-8"), script)})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out what did not pass."""
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what was recorded."""
        passed = {test: s for test, s in self.seconds.items() if test not in self.failed}
        self.times.write_text(json.dumps(passed, indent=0), "utf-8")
        self.coverage.stop()
        self.coverage.save()
        self.javascript.write()


def lines_run(text: str, script: Script) -> set[int]:
    """Return the lines of a script that V8 counted: inner ranges overrule those around them."""
    run = bytearray(len(text))
    for function in script["functions"]:
        for part in function["ranges"]:
            start, end = part["startOffset"], part["endOffset"]
            run[start:end] = bytes([part["count"] > 0]) * (end - start)
    ends = [place for place, letter in enumerate(text + "\n") if letter == "\n"]
    starts = [0, *(end + 1 for end in ends)]
    return {k + 1 for k, end in enumerate(ends) if any(run[starts[k] : end])}


def pytest_configure(config: pytest.Config) -> None:
    """Record in the processes that run tests."""
    folder = os.environ.get("LINE_MAP")
    if folder and (hasattr(config, "workerinput") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Recorder(folder))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Choose and sort the tests that are asked for, and let each wait for a processor."""
    for item in items:
        item.own_markers = [mark for mark in item.own_markers if mark.name != "timeout"]
    if only := os.environ.get("LINE_MAP_ONLY"):
        turn = {test: k for k, test in enumerate(json.loads(Path(only).read_text("utf-8")))}
        items[:] = sorted((i for i in items if i.nodeid in turn), key=lambda i: turn[i.nodeid])


class Map:
    """Which tests run a line, and how many seconds each takes."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        for part in sorted(folder.glob("seconds.*")):
            self.seconds |= json.loads(part.read_text("utf-8"))
        here = {file for file in map(file_of, self.seconds) if (ROOT / file).exists()}
        self.seconds = {test: s for test, s in self.seconds.items() if file_of(test) in here}
        self.data = coverage.CoverageData(str(folder / "lines"))
        self.data.read()
        self.files = {file for file in self.data.measured_files() if (ROOT / file).exists()}

    def by_line(self, file: str) -> dict[int, set[str]]:
        """Return the tests of each line of a file; none where it is run on import only."""
        found = self.data.contexts_by_lineno(file)
        return {line: self.seconds.keys() & tests for line, tests in sorted(found.items())}

    def tests(self, file: str, changed: range) -> set[str]:
        """Return the tests that run a changed line; those of the file if it is run on import."""
        lines = self.by_line(file)
        # A statement may stand on more lines than are counted.
        counted = {max((k for k in lines if k <= line), default=0) for line in changed}
        everywhere = set().union(*lines.values())
        return set().union(*(lines.get(line, set()) for line in counted)) or everywhere

    def batches(self, file: str, direct: set[str], without: tuple[str, ...]) -> Iterator[list[str]]:
        """Order what may catch a fault, the quickest files first; then the tests beside these."""
        # What one test tabulated others read: those of its file, or of a chapter's claims.
        files = {re.sub(r"(tests/claims/\w+/).*", r"\1", file_of(test)) for test in direct}
        groups: dict[tuple[bool, bool, str], list[str]] = defaultdict(list)
        for test, seconds in sorted(self.seconds.items(), key=lambda entry: entry[1]):
            if test.startswith(tuple(files)) and not test.startswith(without):
                groups[test not in direct, seconds > 1, file_of(test)].append(test)
        room = f"/{file.split('/')[-2]}/"

        def cost(group: tuple[bool, bool, str]) -> tuple[bool, float]:
            near = 4 if room in group[2] else 1
            return group[0], (0.3 + sum(self.seconds[test] for test in groups[group])) / near

        batch: list[str] = []
        spent, most = 0.0, 4.0
        for group in sorted(groups, key=cost):
            batch += groups[group]
            if sum(self.seconds[test] for test in batch) > most or len(batch) > 10 * most:
                yield batch
                spent, batch, most = spent + most, [], 4 * most
                if spent > SECONDS:
                    return
        if batch:
            yield batch


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def copy_tree(to: str) -> Path:
    """Copy what is under version control, or is about to be, and link what is installed."""
    folder = Path(to)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for name in (".venv", "node_modules"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def combine(folder: Path) -> None:
    """Add what the processes recorded to what is known."""
    data = coverage.CoverageData(str(folder / "lines"))
    data.read()
    for part in sorted(folder.glob("lines.*")):
        other = coverage.CoverageData(str(part))
        other.read()
        data.update(other)
        part.unlink()
    data.write()


def main() -> None:
    """Record which test runs which line: of all unit tests, or of those that are named."""
    folder, tests = BUILD / "map", sys.argv[1:]
    if not tests:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as copy:
        env = os.environ | {"PYTHONPATH": copy, "LINE_MAP": str(folder)}
        command = [
            *PYTEST,
            "-n",
            "2",
            "--dist",
            "loadfile",
            "-m",
            UNIT,
            *(tests or ["tests", "dtviz"]),
        ]
        subprocess.run(command, cwd=copy_tree(copy), env=env, check=False)
    combine(folder)


if __name__ == "__main__":
    main()
