"""Compare methods of chapters 6 and 7 by repeated nested cross-validation: ``make comparisons``.

The design (methods, pairs, seeds, folds, test) was committed before its first run. Each family of
comparisons belongs to one table of the book; its methods are in a folded cell of the same page.

- The passengers are split into 10 folds, three times. Those with the same class, fare and port, who
  may share a ticket, are in one fold together, so that no party is on both sides of a split. (The
  table has no names: relatives on tickets of different fares cannot be recognized.)
- Each fold is the test set of the methods, which get the other nine. What a method has to choose,
  it chooses on those, by inner folds that keep the groups whole, too.
- A pair is compared by the corrected resampled t-test of Nadeau and Bengio (2003), because the runs
  share their rows; the p-values of a family are adjusted by Holm (1979).

Three things were added when the results of this design were known, and trials with other settings
had shown roughly what to expect; their code was committed before its first run, too.

- Every family is run again on *ordinary* folds, inner ones also: each row by itself goes to a fold
  at random, so that a party is mostly on both sides. Seeds, methods and pairs are the same. What
  profits from knowing a fare again should err less than before: large trees, unpruned or in an
  ensemble, and names of fares.
- ``many-tuned``: what an ensemble may choose (rows of a leaf, columns, leaves) is chosen on the
  inner folds, as the price of the one tree is. Larger leaves should take away most of what bagging
  and the forest lose to that tree. No winner is expected.
- ``optimal`` also counts the errors of each tree on its own rows, where an optimal tree must win,
  and repeats the search with the columns in reverse: it may find another tree of as few errors.

``python -m tools.comparisons [FAMILY ...]`` renews all families, or those named, in
``book/comparisons.json``, which the pages read. Losses are errors if not said otherwise.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student  # type: ignore[import-untyped]

import dtviz as dt

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "book" / "comparisons.json"
SEEDS = (2101, 2102, 2103)  # one for each repetition
FOLDS = 10
INNER_FOLDS = 5

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Pairs = list[tuple[str, str]]


class Family(NamedTuple):
    """Comparisons of one table: cells of the book by their ids, rows, pairs of methods.

    The last cell defines ``losses(fit, test, fold, rng)``: for rows to learn from, with their inner
    folds, and test rows, a loss for each method. ``numeric`` means the complete rows only,
    ``ordinary`` that a party may be on both sides of a split.
    """

    cells: tuple[str, ...]
    numeric: bool
    pairs: Pairs
    ordinary: bool = False


def against(reference: str, *names: str, prefix: str = "") -> Pairs:
    """Return the pairs of several methods with one."""
    return [(prefix + name, prefix + reference) for name in names]


GAPS = "age, completely at random: ", "age, mostly of the dead: ", "sex, completely at random: "
OTHERS = "fractions", "surrogates", "median", "rows left out"
FAMILIES = {
    "pruning": Family(
        ("judge-methods", "judge-compared"),
        numeric=True,
        pairs=against("grown in full", "bottom up c = 2", "structural risk", "description length")
        + against("grown in full", "price by folds", "bottom up c by folds", "reduced error")
        + [("reduced error", "price by folds")],
    ),
    "fares": Family(
        ("columns-encodings", "columns-compared-fares"),
        numeric=False,
        pairs=against("a number", "left out", "names, sets", "names, one-hot"),
    ),
    "missing": Family(
        ("columns-growers", "columns-methods", "columns-compared-missing"),
        numeric=True,
        pairs=[
            pair
            for prefix in (*GAPS, f"rise, {GAPS[1]}")
            for pair in against("its own way", *OTHERS, prefix=prefix)
        ],
    ),
    "probabilities": Family(
        ("many-numbers", "chances-compared"),
        numeric=False,
        pairs=[
            ("cost, 10 leaves: relabeled", "cost, 10 leaves: as grown"),
            ("cost, 10 leaves: weights", "cost, 10 leaves: relabeled"),
            ("cost, grown to purity: weights", "cost, grown to purity: relabeled"),
            ("grown to purity, m = 10", "grown to purity, frequencies"),
            ("6 leaves, frequencies", "grown to purity, m = 10"),
            ("gradient boosting, 1000 trees", "gradient boosting, 100 trees"),
        ],
    ),
    "size": Family(
        ("size-cv-function", "size-compared"),
        numeric=False,
        pairs=against("fewest errors held out", "one standard error", "not pruned")
        + against("fewest errors held out", "limit, min_samples_leaf", "limit, max_depth"),
    ),
    "many": Family(
        ("many-imports", "many-numbers", "size-cv-function", "many-compared"),
        numeric=False,
        pairs=against("one tree, pruned", "bagging", "forest", "AdaBoost", "gradient boosting"),
    ),
    "many-tuned": Family(
        ("many-imports", "many-numbers", "size-cv-function", "many-tuned"),
        numeric=False,
        pairs=against(
            "one tree, pruned", "forest, tuned", "AdaBoost, tuned", "gradient boosting, tuned"
        ),
    ),
    "optimal": Family(
        ("optimal-compared",),
        numeric=True,
        pairs=[
            (f"optimal, {size}", f"greedy, {size}")
            for size in ("3 leaves", "4 leaves", "5 leaves", "size by folds")
        ]
        + [("optimal, size by folds", "greedy, all cuts, size by folds")],
    ),
}
FAMILIES |= {
    f"{name}-ordinary": family._replace(ordinary=True) for name, family in FAMILIES.items()
}


class Rows(NamedTuple):
    """Examples: a table, its labels, and the group of each row."""

    X: Array
    y: Ints
    group: Ints

    def take(self, rows: Array) -> Rows:
        """Return some of the rows, by a mask."""
        return Rows(*(column[rows] for column in self))


def passengers(*, numeric: bool) -> Rows:
    """Return the passengers, grouped by class, fare and port; or the complete rows only."""
    everybody = dt.datasets.titanic()
    keys = [str((row[0], row[5], row[6])) for row in everybody.X]
    group = np.unique(keys, return_inverse=True)[1]
    if not numeric:
        return Rows(everybody.X, everybody.y, group)
    known = np.array([row[2] is not None and row[5] is not None for row in everybody.X])
    complete = dt.datasets.titanic(numeric=True)
    return Rows(complete.X, complete.y, group[known])


def folds_of(group: Ints, folds: int, rng: np.random.Generator) -> Ints:
    """Return the fold of each row: groups, in random order, each go to the smallest fold."""
    names, code, counts = np.unique(group, return_inverse=True, return_counts=True)
    sizes, fold = np.zeros(folds, np.int64), np.empty(len(names), np.int64)
    for one in rng.permutation(len(names)):
        fold[one] = sizes.argmin()
        sizes[fold[one]] += counts[one]
    return fold[code]


def methods(family: Family) -> Any:
    """Run the cells of a family, and return the function ``losses`` that they define."""
    space: dict[str, Any] = {"np": np, "dt": dt, "TESTS": 6 * 10**8}
    space |= {"data": dt.datasets.titanic()}
    pages = sorted((ROOT / "book").glob("[67]-*/*.ipynb"))
    cells = [cell for page in pages for cell in json.loads(page.read_text("utf-8"))["cells"]]
    source = {cell["id"]: "".join(cell["source"]) for cell in cells}
    for name in family.cells:
        exec(source[name], space)  # noqa: S102 -- the book's own code
    return space["losses"]


def run(family: Family, seed: int) -> list[dict[str, float]]:
    """Return the loss of each method on each fold of one repetition."""
    losses, rows = methods(family), passengers(numeric=family.numeric)
    if family.ordinary:
        rows = rows._replace(group=np.arange(len(rows.y)))
    rng, found = np.random.default_rng(seed), []
    outer = folds_of(rows.group, FOLDS, rng)
    for k in range(FOLDS):
        fit, test = rows.take(outer != k), rows.take(outer == k)
        inner = folds_of(fit.group, INNER_FOLDS, rng)
        one = losses(fit, test, inner, rng)
        found.append({name: round(float(loss), 6) for name, loss in one.items()})
    return found


def corrected_test(differences: Array, ratio: float) -> tuple[float, float, float]:
    """Return the mean over the runs, its standard error and the two-sided p-value.

    ``ratio`` is the number of test rows for each row that a method gets. The variance of the mean
    is (1 / runs + ratio) times that over the runs; it is 1 / runs times that only if the runs are
    independent.
    """
    mean, runs = float(differences.mean()), len(differences)
    error = float(np.sqrt((1 / runs + ratio) * differences.var(ddof=1)))
    p = 2 * student.sf(abs(mean) / error, runs - 1) if error else float(mean == 0)
    return mean, error, float(p)


def holm(p: list[float]) -> list[float]:
    """Return the p-values of a family multiplied so that each can be read against one level."""
    order = np.argsort(p)
    steps = np.asarray(p)[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return [float(value) for value in adjusted]


def compare(losses: dict[str, list[float]], pairs: Pairs) -> list[dict[str, str | float]]:
    """Compare the pairs by the losses of each run: a method less its reference."""
    tests = [
        corrected_test(np.subtract(losses[one], losses[two]), 1 / (FOLDS - 1)) for one, two in pairs
    ]
    names = "method", "reference", "difference", "error", "p", "holm"
    rows = zip(pairs, tests, holm([p for *_, p in tests]), strict=True)
    return [dict(zip(names, (*pair, *test, h), strict=True)) for pair, test, h in rows]


def main(names: list[str]) -> None:
    """Renew the named families, or all."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in names or FAMILIES:
        runs = [one for seed in SEEDS for one in run(FAMILIES[name], seed)]
        losses = {method: [one[method] for one in runs] for method in runs[0]}
        comparisons = compare(losses, FAMILIES[name].pairs)
        results[name] = {"comparisons": comparisons, "losses": losses}
        text = json.dumps({key: results[key] for key in FAMILIES if key in results}, indent=1)
        text = re.sub(r"(?<=[\d\[,])\n\s+(?=[-\d\]])", " ", text)  # a line for each list of numbers
        RESULTS.write_text(text + "\n", "utf-8")
        print(f"{name}: {len(comparisons)} comparisons", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
