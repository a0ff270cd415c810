# %% q1 right: as those below, without their faults
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [float(np.mean(table != table[x ^ (1 << i)])) for i in range(n)]

# %% q1 [tests, hidden-order]: bits read in reverse, x_0 as the first binary digit of the index
# (The public tests fail as well: they show the convention, and there is no other one to keep.)
def influences(table):
    table = np.asarray(table)
    n = table.size.bit_length() - 1
    x = np.arange(table.size)
    return [float(np.mean(table != table[x ^ (1 << (n - 1 - i))])) for i in range(n)]

# %% q1 [tests, hidden-values, hidden-order]: variables numbered from 1
#-     return [float(np.mean(table != table[x ^ (1 << i)])) for i in range(n)]
#+     return [float(np.mean(table != table[x ^ (1 << i) % table.size])) for i in range(1, n + 1)]

# %% q1 [tests, hidden-values]: edges divided by all points, half of the influence
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

# %% q1 [tests, hidden-values]: counts instead of probabilities
#-     return [float(np.mean(table != table[x ^ (1 << i)])) for i in range(n)]
#+     return [int(np.sum(table != table[x ^ (1 << i)])) for i in range(n)]

# %% q1 [hidden-bytes]: differences of unsigned bytes wrap around
#-     return [float(np.mean(table != table[x ^ (1 << i)])) for i in range(n)]
#+     return [float(np.mean(np.abs(table - table[x ^ (1 << i)]))) for i in range(n)]

# %% q1 [hidden-values]: public tests only, the means of the two halves compared
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

# %% q2 right: as those below, without their faults
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.measures.mean(g)
        error += weight * min(m, 1 - m)
        variance += weight * 4 * m * (1 - m)
        cost += weight * dt.influences(g).sum()
    return error, variance, cost

# %% q2 [tests, hidden-leaves]: every leaf counts the same
def leaf_sums(tree, f):
    paths = tree.paths()
    error = variance = cost = 0.0
    for path in paths:
        g = at_leaf(f, path)
        m = dt.measures.mean(g)
        error += min(m, 1 - m) / len(paths)
        variance += 4 * m * (1 - m) / len(paths)
        cost += dt.influences(g).sum() / len(paths)
    return error, variance, cost

# %% q2 [tests, hidden-leaves]: no weights at all
def leaf_sums(tree, f):
    error = variance = cost = 0.0
    for path in tree.paths():
        g = at_leaf(f, path)
        m = dt.measures.mean(g)
        error += min(m, 1 - m)
        variance += 4 * m * (1 - m)
        cost += dt.influences(g).sum()
    return error, variance, cost

# %% q2 [tests, hidden-variance]: variance of the values 0 and 1
#-         variance += weight * 4 * m * (1 - m)
#+         variance += weight * m * (1 - m)

# %% q2 [tests, hidden-variance]: variation instead of variance
#-         variance += weight * 4 * m * (1 - m)
#+         variance += weight * 2 * m * (1 - m)

# %% q2 [tests, hidden-error]: the mean where the error belongs
#-         error += weight * min(m, 1 - m)
#+         error += weight * m

# %% q2 [tests, hidden-cost]: the largest influence where the total belongs
#-         cost += weight * dt.influences(g).sum()
#+         cost += weight * dt.influences(g).max()

# %% q2 [hidden-variance]: public tests only, variance taken for twice the error
def leaf_sums(tree, f):
    error = cost = 0.0
    for path in tree.paths():
        g, weight = at_leaf(f, path), 2.0 ** -len(path)
        m = dt.measures.mean(g)
        error += weight * min(m, 1 - m)
        cost += weight * dt.influences(g).sum()
    return error, 2 * error, cost

# %% q2 [hidden-error]: public tests only, the variation of a leaf in place of its error
#-         error += weight * min(m, 1 - m)
#+         error += weight * 2 * m * (1 - m)

# %% q2 [hidden-cost]: public tests only, the largest influence times the number of its variables
#-         cost += weight * dt.influences(g).sum()
#+         influence = dt.influences(g)
#+         cost += weight * influence.max() * np.count_nonzero(influence)

# %% q2 [hidden-leaves]: public tests only, leaves with the same function counted once
#  def leaf_sums(tree, f):
#+     leaves = {}
#+     for path in tree.paths():
#+         g = at_leaf(f, path)
#+         leaves[g.code] = g, 2.0 ** -len(path)
#...
#-     for path in tree.paths():
#-         g, weight = at_leaf(f, path), 2.0 ** -len(path)
#+     for g, weight in leaves.values():

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
            m = dt.measures.mean(g)
            return np.array([min(m, 1 - m), 1 - (1 - 2 * m) ** 2, dt.measures.total_influence(g)])
        place = names.index(i)
        rest = names[:place] + names[place + 1 :]
        low = walk(tree.low[node], g.restrict(place, 0), rest)
        high = walk(tree.high[node], g.restrict(place, 1), rest)
        return (low + high) / 2

    return list(walk(0, f, list(range(f.n))))

# %% q3 right: as those below, without their faults
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        error, options = 0.0, []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            error += weight * dt.measures.error(g)
            influence = dt.influences(g)
            i = int(influence.argmax())
            options.append((-weight * influence[i], len(path), place, i))
        if error <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]

# %% q3 [tests, hidden-leaf-ties]: among equal scores the leftmost leaf, whatever its depth
#-             options.append((-weight * influence[i], len(path), place, i))
#+             options.append((-weight * influence[i], place, i))
#...
#-         _, _, place, i = min(options)
#+         _, place, i = min(options)

# %% q3 [tests, hidden-variable-ties]: among equal influences the highest variable
#-             i = int(influence.argmax())
#+             i = max(range(f.n), key=lambda j: (influence[j], j))

# %% q3 [tests, hidden-order]: score without the weight of the leaf
#-             g, weight = at_leaf(f, path), 2.0 ** -len(path)
#-             error += weight * dt.measures.error(g)
#+             g = at_leaf(f, path)
#+             error += 2.0 ** -len(path) * dt.measures.error(g)
#...
#-             options.append((-weight * influence[i], len(path), place, i))
#+             options.append((-influence[i], len(path), place, i))

# %% q3 [hidden-order]: score by the total influence of the leaf
#-             i = int(influence.argmax())
#-             options.append((-weight * influence[i], len(path), place, i))
#+             options.append((-weight * influence.sum(), len(path), place, int(influence.argmax())))

# %% q3 [tests, hidden-end]: stops when the cost, not the error, is at most epsilon
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

# %% q3 [tests, hidden-splits, hidden-order, hidden-leaf-ties, hidden-end]: moved variables
# (Its paths name other variables: of what it does at its leaves nothing is right.)
def growth(f, epsilon):
    leaves, splits = [((), f)], []
    while True:
        error, options = 0.0, []
        for place, (path, g) in enumerate(leaves):
            error += dt.measures.error(g) / 2 ** len(path)
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

# %% q3 [hidden-order]: the leaf with the largest error first
def growth(f, epsilon):
    leaves, splits = [()], []
    while True:
        options = []
        for place, path in enumerate(leaves):
            g, weight = at_leaf(f, path), 2.0 ** -len(path)
            i = int(dt.influences(g).argmax())
            options.append((-weight * dt.measures.error(g), len(path), place, i))
        if -sum(option[0] for option in options) <= epsilon:
            return splits
        _, _, place, i = min(options)
        path = leaves[place]
        splits.append((path, i))
        leaves[place : place + 1] = [(*path, (i, 0)), (*path, (i, 1))]

# %% q3 [tests, hidden-order]: level by level
def growth(f, epsilon):
    queue, splits, error = [()], [], dt.measures.error(f)
    while error > epsilon:
        path = queue.pop(0)
        g = at_leaf(f, path)
        if g.is_constant:
            continue
        i = int(dt.influences(g).argmax())
        splits.append((path, i))
        error -= dt.measures.error(g) / 2 ** len(path)
        for b in (0, 1):
            queue.append((*path, (i, b)))
            error += dt.measures.error(at_leaf(f, queue[-1])) / 2 ** len(queue[-1])
    return splits

# %% q3 [tests, hidden-end]: the tree finished whatever epsilon
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

# %% q3 [tests, hidden-end]: goes on while the error is equal to epsilon, at 0 for ever
#-         if error <= epsilon:
#+         if error < epsilon:

# %% q3 [hidden-end]: public tests only, the error rounded to two digits
#-         if error <= epsilon:
#+         if round(error, 2) <= epsilon:

# %% q3 [hidden-leaf-ties]: public tests only, among equal scores the lowest variable first
#-             options.append((-weight * influence[i], len(path), place, i))
#+             options.append((-weight * influence[i], i, len(path), place))
#...
#-         _, _, place, i = min(options)
#+         _, i, _, place = min(options)

# %% q3 [hidden-leaf-ties]: public tests only, among the shallowest the highest variable first
#-             options.append((-weight * influence[i], len(path), place, i))
#+             options.append((-weight * influence[i], len(path), -i, place))
#...
#-         _, _, place, i = min(options)
#+         _, _, i, place = min(options)
#+         i = -i

# %% q3 [hidden-leaf-ties]: public tests only, among equal scores the leaf created first
import heapq


def growth(f, epsilon):
    def push(path):
        g = at_leaf(f, path)
        influence = dt.influences(g)
        i = int(influence.argmax())
        heapq.heappush(heap, (-influence[i] / 2 ** len(path), next(born), path, i))
        return dt.measures.error(g) / 2 ** len(path)

    heap, splits, born = [], [], iter(range(10**6))
    error = push(())
    while error > epsilon:
        _, _, path, i = heapq.heappop(heap)
        splits.append((path, i))
        error -= dt.measures.error(at_leaf(f, path)) / 2 ** len(path)
        error += push((*path, (i, 0))) + push((*path, (i, 1)))
    return splits

# %% q3 [hidden-splits]: public tests only, the influences at the root decide at every leaf
#-     leaves, splits = [()], []
#+     leaves, splits, first = [()], [], dt.influences(f)
#...
#-             i = int(influence.argmax())
#-             options.append((-weight * influence[i], len(path), place, i))
#+             i = max(range(f.n), key=lambda j: (influence[j] > 0, first[j], -j))
#+             options.append((-weight * influence.max(), len(path), place, i))

# %% q3 [hidden-variable-ties]: public tests only, among equal influences the largest correlation
#-             i = int(influence.argmax())
#+             halves = [[dt.measures.mean(at_leaf(g, [(j, b)])) for b in (0, 1)] for j in range(f.n)]
#+             i = max(range(f.n), key=lambda j: (influence[j], abs(halves[j][1] - halves[j][0]), -j))

# %% q3 right: one sort of the full tree
def growth(f, epsilon):
    nodes = []

    def visit(path):
        g = at_leaf(f, path)
        if g.is_constant:
            return 0.0
        influence, weight = dt.influences(g), 2.0 ** -len(path)
        i = int(np.argmax(influence))
        error = weight * min(dt.measures.mean(g), 1 - dt.measures.mean(g))
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
        return dt.measures.error(g) / 2 ** len(path)

    heap, splits = [], []
    error = node([])
    while error > epsilon:
        _, _, _, path, i = heapq.heappop(heap)
        splits.append([path, i])
        error -= dt.measures.error(at_leaf(f, path)) / 2 ** len(path)
        error += sum(node([*path, [i, np.int64(b)]]) for b in (0, 1))
    return splits

# %% q4 [hidden-leaves]: round 1 by the rule of the others, from f_0 on
leaves = 2
for j in range(1, 31):
    leaves = 2 * (j + leaves)
copies, greedy_leaves = 2**29, leaves

# %% q4 [hidden-copies, hidden-leaves]: one round too few
copies, greedy_leaves = 2**28, 5 * 2**29 - 2 * 29 - 4

# %% q4 [hidden-copies, hidden-leaves]: one round too many
copies, greedy_leaves = 2**30, 5 * 2**31 - 2 * 31 - 4

# %% q4 [hidden-leaves]: the formula of the caterpillar
copies, greedy_leaves = 2**29, 6 * 2**30 - 4

# %% q4 [hidden-copies]: the copies doubled in round 1 as well
copies, greedy_leaves = 2**30, 5 * 2**30 - 64

# %% q4 [hidden-copies]: the copies of f_0 and of w_1, whole sides of round 1
copies, greedy_leaves = 4 * 2**29, 5 * 2**30 - 64

# %% q4 right: a closed form
copies, greedy_leaves = 2**29, 5 * 2**30 - 2 * 30 - 4

# %% q4 right: NumPy integers, by recursion
def size(k):
    return np.int64(4) if k == 1 else 2 * (k + size(k - 1))


copies, greedy_leaves = np.int64(2) ** 29, size(30)

# %% q4 right: floats, which are exact here
copies = 0.5**-29
greedy_leaves = 5.0 * 2**30 - 64
