"""What the tests of the literal algorithms share: tuples for trees, and planted faults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import dtviz as dt


def nested(tree: dt.Tree, *, thresholds: bool = False) -> Any:
    """A tree of the package, with labels, as the literal algorithms write it."""
    assert tree.value is not None
    made: list[Any] = [None] * tree.n_nodes
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.variable[node] < 0:
            made[node] = tree.value[node].item()
            continue
        question = (int(tree.variable[node]), float(tree.threshold[node]))
        children = (made[tree.low[node]], made[tree.high[node]])
        made[node] = (*question[: 1 + thresholds], *children)
    return made[0]


def splits_of(path: dt.influence.GrowthPath, *, thresholds: bool = False) -> list[tuple[Any, Any]]:
    """The splits of a path in their order: after which answers, and what is asked."""
    answers: dict[int, tuple[int, ...]] = {0: ()}
    found = []
    for split in path.splits:
        here = answers[split.node]
        for bit in (0, 1):
            answers[2 * split.step + 1 + bit] = (*here, bit)
        question = (split.variable, split.threshold) if thresholds else split.variable
        found.append((here, question))
    return found


def function_of(f: dt.BooleanFunction) -> Callable[[tuple[int, ...]], int]:
    """A function of the package as a Python function of a tuple of bits."""
    table = f.table.tolist()
    return lambda x: int(table[sum(bit << i for i, bit in enumerate(x))])


def leaves_after(splits: dict[Any, int], steps: int) -> list[dict[int, int]]:
    """The bare tree after so many splits on bits: its leaves, as restrictions."""
    bare: dict[tuple[int, ...], dict[int, int]] = {(): {}}
    for answers, i in list(splits.items())[:steps]:
        leaf = bare.pop(answers)
        bare |= {(*answers, bit): {**leaf, i: bit} for bit in (0, 1)}
    return list(bare.values())


def mutant(module: ModuleType, old: str, new: str) -> ModuleType:
    """The module with one piece of its text replaced; the piece must stand there exactly once."""
    text = inspect.getsource(module)
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {module.__name__}"
    made = ModuleType(module.__name__)
    exec(text.replace(old, new), vars(made))  # noqa: S102 -- our own text
    return made
