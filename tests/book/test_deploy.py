"""The recipe for GitHub Pages, run on repositories of our own: what it publishes, and keeps."""

from __future__ import annotations

import os
import subprocess
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
