"""Re-execute the chapters when the package, or what it stands on, has changed; only then.

jupyter-cache keys a notebook on its own cells and cannot see that an imported module changed; nor
can Sphinx, which keeps each page it has read. Here the cache lives in a folder named by a hash of
everything a cell can depend on besides its own text. The folder's name is part of Sphinx's
configuration, so that Sphinx reads every page again when it changes.

Before the pages are read, one after the other, what is not in the cache is run: a kernel for each
processor, for most of the time goes by while kernels start.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from jupyter_cache import get_cache  # type: ignore[import-untyped]
from jupyter_cache.base import CacheBundleIn  # type: ignore[import-untyped]
from jupyter_cache.executors.utils import (  # type: ignore[import-untyped]
    ExecutionResult,
    single_nb_execution,
)
from sphinx.util import logging

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jupyter_cache.base import JupyterCacheAbstract
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).resolve().parents[2]
# Front-end files are read by the browser, never by a cell: see dtviz_explorers.
FRONT_END = {".js", ".css"}
KEPT = 4  # so that undoing an edit, or changing branches, executes nothing
IGNORED = {"__pycache__", ".ipynb_checkpoints"}

logger = logging.getLogger(__name__)


def package_files(root: Path = ROOT) -> list[Path]:
    """Return the files a chapter's output can depend on, in a fixed order."""
    package = (
        path
        for path in sorted((root / "dtviz").rglob("*"))
        if path.is_file() and path.suffix not in FRONT_END and not IGNORED & set(path.parts)
    )
    return [*package, root / "requirements.txt", *root.glob("book/comparisons.json")]


def digest(files: Iterable[Path], root: Path = ROOT) -> str:
    """Hash names and contents of ``files``, with the version of Python that would run them."""
    value = hashlib.sha256(platform.python_version().encode())
    for path in files:
        value.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        value.update(path.read_bytes())
    return value.hexdigest()[:16]


def cache_of_now(caches: Path) -> Path:
    """Return the folder among ``caches`` of this version of the package."""
    current = caches / digest(package_files())
    current.mkdir(parents=True, exist_ok=True)
    current.touch()
    return current


def keep_outputs(
    cache: JupyterCacheAbstract, notebook: nbformat.NotebookNode, path: Path, seconds: float
) -> None:
    """Put a notebook that was run into the cache."""
    bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def use_cache(app: Sphinx, config: Config) -> None:
    """Point myst-nb at the cache of this version of the package; keep those of the last few."""
    caches = Path(app.outdir).parent / ".jupyter_cache"
    current = cache_of_now(caches)
    folders = (path for path in caches.iterdir() if path.is_dir())
    by_age = sorted(folders, key=lambda path: path.stat().st_mtime)
    for old in by_age[:-KEPT]:
        shutil.rmtree(old)
    config.nb_execution_cache_path = str(current)


def quiet_kernels(app: Sphinx, _: Config) -> None:
    """Start kernels without files of the reader's own, and let them speak of errors only."""
    if "IPYTHONDIR" in os.environ:
        return
    folder = Path(app.outdir).parent / "ipython"
    (folder / "profile_default").mkdir(parents=True, exist_ok=True)
    settings = folder / "profile_default" / "ipython_kernel_config.py"
    settings.write_text('c.IPKernelApp.log_level = "ERROR"\n')
    os.environ["IPYTHONDIR"] = str(folder)


def unknown(
    paths: Iterable[Path], cache: JupyterCacheAbstract
) -> Iterator[tuple[Path, nbformat.NotebookNode]]:
    """Read the notebooks whose cells the cache has not seen."""
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            yield path, notebook


def execute(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Run what is not in the cache, as many notebooks at a time as there are processors.

    One that fails is left to myst-nb, which runs it again when its page is read, and reports.
    """
    config = app.config
    if config.nb_execution_mode != "cache":
        return
    cache = get_cache(config.nb_execution_cache_path)
    paths = (Path(env.doc2path(name)) for name in sorted(docnames))
    ours = (
        path
        for path in paths
        if path.suffix == ".ipynb" and not any(map(path.match, config.nb_execution_excludepatterns))
    )

    def run(job: tuple[Path, nbformat.NotebookNode]) -> tuple[Path, ExecutionResult]:
        path, notebook = job
        logger.info("Executing notebook %s", path.relative_to(app.srcdir))
        folder, seconds = str(path.parent), config.nb_execution_timeout
        return path, single_nb_execution(notebook, folder, seconds, allow_errors=False)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, result in pool.map(run, list(unknown(ours, cache))):
            if result.err is None:
                keep_outputs(cache, result.nb, path, result.time)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx before it compares its configuration with that of the last build."""
    app.connect("config-inited", use_cache)
    app.connect("config-inited", quiet_kernels)
    app.connect("env-before-read-docs", execute)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
