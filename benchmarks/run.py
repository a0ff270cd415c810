"""Race dtviz against its peers and print one table: `make bench`.

``run.py rank impurity`` runs some of its parts.

Every ratio is between two calls of the same process, timed in turn, so that a slow machine slows
both; times are of the processor, so that others on it count for neither. Each call is checked
against the other's answer before it is timed. A time is the best of its rounds; nothing here fails
when a target is missed.

The peers run at their best: boofun with Numba, its truth table ready and its code compiled;
scikit-learn with points and labels in the types it wants.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import boofun
import impurity as impurity_bench
import numpy as np
import product as product_bench
import pruning as pruning_bench
import rank as find_bench
from boofun.analysis import decision_trees
from sklearn.tree import DecisionTreeClassifier
from timing import Call, Race, best

import dtviz as dt
from dtviz.core.boolean_trees import exhaustive

ROUNDS = 25
ROUND_SECONDS = 0.02
"""A round repeats a short call until it has taken about this long; a long call it makes once."""

RACE_SECONDS = 30
"""A race of slow calls stops after this long, but not before its third round."""


@dataclass(frozen=True)
class Result:
    """Best seconds of each side, the ratio of the two, and the median of the rounds' ratios."""

    ours: float
    peer: float
    median_ratio: float

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes."""
        return self.peer / self.ours


def run(race: Race, rounds: int) -> Result:
    """Time both sides in turn."""
    repeats = [_repeats(race.ours), _repeats(race.peer)]
    pairs = []
    start = time.perf_counter()
    while len(pairs) < rounds:
        pairs.append(
            [_seconds(*side) for side in zip((race.ours, race.peer), repeats, strict=True)]
        )
        if len(pairs) >= 3 and time.perf_counter() - start > RACE_SECONDS:
            break
    ours, peer = np.array(pairs).T
    return Result(ours.min(), peer.min(), float(np.median(peer / ours)))


def _seconds(call: Call, repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def _repeats(call: Call) -> int:
    call()
    return max(1, int(ROUND_SECONDS / max(_seconds(call, 1), 1e-9)))


def _both(n: int) -> tuple[dt.BooleanFunction, Any]:
    """A random function, as dtviz and as boofun hold it, ready for use."""
    f = dt.functions.random(n, seed=n)
    g = boofun.create(f.table.astype(bool))
    # From n = 15 on boofun packs the table; without this it would fall back on a Python loop.
    g.get_representation("truth_table")
    return f, g


def influence_races(*, toy: bool = False) -> Iterator[Race]:
    """All n influences at once, against boofun's."""
    targets = {8: 2, 9: 2, 10: 2, 12: 8, 14: 8, 16: 20, 20: 30}
    for n, target in {4: 1}.items() if toy else targets.items():
        f, g = _both(n)
        assert np.array_equal(dt.influences(f), g.influences())
        name = f"influences, uniform, n = {n}"
        yield Race(name, partial(dt.influences, f), "boofun", g.influences, target)
    for n in (4,) if toy else (8, 12):
        table = dt.functions.random(n, seed=n).table.astype(bool)
        yield Race(
            f"the same from a bare table, n = {n}",
            lambda n=n, table=table: dt.influences(dt.BooleanFunction(n, table)),
            "boofun",
            lambda table=table: boofun.create(table).influences(),
        )


def growth_races(*, toy: bool = False) -> Iterator[Race]:
    """A whole greedy run: scikit-learn fits the full cube, by another impurity, to purity too."""
    for n in (4,) if toy else (12, 16, 20):
        f = dt.functions.random(n, seed=n)
        X, y = dt.cube_points(n).astype(np.float32), f.table
        learner = DecisionTreeClassifier(criterion="entropy", random_state=0)
        assert (learner.fit(X, y).predict(X) == y).all()
        assert dt.build_top_down(f).tree().function(n) == f
        yield Race(
            f"greedy path to error 0, n = {n}",
            partial(dt.build_top_down, f),
            "scikit-learn, entropy tree",
            partial(learner.fit, X, y),
        )


def optimal_races(*, toy: bool = False) -> Iterator[Race]:
    """Exact optima. Boofun's programs for size and average depth return a tree, its depth's none.

    Ours start from the function each time; what depends on n alone is kept, as in any second call.
    """
    n = 4 if toy else 10
    f, g = _both(n)
    depth, size, mean = (
        decision_trees.decision_tree_depth_dp,
        decision_trees.decision_tree_size_dp,
        decision_trees.decision_tree_depth_uniform_dp,
    )
    best = dt.optimal(f)
    assert (best.depth, best.n_leaves) == (depth(g), size(g)[0])
    assert np.isclose(best.average_depth, mean(g)[0])

    yield Race(
        f"optimal depth, n = {n}", lambda: dt.optimal(f).depth, "boofun", lambda: depth(g), 50
    )
    yield Race(
        f"optimal size and its tree, n = {n}",
        lambda: dt.optimal(f).tree(),
        "boofun",
        lambda: size(g),
        50,
    )
    yield Race(
        f"optimal average depth and its tree, n = {n}",
        lambda: dt.optimal(f).tree("average_depth"),
        "boofun",
        lambda: mean(g),
        50,
    )


def table_races(*, toy: bool = False) -> Iterator[Race]:
    """Every function of n variables at once, its tables computed again, against one after another.

    The peer is a loop over a sample; a loop over all would take as many times as long as the line
    says.
    """
    n, share = (2, 1) if toy else (4, 64)
    sample = [dt.BooleanFunction.from_int(n, code) for code in range(0, 1 << (1 << n), share)]
    codes = [f.code for f in sample]

    def compute_again(table: Callable[[int], Any]) -> Any:
        for held in vars(exhaustive).values():
            if hasattr(held, "cache_clear"):
                held.cache_clear()
        return table(n)

    def optima(f: dt.BooleanFunction) -> tuple[float, ...]:
        best = dt.optimal(f)
        return best.n_leaves, best.depth, best.rank, best.average_depth

    def greedy(f: dt.BooleanFunction) -> tuple[float, ...]:
        tree = dt.build_top_down(f).tree()
        return tree.n_leaves, tree.depth, tree.rank, tree.average_depth()

    races = (
        ("optima", dt.optimal_all, optima, "optimal", None),
        ("greedy trees", dt.influence.greedy_all, greedy, "build_top_down", 1350 / share),
    )
    for what, table, one, name, target in races:
        every = table(n)
        columns = every.n_leaves, every.depth, every.rank, every.average_depth
        assert [tuple(c[code].item() for c in columns) for code in codes] == list(map(one, sample))
        yield Race(
            f"{what} of all functions, n = {n}",
            partial(compute_again, table),
            f"{name}, for one in {share}",
            lambda one=one: [one(f) for f in sample],
            target,
        )


def import_seconds(module: str, runs: int) -> float:
    """Median seconds of a first import in a fresh interpreter, over several."""
    script = (
        f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    )
    command = [sys.executable, "-W", "ignore", "-c", script]
    seconds = []
    for _ in range(runs):
        done = subprocess.run(command, capture_output=True, check=True)
        seconds.append(float(done.stdout))
    return float(np.median(seconds))


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _row(*cells: str) -> None:
    widths = (42, 9, 9, 27, 7, 7, 9, 8)
    print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())


RACES = {
    "influence": influence_races,
    "growth": growth_races,
    "optimal": optimal_races,
    "tables": table_races,
    "product": product_bench.races,
    "rank": find_bench.races,
    "impurity": impurity_bench.races,
    "pruning": pruning_bench.races,
}
LINES = {
    "product": ("Biased inputs", product_bench.lines),
    "impurity": ("Impurity: memory", impurity_bench.growth),
    "pruning": ("Pruning: growth", pruning_bench.growth),
}


def main() -> None:
    """Run every race and print its line."""
    parser = argparse.ArgumentParser(description="Race dtviz against its peers.")
    parser.add_argument("--quick", action="store_true", help="three rounds of each race only")
    parser.add_argument("part", nargs="*", help=", ".join(RACES))
    parser.add_argument(
        "--toy", action="store_true", help="one round on the smallest inputs: does it start?"
    )
    given = parser.parse_args()
    toy = given.toy
    rounds = 1 if toy else 3 if given.quick else ROUNDS
    warnings.filterwarnings("ignore", module="boofun")
    warnings.filterwarnings("ignore", message="y looks like an id|The number of unique classes")
    print(f"NumPy {np.__version__}, boofun {boofun.__version__}, {rounds} rounds; times: the best;")
    print("ratio: peer / dtviz of the best times; median: of the ratios round by round.\n")
    _row("what", "dtviz", "peer", "(which)", "ratio", "median", "target", "")
    parts = given.part or RACES
    for part in parts:
        for race in RACES[part](toy=toy):
            result = run(race, rounds)
            target = "" if race.target is None else f">= {race.target:g}"
            verdict = ""
            if race.target is not None:
                verdict = "met" if result.ratio >= race.target else "NOT MET"
            ratios = [f"{ratio:.3g}" for ratio in (result.ratio, result.median_ratio)]
            times = _time(result.ours), _time(result.peer)
            _row(race.what, *times, race.peer_name, *ratios, target, verdict)
    ours, peer = (import_seconds(module, min(rounds, 7)) for module in ("dtviz", "boofun"))
    verdict = "met" if ours < 0.5 else "NOT MET"
    ratio = f"{peer / ours:.3g}"
    _row("import", _time(ours), _time(peer), "boofun", ratio, "", "< 500 ms", verdict)
    names = ", ".join(f"x{i}" for i in range(5 if toy else 21))
    for text in ("x0 & x21", f"maj({names})"):
        seconds = best(partial(dt.BooleanFunction.from_text, text, 22), 3)
        print(f"from_text, n = 22, {text:.20}: {_time(seconds)}, < 200 ms")
    for part, (title, lines) in LINES.items():
        if part in parts:
            print(f"\n{title}")
            for line in lines(toy=toy):
                print(line)


if __name__ == "__main__":
    main()
