"""The recipes, as far as a machine alone can run them: what Pages publishes, what nginx is given.

The container was built by hand, with buildah, on an image of Debian under the name of the one that
the recipe begins with: here its steps are read, and the one that does something is run.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml
from support.site import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STEPS = {
    step["name"]: step["run"]
    for step in yaml.safe_load((ROOT / "deploy" / "pages.yml").read_text("utf-8"))["jobs"][
        "publish"
    ]["steps"]
    if "run" in step
}
FETCH, PUBLISH = STEPS["Fetch the editions that are published"], STEPS["Publish"]
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GITHUB_REF_NAME": "v0.2.0",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def run(script: str, folder: Path) -> int:
    """Run the lines of a step as GitHub does: in bash, to the first that fails."""
    command = ["bash", "-e", "-c", script]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=False).returncode


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@localhost", *arguments],
        cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """Make a repository with more in it than a site."""
    folder = tmp_path / "origin.git"
    git(tmp_path, "init", "--quiet", "--bare", str(folder))
    own = tmp_path / "own"
    git(tmp_path, "init", "--quiet", str(own))
    (own / "README.md").write_text("a book")
    git(own, "add", "README.md")
    git(own, "commit", "--quiet", "-m", "a book")
    git(own, "push", "--quiet", str(folder), "HEAD:refs/heads/main")
    return folder


def publish(origin: Path, name: str) -> list[str]:
    """Publish an edition from a fresh checkout, and return the files of the branch."""
    checkout = origin.with_name(f"checkout-{name}")
    git(origin.parent, "clone", "--quiet", "--branch", "main", str(origin), str(checkout))
    assert run(FETCH, checkout) == 0
    (checkout / "_build" / "site" / name).mkdir()
    (checkout / "_build" / "site" / name / "index.html").write_text(name)
    assert run(PUBLISH, checkout / "_build" / "site") == 0
    return git(origin, "ls-tree", "-r", "--name-only", "gh-pages").split()


def test_the_branch_holds_the_site_alone_and_editions_stay(origin: Path) -> None:
    assert publish(origin, "2026") == ["2026/index.html"]
    assert publish(origin, "2027") == ["2026/index.html", "2027/index.html"]
    assert git(origin, "show", "gh-pages:2026/index.html") == "2026"


def test_a_lost_connection_publishes_nothing(origin: Path) -> None:
    publish(origin, "2026")
    checkout = origin.with_name("checkout")
    git(origin.parent, "clone", "--quiet", "--branch", "main", str(origin), str(checkout))
    origin.rename(origin.with_name("away"))
    assert run(FETCH, checkout) != 0
    assert not (checkout / "_build" / "site").exists()


# --- TeX -----------------------------------------------------------------------------------------


def test_pages_and_ci_install_tex_by_the_one_list() -> None:
    command = [sys.executable, str(ROOT / "tools" / "pdf.py"), "--packages"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert {"texlive-xetex", "librsvg2-bin", "fonts-texgyre-math", "fonts-dejavu-core"} < set(told)
    for recipe in (STEPS["Set the PDF, on both papers"], (ROOT / ".ci" / "run").read_text("utf-8")):
        assert "$(python3 tools/pdf.py --packages)" in recipe
        assert "texlive" not in recipe


def test_the_pdf_is_set_before_the_site_that_offers_it() -> None:
    order = list(STEPS)
    assert order.index("Set the PDF, on both papers") < order.index(
        "Build the book and lay out the edition"
    )


# --- the container -------------------------------------------------------------------------------

CONTAINER = (ROOT / "deploy" / "Containerfile").read_text("utf-8").replace("\\\n", "")
NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")


def steps(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", CONTAINER, re.MULTILINE)


def told(setting: str) -> str:
    found = re.search(rf"^ *{setting} ([^;]+);", NGINX, re.MULTILINE)
    assert found
    return found[1]


def test_the_container_holds_what_nginx_serves_where_it_looks() -> None:
    copied = dict(step.split() for step in steps("COPY"))
    assert copied == {"deploy/nginx.conf": "/etc/nginx/nginx.conf", "_build/site": told("root")}
    assert steps("EXPOSE") == [told("listen")]
    users = re.findall(r"^(USER|RUN) ?(\w*)", CONTAINER, re.MULTILINE)
    assert users == [("USER", "root"), ("RUN", "find"), ("USER", "101")]  # it runs without rights


@pytest.mark.parametrize("shell", ["sh", "busybox"])
def test_what_browsers_take_compressed_is_compressed_beside(tmp_path: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}, whose find and gzip the image has")
    site = tmp_path / "2026 b"
    site.mkdir()
    for name in ("a.html", "b.js", "c.png", "d.css"):
        (site / name).write_text(name * 2_000)
    (site / "small.html").write_text("small")
    (line,) = steps("RUN")
    script = line.replace(told("root"), str(tmp_path))
    applets = tmp_path / "applets"
    applets.mkdir()
    if shell == "busybox":
        for name in ("find", "gzip", "sh"):
            (applets / name).symlink_to(program)
    path = f"{applets}:{os.environ['PATH']}"
    subprocess.run(["sh", "-c", script], check=True, env={"PATH": path}, cwd=tmp_path)
    made = {path.name: gzip.decompress(path.read_bytes()) for path in site.glob("*.gz")}
    assert made == {f"{n}.gz": (n * 2_000).encode() for n in ("a.html", "b.js", "d.css")}
    assert (site / "a.html").exists()
