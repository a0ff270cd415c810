"""The front end outside a browser: its modules run by Node, and bundled."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dtviz.explorers.base import STATIC

__all__ = ["bundle_explorers", "evaluate", "node", "write_bundles"]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = STATIC.parents[1]
MODULES = [
    *(path for path in PACKAGE.rglob("*.js") if path.parent.name != "bundles"),
    PACKAGE / "core/boolean/operators.json",  # which the page's parser reads
]
TIMEOUT = 120

EVALUATE = """
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
const { paths, code, given, fault } = JSON.parse(readFileSync(0, "utf8"));
let found = 0;
const plant = (text) => {
  found += text.split(fault[0]).length - 1;
  return text.replace(fault[0], () => fault[1]);
};
if (fault) {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      return url.startsWith("file:") ? { ...loaded, source: plant(String(loaded.source)) } : loaded;
    },
  });
}
const modules = [];
for (const path of paths) modules.push(await import(path));
if (fault && found !== 1) throw new Error(`${fault[0]} stands there ${found} times`);
const names = Object.assign({}, ...modules);
const act = Function(...Object.keys(names), `"use strict"; return (${code});`);
process.stdout.write(JSON.stringify(await act(...Object.values(names))(given)));
"""


def node() -> str:
    """Return the path of Node: the wheel's beside this Python, else the one on the path."""
    own = Path(sys.executable).with_name("node")
    found = str(own) if own.exists() else shutil.which("node")
    assert found is not None, "Node is missing: run make setup-test"
    return found


def run(*arguments: str | Path, given: str = "") -> str:
    """Run Node in the package's folder, and return what it prints."""
    done = subprocess.run(
        [node(), *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        cwd=PACKAGE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def evaluate(
    sources: Iterable[Path], function: str, given: object, *, fault: tuple[str, str] | None = None
) -> Any:
    """Call a JavaScript function on a value, and return what it returns.

    Parameters
    ----------
    sources : iterable of Path
        Modules whose exports the function may use by name.
    function : str
        A JavaScript expression: a function of one value, perhaps asynchronous.
    given : object
        What it is called with, as JSON.
    fault : pair of str, optional
        A piece of the modules and of those they import, which must be there once, and what to put
        in its place.

    Returns
    -------
    object
        Its result, by way of JSON: NaN and infinities become None.
    """
    paths = [path.resolve().as_uri() for path in sources]
    asked = {"paths": paths, "code": function, "given": given, "fault": fault}
    return json.loads(run("--input-type=module", "--eval", EVALUATE, given=json.dumps(asked)))


def write_bundles(package: Path, folder: Path) -> None:
    """Do what ``make bundles`` does, with a package's modules, into another folder."""
    run(ROOT / "tools/bundles.js", package, folder)


def bundle_explorers(more: Mapping[str, str]) -> dict[str, str]:
    """Return the scripts of all explorers by name, and of ``more``: ``explorer.js`` by folder."""
    texts = {path.relative_to(PACKAGE): path.read_text("utf-8") for path in MODULES}
    texts |= {Path(name) / "explorer.js": text for name, text in more.items()}
    with tempfile.TemporaryDirectory() as folder:
        package, made = Path(folder) / "dtviz", Path(folder) / "made"
        for path, text in texts.items():
            (package / path).parent.mkdir(parents=True, exist_ok=True)
            (package / path).write_text(text, "utf-8")
        write_bundles(package, made)
        return {path.stem: path.read_text("utf-8") for path in made.iterdir()}
