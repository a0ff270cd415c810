"""A strict content security policy, and the pages that keep it.

The theme, and extensions, write small scripts, styles and handlers into each page. A policy that
allows those allows whatever else gets into a page. So they move into files, named after what they
hold; a page refers to them at the place where they stood, so that all runs in the same order.
"""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

FOLDER = "_static/inline"

POLICY = {
    "default-src": "'none'",
    # Brython turns Python into JavaScript, in a worker made from a string: for that alone.
    "script-src": "'self' 'unsafe-eval'",
    "worker-src": "blob:",
    "style-src": "'self'",
    # Icons of the theme are in its style sheets; an explorer's picture is drawn from a blob.
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'self'",
}

HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""What a server adds to each answer; ``deploy/nginx.conf`` says the same, and a test compares."""

# Possessive: a tag that is not well formed fails at once, and not after all ways to cut its names.
# What is never closed runs to the end of the page, as in a browser: no text is read twice.
ATTRIBUTES = r"""(?:[^\s"'<>=/]++(?:\s*+=\s*+(?:"[^"]*"|'[^']*'|[^\s"'<>`]++))?[\s/]*+)*+"""
PIECE = re.compile(
    r"<!--.*?(?:-->|\Z)"
    rf"|<(?P<held>script|style)(?P<on>\s{ATTRIBUTES})?>(?P<text>.*?)(?P<end></(?P=held)\s*>|\Z)"
    rf"|<(?P<tag>[a-zA-Z][\w:-]*+)[\s/]++(?P<attributes>{ATTRIBUTES})>",
    re.DOTALL | re.IGNORECASE,
)
TYPE = re.compile(r"""\btype\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
SOURCE = re.compile(r"(?:^|\s)src\s*=", re.IGNORECASE)
STYLE = re.compile(r"""\s*(?<![\w-])style\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
HANDLER = re.compile(r"""(?<![\w-])(on[a-z]+)\s*=\s*("[^"]*"|'[^']*')""", re.IGNORECASE)
# Style sheets that show a page in a script's string, as the previews of links do.
QUOTED = re.compile(r"""\s?style=\\"((?:[^"\\]|\\[^"])*)\\\"""")
EXECUTED = {"", "text/javascript", "application/javascript", "module"}


class PolicyError(ValueError):
    """A page holds what the policy forbids and nothing here can move."""


def digest(text: str) -> str:
    """Return a name for what a file holds."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass
class Mover:
    """Moves the inline scripts and styles of one site's pages into files of ``site``."""

    site: Path
    files: dict[str, str] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)
    """What style attributes said, by the value of the attribute that stands in their place."""

    def _file(self, text: str, suffix: str) -> str:
        name = f"{digest(text)}.{suffix}"
        self.files[name] = text
        return f"{FOLDER}/{name}"

    def _named(self, text: str) -> str:
        said = html.unescape(text).strip().rstrip(";")
        name = digest(said)[:8]
        self.styles[name] = said
        return f'data-style="{name}"'

    def moved(self, page: str, text: str, root: str) -> str:
        """Return a page whose scripts and styles are in files; ``root`` leads to the site's.

        Raises
        ------
        PolicyError
            If an element has a handler in an attribute, which has no file to go to, or a script or
            style has no end.

        """
        start = len(self.styles)

        def piece(found: re.Match[str]) -> str:
            if found["held"]:
                return self._held(page, found, root)
            return self._tag(page, found) if found["tag"] else found[0]

        text = PIECE.sub(piece, text)
        if len(self.styles) > start or "data-style=" in text:
            link = f'<link rel="stylesheet" href="{root}{FOLDER}/attributes.css">\n'
            text = text.replace("</head>", f"{link}</head>", 1)
        return text

    def _held(self, page: str, found: re.Match[str], root: str) -> str:
        attributes, text = found["on"] or "", found["text"]
        if not found["end"]:
            raise PolicyError(f"{page}: a <{found['held']}> has no end")
        kind = TYPE.search(attributes)
        if found["held"].lower() == "style":
            media = re.search(r'\smedia="[^"]*"', attributes)
            file = self._file(text, "css")
            return f'<link rel="stylesheet" href="{root}{file}"{media[0] if media else ""}>'
        if SOURCE.search(attributes) or (kind and kind[1].lower() not in EXECUTED):
            return found[0]
        return f'<script{attributes} src="{root}{self._file(text, "js")}"></script>'

    def _tag(self, page: str, found: re.Match[str]) -> str:
        tag = found[0]
        if handler := HANDLER.search(found["attributes"]):
            raise PolicyError(
                f"{page}: <{found['tag']}> has the handler {handler[0]!r}; a strict policy forbids "
                "handlers in attributes, so a script must add it"
            )
        if "style" not in found["attributes"]:
            return tag
        return STYLE.sub(lambda said: f" {self._named(said[1] or said[2] or '')}", tag)

    def quoted(self, text: str) -> str:
        """Return a script whose strings of HTML have no style attribute."""

        def named(found: re.Match[str]) -> str:
            return " " + self._named(found[1]).replace('"', '\\"')

        return QUOTED.sub(named, text)

    def write(self) -> None:
        """Write the files; what an attribute said wins over any rule, and so does its rule."""
        folder = self.site / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (folder / name).write_text(text, "utf-8")
        rules = [
            f'[data-style="{name}"] {{ {important(said)} }}\n'
            for name, said in sorted(self.styles.items())
        ]
        (folder / "attributes.css").write_text("".join(rules), "utf-8")


def important(said: str) -> str:
    """Return declarations that no rule of a style sheet overrides."""
    declared = (part.strip() for part in re.split(r";(?![^(]*\))", said))
    return " ".join(f"{part} !important;" for part in declared if part)


class _Refused(HTMLParser):
    """Reads a page with a parser that shares nothing with the patterns above."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        kind = (names.get("type") or "").lower()
        runs = tag == "script" and "src" not in names and kind in EXECUTED
        if runs or tag == "style" or any(name == "style" or name[:2] == "on" for name in names):
            self.found.append((self.get_starttag_text() or tag)[:80])


def inline(text: str) -> list[str]:
    """Return what of a page a strict policy would refuse: the check of what `Mover` did."""
    page = _Refused()
    # Behind the last ">" no tag ends; the parser would look for its end from each "<" anew.
    page.feed(text[: text.rfind(">") + 1])
    page.close()
    return page.found
