"""The front end outside a browser: its modules, run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dtviz.explorers.base import EXPORT, joined

__all__ = ["evaluate", "node"]

TIMEOUT = 120


def node() -> str:
    """Return the path of Node: the wheel's beside this Python, else the one on the path."""
    own = Path(sys.executable).with_name("node")
    found = str(own) if own.exists() else shutil.which("node")
    assert found is not None, "Node is missing: run make setup-test"
    return found


def evaluate(
    sources: Iterable[Path], function: str, given: object, *, fault: tuple[str, str] | None = None
) -> Any:
    """Call a JavaScript function on a value, and return what it returns.

    Parameters
    ----------
    sources : iterable of Path
        Modules whose exports the function may use by name.
    function : str
        A JavaScript expression: a function of one value.
    given : object
        What it is called with, as JSON.
    fault : pair of str, optional
        A piece of the joined modules, which must be there once, and what to put in its place.

    Returns
    -------
    object
        Its result, by way of JSON: NaN and infinities become None.
    """
    paths = [path.resolve() for path in sources]
    text, names = joined(paths)
    if fault is not None:
        assert text.count(fault[0]) == 1, f"{fault[0]} stands there {text.count(fault[0])} times"
        text = text.replace(*fault)
    taken = "".join(
        f"const {{ {', '.join(EXPORT.findall(path.read_text('utf-8')))} }} = {names[path]};\n"
        for path in paths
    )
    call = f'({function})(JSON.parse(require("node:fs").readFileSync(0, "utf8")))'
    script = f'"use strict";\n{text}{taken}process.stdout.write(JSON.stringify({call}));\n'
    done = subprocess.run(
        [node(), "--eval", script],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
