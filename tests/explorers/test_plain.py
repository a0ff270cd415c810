"""Trees that a program of the reader's gives, on their way to the explorers' view."""

from __future__ import annotations

import random
from typing import Any

from support.node import evaluate

from dtviz.explorers.base import STATIC

SOURCES = [STATIC / "drawing/plain.js"]


def grown(rng: random.Random, depth: int) -> Any:
    """A random tree of tuples."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(("0", "1"))
    return (f"x{rng.randrange(4)}", grown(rng, depth - 1), grown(rng, depth - 1))


def lines(tree: Any) -> list[str]:
    """A tree as the page hands it over."""
    if isinstance(tree, str):
        return [f"={tree}"]
    return [f"?{tree[0]}", *lines(tree[1]), *lines(tree[2])]


READ = """
(given) => given.map((text) => {
  const tree = readTree(text);
  const path = plainPath(tree);
  const walk = (node) => {
    const step = path.splitAt[node];
    if (step === path.steps) return path.mark(path.label(node));
    return [path.test(node), walk(2 * step + 1), walk(2 * step + 2)];
  };
  return walk(0);
})
"""


def nested(tree: Any) -> Any:
    return tree if isinstance(tree, str) else [tree[0], nested(tree[1]), nested(tree[2])]


def test_a_tree_is_read_as_it_was_written() -> None:
    rng = random.Random(0)  # noqa: S311 -- any trees will do
    trees = [grown(rng, depth) for depth in range(7) for _ in range(100)]
    found = evaluate(SOURCES, READ, [lines(tree) for tree in trees])
    assert found == [nested(tree) for tree in trees]
