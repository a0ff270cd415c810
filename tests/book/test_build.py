"""The commands: what is found or said on a bare machine, and what a second build does again."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from support import browser
from support import site as checks

from tools import notebooks

if TYPE_CHECKING:
    from collections.abc import Callable


class TestBrowser:
    def test_without_one_the_reason_names_the_command(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(browser, "find", lambda: None)
        monkeypatch.setattr(browser, "succeeds", lambda _: False)
        found = browser.ensure()
        assert found.path is None
        assert re.search("apt-get install -y chromium|playwright install chromium", found.reason)

    @pytest.mark.parametrize(
        ("environ", "required"),
        [
            ({}, False),
            ({"CI": "", "DTVIZ_REQUIRE_BROWSER": "0"}, False),
            ({"CI": "true"}, True),
            ({"CI": "TRUE"}, True),
            ({"DTVIZ_REQUIRE_BROWSER": "1"}, True),
        ],
    )
    def test_where_a_browser_is_required(self, environ: dict[str, str], required: bool) -> None:
        assert browser.required(environ) == required

    @pytest.mark.slow
    def test_a_skip_is_a_failure_where_a_browser_is_required(
        self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tests = checks.ROOT / "tests"
        pytester.makeconftest((tests / "conftest.py").read_text("utf-8"))
        pytester.makepyprojecttoml(
            "[tool.pytest.ini_options]\n"
            f'pythonpath = ["{tests}", "{checks.ROOT}"]\nmarkers = ["site", "browser"]\n'
        )
        pytester.makepyfile(
            """
            import pytest

            @pytest.fixture
            def required(monkeypatch):
                monkeypatch.setenv("DTVIZ_REQUIRE_BROWSER", "1")

            @pytest.mark.browser
            def test_drawn(): pytest.skip("no browser")

            def test_other(required): pytest.skip("not about browsers")

            @pytest.mark.browser
            def test_drawn_where_required(required): pytest.skip("no browser")
            """
        )
        for name in ("CI", "DTVIZ_REQUIRE_BROWSER"):
            monkeypatch.delenv(name, raising=False)
        done = pytester.runpytest_subprocess("-rf")
        done.assert_outcomes(failed=1, skipped=2)
        done.stdout.fnmatch_lines(["FAILED *::test_drawn_where_required*"])


class TestMake:
    @pytest.fixture
    def make(self, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
        for name in ("Makefile", "requirements.txt", "pyproject.toml"):
            shutil.copy(checks.ROOT / name, tmp_path)

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                ["make", "--no-print-directory", *arguments],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )

        return run

    @staticmethod
    def python(folder: Path, lacks: str) -> str:
        """Write a Python that fails when asked for ``lacks``."""
        path = folder / "python"
        path.write_text(f'#!/bin/sh\ncase "$*" in *{lacks}*) exit 1;; esac\n')
        path.chmod(0o755)
        return f"PYTHON={path}"

    def test_alone_it_lists_its_commands(
        self, make: Callable[..., subprocess.CompletedProcess[str]]
    ) -> None:
        said = make().stdout
        for command in ("book", "test", "lab", "serve", "bench", "clean", "notebooks"):
            assert f"\n  {command} " in said

    @pytest.mark.parametrize(
        ("lacks", "advice"),
        [("version_info", "needs Python 3.11 or newer"), ("ensurepip", "install python3-venv")],
    )
    def test_a_python_that_will_not_do(
        self,
        make: Callable[..., subprocess.CompletedProcess[str]],
        tmp_path: Path,
        lacks: str,
        advice: str,
    ) -> None:
        done = make("book", self.python(tmp_path, lacks))
        assert done.returncode != 0
        assert advice in done.stderr
        assert "Traceback" not in done.stderr

    def test_what_was_installed_as_dtviz_is_removed_before_it_is_installed_as_dtviz_book(
        self, make: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
    ) -> None:
        """Also what pip cannot uninstall, because its record is gone."""
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        site = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
        for folder in ("dtviz", "dtviz-0.2.0.dist-info", "dtviz_other-1.dist-info"):
            (site / folder).mkdir(parents=True)
        (site / "_editable_impl_dtviz.pth").write_text("/elsewhere\n")
        python = tmp_path / ".venv" / "bin" / "python"
        python.write_text(
            f'#!/bin/sh\necho "$@" $(ls {site}) >> log\ncase "$*" in *uninst*) exit 1;; esac'
        )
        python.chmod(0o755)
        done = make("setup")
        assert (done.returncode, done.stderr) == (0, "")
        *_, removal, install, fetch = (tmp_path / "log").read_text().splitlines()
        assert "pip uninstall -qqq --yes dtviz" in removal
        assert re.search(r"--editable \. dtviz_other-1.dist-info$", install)
        assert "dtviz_npm.py" in fetch


@pytest.mark.xdist_group("named")
def test_a_group_of_tests_stays_together(request: pytest.FixtureRequest) -> None:
    """Nothing fails where groups are ignored, but claims run twice and the book is waited for."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@named")


@pytest.mark.slow
class TestSecondBuild:
    """A book of one chapter that prints a number of the package, built again after each edit."""

    @pytest.fixture(scope="class")
    @classmethod
    def project(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        root = tmp_path_factory.mktemp("project")
        (root / "dtviz").mkdir()
        (root / "dtviz" / "__init__.py").write_text("NUMBER = 111\n")
        (root / "requirements.txt").write_text("")
        (root / "book" / "_ext").mkdir(parents=True)
        shutil.copy(checks.ROOT / "book" / "_ext" / "dtviz_execution.py", root / "book" / "_ext")
        config = yaml.safe_load((checks.ROOT / "_config.yml").read_text("utf-8"))
        only = {
            "title": "Planted",
            "execute": config["execute"],
            "sphinx": {"local_extensions": {"dtviz_execution": "book/_ext"}},
        }
        (root / "_config.yml").write_text(yaml.safe_dump(only))
        (root / "_toc.yml").write_text("format: jb-book\nroot: book/chapter\n")
        cls.write_chapter(root, "Before")
        return root

    @staticmethod
    def write_chapter(root: Path, title: str) -> None:
        source = "import sys\nsys.path.insert(0, '..')\nimport dtviz\nprint(dtviz.NUMBER)"
        notebook = new_notebook(cells=[new_markdown_cell(f"# {title}"), new_code_cell(source)])
        notebooks.normalize(notebook)
        (root / "book" / "chapter.ipynb").write_text(notebooks.dumps(notebook), "utf-8")

    @staticmethod
    def build(root: Path) -> tuple[str, str]:
        """Build; returns what was said and the page."""
        said = checks.jupyter_book(root, root)
        return said, (root / "_build/html/book/chapter.html").read_text("utf-8")

    @pytest.mark.thorough
    def test_each_edit_is_seen_and_nothing_else_is_run(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Settings of our own, since those of `make test` import the real package into each kernel.
        monkeypatch.setenv("IPYTHONDIR", str(project / "ipython"))
        said, page = self.build(project)
        assert "Executing notebook" in said
        assert ">111\n" in page

        said, page = self.build(project)
        assert "Executing notebook" not in said
        assert "0 added, 0 changed, 0 removed" in said

        (project / "dtviz" / "__init__.py").write_text("NUMBER = 222\n")
        said, page = self.build(project)
        assert "Executing notebook" in said
        assert ">222\n" in page

        # Three edits that execute nothing: undone, what it printed is known; prose, and no cell;
        # and a file that only browsers read.
        (project / "dtviz" / "__init__.py").write_text("NUMBER = 111\n")
        self.write_chapter(project, "After")
        (project / "dtviz" / "front.js").write_text("// read by browsers only")
        said, page = self.build(project)
        assert "Executing notebook" not in said
        assert ">111\n" in page
        assert "<h1>After" in page

    @pytest.mark.thorough
    def test_notebooks_run_at_the_same_time_and_one_that_fails_is_reported(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("IPYTHONDIR", str(project / "ipython"))
        root = tmp_path / "project"
        shutil.copytree(project, root, ignore=shutil.ignore_patterns("_build"))
        (root / "_toc.yml").write_text(
            "format: jb-book\nroot: book/chapter\nchapters: [{file: book/a}, {file: book/b}]\n"
        )
        settings = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
        settings["execute"]["timeout"] = 60
        (root / "_config.yml").write_text(yaml.safe_dump(settings))
        # Each waits for the other: one after the other, neither ends.
        for mine, other in ("ab", "ba"):
            source = (
                "import pathlib, time\n"
                f"pathlib.Path('{mine}.txt').touch()\n"
                f"while not pathlib.Path('{other}.txt').exists(): time.sleep(0.01)\n"
                "print('both')"
            )
            cells = [new_markdown_cell(f"# {mine}"), new_code_cell(source)]
            notebook = new_notebook(cells=cells)
            notebooks.normalize(notebook)
            (root / "book" / f"{mine}.ipynb").write_text(notebooks.dumps(notebook), "utf-8")
        self.build(root)
        for name in "ab":
            assert ">both\n" in (root / f"_build/html/book/{name}.html").read_text("utf-8")

        notebook = new_notebook(cells=[new_markdown_cell("# Bad"), new_code_cell("1 / 0")])
        notebooks.normalize(notebook)
        (root / "book" / "a.ipynb").write_text(notebooks.dumps(notebook), "utf-8")
        with pytest.raises(checks.BuildError, match="ZeroDivisionError"):
            self.build(root)

        settings["execute"]["execute_notebooks"] = "off"
        (root / "_config.yml").write_text(yaml.safe_dump(settings))
        assert "Executing notebook" not in self.build(root)[0]


def test_a_build_that_fails_is_tried_once_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds: list[Path] = []

    def fail(source: Path, output: Path) -> None:
        del source
        builds.append(output)
        raise checks.BuildError("warning: no such page\nand more")

    monkeypatch.setattr(checks, "OUTPUT", tmp_path / "strict")
    monkeypatch.setattr(checks, "share_cache", lambda: None)
    monkeypatch.setattr(checks, "jupyter_book", fail)
    for run, tried in ("first", 1), ("first", 1), ("second", 2):
        monkeypatch.setenv("DTVIZ_RUN", run)
        with pytest.raises(checks.BuildError, match="no such page\nand more"):
            checks.build()
        assert len(builds) == tried
    monkeypatch.setattr(checks, "jupyter_book", lambda *_: builds.append(tmp_path))
    monkeypatch.setenv("DTVIZ_RUN", "third")
    for _ in range(2):
        assert checks.build() == checks.SITE
    assert len(builds) == 3
