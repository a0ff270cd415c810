"""Commands that somebody of the ecosystem types in a clone, without having read the README."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from support import site as checks

# npm finds nothing here: no registry at its address, and nothing kept from earlier.
WITHOUT_NPM = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_cache": "no-cache"}
LACKS = [
    "npm ci failed: npm error code ECONNREFUSED",
    "formulas stay as TeX: npm brought no Temml",
    "text is set in Times or its like: npm brought no STIX Two Text",
    "programs cannot be edited and run in the page: npm brought no esbuild",
]
PAGE = r"""# Planted

A formula $\mathrm{Inf}_i(f) \le \tfrac12$, and see {eq}`eq-one`.

$$
x = \sum_{i=1}^n y_i
$$ (eq-one)

```{run} rank.literal rank
print(rank((0, 1, (1, 0, 1))))
```
"""

Type = Callable[..., subprocess.CompletedProcess[str]]


def typed(line: str, folder: Path, **environ: str | None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environ}
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={name: value for name, value in env.items() if value is not None},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_without_npm_a_page_is_built_and_a_line_says_what_it_lacks(tmp_path: Path) -> None:
    shutil.copytree(checks.ROOT / "book" / "_ext", tmp_path / "book" / "_ext")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(checks.ROOT / name, tmp_path)
    (tmp_path / "conf.py").write_text(
        "import sys\nsys.path.insert(0, 'book/_ext')\n"
        'extensions = ["myst_parser", "dtviz_math", "dtviz_type", "dtviz_run"]\n'
        'myst_enable_extensions = ["dollarmath"]\nhtml_math_renderer = "temml"\nnumfig = True\n'
    )
    (tmp_path / "index.md").write_text(PAGE, "utf-8")
    done = typed(f"{sys.executable} -m sphinx --color . site", tmp_path, **WITHOUT_NPM)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert [line for line in LACKS if line not in said] == []
    assert done.stderr.count("WARNING: ") == 3
    html = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert r"<code>\mathrm{Inf}_i(f) \le \tfrac12</code>" in html
    assert '<span class="eqno">(1)' in html
    assert "run.js" not in html
    assert "dtviz-math.css" in html


@pytest.mark.slow
def test_pytest_without_its_extra_says_in_a_line_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "hypothesis.py").write_text("raise ModuleNotFoundError")
    done = typed(f"{sys.executable} -m pytest", checks.ROOT, PYTHONPATH=str(tmp_path))
    assert done.returncode != 0
    (line,) = (done.stdout + done.stderr).splitlines()
    assert "make setup-test" in line


@pytest.mark.thorough
class TestCleanClone:
    """Each line as it is typed, in a clone of what is committed and a new environment."""

    @pytest.fixture(scope="class")
    @classmethod
    def shell(cls, tmp_path_factory: pytest.TempPathFactory) -> Type:
        folder = tmp_path_factory.mktemp("clean")
        programs = folder / "env" / "bin"
        clone = folder / "clone"
        unwanted = ("PYTHONPATH", "VIRTUAL_ENV", "IPYTHONDIR", "PYTEST_ADDOPTS")
        environ = dict.fromkeys(unwanted) | {"PATH": f"{programs}:{os.environ['PATH']}"}

        def run(line: str, **more: str) -> subprocess.CompletedProcess[str]:
            done = typed(line, clone, **(environ | more))
            assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
            return done

        typed(f"git clone {checks.ROOT} clone && {sys.executable} -m venv env", folder)
        done = run("pip install -r requirements.txt && pip install .")
        assert done.returncode == 0, done.stderr
        return run

    def test_the_book_is_built_whole(self, shell: Type) -> None:
        done = shell("jupyter-book build .")
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stdout + done.stderr, done.stderr
        page = shell("cat _build/html/book/2-rank/1-low-rank.html").stdout
        assert page.count("<math") > 50
        assert "run.js" in page

    def test_without_npm_it_is_built_and_says_what_it_lacks(self, shell: Type) -> None:
        done = shell("rm -r node_modules; jupyter-book build .", **WITHOUT_NPM)
        assert done.returncode == 0, done.stderr
        said = done.stdout + done.stderr
        search = "pages cannot be searched: npm brought no MiniSearch"
        assert [line for line in (*LACKS, search) if line not in said] == []
        assert r"<code>\mathrm{" in shell("cat _build/html/book/2-rank/1-low-rank.html").stdout

    def test_pytest_runs_a_notebook_and_says_what_the_tests_need(self, shell: Type) -> None:
        assert "make setup-test" in shell("pytest").stderr
        assert shell("pytest --nbval book/1-influence/1-trees-and-influence.ipynb").returncode == 0

    def test_the_package_is_installed_and_built(self, shell: Type) -> None:
        done = shell('pip install --no-deps --target ../there "git+file://$PWD"')
        assert done.returncode == 0, done.stderr
        assert shell("python -c 'import dtviz; print(dtviz.rank)'", PYTHONPATH="../there").stdout
        done = shell("pip install build && python -m build")
        assert done.returncode == 0, done.stderr
        assert shell("ls dist").stdout.count("dtviz") == 2

    def test_jupyterlab_opens_the_book(self, shell: Type) -> None:
        options = "--no-browser --allow-root --IdentityProvider.token= --port 8765"
        shell(f"jupyter lab book/ {options} > lab.log 2>&1 & echo $! > lab.pid")
        try:
            for _ in range(120):
                time.sleep(0.5)
                if "is running at" in shell("cat lab.log").stdout:
                    break
            address = "http://127.0.0.1:8765/api/contents/1-influence"
            with urllib.request.urlopen(address) as answer:
                assert b"1-trees-and-influence.ipynb" in answer.read()
        finally:
            shell("kill $(cat lab.pid)")
