"""nbgrader's formgrader, in whose pages nothing of a student's can act.

Its pages have the instructor's rights on the Jupyter server. So they run the scripts of nbgrader's
own templates alone, each of which carries a number that the answer's header repeats; a submission
is shown by `homework.sanitize`; and MathJax comes from the server itself. nbgrader has no setting
for any of this: `guard` changes handlers of nbgrader 0.9.6, as soon as a server reads a course's
``nbgrader_config.py``. It also keeps formgrader from running settings that a student handed in.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
from base64 import b64encode
from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from jinja2 import BaseLoader, Environment, FileSystemLoader
from jupyter_server.utils import url_path_join
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory  # type: ignore[import-untyped]
from nbgrader.server_extensions.formgrader import base, handlers  # type: ignore[import-untyped]
from tornado.web import HTTPError, StaticFileHandler

from homework.ledger import parsed_timestamp
from homework.sanitize import InertExporter

POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}' {buttons}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'"
)
"""What a page may do: run its own scripts, and ask this server."""

FILES = "sandbox; default-src 'none'"
"""What a file beside a submission may do if it is opened: nothing."""

MATHJAX = "/homework/mathjax"
"""Where the server has MathJax: `mathjax.html.j2` asks there."""

_TEMPLATES = Path(handlers.template_path)
_SCRIPT = re.compile(r"<script\b")
_STRING = re.compile(r'(var \w+ = )"\{\{ ([\w.]+) \}\}";')
_BUTTON = re.compile(r'\bonclick="([^"{]*)"', re.IGNORECASE)
_NONCE: ContextVar[str] = ContextVar("nonce")


class _Guarded(BaseLoader):
    """Loads templates; the scripts in nbgrader's own carry the number of the answer."""

    def __init__(self, loader: BaseLoader) -> None:
        self._loader = loader

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Read a template."""
        text, name, fresh = self._loader.get_source(environment, template)
        if name is not None and _TEMPLATES in Path(name).parents:
            # An address can hold any name: as JSON it ends no string of a script.
            text = _STRING.sub(r"\1{{ \2 | tojson }};", text)
            text = _SCRIPT.sub('<script nonce="{{ nonce() }}"', text)
        return text, name, fresh


@cache
def _buttons() -> str:
    """The handlers in nbgrader's templates, by their hashes."""
    texts = (path.read_text("utf-8") for path in _TEMPLATES.rglob("*") if path.is_file())
    found = {code for text in texts for code in _BUTTON.findall(text)}
    hashes = (b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in sorted(found))
    return " ".join(["'unsafe-hashes'", *(f"'sha256-{each}'" for each in hashes)])


class SubmissionPage(InertExporter):
    """The page on which a submission is marked."""

    def __init__(self) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            template_name="formgrade",
            extra_template_basedirs=[str(_TEMPLATES)],
            # The first that is found: ours of `mathjax.html.j2`.
            extra_loaders=[FileSystemLoader(Path(__file__).parent)],
        )

    def _create_environment(self) -> Environment:
        environment: Environment = super()._create_environment()  # type: ignore[no-untyped-call]
        if environment.loader:
            environment.loader = _Guarded(environment.loader)
        environment.globals["nonce"] = _NONCE.get
        return environment

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **options: Any) -> Any:
        """Make the page; a student's names are text in it."""
        info = dict(resources or {})
        for name in ("student", "last_name", "first_name", "notebook_path"):
            if isinstance(info.get(name), str):
                info[name] = html.escape(info[name])
        return super().from_notebook_node(nb, info, **options)


_page = cache(SubmissionPage)


@cache
def _environment() -> Environment:
    """Jinja for the other pages."""
    environment = Environment(loader=_Guarded(FileSystemLoader(_TEMPLATES)), autoescape=True)
    environment.globals["nonce"] = _NONCE.get
    return environment


def _nonce(handler: Any) -> str:
    """The number of this answer's scripts."""
    number: str = vars(handler).setdefault("_homework_nonce", token_urlsafe(18))
    _NONCE.set(number)
    return number


def _policy(handler: Any) -> str:
    """The policy of an answer, beside the server's own."""
    own = FILES
    if not isinstance(handler, handlers.SubmissionFilesHandler):
        own = POLICY.format(nonce=_nonce(handler), buttons=_buttons())
    inherited = super(base.BaseHandler, handler).content_security_policy
    return f"{own}, {inherited}"


def _exporter(handler: Any) -> SubmissionPage:
    """What makes a page of a submission."""
    _serve_mathjax(handler.application)
    _nonce(handler)
    return _page()


def _render(handler: Any, name: str, **info: Any) -> str:
    """Make another page; every name is text in it."""
    _nonce(handler)
    return _environment().get_template(name).render(**info)


def _serve_mathjax(application: Any) -> None:
    """Let the server have MathJax, once: that of a package of the homework's."""
    spec = find_spec("sphinx-mathjax-offline")
    settings = application.settings
    if "homework_mathjax" in settings or spec is None or spec.origin is None:
        return
    settings["homework_mathjax"] = str(Path(spec.origin).parent / "static" / "mathjax")
    address = url_path_join(settings["base_url"], MATHJAX, "(.*)")
    folder = {"path": settings["homework_mathjax"]}
    application.add_handlers(".*$", [(address, StaticFileHandler, folder)])


_enter = handlers.FormgraderHandler.get


def _get(handler: Any) -> Any:
    """Enter formgrader: of a course that is named, nbgrader runs the settings."""
    named = handler.get_argument("path", "")
    if named and not _is_course(Path(named)):
        raise HTTPError(403, f"{named} is part of a course, or its settings are another's.")
    return _enter(handler)


def _is_course(folder: Path) -> bool:
    """Whether a folder may be a course: a student can hand in settings, and a link to them."""
    folder = folder.resolve()
    settings = [folder / f"nbgrader_config.{kind}" for kind in ("py", "json")]
    ours = all(path.stat().st_uid in (0, os.getuid()) for path in settings if path.exists())
    return ours and not any((above / settings[0].name).exists() for above in folder.parents)


def _timestamp(_: CourseDirectory, dest_path: str) -> datetime | None:
    """Read ``timestamp.txt``; None if there is none, nobody can read it, or it is no file."""
    stamp = Path(dest_path) / "timestamp.txt"
    return (
        parsed_timestamp(stamp.read_text("utf-8", "replace").strip()) if stamp.is_file() else None
    )


def guard() -> None:
    """Change nbgrader's handlers, and what reads times, for all of this process."""
    CourseDirectory.get_existing_timestamp = _timestamp
    handlers.FormgraderHandler.get = _get
    base.BaseHandler.content_security_policy = property(_policy)
    base.BaseHandler.exporter = property(_exporter)
    base.BaseHandler.render = _render
