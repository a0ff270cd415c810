"""Re-execute the chapters when the package, or what it stands on, has changed; only then.

jupyter-cache keys a notebook on its own cells and cannot see that an imported module changed; nor
can Sphinx, which keeps each page it has read. Here the cache lives in a folder named by a hash of
everything a cell can depend on besides its own text. The folder's name is part of Sphinx's
configuration, so that Sphinx reads every page anew when it changes.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.config import Config

ROOT = Path(__file__).resolve().parents[2]
# Front-end files are read by the browser, never by a cell: see dtviz_explorers.
FRONT_END = {".js", ".css"}
KEPT = 4  # so that undoing an edit, or changing branches, executes nothing
IGNORED = {"__pycache__", ".ipynb_checkpoints"}


def package_files(root: Path = ROOT) -> list[Path]:
    """Return the files a chapter's output can depend on, in a fixed order."""
    package = (
        path
        for path in sorted((root / "dtviz").rglob("*"))
        if path.is_file() and path.suffix not in FRONT_END and not IGNORED & set(path.parts)
    )
    return [*package, root / "requirements.txt"]


def digest(files: Iterable[Path], root: Path = ROOT) -> str:
    """Hash names and contents of ``files``, with the version of Python that would run them."""
    value = hashlib.sha256(platform.python_version().encode())
    for path in files:
        value.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        value.update(path.read_bytes())
    return value.hexdigest()[:16]


def use_cache(app: Sphinx, config: Config) -> None:
    """Point myst-nb at the cache of this version of the package; keep those of the last few."""
    caches = Path(app.outdir).parent / ".jupyter_cache"
    current = caches / digest(package_files())
    current.mkdir(parents=True, exist_ok=True)
    current.touch()
    folders = (path for path in caches.iterdir() if path.is_dir())
    by_age = sorted(folders, key=lambda path: path.stat().st_mtime)
    for old in by_age[:-KEPT]:
        shutil.rmtree(old)
    config.nb_execution_cache_path = str(current)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx before it compares its configuration with that of the last build."""
    app.connect("config-inited", use_cache)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
