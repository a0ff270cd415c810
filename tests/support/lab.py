"""A Jupyter server with notebooks, all its files temporary: JupyterLab and Notebook 7."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[2]

LABS_OWN = "Canceled future for create_subshell_request message"
"""What JupyterLab throws where a slow kernel answers none of its own requests; ours are others."""


def ours(complaints: Sequence[str]) -> list[str]:
    """Return what of a page's complaints can be ours."""
    found = (line for line in complaints if "dtviz" in line or "uncaught" in line)
    return [line for line in found if LABS_OWN not in line]


@contextmanager
def serve_notebooks(folder: Path, notebooks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Serve notebooks, given by name as lists of cells, and yield the server's address."""
    (folder / "notes").mkdir()
    for name, cells in notebooks.items():
        notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, folder / "notes" / f"{name}.ipynb")
    runtime, config = folder / "runtime", folder / "config"
    # JupyterLab would ask whether it may fetch its news.
    quiet = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (config / "labconfig").mkdir(parents=True)
    (config / "labconfig" / "page_config.json").write_text(json.dumps(quiet), "utf-8")
    environment = os.environ | {
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_CONFIG_DIR": str(config),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--port=0",
        f"--ServerApp.root_dir={folder / 'notes'}",
        "--LabApp.expose_app_in_browser=True",
        "--IdentityProvider.token=",
    ]
    log = (folder / "log.txt").open("wb")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 180
        while not (found := list(runtime.glob("jpserver-*.json"))):
            assert server.poll() is None, (folder / "log.txt").read_text("utf-8")
            assert time.monotonic() < deadline, (folder / "log.txt").read_text("utf-8")
            time.sleep(0.2)
        yield json.loads(found[0].read_text("utf-8"))["url"]
    finally:
        server.terminate()
        server.wait(timeout=120)
        log.close()
