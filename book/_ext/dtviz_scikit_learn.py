"""``.. scikit-learn-names::`` lists what scikit-learn's names are called here, from our hints."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.statemachine import StringList
from sklearn import tree  # type: ignore[import-untyped]
from sphinx.util.docutils import SphinxDirective

import dtviz as dt
from dtviz.core.hints import ADVICE, ARGUMENTS, THINGS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PEER = tree.DecisionTreeClassifier
OURS = {
    "dt.TopDownClassifier": [
        *inspect.signature(dt.TopDownClassifier).parameters,
        *inspect.signature(dt.TopDownClassifier.fit).parameters,
        *dir(dt.TopDownClassifier),
    ],
    "dt.grow": [*inspect.signature(dt.grow).parameters],
}
ROUTING = re.compile("_|set_|get_params|get_metadata")


def rows() -> dict[str, str]:
    """What each class, function, method, attribute and argument of its trees is here."""
    names = [name for name in dir(PEER) if not ROUTING.match(name)]
    functions = [name for name in (*tree.__all__, "permutation_importance") if name in THINGS]
    arguments = [*inspect.signature(PEER).parameters, "sample_weight"]
    return {name: ours(name) for name in (*functions, *names, *arguments)}


def ours(name: str) -> str:
    """What one name is here."""
    same = [f"``{where}``" for where, has in OURS.items() if name in has]
    said = [f"the same in {' and '.join(same)}"] if same else []
    said += [f"``{other}=``" for other in ARGUMENTS.get(name, ())]
    said += [linked(THINGS[name])] if name in THINGS else []
    said += [linked(ADVICE[name])] if name in ADVICE and name not in OURS["dt.grow"] else []
    return "; ".join(said) or "nothing"


def linked(text: str) -> str:
    """Set calls as code; a method of a tree leads to its entry."""
    text = re.sub(r"\b(?:dt\.[\w.]+(?:\([^)]*\))?|print\(tree\))", r"``\g<0>``", text)
    return re.sub(r"(?<![\w.])tree\.(\w+)(?:\([^)]*\))?", r":py:obj:`\g<0> <dtviz.Tree.\1>`", text)


class ScikitLearnNames(SphinxDirective):
    """The table."""

    def run(self) -> list[nodes.Node]:
        lines = [".. list-table::", "   :header-rows: 1", "", "   * - scikit-learn", "     - here"]
        for name, ours in rows().items():
            lines += [f"   * - ``{name}``", f"     - {ours}"]
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, self.get_source_info()[0]), 0, node)
        return list(node.children)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("scikit-learn-names", ScikitLearnNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
