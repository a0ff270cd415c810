"""Chapter 2, definitions: trees, rank, classes of functions, samples, and the lemmas on them."""

import itertools
from fractions import Fraction

import numpy as np

from claims.kit import equality, holds, outcome, same
from claims.kit.populations import all_functions, bare_trees, labeled_trees, name, shape
from claims.rank import populations as pop
from dtviz import rank as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution, cube_points
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.tree.tree import Tree


@pop.stated(
    "EH-OVERVIEW",
    r"A hypothesis from a small class that agrees with enough random examples has small error; "
    r"FIND produces one of least rank; a tree with few nodes has small rank.",
    note="A summary of what follows.",
)
def test_overview(trial): ...


@pop.stated(
    "EH-DEF-TN",
    r"$T_n$ holds the leaves 0 and 1, and with two trees and a variable among "
    r"$x_0, \dots, x_{n-1}$ also the tree that tests the variable and goes on with the two.",
)
def test_trees(trial):
    trees = [*pop.all_trees(1, 4), *(tree for i in (1, 2, 3) for tree in pop.all_trees(2, i))]

    @trial.form(
        "built and read back",
        variants={"with the subtrees exchanged": {"turned": -1}},
        kind="definition",
    )
    @same("trees of at most 4 leaves")
    def read_back(turned=1):
        for t in trees:
            expected = t if isinstance(t, int) else (t[0], *t[1:][::turned])
            yield pop.nested(pop.built(t)) != expected, f"{t}"


def value(tree, x, bit=1, last=None):
    """f_Q(x) by its recursive definition; spoiled with another bit, or variables read backwards."""
    if isinstance(tree, int):
        return tree
    i = tree[0] if last is None else last - tree[0]
    return value(tree[2] if x[i] == bit else tree[1], x, bit, last)


@pop.stated(
    "EH-DEF-FQ",
    r"A tree computes a function: at a test of $x_i$ the input goes to the 0-subtree if "
    r"$x_i = 0$, else to the 1-subtree.",
)
def test_function_of_a_tree(trial):
    cube = cube_points(3)
    trees = [pop.built(tree) for leaves in (1, 2, 3) for tree in pop.all_trees(3, leaves)]
    trees += [chapter.random_tree(3, r, seed) for r in (1, 2, 3) for seed in range(20)]

    @trial.form(
        "predict and call against the recursion",
        r"f_Q \colon \{0,1\}^n \to \{0,1\}",
        {"to the 1-subtree if x_i = 0": {"bit": 0}, "the last variable is x_0": {"last": 2}},
        kind="definition",
    )
    @same("trees, at every point")
    def computed(**spoiled):
        for tree, words in zip(trees, map(pop.nested, trees), strict=True):
            of = [value(words, x, **spoiled) for x in cube]
            yield tree.predict(cube).tolist() != of or tree(5) != of[5], f"{words}"


@pop.stated(
    "EH-DEF-RED",
    r"A tree is reduced if no variable occurs twice on a path. There are "
    r"$T(n) = 2 + n\, T(n-1)^2$ reduced trees with labels on $n$ variables.",
)
def test_reduced_trees(trial):
    listed = []
    for n in range(4):
        trees = {(t.variable.tobytes(), t.value.tobytes()): t for t in chapter.reduced_trees(n)}
        paths = {of[0]: tree.paths() for of, tree in trees.items()}.values()
        repeats = any(len({i for i, _ in p}) < len(p) for tree in paths for p in tree)
        listed.append(-1 if repeats else len(trees))

    @trial.form(
        "the enumeration has T(n) trees",
        r"T(0) = 2, \qquad T(n) = 2 + n\, T(n-1)^2",
        {"variables come back": {"lost": 0}, "the subtrees in no order": {"ordered": False}},
    )
    def counted(lost=1, ordered=True):
        trees = [2]
        for n in range(1, 7):
            below = trees[-1]
            pairs = below**2 if ordered else below * (below + 1) // 2
            trees.append(2 + (n if lost else 6) * pairs)
        gap = [float(trees[n] - chapter.count_reduced_trees(n)) for n in range(7)]
        gap += [a - b for a, b in zip(trees, listed, strict=False)]
        gap += [labeled_trees(n).tree.size - trees[n] for n in (1, 2, 3)]
        return equality("numbers of variables", gap, lambda k: f"count {k}")


@pop.stated(
    "EH-DEF-RANK",
    r"A leaf has rank 0. A test has the larger rank of its two subtrees, or one more if they "
    r"are equal.",
)
def test_rank_of_a_tree(trial):
    trees = [Tree(t.variable, np.zeros(t.n_nodes, dtype=np.intp)) for t in bare_trees(3)]
    trees += [chapter.random_tree(8, r, seed) for r in range(6) for seed in range(10)]
    chain, complete = [Tree.leaf(0)], [Tree.leaf(0)]
    for i in range(8):
        chain.append(Tree.split(0, chain[-1], Tree.leaf(1)))
        complete.append(Tree.split(i, complete[-1], complete[-1]))

    def rank(tree, join):
        return 0 if isinstance(tree, int) else join(rank(tree[1], join), rank(tree[2], join))

    @trial.form(
        "Tree.rank against the recursion, of chains and complete trees",
        r"r(Q) = \rho\bigl(r(Q_0), r(Q_1)\bigr)",
        {"one more always: depth": {"join": pop.one_more}, "the larger always": {"join": max}},
        kind="definition",
    )
    def recursion(join=pop.larger):
        every = [*trees, *chain, *complete]
        gap = [tree.rank - rank(pop.nested(tree), join) for tree in every]
        gap += [tree.rank - min(depth, 1) for depth, tree in enumerate(chain)]
        gap += [tree.rank - depth for depth, tree in enumerate(complete)]
        every += [*chain, *complete]
        return equality("trees", gap, lambda k: shape(every[k].bare()))


def least_of(values, codes):
    """By function of 3 variables: the least value of a tree that computes it."""
    least = np.full(256, 99)
    np.minimum.at(least, codes, values)
    return least


@pop.stated(
    "EH-DEF-TNR",
    r"$T_n^r$ is the set of trees on $n$ variables with rank at most $r$. For every function "
    r"some reduced tree attains the least rank.",
)
def test_trees_of_a_rank(trial):
    code, rank, nodes = pop.labeled(3)

    @trial.form(
        "over all reduced trees, and over all trees",
        variants={"so does a complete tree": {"which": lambda: nodes + 1 == 2 << rank}},
    )
    def attained(which=lambda: rank >= 0):
        """Against the least rank over all trees, found by dynamic programming."""
        found = least_of(rank[which()], code[which()])
        sizes = np.bincount(found, minlength=4)[:4] - chapter.functions_by_rank(3)
        gap = np.append(np.abs(found - optimal_all(3).rank), np.abs(sizes).max())
        names = [*(name(3, k) for k in range(256)), "the numbers of functions"]
        return equality("functions of 3 variables and their counts", gap, names.__getitem__)


@pop.stated(
    "EH-DEF-FNR",
    r"$F_n^r$ is the set of functions that trees in $T_n^r$ compute. Parity and its "
    r"complement alone have rank $n$.",
    note="The remark on parity is checked for n up to 4.",
)
@holds("who has rank n", variants={"parity alone": {"both": False}})
def test_functions_of_a_rank(both=True):
    wrong, place = [], []
    for n in (1, 2, 3, 4):
        codes, parity = range(1 << (1 << n)), zoo.parity(n).code
        place += [(n, code) for code in codes]
        parities = (parity, codes[-1 - parity] if both else parity)
        wrong += ((optimal_all(n).rank == n) != np.isin(codes, parities)).tolist()
    wrong += [chapter.functions_by_rank(n)[n] != 2 for n in (1, 2, 3, 4)]
    return equality(
        "functions of 1 to 4 variables and their counts",
        wrong,
        lambda k: name(*place[k]) if k < len(place) else "the numbers of functions",
    )


@pop.stated(
    "OURS-RANK-PARITY",
    r"For every $n \ge 1$, a function of $n$ variables has rank $n$ if and only if it is the "
    r"parity of all its variables or the complement of that parity. A sample of rank $n$ has all "
    r"$2^n$ rows.",
    note="The step of the proof is checked for all functions of up to 4 variables, the statement "
    "by FIND for parities of up to 7, with a row changed or missing, and for random functions.",
)
def test_only_parity_has_full_rank(trial):
    @trial.form("by FIND, n ≤ 7", "r = n - 1", {"one row may be wrong": {"lost": 0}})
    @same("samples of 2 to 7 variables")
    def found(lost=1):
        for n in range(2, 8):
            X, parity = cube_points(n), np.asarray(zoo.parity(n).table)
            flipped = parity ^ (np.arange(1 << n) == 5 % (1 << n))
            cases = [("parity", X, parity, n), ("the complement", X, 1 - parity, n)]
            cases += [("one label changed", X, flipped, n - lost)]
            cases += [("one row missing", X[1:], parity[1:], n - lost)]
            for words, rows, labels, rank in cases:
                none = chapter.find(rows, labels, rank=n - 1) is None
                off = chapter.sample_rank(rows, labels) != rank or none != (rank == n)
                yield off, f"{words}, n = {n}"
            for seed in range(4 if n >= 5 else 0):
                none = chapter.find(X, zoo.random(n, seed).table, rank=n - 1) is None
                yield none, f"random({n}, seed {seed})"

    @trial.form(
        "if and only if all restrictions have rank n - 1",
        variants={"if some have": {"quantifier": np.any}},
    )
    def restrictions(quantifier=np.all):
        wrong, place = [], []
        for n in (2, 3, 4):
            below = optimal_all(n - 1).rank == n - 1
            x = np.arange(1 << n)
            sides = [x[(x >> i & 1) == b] for i in range(n) for b in (0, 1)]
            codes = [all_functions(n).table[:, s] @ (1 << np.arange(1 << (n - 1))) for s in sides]
            wrong.append((optimal_all(n).rank == n) != quantifier(below[codes], axis=0))
            place += [(n, code) for code in range(1 << (1 << n))]
        return equality("functions", np.concatenate(wrong), lambda k: name(*place[k]))


@pop.stated(
    "EH-DEF-FS",
    r"$F_n^{(s)}$ is the set of functions that some tree with at most $s$ nodes computes.",
    note="The source counts nodes. A tree with l leaves has 2l - 1 nodes.",
)
def test_functions_with_a_small_tree(trial):
    code, _, nodes = pop.labeled(3)
    smallest = optimal_all(3).n_leaves

    @trial.form(
        "fewest nodes, over all reduced trees",
        r"2\ell - 1",
        {"leaves counted": {"times": 1, "less": 0}},
    )
    def fewest(times=2, less=1):
        gap = least_of(nodes, code) - (times * smallest - less)
        return equality("functions of 3 variables", gap, lambda k: name(3, k))


@pop.stated(
    "EH-DEF-RS", r"The rank $r(S)$ of a sample is the least rank of a tree consistent with it."
)
def test_rank_of_a_sample(trial):
    every = pop.all_samples()

    def recursion(join=pop.larger, choose=min):
        return np.array([pop.least_rank(*of, join=join, choose=choose) for of in every.pairs()])

    @trial.form(
        "over functions, by recursion, and by FINDMIN",
        variants={
            "unseen points count as 0": {"expected": lambda: optimal_all(3).rank[every.ones]},
            "the first informative variable at the root": {
                "expected": lambda: recursion(choose=lambda options: options[0])
            },
        },
    )
    def three_ways(expected=recursion):
        of = expected()
        wrong = (of != every.rank) | (pop.table(pop.answers(None)).rank != every.rank)
        return equality(pop.SAMPLES, wrong, every.describe)


@pop.stated(
    "OURS-RANK-MONOTONE",
    r"If $S' \subseteq S$ then $r(S') \le r(S)$; so no half of a sample has a larger rank.",
)
def test_parts_have_no_larger_rank(trial):
    every, found = pop.all_samples(), pop.table(pop.answers(None)).rank
    rank = np.zeros((256, 256), dtype=np.int64)
    rank[every.seen, every.ones] = found
    sets = every.seen, every.ones

    @trial.form(
        "an example less",
        r"r(S') \le r(S)",
        {
            "a smaller one": {"more": 1},
            "nor has it with one label changed": {
                "changed": lambda seen, ones, x: (seen, (ones ^ x) & seen)
            },
        },
    )
    def parts(changed=lambda seen, ones, x: (seen & ~x, ones & ~x), more=0):
        largest = np.max([rank[changed(*sets, 1 << x)] for x in range(8)], axis=0)
        left = largest + more * (largest > 0)
        return outcome(pop.SAMPLES, left <= found, left - found, every.describe)


@pop.stated(
    "EH-DEF-INFORM",
    r"A variable is informative on $S$ if some example has it 0 and some example has it 1.",
)
def test_informative_variables(trial):
    made = pop.calls()
    step, split = made.of("step"), made.of("split")

    @trial.form(
        "FIND tries these and no others",
        variants={
            "those informative on the whole sample": {"informative": made.start},
            "every variable": {"informative": np.full(made.run.size, -1)},
        },
        kind="definition",
    )
    def tried(informative=made.informative):
        """A call that fails tries all of them; one that is settled, those up to that variable."""
        up_to = np.where(step == 4, -1, (2 << np.maximum(split, 0)) - 1)
        expected = np.where(step < 2, 0, informative & up_to)
        return equality("calls of recorded runs", made.tried != expected, made.name)


@pop.stated(
    "EH-DEF-ERR",
    r"The error of $g$ for the target $f$ under $P$ is $\Pr_{a \sim P}[f(a) \ne g(a)]$.",
)
@holds(
    "dt.measures.mean(f ^ g, mu) against the sum",
    r"\Pr_{a \sim P}[\, f(a) \ne g(a)\,]",
    {"without the weights": {"weighted": 0}, "missed ones only": {"missed": 1}},
    kind="definition",
)
@same("pairs of functions of 2 variables")
def test_error(weighted=1, missed=0):
    for p in ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(5, 8))):
        mu = ProductDistribution(p)
        mass = [(p[0] if x & 1 else 1 - p[0]) * (p[1] if x & 2 else 1 - p[1]) for x in range(4)]
        weight = mass if weighted else [Fraction(1, 4)] * 4
        for f, g in itertools.product(range(16), repeat=2):
            target, guess = (BooleanFunction.from_int(2, code) for code in (f, g))
            wrong = f & ~g if missed else f ^ g
            error = sum((weight[x] for x in range(4) if wrong >> x & 1), Fraction(0))
            gap = float(Fraction(measures.mean(target ^ guess, mu)) - error)
            yield gap, f"f = {f}, g = {g}, p = {[str(q) for q in p]}"
