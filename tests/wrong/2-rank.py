# %% q1 right: as those below, without their faults
def function_rank(f):
    if f.is_constant:
        return 0
    ranks = []
    for i in range(f.n):
        a, b = function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1))
        ranks.append(a + 1 if a == b else max(a, b))
    return min(ranks, default=1)

# %% q1 [tests, hidden-above, hidden-root]: the larger rank, never one more
def function_rank(f):
    if f.is_constant:
        return 0
    if f.n == 1:
        return 1
    return min(
        max(function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1))) for i in range(f.n)
    )

# %% q1 [tests, hidden-above, hidden-root]: always one more, the depth
def function_rank(f):
    if f.is_constant:
        return 0
    return min(
        1 + max(function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1)))
        for i in range(f.n)
    )

# %% q1 [tests, hidden-constants, hidden-above, hidden-root]: springs of rank one, as Strahler has them
#-         return 0
#+         return 1
#...
#-     return min(ranks, default=1)
#+     return min(ranks)

# %% q1 [tests, hidden-constants, hidden-above, hidden-root]: only functions without variables are leaves
#-     if f.is_constant:
#+     if f.n == 0:
#...
#-     return min(ranks, default=1)
#+     return min(ranks)

# %% q1 [tests, hidden-root]: the worst root in place of the best
#-     return min(ranks, default=1)
#+     return max(ranks)

# %% q1 [hidden-above]: the smaller rank plus one
def function_rank(f):
    if f.is_constant:
        return 0
    return min(
        1 + min(function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1)))
        for i in range(f.n)
    )

# %% q1 [hidden-root]: the last variable is never tried
def function_rank(f):
    if f.is_constant:
        return 0
    ranks = [f.n]
    for i in range(f.n - 1):
        a, b = function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1))
        ranks.append(a + 1 if a == b else max(a, b))
    return min(ranks)

# %% q1 [hidden-root]: public tests only
def function_rank(f):
    # Asks the lowest variable first, whatever it is worth.
    if f.is_constant:
        return 0
    a, b = function_rank(f.restrict(0, 0)), function_rank(f.restrict(0, 1))
    return a + 1 if a == b else max(a, b)

# %% q1 [hidden-root]: public tests only, the variable of the largest influence
def function_rank(f):
    if f.is_constant:
        return 0
    i = int(np.argmax(dt.measures.influence_counts(f)))
    a, b = function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1))
    return a + 1 if a == b else max(a, b)

# %% q1 [hidden-constants]: public tests only, functions of no variables are forgotten
#-     if f.is_constant:
#+     if f.n == 1:
#+         return 0 if f.is_constant else 1
#+     if f.is_constant and f.n > 0:

# %% q1 [hidden-above]: public tests only, never more than two
#-         ranks.append(a + 1 if a == b else max(a, b))
#-     return min(ranks, default=1)
#+         ranks.append(min(2, a + 1 if a == b else max(a, b)))
#+     return min(ranks)

# %% q1 right: by truth tables, remembered
def function_rank(f):
    known = {}

    def rank(table):
        if len(set(table)) == 1:
            return 0
        if table not in known:
            found = []
            step = 1
            while step < len(table):
                low = tuple(b for x, b in enumerate(table) if not x & step)
                high = tuple(b for x, b in enumerate(table) if x & step)
                a, b = sorted((rank(low), rank(high)))
                found.append(b + (a == b))
                step *= 2
            known[table] = min(found)
        return known[table]

    return np.int64(rank(tuple(f.table.tolist())))

# %% q1 right: a whole float
def function_rank(f):
    if f.is_constant:
        return 0.0
    below = [[function_rank(f.restrict(i, b)) for b in (0, 1)] for i in range(f.n)]
    return np.min([max(pair) + (pair[0] == pair[1]) for pair in below])

# %% q1 right: by the game of "you choose"
def function_rank(f):
    if f.is_constant:
        return 0
    best = f.n
    for i in range(f.n):
        a, b = function_rank(f.restrict(i, 0)), function_rank(f.restrict(i, 1))
        best = min(best, max(a, b, 1 + min(a, b)))
    return best

# %% q2 right: as those below, without their faults
def find_tree(S, r):
    labels = {c for _, c in S}
    if len(labels) == 1:
        return labels.pop(), 1
    if r == 0:
        return None, 1
    calls = 1
    for v in range(len(S[0][0])):
        halves = [[(a, c) for a, c in S if a[v] == b] for b in (0, 1)]
        if not halves[0] or not halves[1]:
            continue
        trees = [None, None]
        for b in (0, 1):
            trees[b], more = find_tree(halves[b], r - 1)
            calls += more
        if trees == [None, None]:
            continue
        if None in trees:
            failed = trees.index(None)
            trees[failed], more = find_tree(halves[failed], r)
            calls += more
        return (None if None in trees else (v, *trees)), calls
    return None, calls

# %% q2 [tests, hidden-stop]: no early stop
#-         if trees == [None, None]:
#-             continue
#-         if None in trees:
#+         if trees.count(None) == 1:
#...
#-         return (None if None in trees else (v, *trees)), calls
#+         if None not in trees:
#+             return (v, *trees), calls

# %% q2 [tests, hidden-tree, hidden-variable, hidden-calls]: stops when both halves fail
#-         if trees == [None, None]:
#-             continue
#-         if None in trees:
#+         if trees.count(None) == 1:
#...
#-         return (None if None in trees else (v, *trees)), calls
#+         if None in trees:
#+             return None, calls
#+         return (v, *trees), calls

# %% q2 [tests, hidden-calls, hidden-stop]: the full bound first, the smaller one afterward
#-         trees = [None, None]
#-         for b in (0, 1):
#-             trees[b], more = find_tree(halves[b], r - 1)
#+         for first in (0, 1):
#+             heavy, more = find_tree(halves[first], r)
#...
#-         if trees == [None, None]:
#-             continue
#-         if None in trees:
#-             failed = trees.index(None)
#-             trees[failed], more = find_tree(halves[failed], r)
#-             calls += more
#-         return (None if None in trees else (v, *trees)), calls
#+             light, less = find_tree(halves[1 - first], r - 1)
#+             calls += less
#+             if heavy is not None and light is not None:
#+                 return ((v, light, heavy) if first else (v, heavy, light)), calls

# %% q2 [tests, hidden-tree, hidden-variable, hidden-calls]: the full bound on both sides
def find_tree(S, r):
    labels = {c for _, c in S}
    if len(labels) == 1:
        return labels.pop(), 1
    if r == 0:
        return None, 1
    calls = 1
    for v in range(len(S[0][0])):
        low = [(a, c) for a, c in S if a[v] == 0]
        high = [(a, c) for a, c in S if a[v] == 1]
        if not low or not high:
            continue
        low_tree, more = find_tree(low, r)
        high_tree, less = find_tree(high, r)
        calls += more + less
        if low_tree is not None and high_tree is not None:
            return (v, low_tree, high_tree), calls
    return None, calls

# %% q2 [tests, hidden-variable]: highest index first
#-     for v in range(len(S[0][0])):
#+     for v in reversed(range(len(S[0][0]))):

# %% q2 [tests, hidden-tree, hidden-variable, hidden-calls, hidden-stop]: the empty half passes for a leaf
#-     if len(labels) == 1:
#-         return labels.pop(), 1
#+     if len(labels) < 2:
#+         return (labels.pop() if labels else 0), 1
#...
#-         if not halves[0] or not halves[1]:
#-             continue

# %% q2 [tests, hidden-tree]: subtrees the wrong way round
#-         halves = [[(a, c) for a, c in S if a[v] == b] for b in (0, 1)]
#+         halves = [[(a, c) for a, c in S if a[v] == b] for b in (1, 0)]

# %% q2 [tests, hidden-calls]: the repetition is not counted
#-             trees[failed], more = find_tree(halves[failed], r)
#-             calls += more
#+             trees[failed], _ = find_tree(halves[failed], r)

# %% q2 [hidden-tree, hidden-variable, hidden-calls]: public tests only
def find_tree(S, r):
    # The second try is always made on the half x_v = 1.
    labels = {c for _, c in S}
    if len(labels) == 1:
        return labels.pop(), 1
    if r == 0:
        return None, 1
    calls = 1
    for v in range(len(S[0][0])):
        low = [(a, c) for a, c in S if a[v] == 0]
        high = [(a, c) for a, c in S if a[v] == 1]
        if not low or not high:
            continue
        low_tree, more = find_tree(low, r - 1)
        high_tree, less = find_tree(high, r - 1)
        calls += more + less
        if low_tree is None and high_tree is None:
            continue
        if low_tree is None or high_tree is None:
            high_tree, more = find_tree(high, r)
            calls += more
        if low_tree is None or high_tree is None:
            return None, calls
        return (v, low_tree, high_tree), calls
    return None, calls

# %% q2 [hidden-calls]: public tests only, a repeated call is remembered and not counted
def find_tree(S, r):
    known = {}

    def search(S, r):
        key = frozenset(S), r
        if key in known:
            return known[key], 0
        known[key], calls = fresh(S, r)
        return known[key], calls

    def fresh(S, r):
        labels = {c for _, c in S}
        if len(labels) == 1:
            return labels.pop(), 1
        if r == 0:
            return None, 1
        calls = 1
        for v in range(len(S[0][0])):
            halves = [[(a, c) for a, c in S if a[v] == b] for b in (0, 1)]
            if not halves[0] or not halves[1]:
                continue
            trees = [None, None]
            for b in (0, 1):
                trees[b], more = search(halves[b], r - 1)
                calls += more
            if trees == [None, None]:
                continue
            if None in trees:
                failed = trees.index(None)
                trees[failed], more = search(halves[failed], r)
                calls += more
            return (None if None in trees else (v, *trees)), calls
        return None, calls

    return search(S, r)

# %% q2 right: with sets of rows, and a counter
def find_tree(S, r):
    X = np.array([a for a, _ in S])
    y = np.array([c for _, c in S])
    counter = [0]

    def search(rows, bound):
        counter[0] += 1
        ones = int(y[rows].sum())
        if ones in (0, len(rows)):
            return np.int64(ones > 0)
        if bound == 0:
            return None
        for v in range(X.shape[1]):
            low, high = rows[X[rows, v] == 0], rows[X[rows, v] == 1]
            if not len(low) or not len(high):
                continue
            low_tree = search(low, bound - 1)
            high_tree = search(high, bound - 1)
            if low_tree is None and high_tree is None:
                continue
            if low_tree is None:
                low_tree = search(low, bound)
            elif high_tree is None:
                high_tree = search(high, bound)
            if low_tree is None or high_tree is None:
                return None
            return [v, low_tree, high_tree]
        return None

    tree = search(np.arange(len(S)), r)
    return [tree, float(counter[0])]

# %% q3 right: as those below, without their faults
def affordable_rank(m, n, epsilon, delta):
    affordable, most = -1, 0
    for r in range(n + 1):
        most += math.comb(n, r)
        log_count = most * math.log(2) + (most - 1) * math.log(2 * n)
        if m < (log_count + math.log(1 / delta)) / epsilon:
            break
        affordable = r
    return affordable

# %% q3 [tests, hidden-size, hidden-accuracy]: the binary logarithm
#-         log_count = most * math.log(2) + (most - 1) * math.log(2 * n)
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         log_count = most + (most - 1) * math.log2(2 * n)
#+         if m < (log_count + math.log2(1 / delta)) / epsilon:

# %% q3 [hidden-size]: public tests only, 2 to the power L - 1
#-         log_count = most * math.log(2) + (most - 1) * math.log(2 * n)
#+         log_count = (most - 1) * math.log(4 * n)

# %% q3 [hidden-size]: public tests only, the number of examples rounded down
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         if m < (log_count + math.log(1 / delta)) // epsilon:

# %% q3 [tests, hidden-size, hidden-accuracy]: the logarithm to the base ten
#-         log_count = most * math.log(2) + (most - 1) * math.log(2 * n)
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         log_count = most * math.log10(2) + (most - 1) * math.log10(2 * n)
#+         if m < (log_count + math.log10(1 / delta)) / epsilon:

# %% q3 [tests, hidden-size]: the bound of Theorem 2
def affordable_rank(m, n, epsilon, delta):
    affordable = -1
    if m >= (math.log(2) + math.log(1 / delta)) / epsilon:
        affordable = 0
    for r in range(1, n + 1):
        log_count = (math.e * n / r) ** r * math.log(8 * n)
        if m >= (log_count + math.log(1 / delta)) / epsilon:
            affordable = r
    return affordable

# %% q3 [hidden-size]: the simpler bound (4n)^L
#-         log_count = most * math.log(2) + (most - 1) * math.log(2 * n)
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         if m < (most * math.log(4 * n) + math.log(1 / delta)) / epsilon:

# %% q3 [tests, hidden-size]: the sum stops before r
#-     affordable, most = -1, 0
#+     affordable = -1
#...
#-         most += math.comb(n, r)
#+         most = max(1, sum(math.comb(n, i) for i in range(r)))

# %% q3 [tests, hidden-size, hidden-accuracy, hidden-ends]: the first rank that is too dear
def affordable_rank(m, n, epsilon, delta):
    most = 0
    for r in range(n + 1):
        most += math.comb(n, r)
        log_count = most * math.log(2) + (most - 1) * math.log(2 * n)
        if m < (log_count + math.log(1 / delta)) / epsilon:
            return r
    return n

# %% q3 [tests, hidden-accuracy]: delta left out
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         if m < log_count / epsilon:

# %% q3 [tests, hidden-accuracy, hidden-ends]: ln delta with the wrong sign
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         if m < (log_count + math.log(delta)) / epsilon:

# %% q3 [tests, hidden-accuracy]: epsilon squared, as for noisy labels
#-         if m < (log_count + math.log(1 / delta)) / epsilon:
#+         if m < (log_count + math.log(1 / delta)) / epsilon**2:

# %% q3 [hidden-ends]: public tests only
#  def affordable_rank(m, n, epsilon, delta):
#+     # The last rank, n itself, is never reached.
#...
#-     for r in range(n + 1):
#+     for r in range(n):

# %% q3 right: the library's numbers of leaves and examples, from the top
def affordable_rank(m, n, epsilon, delta):
    for r in range(n, -1, -1):
        most = dt.rank.most_leaves(n, r)
        log_count = most * np.log(2.0) + (most - 1) * np.log(2.0 * n)
        if m >= dt.rank.sample_size(epsilon, delta, log_count):
            return np.int64(r)
    return -1

# %% q3 right: a whole float, by bisection
def affordable_rank(m, n, epsilon, delta):
    low, high = -1.0, n + 1.0
    while high - low > 1:
        r = (low + high) // 2
        leaves = sum(math.comb(n, i) for i in range(int(r) + 1))
        paid = leaves * math.log(2) + (leaves - 1) * math.log(2 * n) - math.log(delta)
        low, high = (r, high) if paid <= epsilon * m else (low, r)
    return low

# %% q3 right: by the error that is guaranteed
def affordable_rank(m, n, epsilon, delta):
    binomials = [math.comb(n, i) for i in range(n + 1)]
    leaves = np.cumsum(binomials).astype(float)
    logs = leaves * math.log(4 * n) - math.log(2 * n)
    errors = (logs - math.log(delta)) / m
    return int((errors <= epsilon).sum()) - 1

# %% q4 right: as those below, without their faults
def rank_curves(X, labelings, sizes):
    _, ax = plt.subplots()
    for name, y in labelings.items():
        ranks = [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes]
        ax.plot(sizes, ranks, "o-", label=name)
    ax.set(xlabel="examples m", ylabel="rank")
    ax.legend()
    return ax

# %% q4 [hidden-ranks]: one row too few
#-         ranks = [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes]
#+         ranks = [dt.rank.sample_rank(X[: m - 1], y[: m - 1]) if m > 1 else 0 for m in sizes]

# %% q4 [hidden-ranks]: the last rows in place of the first
#-         ranks = [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes]
#+         ranks = [dt.rank.sample_rank(X[-m:], y[-m:]) for m in sizes]

# %% q4 [tests, hidden-ranks]: the depth of the tree
#-         ranks = [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes]
#+         ranks = [dt.find_min(X[:m], y[:m]).depth for m in sizes]

# %% q4 [tests, hidden-ranks]: the logarithm of the number of leaves
#-         ranks = [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes]
#+         ranks = [math.floor(math.log2(dt.find_min(X[:m], y[:m]).n_leaves)) for m in sizes]

# %% q4 [tests, hidden-ranks, hidden-sizes]: axes exchanged
#-         ax.plot(sizes, ranks, "o-", label=name)
#-     ax.set(xlabel="examples m", ylabel="rank")
#+         ax.plot(ranks, sizes, "o-", label=name)
#+     ax.set(xlabel="rank", ylabel="examples m")

# %% q4 [tests, hidden-sizes]: the number of the size in place of the size
#-         ranks = [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes]
#-         ax.plot(sizes, ranks, "o-", label=name)
#+         ax.plot([dt.rank.sample_rank(X[:m], y[:m]) for m in sizes], "o-", label=name)

# %% q4 [tests, hidden-names]: curves without names
def rank_curves(X, labelings, sizes):
    _, ax = plt.subplots()
    for y in labelings.values():
        ax.plot(sizes, [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes], "o-")
    ax.set(xlabel="examples m", ylabel="rank")
    ax.legend(list(labelings))
    return ax

# %% q4 [hidden-ranks]: public tests only
def rank_curves(X, labelings, sizes):
    # The labels of the first source for every line.
    _, ax = plt.subplots()
    ys = list(labelings.values())
    for name in labelings:
        ax.plot(sizes, [dt.rank.sample_rank(X[:m], ys[0][:m]) for m in sizes], "o-", label=name)
    ax.set(xlabel="examples m", ylabel="rank")
    ax.legend()
    return ax

# %% q4 [hidden-names]: public tests only, on the axes of the picture before
def rank_curves(X, labelings, sizes):
    ax = plt.gca()
    for name, y in labelings.items():
        ax.plot(sizes, [dt.rank.sample_rank(X[:m], y[:m]) for m in sizes], "o-", label=name)
    ax.set(xlabel="examples m", ylabel="rank")
    ax.legend()
    return ax

# %% q4 right: as steps, by FINDMIN, old interface
def rank_curves(X, labelings, sizes):
    plt.figure()
    for name in labelings:
        y = np.asarray(labelings[name])
        ranks = np.array([dt.rank.find_min_runs(X[:m], y[:m])[-1].rank[0] for m in sizes])
        plt.step(np.array(sizes), ranks, where="post", marker=".", label=name)
    plt.xlabel("number of examples")
    plt.ylabel("r(S)")
    plt.legend(loc="best")
    return plt.gca()
