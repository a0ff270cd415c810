"""Questions that the reader answers before the page does.

``:::{predict} Which variable is asked first?`` asks, a definition list gives the choices with a
reason for each, and the next code cell, tagged ``answer``, computes which of them is right. A cell
tagged ``question`` between the two draws what is asked about. An answer that fits no choice, or
two, a choice without a reason, a question without its cell: each is a warning. WRITING.md says
how to write one.

Without JavaScript, and in print, a page shows the question, its choices and, folded, the solution.
``predict.js`` makes a form of it that holds the solution back. What shows the answer within a
screen of the question stands between ``:::{answer-start} pre-label`` and ``:::{answer-end}``: it is
folded until the reader has answered, or opens it.

Not jupyterquiz, the tool of Jupyter's world for this: there the right answer is typed into JSON,
where no cell can check it; without JavaScript, and in print, the page holds nothing; a verdict is
read by no live region; formulas need MathJax; and no picture can be asked about.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.domains.std import StandardDomain
    from sphinx.environment import BuildEnvironment

PAGES = "dtviz-questions.js"
RIGHT, ELSE = "right", "else"
FOLD = (
    '<details class="dtviz-answer" data-question="{}" open><summary>This answers {}</summary>'
    "<script>document.currentScript.parentElement.open = false</script>"
)
FOLDED = {"answer": "The code that computes it", "question": "The code that draws it"}

logger = logging.getLogger(__name__)


class Choice(NamedTuple):
    """What can be answered, as it is compared, and why it is right or wrong."""

    text: str
    term: nodes.term
    reason: list[nodes.Node]


def tolerance(argument: str | None) -> Fraction:
    """Read how far from the right number an answer may be; nothing is not at all."""
    return Fraction((argument or "").strip() or 0)


class Predict(SphinxDirective):
    """A question with its choices; the cells after it are taken in when the page is read."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {
        "label": directives.unchanged_required,
        "number": tolerance,
        "tree": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        label = self.options.get("label", "")
        if not label:
            raise self.error("a question needs a label, under which the reader's answer is kept")
        box = nodes.container(classes=["dtviz-predict"], ids=[label], names=[label])
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        title = nodes.paragraph("", "", *words, classes=["dtviz-predict-title"])
        title["ids"] = [f"{label}-title"]
        box += title
        self.state.nested_parse(self.content, self.content_offset, box)
        kind = next((name for name in ("number", "tree") if name in self.options), "choice")
        box["predict"] = {"label": label, "kind": kind, "tolerance": self.options.get("number")}
        self.set_source_info(box)
        self.register(label, title.astext())
        return [box, *messages]

    def register(self, label: str, title: str) -> None:
        """Let the question be referred to, and count it among those of the page."""
        docname = self.env.docname
        for page, labels in questions(self.env).items():
            if label in labels:
                logger.warning("%s asks %s, too", page, label, location=self.get_location())
        questions(self.env).setdefault(docname, []).append(label)
        standard = cast("StandardDomain", self.env.get_domain("std"))
        standard.note_hyperlink_target(label, docname, label, title)


class AnswerMark(SphinxDirective):
    """The start, with the label of a question, or the end of a part that shows its answer."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        mark = nodes.container(answers="".join(self.arguments))
        self.set_source_info(mark)
        return [mark]


def questions(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return the labels of the questions of each page."""
    # The environment is kept from build to build, with whatever it holds.
    return cast("dict[str, list[str]]", vars(env).setdefault("dtviz_questions", {}))


# --- what is compared ----------------------------------------------------------------------------


def plain(text: str) -> str:
    """Return a text as it is compared: ``$x_{1}$`` is what a cell prints as ``x_1``."""
    return re.sub(r"[\s{}$]", "", text)


def number(text: str) -> Fraction | None:
    """Read ``0.25``, ``1/4`` or ``1e-3``; None if it is something else."""
    try:
        return Fraction(plain(text).replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return None


def has_tag(node: nodes.Node, tag: str) -> bool:
    """Whether the node is a code cell with the tag."""
    return (
        isinstance(node, nodes.container)
        and node.get("nb_element") == "cell_code"
        and f"tag_{tag}" in node["classes"]
    )


def printed(cell: nodes.container) -> str:
    """Return the last line of what the cell printed, or of its value."""
    texts = [
        part.astext()
        for part in cell.findall(nodes.literal_block)
        if "output" in part["classes"] and "stderr" not in part["classes"]
    ]
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def drawn_nodes(cell: nodes.container) -> set[str]:
    """Return the names of the nodes that can be clicked in what the cell drew."""
    raw = "".join(part.astext() for part in cell.findall(nodes.raw))
    return set(re.findall(r'\sdata-node="([^"]*)"', raw))


class Ask(SphinxTransform):
    """Put each question together: its form, the picture it asks about, and its solution."""

    default_priority = 210

    def apply(self, **kwargs: Any) -> None:
        for box in list(self.document.findall(nodes.container)):
            if "predict" in box:
                Question(box).ask()
        for cell in list(self.document.findall(nodes.container)):
            if has_tag(cell, "answer") and "asked" not in cell:
                logger.warning("this cell answers no question just above it", location=cell)
        self.fold()

    def fold(self) -> None:
        """Fold each part that shows the answer to a question before it."""
        asked, marks = [""], []
        for mark in list(self.document.findall(nodes.container)):
            asked += mark["ids"] if "dtviz-predict" in mark["classes"] else []
            if "answers" in mark:
                label = mark["answers"]
                if label and label not in asked:
                    logger.warning("this part answers no question above it", location=mark)
                marks.append((mark, label, label == asked[-1]))
        for (start, label, is_last), (end, more, _) in zip(marks[::2], marks[1::2], strict=False):
            if not label or more or start.parent is not end.parent:
                logger.warning("this part ends in another section", location=end)
                continue
            which = "the question above" if is_last else "an earlier question"
            start.replace_self(html(FOLD.format(label, which)))
            end.replace_self(html("</details>"))
        if len(marks) % 2:
            logger.warning("a part that answers a question has no end", location=marks[-1][0])


class Question:
    """A question on its page, with the cells that belong to it."""

    def __init__(self, box: nodes.container) -> None:
        self.box = box
        self.asked = box.attributes.pop("predict")
        self.label, self.kind = self.asked["label"], self.asked["kind"]
        self.picture = self.next_cell("question")
        self.answer = self.next_cell("answer")
        self.choices = self.taken_choices()

    def warn(self, text: str, *values: object) -> None:
        """Tell what is wrong with the question; the strict build fails of it."""
        logger.warning("question %s: " + text, self.label, *values, location=self.box)  # noqa: G003

    def next_cell(self, tag: str) -> nodes.container | None:
        """Take the cell that follows the question, if it has the tag."""
        after = self.box.next_node(descend=False, siblings=True)
        if after is None or not has_tag(after, tag):
            return None
        cell = cast("nodes.container", after)
        cell.parent.remove(cell)
        cell["asked"] = True
        if "hide_mode" not in cell:
            cell["hide_mode"] = "input"
            cell["prompt_show"] = cell["prompt_hide"] = FOLDED[tag]
        return cell

    def taken_choices(self) -> list[Choice]:
        """Take the definition list off the question."""
        lists = [part for part in self.box.children if isinstance(part, nodes.definition_list)]
        if len(lists) != 1 or self.box.children[-1] is not lists[0]:
            self.warn("must end with one definition list of its choices, each with a reason")
            return []
        self.box.remove(lists[0])
        found = []
        for item in lists[0].findall(nodes.definition_list_item):
            term = cast("nodes.term", item[0])
            reason = [node for part in item[1:] for node in part.children]
            text = term.astext().strip()
            if all(isinstance(node, nodes.comment) for node in reason):
                self.warn("the choice %r has no reason", text)
            found.append(Choice(text, term, reason))
        if len(found) < 2:
            self.warn("asks for nothing: it has one choice")
        return found

    def ask(self) -> None:
        """Put the parts together, or report why that cannot be."""
        if self.picture is not None:
            self.box += self.picture
        if self.answer is None:
            self.warn("no cell tagged 'answer' follows it")
            return
        said = printed(self.answer)
        right = self.right_number(said) if self.kind == "number" else self.right_choice(said)
        if self.kind == "tree":
            self.check_nodes()
        if right is None:
            return
        self.box["classes"].append(f"dtviz-predict-{self.kind}")
        self.box += self.form(right, said)
        self.box += self.solution(right, said)

    def right_choice(self, said: str) -> Choice | None:
        """Return the choice that the cell printed."""
        found = [choice for choice in self.choices if plain(choice.text) == plain(said)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(repr(choice.text) for choice in self.choices)
        self.warn("its cell printed %r, which is %d of %s", said, len(found), names)
        return None

    def right_number(self, said: str) -> Choice | None:
        """Return why the number is right, after a look at those that are wrong."""
        right = number(said)
        by_name = {choice.text: choice for choice in self.choices}
        if right is None or len(by_name) < len(self.choices) or not {RIGHT, ELSE} <= set(by_name):
            self.warn("its cell must print a number (%r), its list name 'right' and 'else'", said)
            return None
        for choice in self.choices:
            value = number(choice.text)
            if choice.text not in {RIGHT, ELSE} and (
                value is None or abs(value - right) <= self.asked["tolerance"]
            ):
                self.warn("%r is no wrong number, the right one is %s", choice.text, said)
        return by_name[RIGHT]

    def check_nodes(self) -> None:
        """Compare the choices with the nodes that can be clicked."""
        here = drawn_nodes(self.picture) if self.picture is not None else set()
        if here != {choice.text for choice in self.choices}:
            self.warn("the nodes that can be clicked are %s", sorted(here) or "none")

    # --- what the page shows ----------------------------------------------------------------------

    def form(self, right: Choice, said: str) -> list[nodes.Node]:
        """Return the form; native controls, which without JavaScript are a mere list."""
        known = {"label": self.label, "right": plain(right.text)}
        head = f'aria-labelledby="{self.label}-title"'
        if self.kind == "number":
            value = cast("Fraction", number(said))
            known |= {"right": str(float(value)), "tolerance": str(float(self.asked["tolerance"]))}
            inside: list[nodes.Node] = [
                html(
                    '<label>Your number: <input name="answer" type="text" inputmode="decimal" '
                    'autocomplete="off" required></label>'
                )
            ]
            group = "div", "div"
        else:
            group = f"fieldset {head}", "fieldset"
            inside = []
            for choice in self.choices:
                named = f'value="{escape(plain(choice.text), quote=True)}"'
                if any(choice.term.findall(nodes.math)):  # a formula may be drawn, and not named
                    words = re.sub(r"[\\{}$_^\s]+", " ", choice.text).strip()
                    named += f' aria-label="{escape(words, quote=True)}"'
                inside += [
                    html(
                        '<label><input class="pst-js-only" type="radio" name="answer" required '
                        f"{named}> <span>"
                    ),
                    nodes.inline("", "", *(part.deepcopy() for part in choice.term.children)),
                    html("</span></label>"),
                ]
        data = " ".join(f'data-{key}="{escape(value, quote=True)}"' for key, value in known.items())
        hidden = ' class="pst-js-only"' if self.kind == "number" else ""
        return [
            html(f"<form{hidden} {head} {data}><{group[0]}>"),
            *inside,
            html(
                f'</{group[1]}><button class="pst-js-only" type="submit">Commit</button></form>'
                '<div class="dtviz-predict-verdict" role="status"></div>'
            ),
        ]

    def solution(self, right: Choice, said: str) -> list[nodes.Node]:
        """Return the answer, all reasons and the cell that computed it."""
        reasons: list[nodes.Node] = []
        for choice in self.choices:
            key = plain(choice.text)
            value = number(choice.text) if self.kind == "number" else None
            at = "" if value is None else f' data-number="{float(value)}"'
            kind = "right" if choice is right else "wrong"
            mark = f'<dt class="{kind}"><span class="dtviz-predict-mark">{kind}: </span>'
            shown: list[nodes.Node] = list(choice.term.children)
            if self.kind == "number" and choice.text in {RIGHT, ELSE}:
                shown = [nodes.Text(said if choice.text == RIGHT else "any other number")]
            reasons += [
                html(mark),
                nodes.inline("", "", *shown),
                html(f'</dt><dd data-choice="{escape(key, quote=True)}"{at}>'),
                *choice.reason,
                html("</dd>"),
            ]
        return [
            html('<details class="dtviz-predict-solution"><summary>Solution</summary><dl>'),
            *reasons,
            html("</dl><p>The answer is what this cell prints:</p>"),
            cast("nodes.container", self.answer),
            html("</details>"),
        ]


def html(text: str) -> nodes.raw:
    """Return markup as it stands."""
    return nodes.raw("", text, format="html")


# --- the questions of all pages, for the contents ------------------------------------------------


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop the questions of a page that is read again, or gone."""
    questions(env).pop(docname, None)


def write_pages(app: Sphinx, env: BuildEnvironment) -> None:
    """Write down which questions each page asks, for the marks in the contents."""
    folder = Path(app.outdir).parent / "predict"
    folder.mkdir(parents=True, exist_ok=True)
    listed = json.dumps(dict(sorted(questions(env).items())))
    (folder / PAGES).write_text(f"globalThis.dtvizQuestions = {listed};\n", "utf-8")
    app.config.html_static_path.append(str(folder))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive, the script and its style."""
    app.add_directive("predict", Predict)
    app.add_directive("answer-start", AnswerMark)
    app.add_directive("answer-end", AnswerMark)
    app.add_transform(Ask)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", write_pages)
    for script in (PAGES, "predict.js"):
        app.add_js_file(script, loading_method="defer")
    app.add_css_file("predict.css")
    return {"parallel_read_safe": False, "parallel_write_safe": True}
