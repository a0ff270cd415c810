"""The wheel: what `pip install .` gives is whole, with nothing of this folder at hand."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tools.wheel import build_wheel

ROOT = Path(__file__).resolve().parents[1]

# -S leaves out the site, and with it the editable install; the libraries come last on the path.
CHECK = """
import json, sys
unpacked, *libraries = json.loads(sys.argv[1])
sys.path[:0] = [unpacked]
sys.path += libraries
import dtviz as dt

assert dt.__file__.startswith(unpacked), dt.__file__
for name in dt.__all__:
    assert getattr(dt, name) is not None, name
# One with rows of data in files, one with none.
html = {name: getattr(dt, name)().to_html() for name in ("ImpurityExplorer", "InfluenceExplorer")}
assert all("data-explorer" in page and "data:image/svg" in page for page in html.values())
assert "export default" in dt.ImpurityExplorer._esm
assert ".dtviz-explorer" in dt.ImpurityExplorer._css
print(len(html), "explorers from", dt.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built here without a download."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_wheel_holds_the_package_with_bundles_for_modules(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "dtviz"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = {path for path in listed.stdout.split() if "/bundles/" in path or path[-3:] != ".js"}
    assert held == files
    assert {"dtviz/explorers/bundles/rank.js", "dtviz/explorers/static/explorers.css"} <= held
    assert wheel.stat().st_size < 700_000


@pytest.mark.thorough
def test_the_wheel_works_alone(wheel: Path, tmp_path: Path) -> None:
    """In a Python without a site, in another folder: dtviz from the wheel, its libraries after."""
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    libraries = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    paths = json.dumps([str(unpacked), *libraries])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", CHECK, paths],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(unpacked) in done.stdout
