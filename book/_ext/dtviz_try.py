r"""Mentions of settings in the text: buttons that set the explorer.

``{try}`function="parity(5)", epsilon=0.1` `` says so in its own words; others come before:
``{try}`parity at a tenth <function="parity(5)", epsilon=0.1>` ``. It sets the first explorer of the
page that has these traits, or the one named, ``<influence2: epsilon=0.1>`` (the second of chapter
1's). With a page, ``<../1-influence/index: epsilon=0>``, it is a link with these settings, and
``<../1-influence/index#influence2: epsilon=0>`` names the explorer there.

All that a mention does not name is as the page shows it at first.

``{now}`44 <leaves>` `` is a text that follows what the explorer shows, from the 44 of its opening;
``{now}`44 <influence2: leaves>` `` that of another one. ``numbersOf`` in the chapter's JavaScript
lists the names.

Every mention is checked: that the page has such an explorer, the explorer such traits, that Python
accepts the values, and that the figure can show them: no step after growth has stopped. A slip is a
warning, and so stops the strict build.

Without JavaScript, and in print, a mention is its words. ``host.js`` makes a button of it.
"""

from __future__ import annotations

import ast
import json
import math
import posixpath
import re
from collections import Counter
from functools import cache
from html import escape
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote

import numpy as np
import traitlets
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

import dtviz as dt
from dtviz.explorers.traits import rule_of, validate_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from dtviz.explorers.base import Explorer

ROOT = Path(__file__).resolve().parents[2]
WORDS = re.compile(r"(?P<words>.*?)\s*<(?P<inside>[^<>]*)>", re.DOTALL)
INSIDE = re.compile(r"(?:(?P<where>[\w./-]*(?:#[\w-]+)?):\s+)?(?P<settings>.*)", re.DOTALL)
NOW = re.compile(r"(.*?)\s*<(?:([\w-]+):\s+)?(\w+)>", re.DOTALL)
NUMBERS = re.compile(r"^const numbersOf = .*?\n}\);$", re.DOTALL | re.MULTILINE)
DATA = re.compile(r'<script type="application/json" class="dtviz-data">(.*?)</script>', re.DOTALL)

logger = logging.getLogger(__name__)


class Shown(NamedTuple):
    """An explorer of a page: its name in addresses, what it is, what may be set, what it shows."""

    name: str
    kind: str
    rules: dict[str, dict[str, Any]]
    state: dict[str, Any]


class Wish(NamedTuple):
    """What a mention sets, or follows: an explorer ("" for the first that fits) of a page."""

    page: str
    name: str
    values: dict[str, Any]
    follows: str = ""


class mention(nodes.reference):  # noqa: N801  (as docutils spells its nodes)
    """A mention of settings, until all explorers are known; nothing in it becomes a link."""


def read_settings(text: str) -> dict[str, Any]:
    """Read ``function="parity(5)", epsilon=0.1``.

    Raises
    ------
    ValueError
        If the text is not such a list of names and plain values.
    """
    try:
        call = ast.parse(f"f({text})", mode="eval").body
    except (SyntaxError, ValueError):
        call = None
    if not isinstance(call, ast.Call) or call.args or not call.keywords:
        msg = f"settings must be name=value, separated by commas, got {text!r}"
        raise ValueError(msg)
    try:
        return {str(word.arg): ast.literal_eval(word.value) for word in call.keywords if word.arg}
    except ValueError as error:
        msg = f"settings must be plain values, got {text!r}"
        raise ValueError(msg) from error


class TryRole(SphinxRole):
    """A mention of settings."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        own = WORDS.fullmatch(self.text.strip())
        found = INSIDE.fullmatch(own["inside"] if own else self.text.strip())
        try:
            values = read_settings(found["settings"] if found else "")
        except ValueError as error:
            logger.warning("a mention to try: %s", error, location=self.get_location())
            return [nodes.literal("", self.text)], []
        page, name = self.place((found["where"] if found else "") or "")
        mark = mention(wish=Wish(page, name, values))
        self.set_source_info(mark)
        if own and own["words"]:
            words, messages = self.inliner.parse(own["words"], self.lineno, SimpleNamespace(), mark)
            mark += words
            return [mark], messages
        for k, (trait, value) in enumerate(values.items()):
            mark += [nodes.Text(", " * bool(k)), nodes.literal("", f"{trait} = {value}")]
        return [mark], []

    def place(self, where: str) -> tuple[str, str]:
        """Return the page and the name of an explorer; what has no slash is a name."""
        page, _, name = where.partition("#") if "/" in where else ("", "", where.lstrip("#"))
        here = self.env.docname
        return posixpath.normpath(
            posixpath.join(posixpath.dirname(here), page)
        ) if page else here, name


class NowRole(SphinxRole):
    """A text that follows what an explorer shows."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        found = NOW.fullmatch(self.text.strip())
        words, name, follows = found.groups("") if found else (self.text, "", "nothing")
        wish = Wish(self.env.docname, name, {}, follows)
        mark = mention("", "", nodes.Text(words), wish=wish)
        self.set_source_info(mark)
        return [mark], []


# --- the explorers of all pages ------------------------------------------------------------------


def explorers(env: BuildEnvironment) -> dict[str, list[Shown]]:
    """Return the explorers of each page, in their order."""
    # The environment is kept from build to build, with whatever it holds.
    return cast("dict[str, list[Shown]]", vars(env).setdefault("dtviz_shown", {}))


def wishes(env: BuildEnvironment) -> dict[str, list[tuple[Wish, int]]]:
    """Return what the mentions of each page set, with their lines."""
    return cast("dict[str, list[tuple[Wish, int]]]", vars(env).setdefault("dtviz_wishes", {}))


def states(document: nodes.document) -> Iterator[dict[str, Any]]:
    """Yield the states of the explorers on a page, as their cells gave them."""
    for raw in document.findall(nodes.raw):
        if raw.get("format") == "html":
            yield from map(json.loads, DATA.findall(raw.astext()))


def collect(app: Sphinx, document: nodes.document) -> None:
    """Take down the explorers and the mentions of a page."""
    count: Counter[str] = Counter()
    shown = explorers(app.env)[app.env.docname] = []
    for state in states(document):
        kind = state["_explorer"]
        count[kind] += 1
        number = "" if count[kind] == 1 else count[kind]
        shown.append(Shown(f"{kind}{number}", kind, state.pop("_rules"), state))
    marks = document.findall(mention)
    wishes(app.env)[app.env.docname] = [(mark["wish"], mark.line or 0) for mark in marks]


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop a page that is read again, or gone."""
    explorers(env).pop(docname, None)
    wishes(env).pop(docname, None)


# --- what is checked -----------------------------------------------------------------------------


@cache
def kinds() -> dict[str, Explorer]:
    """Return an explorer of each kind, to ask its validators."""
    classes = (getattr(dt, name) for name in dt.__all__ if name.endswith("Explorer"))
    return {
        explorer.get_state()["_explorer"]: explorer for explorer in (each() for each in classes)
    }


@cache
def numbers(kind: str) -> list[str]:
    """Return the names of what a text can follow of an explorer."""
    # An installed package has bundles alone.
    modules = sorted((ROOT / "dtviz" / kind).glob("*.js"))
    found = [NUMBERS.findall(path.read_text("utf-8")) for path in modules]
    return re.findall(r"^  (\w+):", "\n".join(chain.from_iterable(found)), re.MULTILINE)


def refusal(shown: Shown, trait: str, value: object) -> str:
    """Return why an explorer would not take a value, or nothing."""
    rule = shown.rules[trait]
    choices = rule.get("choices")
    if choices is not None and not rule.get("near"):
        if value in choices:
            return ""
        # Another page may offer what this one does not; a text of one's own goes everywhere.
        offered = rule_of(kinds()[shown.kind], trait).get("choices", [])
        if "check" not in rule or value in offered:
            return f"{trait} must be one of {', '.join(map(repr, choices))}, got {value!r}"
    try:
        validate_value(kinds()[shown.kind], trait, value)
    except (traitlets.TraitError, ValueError, TypeError) as error:
        return str(error)
    return ""


def function_of(state: dict[str, Any], name: str) -> dt.BooleanFunction:
    """Return the function that a state calls so, or that the text is."""
    table = state["_paths"].get(name) or state["_about"].get(name, {}).get("table")
    return dt.BooleanFunction.from_text(f"0x{table.removeprefix('0x')}" if table else name)


def reach(kind: str, state: dict[str, Any]) -> dict[str, int]:
    """Return how far the settings go that a figure in this state would cut short."""
    if kind == "influence":
        path = dt.build_top_down(function_of(state, state["function"]))
        return {"step": path.n_leaves_for(state["epsilon"]) - 1}
    if kind == "impurity":
        plane = state["_paths"][state["data"]]
        points = np.column_stack(plane["points"])
        labels, cost = np.array(plane["labels"]), None
        if "values" in plane:
            labels = np.array(plane["values"])[labels]
        else:
            between, position = len(plane["classes"]) == 2, state["cost_position"]
            cost = dt.impurity.cost_at(position if between else math.floor(position + 0.5))
        grown = dt.grow(points, labels, cost or "squared", state["leaves"])
        return {"leaves": grown.n_splits + 1}
    if kind == "rank":
        target = {"f": function_of(state, state["target"])}
        settings = {name: state[name] for name in ("m", "rank", "seed", "flipped", "rows")}
        explorer = dt.RankExplorer(target, **settings)
        return {"rank": explorer.bound, "call": explorer.run().n_calls - 1}
    return {}


def excess(shown: Shown, values: dict[str, Any]) -> str:
    """Return what the figure cannot show of values that the explorer accepts, or nothing."""
    if not {"step", "leaves", "rank", "call"} & {*values}:
        return ""
    for trait, most in reach(shown.kind, shown.state | values).items():
        value = values.get(trait)
        if value is not None and value > most:
            return f"{trait} must be at most {most}, where the figure ends, got {value}"
    return ""


def sought(env: BuildEnvironment, wish: Wish) -> tuple[Shown | None, str]:
    """Return the explorer that a mention sets, and what is wrong with it."""
    here = explorers(env).get(wish.page, [])
    named = [shown for shown in here if wish.name in ("", shown.name)]
    if wish.follows:
        fit = [shown for shown in named if wish.follows in numbers(shown.kind)]
        offered = "; ".join(f"{shown.name} has {', '.join(numbers(shown.kind))}" for shown in named)
        what = f"{wish.name} {wish.follows}".strip()
        trouble = f"no explorer here shows {what}; {offered or 'there is none'}"
        return (fit[0], "") if fit else (None, trouble)
    fit = [shown for shown in named if set(wish.values) <= set(shown.rules)]
    if not fit:
        there = ", ".join(f"{shown.name} ({', '.join(shown.rules)})" for shown in named or here)
        what = f"{wish.name} with {', '.join(wish.values)}".strip()
        return None, f"{wish.page} has no explorer {what}; it has {there or 'none'}"
    refused = [refusal(fit[0], trait, value) for trait, value in wish.values.items()]
    return fit[0], next(filter(None, refused), "") or excess(fit[0], wish.values)


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each mention that sets nothing."""
    for page, found in wishes(env).items():
        for wish, line in found:
            if trouble := sought(env, wish)[1]:
                logger.warning("a mention to try: %s", trouble, location=(page, line))


# --- what the page shows -------------------------------------------------------------------------


def address(shown: Shown, values: dict[str, Any]) -> str:
    """Return the part of an address that sets an explorer, as ``link.js`` writes it."""

    def text(trait: str, value: object) -> str:
        if value is None:
            return "none"
        if shown.rules[trait]["type"] == "list" and value:
            return ",".join(map(json.dumps, cast("list[float]", value)))
        plain = shown.rules[trait]["type"] == "text" and not re.match(r'none$|"', str(value))
        term = str(value) if plain else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return quote(term, safe="")

    parts = (f"{shown.name}.{trait}={text(trait, value)}" for trait, value in values.items())
    return f"#dtviz-{shown.name}?{'&'.join(parts)}"


def write(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Write each mention: for this page what a script makes a button of, else a link."""
    for mark in list(document.findall(mention)):
        wish: Wish = mark["wish"]
        shown, trouble = sought(app.env, wish)
        words = mark.children
        if shown is None or trouble or app.builder.format != "html":
            mark.replace_self(words)
        elif wish.follows:
            start = f'<span class="dtviz-now" data-explorer="{shown.name}" '
            start += f'data-now="{wish.follows}">'
            mark.replace_self([html(start), *words, html("</span>")])
        elif wish.page == docname:
            values = escape(json.dumps(wish.values), quote=True)
            start = f'<span class="dtviz-try" data-explorer="{shown.name}" data-set="{values}">'
            mark.replace_self([html(start), *words, html("</span>")])
        else:
            there = app.builder.get_relative_uri(docname, wish.page) + address(shown, wish.values)
            link = nodes.reference("", "", *words, refuri=there, internal=True)
            link["classes"].append("dtviz-try")
            mark.replace_self(link)


def html(text: str) -> nodes.raw:
    """Return markup as it stands."""
    return nodes.raw("", text, format="html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the role."""
    app.add_node(mention)
    app.add_role("try", TryRole())
    app.add_role("now", NowRole())
    app.connect("doctree-read", collect)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", write)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
