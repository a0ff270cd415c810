"""Pictures, drawn with Matplotlib: trees, decision regions, cubes and growth curves.

Every function takes ``ax=``, the axes to draw on, and leaves alone what is there already; without
it the picture gets a figure of its own. Nothing but `use_style` changes Matplotlib's settings.
"""

from dtviz.core import lazy
from dtviz.plot.cubes import hypercube
from dtviz.plot.labels import label_line, level_line
from dtviz.plot.letters import LetteredTree, lettered
from dtviz.plot.paths import growth, path
from dtviz.plot.regions import regions
from dtviz.plot.theme import COLORS, STYLE, style, use_style
from dtviz.plot.trees import TreeDrawing, tree

__all__ = [
    "COLORS",
    "STYLE",
    "LetteredTree",
    "TreeDrawing",
    "growth",
    "hypercube",
    "label_line",
    "lettered",
    "level_line",
    "path",
    "regions",
    "style",
    "tree",
    "use_style",
]

__getattr__, __dir__ = lazy(__name__, __all__, {})
