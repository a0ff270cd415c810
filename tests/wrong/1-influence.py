# Answers to homework 1, wrong and right. Each stands for the whole answer cell of its question, in
# a notebook that has np, plt, dt and the helpers of the set-up already: names repeat, and some are
# not defined here.
# ruff: noqa: ARG001, E402, F811, F821

# %% q1: bits read in reverse, x_0 as the first binary digit of the index
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [float(np.mean(table != table[x ^ (1 << (n - 1 - i))])) for i in range(n)]


# %% q1: variables numbered from 1
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [float(np.mean(table != table[x ^ (1 << i) % table.size])) for i in range(1, n + 1)]


# %% q1: edges divided by all points, half of the influence
def influences(table):
    n = len(table).bit_length() - 1
    result = []
    for i in range(n):
        edges = 0
        for x in range(len(table)):
            if not x >> i & 1 and table[x] != table[x | 1 << i]:
                edges += 1
        result.append(edges / len(table))
    return result


# %% q1: counts instead of probabilities
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [int(np.sum(table != table[x ^ (1 << i)])) for i in range(n)]


# %% q1: the neighbour is x + 2^i, with a carry
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [float(np.mean(table != table[(x + (1 << i)) % table.size])) for i in range(n)]


# %% q1: differences of unsigned bytes wrap around
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [float(np.mean(np.abs(table - table[x ^ (1 << i)]))) for i in range(n)]


# %% q1: influence divided by the total, so that they add up to 1
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    found = [float(np.mean(table != table[x ^ (1 << i)])) for i in range(n)]
    return [v / sum(found) for v in found] if sum(found) else found


# %% q1: right on the public tests only, the means of the two halves compared
def influences(table):
    table = np.asarray(table, dtype=float)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [
        float(abs(table[x >> i & 1 == 1].mean() - table[x >> i & 1 == 0].mean())) for i in range(n)
    ]


# %% q1 right: by edges, in plain Python
def influences(table):
    n = len(table).bit_length() - 1
    result = []
    for i in range(n):
        edges = sum(table[x] != table[x + 2**i] for x in range(2**n) if x // 2**i % 2 == 0)
        result.append(edges / 2 ** (n - 1))
    return result


# %% q1 right: an array, by reshaping
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    halves = [table.reshape(-1, 2, 2**i) for i in range(n)]
    return np.array([(h[:, 0] != h[:, 1]).mean() for h in halves])


# %% q1 right: fractions, by recursion on the last variable
from fractions import Fraction


def influences(table):
    table = list(table)
    if len(table) == 1:
        return ()
    low, high = table[: len(table) // 2], table[len(table) // 2 :]
    inside = [(a + b) / 2 for a, b in zip(influences(low), influences(high), strict=True)]
    across = Fraction(sum(bool(a != b) for a, b in zip(low, high, strict=True)), len(low))
    return (*inside, across)


# %% q2: every leaf counts the same
def leaf_sums(tree, f):
    paths = tree.paths()
    error = variance = cost = 0.0
    for path in paths:
        g = at_leaf(f, path)
        m = dt.mean(g)
        error += min(m, 1 - m) / len(paths)
        variance += 4 * m * (1 - m) / len(paths)
        cost += dt.influences(g).sum() / len(paths)
    return error, variance, cost


# %% q2: no weights at all
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g = at_leaf(f, path)
        m = dt.mean(g)
        error += min(m, 1 - m)
        variance += 4 * m * (1 - m)
        cost += dt.influences(g).sum()
    return error, variance, cost


# %% q2: variance of the values 0 and 1
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        variance += weight * m * (1 - m)
        cost += weight * dt.influences(g).sum()
    return error, variance, cost


# %% q2: variation instead of variance
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        variance += weight * 2 * m * (1 - m)
        cost += weight * dt.influences(g).sum()
    return error, variance, cost


# %% q2: the depth of the tree in place of the depth of the leaf
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    weight = 2.0**-tree.depth
    for path in tree.paths():
        g = at_leaf(f, path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        variance += weight * 4 * m * (1 - m)
        cost += weight * dt.influences(g).sum()
    return error, variance, cost


# %% q2: the mean where the error belongs
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * m
        variance += weight * 4 * m * (1 - m)
        cost += weight * dt.influences(g).sum()
    return error, variance, cost


# %% q2: the largest influence where the total belongs
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        variance += weight * 4 * m * (1 - m)
        cost += weight * dt.influences(g).max()
    return error, variance, cost


# %% q2: paths followed in a restriction, where the variables have moved
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g = f
        for i, b in path:
            g = g.restrict(min(i, g.n - 1), b)
        weight = 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        variance += weight * 4 * m * (1 - m)
        cost += weight * dt.influences(g).sum()
    return error, variance, cost


# %% q2: the variance that belongs to the error of the whole tree
def leaf_sums(tree, f):
    error = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        cost += weight * dt.influences(g).sum()
    return error, 4 * error * (1 - error), cost


# %% q2: right on the public tests only, variance taken for twice the error
def leaf_sums(tree, f):
    error = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.mean(g)
        error += weight * min(m, 1 - m)
        cost += weight * dt.influences(g).sum()
    return error, 2 * error, cost


# %% q2 right: by counting points
def leaf_sums(tree, f):
    zeros = ones = 0
    error = variance = edges = 0.0
    for path in tree.paths():
        points = [x for x in range(2**f.n) if all(x >> i & 1 == b for i, b in path)]
        ones = sum(f(x) for x in points)
        zeros = len(points) - ones
        error += min(zeros, ones)
        variance += 4 * zeros * ones / len(points)
        asked = {i for i, _ in path}
        for i in range(f.n):
            if i not in asked:
                edges += sum(f(x) != f(x ^ 1 << i) for x in points)
    return np.array([error, variance, edges]) / 2**f.n


# %% q2 right: by recursion on the tree, with restrictions that renumber
def leaf_sums(tree, f):
    def walk(node, g, names):
        i = int(tree.variable[node])
        if i < 0:
            m = dt.mean(g)
            return np.array([min(m, 1 - m), 1 - (1 - 2 * m) ** 2, dt.total_influence(g)])
        place = names.index(i)
        rest = names[:place] + names[place + 1 :]
        low = walk(tree.low[node], g.restrict(place, 0), rest)
        high = walk(tree.high[node], g.restrict(place, 1), rest)
        return (low + high) / 2

    return list(walk(0, f, list(range(f.n))))


# %% q3: among equal scores the leftmost leaf, whatever its depth
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        error, options = 0.0, []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            error += weight * dt.error(g)
            influence = dt.influences(g)
            i = int(influence.argmax())
            options.append((-weight * influence[i], place, i))
        if error <= epsilon:
            return splits
        _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: among equal influences the highest variable
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        error, options = 0.0, []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            error += weight * dt.error(g)
            influence = dt.influences(g)
            i = max(range(f.n), key=lambda j: (influence[j], j))
            options.append((-weight * influence[i], len(path), place, i))
        if error <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: score without the weight of the leaf
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        error, options = 0.0, []
        for place, path in enumerate(leaves):
            g = at_leaf(f, path)
            error += 2.0 ** -len(path) * dt.error(g)
            influence = dt.influences(g)
            i = int(influence.argmax())
            options.append((-influence[i], len(path), place, i))
        if error <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: score by the total influence of the leaf
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        error, options = 0.0, []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            error += weight * dt.error(g)
            influence = dt.influences(g)
            options.append((-weight * influence.sum(), len(path), place, int(influence.argmax())))
        if error <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: stops when the cost, not the error, is at most epsilon
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        cost, options = 0.0, []
        for place, path in enumerate(leaves):
            influence = dt.influences(at_leaf(f, path)) / 2.0 ** len(path)
            cost += influence.sum()
            i = int(influence.argmax())
            options.append((-influence[i], len(path), place, i))
        if cost <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: variables of the restriction, whose numbers have moved
def growth(f, epsilon):
    leaves, splits = [((), f)], []
    while True:
        error, options = 0.0, []
        for place, (path, g) in enumerate(leaves):
            error += dt.error(g) / 2 ** len(path)
            if not g.is_constant:
                influence = dt.influences(g)
                i = int(influence.argmax())
                options.append((-influence[i] / 2 ** len(path), len(path), place, i))
        if error <= epsilon:
            return splits
        _, _, place, i = min(options)
        path, g = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [((*path, (i, b)), g.restrict(i, b)) for b in (0, 1)]


# %% q3: the leaf with the largest error first
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        options = []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            i = int(dt.influences(g).argmax())
            options.append((-weight * dt.error(g), len(path), place, i))
        if -sum(option[0] for option in options) <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: level by level
def growth(f, epsilon):
    queue, splits, error = [()], [], dt.error(f)
    while error > epsilon:
        path = queue.pop(0)
        g = at_leaf(f, path)
        if g.is_constant:
            continue
        i = int(dt.influences(g).argmax())
        splits.append((path, i))
        error -= dt.error(g) / 2 ** len(path)
        for b in (0, 1):
            queue.append((*path, (i, b)))
            error += dt.error(at_leaf(f, queue[-1])) / 2 ** len(queue[-1])
    return splits


# %% q3: the tree finished whatever epsilon
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        options = []
        for place, path in enumerate(leaves):
            influence = dt.influences(at_leaf(f, path))
            i = int(influence.argmax())
            options.append((-influence[i] / 2 ** len(path), len(path), place, i))
        score, _, place, i = min(options)
        if score == 0:
            return splits
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: right on the public tests only, goes on while the error is equal to epsilon
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        error, options = 0.0, []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            error += weight * dt.error(g)
            influence = dt.influences(g)
            i = int(influence.argmax())
            options.append((-weight * influence[i], len(path), place, i))
        if error < epsilon or error == 0:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]


# %% q3: right on the public tests only, among equal scores the leaf created first
import heapq


def growth(f, epsilon):
    def push(path):
        g = at_leaf(f, path)
        influence = dt.influences(g)
        i = int(influence.argmax())
        heapq.heappush(heap, (-influence[i] / 2 ** len(path), next(born), path, i))
        return dt.error(g) / 2 ** len(path)

    heap, splits, born = [], [], iter(range(10**6))
    error = push(())
    while error > epsilon:
        _, _, path, i = heapq.heappop(heap)
        splits.append((path, i))
        error -= dt.error(at_leaf(f, path)) / 2 ** len(path)
        error += push((*path, (i, 0))) + push((*path, (i, 1)))
    return splits


# %% q3 right: one sort of the full tree
def growth(f, epsilon):
    nodes = []

    def visit(path):
        g = at_leaf(f, path)
        if g.is_constant:
            return 0.0
        influence, weight = dt.influences(g), 2.0 ** -len(path)
        i = int(np.argmax(influence))
        error = weight * min(dt.mean(g), 1 - dt.mean(g))
        below = visit((*path, (i, 0))) + visit((*path, (i, 1)))
        answers = [b for _, b in path]
        nodes.append((-weight * influence[i], len(path), answers, path, i, error - below))
        return error

    error, splits = visit(()), []
    for _, _, _, path, i, drop in sorted(nodes):
        if error <= epsilon:
            break
        splits.append((path, i))
        error -= drop
    return splits


# %% q3 right: a heap, with lists for paths and NumPy integers
import heapq


def growth(f, epsilon):
    def node(path):
        g = at_leaf(f, [(int(i), int(b)) for i, b in path])
        influence = dt.influences(g)
        i = np.argmax(influence)
        answers = [int(b) for _, b in path]
        heapq.heappush(heap, (-influence[i] / 2 ** len(path), len(path), answers, path, i))
        return dt.error(g) / 2 ** len(path)

    heap, splits = [], []
    error = node([])
    while error > epsilon:
        _, _, _, path, i = heapq.heappop(heap)
        splits.append([path, i])
        error -= dt.error(at_leaf(f, path)) / 2 ** len(path)
        error += sum(node([*path, [i, np.int64(b)]]) for b in (0, 1))
    return splits


# %% q4: round 1 by the rule of the others, from f_0 on
leaves = 2
for j in range(1, 31):
    leaves = 2 * (j + leaves)
greedy_leaves = leaves

# %% q4: one round too few
greedy_leaves = 5 * 2**29 - 2 * 29 - 4

# %% q4: one round too many
greedy_leaves = 5 * 2**31 - 2 * 31 - 4

# %% q4: the formula of the caterpillar
greedy_leaves = 6 * 2**30 - 4

# %% q4: nodes instead of leaves
greedy_leaves = 2 * (5 * 2**30 - 64) - 1

# %% q4: questions instead of leaves
greedy_leaves = 5 * 2**30 - 65

# %% q4: the leaves at the guards forgotten
greedy_leaves = 4 * 2**29

# %% q4: one leaf for all guards of a round
leaves = 4
for _ in range(2, 31):
    leaves = 2 * (1 + leaves)
greedy_leaves = leaves

# %% q4: the patient tree
greedy_leaves = 30 * 31 + 2

# %% q4 right: a closed form
greedy_leaves = 5 * 2**30 - 2 * 30 - 4


# %% q4 right: a NumPy integer, by recursion
def size(k):
    return np.int64(4) if k == 1 else 2 * (k + size(k - 1))


greedy_leaves = size(30)

# %% q4 right: a float, which is exact here
greedy_leaves = 5.0 * 2**30 - 64


# %% q5: leaves counted from 0
def plot_race(f):
    _, ax = plt.subplots()
    ax.plot(dt.build_top_down(f).costs, label="greedy")
    stage = stages(dt.optimal(f).tree())
    ax.plot([dt.tree_cost(tree, f) for tree in stage], label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: the error instead of the cost
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, path.n_splits + 2), path.errors, label="greedy")
    stage = stages(dt.optimal(f).tree())
    errors = [dt.tree_error(tree, f) for tree in stage]
    ax.plot(range(1, len(stage) + 1), errors, label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: half the cost
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, path.n_splits + 2), path.costs / 2, label="greedy")
    stage = stages(dt.optimal(f).tree())
    costs = [dt.tree_cost(tree, f) / 2 for tree in stage]
    ax.plot(range(1, len(stage) + 1), costs, label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: nodes on the axis
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, 2 * path.n_splits + 2, 2), path.costs, label="greedy")
    stage = stages(dt.optimal(f).tree())
    ax.plot([t.n_nodes for t in stage], [dt.tree_cost(t, f) for t in stage], label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: the single leaf left out
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(2, path.n_splits + 2), path.costs[1:], label="greedy")
    stage = stages(dt.optimal(f).tree())[1:]
    ax.plot([t.n_leaves for t in stage], [dt.tree_cost(t, f) for t in stage], label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: scores instead of costs
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, path.n_splits + 2), path.scores, label="greedy")
    stage = stages(dt.optimal(f).tree())
    scores = [dt.leaf_scores(tree, f).score.max() for tree in stage]
    ax.plot(range(1, len(stage) + 1), scores, label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: the labels exchanged
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, path.n_splits + 2), path.costs, label="smallest")
    stage = stages(dt.optimal(f).tree())
    ax.plot([t.n_leaves for t in stage], [dt.tree_cost(t, f) for t in stage], label="greedy")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: the greedy tree level by level in place of the smallest
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, path.n_splits + 2), path.costs, label="greedy")
    stage = stages(path.tree())
    ax.plot([t.n_leaves for t in stage], [dt.tree_cost(t, f) for t in stage], label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: right on the public tests only, a tree of smallest depth in place of one of smallest size
def plot_race(f):
    _, ax = plt.subplots()
    path = dt.build_top_down(f)
    ax.plot(range(1, path.n_splits + 2), path.costs, label="greedy")
    stage = stages(dt.optimal(f).tree("depth"))
    ax.plot([t.n_leaves for t in stage], [dt.tree_cost(t, f) for t in stage], label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5: right on the public tests only, the smallest tree grown to the left first
def plot_race(f):
    _, ax = plt.subplots()
    greedy = dt.build_top_down(f).costs
    tree = dt.optimal(f).tree()
    costs = [dt.total_influence(f)]

    def walk(node, path):
        i = int(tree.variable[node])
        if i >= 0:
            drop = dt.influences(at_leaf(f, path))[i] / 2 ** len(path)
            costs.append(costs[-1] - drop)
            walk(tree.low[node], (*path, (i, 0)))
            walk(tree.high[node], (*path, (i, 1)))

    walk(0, ())
    ax.plot(range(1, len(greedy) + 1), greedy, label="greedy")
    ax.plot(range(1, len(costs) + 1), costs, label="smallest")
    ax.set(xlabel="leaves", ylabel="cost")
    ax.legend()
    return ax


# %% q5 right: step by step from the trees, the lines the other way round, with marks
def plot_race(f):
    ax = plt.figure().add_subplot()
    path = dt.build_top_down(f)
    grown = {
        "smallest": stages(dt.optimal(f).tree()),
        "greedy": [path.tree(step + 1).bare() for step in range(path.n_splits + 1)],
    }
    for label, trees in grown.items():
        leaves = [tree.n_leaves for tree in trees]
        ax.step(leaves, [dt.tree_cost(tree, f) for tree in trees], "o--", where="post", label=label)
    ax.set_title("A race")
    ax.set_xlabel("number of leaves")
    ax.set_ylabel("total influence left")
    ax.legend(loc="best")
    return ax


# %% q5 right: costs by subtracting what each split of the smallest tree removes
def plot_race(f):
    fig, ax = plt.subplots(figsize=(4, 3))
    path = dt.build_top_down(f)
    ax.plot(np.arange(1, path.n_splits + 2), path.costs, "s", label="greedy")
    tree = dt.optimal(f).tree()
    at = {0: ()}
    costs = [dt.total_influence(f)]
    for level in tree.levels:
        for node in level:
            i = int(tree.variable[node])
            if i >= 0:
                path = at[node]
                costs.append(costs[-1] - dt.influences(at_leaf(f, path))[i] / 2 ** len(path))
                at[tree.low[node]] = (*path, (i, 0))
                at[tree.high[node]] = (*path, (i, 1))
    ax.plot(np.arange(1, len(costs) + 1), costs, label="smallest")
    ax.axhline(0, color="grey", label="nothing left")
    ax.set(xlabel="leaves", ylabel="cost", yscale="linear")
    fig.legend()
    return ax
