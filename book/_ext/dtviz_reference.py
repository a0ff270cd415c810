"""The reference: an entry per public name, from its docstring; and links between names and text.

``.. reference:: dtviz.rank`` on a page takes a line ``name label`` for each name of a package. The
label says where the book treats it, and must resolve. A name stands in full on the page of the
first chapter that offers it; other pages that offer it point there. A public name that no page
lists is a warning, and so is a claim that does not exist.
"""

from __future__ import annotations

import inspect
import re
import sys
from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from docutils import nodes
from docutils.statemachine import StringList
from dtviz_claims import anchor, claims
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.nodes import make_refnode
from sphinx.util.osutil import relative_uri

import dtviz
from dtviz.chapters import CHAPTERS

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.domains.python import PythonDomain
    from sphinx.environment import BuildEnvironment

ROOMS = (
    *(f"dtviz.{name}" for name in CHAPTERS),
    *("dtviz.atlas", "dtviz.plot", "dtviz.functions", "dtviz.measures", "dtviz.datasets", "dtviz"),
)
"""What offers public names: the chapters first, for a name stands in full where it is treated."""

# The labels of statements; any other label is that of a section.
STATEMENT = re.compile(r"(?:alg|cor|def|exa|lem|prop|thm)-|lb-\w-theorem$")
SOURCES = "|".join(sorted({name.partition("-")[0] for name in claims()}))
CLAIM = re.compile(rf"(?<![\w`.:-])(?:{SOURCES})-[A-Z0-9][\w.-]*\w")
# As numpydoc writes it: four spaces, then a type, or a name in bold and its type.
TYPE = re.compile(r"    (?:\*\*[^*]+\*\* : |[A-Z]\w*(?: or \w+)*,?$)")
MENTION = re.compile(r"(?:dt|dtviz)\.([A-Za-z_][\w.]*)(?:\(.*\))?", re.DOTALL)

MEMBER = (property, cached_property, classmethod, staticmethod, FunctionType)
"""What of a class has an entry of its own; fields stand in its docstring."""

logger = logging.getLogger(__name__)


class Name(NamedTuple):
    """A public name: where it stands in full, what it stands for, under what other names."""

    full: str
    room: str
    value: Any
    others: tuple[str, ...]


def found(name: str) -> Any:
    """Return what ``dtviz.a.b`` stands for."""
    value: Any = dtviz
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def offered(room: str) -> list[str]:
    """Return the names that a room offers, without the rooms inside it."""
    package = found(room)
    return [n for n in package.__all__ if not inspect.ismodule(getattr(package, n))]


@cache
def names() -> dict[str, Name]:
    """Every spelling of every public name."""
    groups: dict[tuple[str, int], list[str]] = {}
    for room in ROOMS:
        for name in offered(room):
            groups.setdefault((name, id(getattr(found(room), name))), []).append(f"{room}.{name}")
    spelled: dict[str, Name] = {}
    for group in groups.values():
        short = group[-1] if group[-1].count(".") == 1 else group[0]
        others = tuple(full for full in group if full != short)
        whole = Name(short, group[0].rpartition(".")[0], found(short), others)
        spelled |= dict.fromkeys(group, whole)
    return spelled


def data_docstring(name: str, value: object) -> list[str]:
    """Return the string below a constant, from the module that defines it."""
    for module, loaded in sorted(sys.modules.items()):
        if module.startswith("dtviz.") and getattr(loaded, name, None) is value:
            lines = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name))
            if lines:
                return lines
    return []


def entry(name: Name) -> list[str]:
    """Return the directive that shows a name in full."""
    room, _, last = name.full.rpartition(".")
    target = f"dtviz::{name.full.partition('.')[2]}" if room == "dtviz.functions" else name.full
    if isinstance(name.value, type):
        kind = "autoexception" if issubclass(name.value, Exception) else "autoclass"
        return [f".. {kind}:: {target}", *(f"   {line}" for line in shown_members(name.value))]
    if inspect.isroutine(name.value):
        return [f".. autofunction:: {target}"]
    lines = data_docstring(last, name.value)
    if not lines:
        logger.warning("%s has no docstring", name.full)
    head = [f".. py:data:: {last}", f"   :module: {room}"]
    if isinstance(name.value, int | tuple):
        head.append(f"   :value: {name.value!r}")
    return [*head, "", *(f"   {line}" for line in linked(lines))]


def public_classes() -> dict[type, str]:
    """Every public class, and how it is called in full."""
    return {n.value: n.full for n in names().values() if isinstance(n.value, type)}


def attributes(kind: type) -> list[str]:
    """Return the public names of a class, with those of the fields that only instances have."""
    return sorted({name for base in kind.__mro__[:-1] for name in own_names(base)})


def own_names(kind: type) -> list[str]:
    """Return the public names that a class itself defines, fields included."""
    return [n for n in vars(kind) | vars(kind).get("__annotations__", {}) if n[0] != "_"]


def stand_elsewhere(kind: type) -> dict[type, list[str]]:
    """Return what a class has from bases that its entry does not show in full, by base.

    Shown are bases without an entry that stand beside it, or in the core.
    """
    rooms = {kind.__module__, *(m for m in sys.modules if m.startswith("dtviz.core."))}
    public = public_classes()
    entered = {n for base in kind.__mro__[1:] if base in public for n in attributes(base)}
    listed, found = {*own_names(kind)} - {*added_by_sklearn(kind)}, {}
    for base in kind.__mro__[1:-1]:
        its = attributes(base) if base in public else own_names(base)
        if base in public or base.__module__ not in rooms:
            found[base] = [name for name in its if name not in listed]
        listed |= {*its} - (entered if base not in public else set())
    return {base: its for base, its in found.items() if its}


def added_by_sklearn(kind: type) -> list[str]:
    """Return the methods that scikit-learn writes into a class itself."""
    return [n for n, member in vars(kind).items() if type(member).__module__.startswith("sklearn")]


def shown_members(kind: type) -> list[str]:
    """Return the options of an entry, and its lines on what the class has from elsewhere."""
    there = stand_elsewhere(kind)
    hidden = {*added_by_sklearn(kind), *(name for names in there.values() for name in names)}
    options = [":members:", ":inherited-members: object"]
    if hidden:
        options.append(f":exclude-members: {', '.join(sorted(hidden))}")
    of_ours = (linked_names(base, its) for base, its in there.items() if base in public_classes())
    lines = [*of_ours, *(taken_from(package, there) for package in ("dtviz", "sklearn"))]
    return [*options, "", *(part for line in filter(None, lines) for part in (line, ""))]


def linked_names(base: type, its: list[str]) -> str:
    """Return the line on what a class has from a base with an entry, linked to it."""
    full = public_classes()[base]
    members = [n for n in its if isinstance(inspect.getattr_static(base, n, None), MEMBER)]
    links = [f":py:obj:`{name} <{full}.{name}>`" for name in members]
    fields = [f"``{name}``" for name in its if name not in members]
    return f"A kind of `{base.__name__}`, so it also has {', '.join(links + fields)}."


def taken_from(package: str, there: dict[type, list[str]]) -> str:
    """Return the line on what a class has from bases without an entry, as an explorer has."""
    bases = [b for b in there if b.__module__.startswith(f"{package}.")]
    names = [f"``{n}``" for b in bases if b not in public_classes() for n in there[b]]
    if not names:
        return ""
    if package == "sklearn":
        return f"As scikit-learn's estimators it also has {', '.join(names)}."
    widget = "`ipywidget <https://ipywidgets.readthedocs.io>`__"
    return f"As other explorers it has {', '.join(names)}; as an {widget}, ``observe`` and more."


class Reference(SphinxDirective):
    """Entries of the given names of one room, each with its place in the book."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        room = self.arguments[0]
        lines: list[str] = []
        for line in filter(None, map(str.strip, self.content)):
            short, _, label = line.partition(" ")
            name = names().get(f"{room}.{short}")
            if name is None:
                logger.warning("%s.%s is no public name", room, short, location=self.get_location())
            elif name.room != room:
                lines += [f":pointer:`{room}.{short}`", ""]
            elif not label:
                logger.warning("%s names no place in the book", line, location=self.get_location())
            else:
                role = "prf:ref" if STATEMENT.match(label) else "ref"
                place = [".. container:: dtviz-place", "", f"   In the book: :{role}:`{label}`."]
                lines += [*entry(name), "", *(f"   {text}".rstrip() for text in place), ""]
        return self.parsed(lines)

    def parsed(self, lines: list[str]) -> list[nodes.Node]:
        """Parse what was put together as if it stood on the page."""
        source, _ = self.get_source_info()
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, source), self.content_offset, node)
        return list(node.children)


class Pointer(SphinxRole):
    """A name that stands in full on another page: a link there, and its first line."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        name = names()[self.text]
        mark = nodes.inline(ids=[self.text], classes=["dtviz-pointer"])
        link = addnodes.pending_xref(
            "",
            nodes.literal("", shown(name.full)),
            refdomain="py", reftype="obj", reftarget=name.full, refdoc=self.env.docname,
            refexplicit=True, refwarn=True,
        )  # fmt: skip
        note(self.env, self.text, name.value, mark)
        room = shown(name.room)
        mark += [link, nodes.Text(f", which stands with {room}.")]
        return [mark], []


def shown(name: str) -> str:
    """Spell a name as the book does."""
    return re.sub(r"^dtviz\b", "dt", name)


def python(env: BuildEnvironment) -> PythonDomain:
    """Return what Sphinx knows of Python's objects."""
    return cast("PythonDomain", env.get_domain("py"))


def note(env: BuildEnvironment, name: str, value: object, node: nodes.Element) -> None:
    """Let references by a second spelling of a name find it."""
    kind = "class" if isinstance(value, type) else "function" if callable(value) else "data"
    python(env).note_object(name, kind, name, aliased=True, location=node)


def spell(app: Sphinx, domain: str, kind: str, content: addnodes.desc_content) -> None:
    """Give an entry the anchors of all its spellings, and show it as the book spells it."""
    for line in content.parent.findall(addnodes.desc_signature):
        if line.parent is not content.parent or domain != "py":
            continue
        full = f"{line['module']}.{line['fullname']}" if line.get("module") else line["fullname"]
        for prefix in line.findall(addnodes.desc_addname):
            text = nodes.Text(shown(prefix.astext()))
            prefix.clear()
            prefix.append(text)
        if full in names():
            for other in names()[full].others:
                if other.startswith(f"{names()[full].room}."):
                    line["ids"].append(other)
                    note(app.env, other, names()[full].value, line)


def hide_result_fields(
    app: Sphinx, what: str, name: str, value: object, options: object, signature: str, result: str
) -> tuple[str, None] | None:
    """Show how to make an object only where its docstring says how: others are results."""
    if what == "class" and "Parameters\n" not in (inspect.getdoc(value) or ""):
        return "", None
    return None


def linked(lines: list[str]) -> list[str]:
    """Turn each name of a claim outside literals and examples into a link."""
    done, example = [], False
    for line in lines:
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        parts = [line] if example else re.split(r"(``.*?``|`.*?`)", line)
        done.append("".join(part if example or part[:1] == "`" else prose(part) for part in parts))
    return done


def prose(text: str) -> str:
    """Link the claims of a text; its bars are those of absolute values, not of RST."""
    return CLAIM.sub(r":claimref:`\g<0>`", text.replace("|", r"\|"))


def link_claims(
    app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Link the claims of a docstring, and the classes of ours among what is taken and given."""
    classes = (name.full for name in names().values() if isinstance(name.value, type))
    ours = "|".join(full.rpartition(".")[2] for full in classes)
    # A string stays as it is typed; it would get typographic quotes.
    word = re.compile(rf"(?<![\w`.])(?:{ours})(?![\w`])")
    lines[:] = [
        re.sub(r'"\w*"', r"``\g<0>``", word.sub(r"`\g<0>`", line)) if TYPE.match(line) else line
        for line in linked(lines)
    ]


class ClaimRole(SphinxRole):
    """A link from the name of a claim to its verdict."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if self.text not in claims():
            logger.warning("%s is no claim", self.text, location=self.get_location())
        page = relative_uri(f"{self.env.docname}.html", "book/claims.html")
        address = f"{page}#claim-{anchor(self.text)}"
        return [nodes.reference("", self.text, refuri=address, internal=True)], []


class Mentions(SphinxPostTransform):
    """Link each mention of a public name in the prose of a page to its entry."""

    default_priority = 5  # before references are resolved
    NOT_IN: ClassVar = (nodes.title, nodes.reference, addnodes.pending_xref, nodes.rubric)

    def run(self, **kwargs: Any) -> None:
        here = self.env.docname
        objects = python(self.env).objects
        for literal in list(self.document.findall(nodes.literal)):
            mention = MENTION.fullmatch(literal.astext())
            full = mention and f"dtviz.{mention[1]}"
            if full is None or inside(literal, self.NOT_IN):
                continue
            if full not in objects:
                if here.endswith("reference/index"):
                    logger.warning("%s is no public name", full, location=literal)
                continue
            there = objects[full]
            link = make_refnode(
                self.app.builder, here, there.docname, there.node_id, literal.deepcopy()
            )
            if not here.endswith("reference/index"):  # a list of links, not prose
                link["classes"].append("dtviz-name")
            literal.replace_self(link)


def inside(node: nodes.Node, kinds: tuple[type[nodes.Node], ...]) -> bool:
    """Whether the node stands in one of some kinds, where no link belongs."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


def by_short_name(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Find ``Tree`` or ``Tree.rank`` from any docstring, if only one public name is called so."""
    objects = python(env).objects
    first, dot, member = node["reftarget"].partition(".")
    found = {name.full for name in names().values() if name.full.endswith(f".{first}")}
    full = f"{found.pop()}{dot}{member}" if len(found) == 1 else ""
    if node.get("refdomain") != "py" or full not in objects:
        return None
    there = objects[full]
    return make_refnode(
        app.builder, node["refdoc"], there.docname, there.node_id, content, shown(full)
    )


def report_missing(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of public names that no page lists."""
    known = python(env).objects
    for name in sorted(set(names()) - set(known)):
        logger.warning("%s stands on no page of the reference", name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive, the roles and the links."""
    app.add_directive("reference", Reference)
    app.add_role("claimref", ClaimRole())
    app.add_role("pointer", Pointer())
    app.add_post_transform(Mentions)
    # After numpydoc, which listens at 500 and takes a docstring apart.
    app.connect("autodoc-process-docstring", link_claims, priority=900)
    app.connect("autodoc-process-signature", hide_result_fields)
    app.connect("object-description-transform", spell)
    app.connect("missing-reference", by_short_name)
    app.connect("env-check-consistency", report_missing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
