# Answers to homework 5, wrong and right. Each stands for the whole answer cell of its question, in
# a notebook that has math, Fraction, np, plt and dt from the set-up; so names repeat, and others
# are not defined here. They are written as students write, without `strict=`, for one.
# ruff: noqa: ARG001, B905, C901, F811, F821, N802, RUF007, RUF059

# %% q1: Gini without its factor 2
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0) / 2

    total = sum(low) + sum(high)
    after = sum(sum(part) / total * G(part[1] / sum(part)) for part in (low, high) if sum(part))
    return G((low[1] + high[1]) / total) - after


# %% q1: natural logarithms
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return 2 * q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log(s) for s in (q, 1 - q) if s > 0) / 2

    total = sum(low) + sum(high)
    after = sum(sum(part) / total * G(part[1] / sum(part)) for part in (low, high) if sum(part))
    return G((low[1] + high[1]) / total) - after


# %% q1: the whole entropy, not half of it
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return 2 * q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0)

    total = sum(low) + sum(high)
    after = sum(sum(part) / total * G(part[1] / sum(part)) for part in (low, high) if sum(part))
    return G((low[1] + high[1]) / total) - after


# %% q1: costs normalised to 1 at one half
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return 2 * min(q, 1 - q)
        if cost == "gini":
            return 4 * q * (1 - q)
        if cost == "sqrt":
            return 2 * math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0)

    total = sum(low) + sum(high)
    after = sum(sum(part) / total * G(part[1] / sum(part)) for part in (low, high) if sum(part))
    return G((low[1] + high[1]) / total) - after


# %% q1: right on the public tests only, since the two leaves count alike
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return 2 * q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0) / 2

    p, r = (part[1] / sum(part) if sum(part) else 0.0 for part in (low, high))
    return G((low[1] + high[1]) / (sum(low) + sum(high))) - (G(p) + G(r)) / 2


# %% q1: the weights of the two leaves exchanged
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return 2 * q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0) / 2

    p, r = (part[1] / sum(part) if sum(part) else 0.0 for part in (low, high))
    total = sum(low) + sum(high)
    tau = sum(low) / total
    return G((low[1] + high[1]) / total) - ((1 - tau) * G(p) + tau * G(r))


# %% q1: q is taken as the middle of p and r
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return 2 * q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0) / 2

    p, r = (part[1] / sum(part) if sum(part) else 0.0 for part in (low, high))
    tau = sum(high) / (sum(low) + sum(high))
    return G((p + r) / 2) - ((1 - tau) * G(p) + tau * G(r))


# %% q1: the cost after minus the cost before
def drop(low, high, cost):
    def G(q):
        if cost == "error":
            return min(q, 1 - q)
        if cost == "gini":
            return 2 * q * (1 - q)
        if cost == "sqrt":
            return math.sqrt(q * (1 - q))
        return -sum(s * math.log2(s) for s in (q, 1 - q) if s > 0) / 2

    total = sum(low) + sum(high)
    after = sum(sum(part) / total * G(part[1] / sum(part)) for part in (low, high) if sum(part))
    return after - G((low[1] + high[1]) / total)


# %% q1: the library's costs
def drop(low, high, cost):
    G = dt.COST_FUNCTIONS[cost]
    total = sum(low) + sum(high)
    after = sum(sum(part) / total * G(part[1] / sum(part)) for part in (low, high) if sum(part))
    return G((low[1] + high[1]) / total) - after


# %% q1 right: with counts in place of shares
def drop(low, high, cost):
    def weighed(n0, n1):
        n = n0 + n1
        if not (n0 and n1):
            return 0
        if cost == "error":
            return min(n0, n1)
        if cost == "gini":
            return 2 * n0 * n1 / n
        if cost == "sqrt":
            return (n0 * n1) ** 0.5
        return (n * math.log2(n) - n0 * math.log2(n0) - n1 * math.log2(n1)) / 2

    both = [a + b for a, b in zip(low, high)]
    return (weighed(*both) - weighed(*low) - weighed(*high)) / sum(both)


# %% q1 right: with arrays, shares of label 0, and a NumPy number
def drop(low, high, cost):
    counts = np.array([low, high], dtype=float)
    share = counts.sum(axis=1) / counts.sum()
    inside = np.divide(
        counts[:, 0], counts.sum(axis=1), out=np.zeros(2), where=counts.sum(axis=1) > 0
    )
    q = np.append(inside, counts[:, 0].sum() / counts.sum())
    safe = np.clip(q, 1e-300, 1)
    other = np.clip(1 - q, 1e-300, 1)
    G = {
        "error": np.minimum(q, 1 - q),
        "gini": 2 * q * (1 - q),
        "entropy": -(q * np.log2(safe) + (1 - q) * np.log2(other)) / 2,
        "sqrt": np.sqrt(q * (1 - q)),
    }[cost]
    return G[2] - share @ G[:2]


# %% q1 right: with fractions where they do
def drop(low, high, cost):
    total = sum(low) + sum(high)
    parts = [(Fraction(sum(c), total), Fraction(c[1], sum(c))) for c in (low, high) if sum(c)]
    q = sum(w * s for w, s in parts)
    G = {
        "error": lambda s: min(s, 1 - s),
        "gini": lambda s: 2 * s * (1 - s),
        "sqrt": lambda s: math.sqrt(s - s * s),
        "entropy": lambda s: sum(-float(x) * math.log2(x) for x in (s, 1 - s) if x) / 2,
    }[cost]
    return G(q) - sum(w * G(s) for w, s in parts)


# %% q2: a tie counts as right
def wrong_share(d):
    return sum(math.comb(d, j) * 0.625**j * 0.375 ** (d - j) for j in range(d + 1) if 2 * j < d)


levels = next(d for d in range(1, 1000) if wrong_share(d) <= 0.05)
enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** (d / 2) <= 0.05)


# %% q2: one level too few
levels = 42
enough = 71


# %% q2: the exponent as the notes print it, 1 over gamma
def wrong_share(d):
    return sum(math.comb(d, j) * 0.625**j * 0.375 ** (d - j) for j in range(d + 1) if 2 * j < d)


levels = next(d for d in range(1, 1000, 2) if wrong_share(d) <= 0.05)
enough = math.ceil(math.log2(20) / 0.125)


# %% q2: a vote is right with probability one half plus half of gamma
def wrong_share(d):
    right = 0.5 + 1 / 16
    return sum(
        math.comb(d, j) * right**j * (1 - right) ** (d - j) for j in range(d + 1) if 2 * j < d
    )


levels = next(d for d in range(1, 1000, 2) if wrong_share(d) <= 0.05)
enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** (d / 2) <= 0.05)


# %% q2: the cost without its factor one half
def wrong_share(d):
    return sum(math.comb(d, j) * 0.625**j * 0.375 ** (d - j) for j in range(d + 1) if 2 * j < d)


levels = next(d for d in range(1, 1000, 2) if wrong_share(d) <= 0.05)
enough = next(d for d in range(1, 1000) if (15 / 16) ** (d / 2) <= 0.05)


# %% q2: the cost without the root
def wrong_share(d):
    return sum(math.comb(d, j) * 0.625**j * 0.375 ** (d - j) for j in range(d + 1) if 2 * j < d)


levels = next(d for d in range(1, 1000, 2) if wrong_share(d) <= 0.05)
enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** d <= 0.05)


# %% q2: a normal approximation
levels = math.ceil((1.6449 * math.sqrt(0.625 * 0.375) / 0.125) ** 2)
enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** (d / 2) <= 0.05)


# %% q2 right: level by level, with NumPy numbers
votes = np.array([1.0])
levels = np.int64(0)
while True:
    halves = np.arange(len(votes)) - (len(votes) - 1) / 2
    if votes[halves < 0].sum() + votes[halves == 0].sum() / 2 <= 0.05:
        break
    votes = 0.375 * np.append(votes, 0) + 0.625 * np.append(0, votes)
    levels += 1
enough = np.ceil(2 * np.log(0.1) / np.log(15 / 16))


# %% q2 right: over all leaves that are alike
def tree_error(d):
    share = [0.5 * (0.625**j * 0.375 ** (d - j)) for j in range(d + 1)]
    return sum(math.comb(d, j) * min(share[j], share[d - j]) for j in range(d + 1))


levels = min(d for d in range(100) if tree_error(d) <= 0.05)
enough = min(d for d in range(100) if (15 / 16) ** d <= 0.01)


# %% q4: a tie keeps the subtree
def reduced_error(tree, grown_on, second):
    def pruned(node, first, votes, above):
        if not isinstance(node, tuple):
            return node, sum(y != node for _, y in votes)
        ones = sum(y for _, y in first)
        label = above if not first else int(2 * ones > len(first))
        sides = [
            pruned(
                node[1 + b],
                [e for e in first if e[0][node[0]] == b],
                [e for e in votes if e[0][node[0]] == b],
                label,
            )
            for b in (0, 1)
        ]
        errors = sides[0][1] + sides[1][1]
        leaf = sum(y != label for _, y in votes)
        if leaf < errors:
            return label, leaf
        return (node[0], sides[0][0], sides[1][0]), errors

    return pruned(tree, grown_on, second, 0)[0]


# %% q4: right on the public tests only, since it compares with the subtree as it was
def reduced_error(tree, grown_on, second):
    def wrong(node, x):
        while isinstance(node, tuple):
            node = node[1 + x[node[0]]]
        return node

    def pruned(node, first, votes, above):
        if not isinstance(node, tuple):
            return node
        ones = sum(y for _, y in first)
        label = above if not first else int(2 * ones > len(first))
        if sum(y != label for _, y in votes) <= sum(y != wrong(node, x) for x, y in votes):
            return label
        parts = [
            pruned(
                node[1 + b],
                [e for e in first if e[0][node[0]] == b],
                [e for e in votes if e[0][node[0]] == b],
                label,
            )
            for b in (0, 1)
        ]
        return (node[0], *parts)

    return pruned(tree, grown_on, second, 0)


# %% q4: from the root down, ending at the first node that stays
def reduced_error(tree, grown_on, second):
    def answer(node, x):
        while isinstance(node, tuple):
            node = node[1 + x[node[0]]]
        return node

    if not isinstance(tree, tuple):
        return tree
    label = int(2 * sum(y for _, y in grown_on) > len(grown_on))
    leaf = sum(y != label for _, y in second)
    return label if leaf <= sum(y != answer(tree, x) for x, y in second) else tree


# %% q4: a cut node says what the second sample says
def reduced_error(tree, grown_on, second):
    def pruned(node, votes, above):
        if not isinstance(node, tuple):
            return node, sum(y != node for _, y in votes)
        ones = sum(y for _, y in votes)
        label = above if not votes else int(2 * ones > len(votes))
        sides = [
            pruned(node[1 + b], [e for e in votes if e[0][node[0]] == b], label) for b in (0, 1)
        ]
        errors = sides[0][1] + sides[1][1]
        leaf = min(ones, len(votes) - ones)
        if leaf <= errors:
            return label, leaf
        return (node[0], sides[0][0], sides[1][0]), errors

    return pruned(tree, second, 0)[0]


# %% q4: errors are counted on the sample that grew the tree
def reduced_error(tree, grown_on, second):
    def pruned(node, first, above):
        if not isinstance(node, tuple):
            return node, sum(y != node for _, y in first)
        ones = sum(y for _, y in first)
        label = above if not first else int(2 * ones > len(first))
        sides = [
            pruned(node[1 + b], [e for e in first if e[0][node[0]] == b], label) for b in (0, 1)
        ]
        errors = sides[0][1] + sides[1][1]
        leaf = min(ones, len(first) - ones)
        if leaf <= errors:
            return label, leaf
        return (node[0], sides[0][0], sides[1][0]), errors

    return pruned(tree, grown_on, 0)[0]


# %% q4: equally frequent labels give 1
def reduced_error(tree, grown_on, second):
    def pruned(node, first, votes, above):
        if not isinstance(node, tuple):
            return node, sum(y != node for _, y in votes)
        ones = sum(y for _, y in first)
        label = above if not first else int(2 * ones >= len(first))
        sides = [
            pruned(
                node[1 + b],
                [e for e in first if e[0][node[0]] == b],
                [e for e in votes if e[0][node[0]] == b],
                label,
            )
            for b in (0, 1)
        ]
        errors = sides[0][1] + sides[1][1]
        leaf = sum(y != label for _, y in votes)
        if leaf <= errors:
            return label, leaf
        return (node[0], sides[0][0], sides[1][0]), errors

    return pruned(tree, grown_on, second, 0)[0]


# %% q4: right on the public tests only, since a node without examples of S1 says 0
def reduced_error(tree, grown_on, second):
    if not isinstance(tree, tuple):
        return tree
    i = tree[0]
    label = int(2 * sum(y for _, y in grown_on) > len(grown_on))
    sides = [
        reduced_error(
            tree[1 + b], [e for e in grown_on if e[0][i] == b], [e for e in second if e[0][i] == b]
        )
        for b in (0, 1)
    ]

    def answer(node, x):
        while isinstance(node, tuple):
            node = node[1 + x[node[0]]]
        return node

    errors = sum(y != answer(sides[x[i]], x) for x, y in second)
    return label if sum(y != label for _, y in second) <= errors else (i, *sides)


# %% q4: low and high exchanged
def reduced_error(tree, grown_on, second):
    def pruned(node, first, votes, above):
        if not isinstance(node, tuple):
            return node, sum(y != node for _, y in votes)
        ones = sum(y for _, y in first)
        label = above if not first else int(2 * ones > len(first))
        sides = [
            pruned(
                node[2 - b],
                [e for e in first if e[0][node[0]] == b],
                [e for e in votes if e[0][node[0]] == b],
                label,
            )
            for b in (0, 1)
        ]
        errors = sides[0][1] + sides[1][1]
        leaf = sum(y != label for _, y in votes)
        if leaf <= errors:
            return label, leaf
        return (node[0], sides[1][0], sides[0][0]), errors

    return pruned(tree, grown_on, second, 0)[0]


# %% q4: a part that no example of S2 reaches is left as it is
def reduced_error(tree, grown_on, second):
    def pruned(node, first, votes, above):
        if not isinstance(node, tuple) or not votes:
            return node, sum(y != node for _, y in votes)
        ones = sum(y for _, y in first)
        label = above if not first else int(2 * ones > len(first))
        sides = [
            pruned(
                node[1 + b],
                [e for e in first if e[0][node[0]] == b],
                [e for e in votes if e[0][node[0]] == b],
                label,
            )
            for b in (0, 1)
        ]
        errors = sides[0][1] + sides[1][1]
        leaf = sum(y != label for _, y in votes)
        if leaf <= errors:
            return label, leaf
        return (node[0], sides[0][0], sides[1][0]), errors

    return pruned(tree, grown_on, second, 0)[0]


# %% q4 right: by looking at what is left, with lists and NumPy labels
def reduced_error(tree, grown_on, second):
    def says(node, x):
        while isinstance(node, list):
            node = node[1 + x[node[0]]]
        return node

    def visit(node, first, then, label):
        if isinstance(node, int):
            return np.int64(node)
        if first:
            label = np.bincount([y for _, y in first], minlength=2).argmax()
        i, *below = node
        left = [
            i,
            *(
                visit(
                    below[b],
                    [e for e in first if e[0][i] == b],
                    [e for e in then if e[0][i] == b],
                    label,
                )
                for b in (0, 1)
            ),
        ]
        stays = [y for x, y in then if says(left, x) != y]
        return label if len([y for _, y in then if y != label]) <= len(stays) else left

    return visit(tree, grown_on, second, 0)


# %% q4 right: as the best of all prunings, errors first and then leaves
def reduced_error(tree, grown_on, second):
    def best(node, first, then, above):
        if node in (0, 1):
            return (sum(1 for _, y in then if y != node), 1, node)
        label = above
        if first:
            label = 1 if sum(1 if y else -1 for _, y in first) > 0 else 0
        i, low, high = node
        a = best(low, [e for e in first if not e[0][i]], [e for e in then if not e[0][i]], label)
        b = best(high, [e for e in first if e[0][i]], [e for e in then if e[0][i]], label)
        keep = (a[0] + b[0], a[1] + b[1], (i, a[2], b[2]))
        cut = (sum(1 for _, y in then if y != label), 1, label)
        return min(keep, cut, key=lambda entry: entry[:2])

    return best(tree, grown_on, second, None)[2]


# %% q5: the left side never gets a budget of 0
def staircase(tree, most):
    table = [1 if tree[0] <= d else math.inf for d in range(most + 1)]
    if len(tree) == 3:
        low, high = (staircase(child, most) for child in tree[1:])
        for d in range(most + 1):
            if table[d] > 1:
                table[d] = min((low[i] + high[d - i] for i in range(1, d + 1)), default=math.inf)
    return table


# %% q5: exactly d errors, not at most
def staircase(tree, most):
    table = [1 if tree[0] == d else math.inf for d in range(most + 1)]
    if len(tree) == 3:
        low, high = (staircase(child, most) for child in tree[1:])
        for d in range(most + 1):
            if table[d] > 1:
                table[d] = min(low[i] + high[d - i] for i in range(d + 1))
    return table


# %% q5: nodes are counted, not leaves
def staircase(tree, most):
    table = [1 if tree[0] <= d else math.inf for d in range(most + 1)]
    if len(tree) == 3:
        low, high = (staircase(child, most) for child in tree[1:])
        for d in range(most + 1):
            if table[d] > 1:
                table[d] = min(low[i] + high[d - i] + 1 for i in range(d + 1))
    return table


# %% q5: an internal node is never cut
def staircase(tree, most):
    if len(tree) == 1:
        return [1 if tree[0] <= d else math.inf for d in range(most + 1)]
    low, high = (staircase(child, most) for child in tree[1:])
    return [min(low[i] + high[d - i] for i in range(d + 1)) for d in range(most + 1)]


# %% q5: fewer than d errors, not at most
def staircase(tree, most):
    table = [1 if tree[0] < d else math.inf for d in range(most + 1)]
    if len(tree) == 3:
        low, high = (staircase(child, most) for child in tree[1:])
        for d in range(most + 1):
            if table[d] > 1:
                table[d] = min(low[i] + high[d - i] for i in range(d + 1))
    return table


# %% q5: each side gets the whole budget
def staircase(tree, most):
    table = [1 if tree[0] <= d else math.inf for d in range(most + 1)]
    if len(tree) == 3:
        low, high = (staircase(child, most) for child in tree[1:])
        for d in range(most + 1):
            if table[d] > 1:
                table[d] = low[d] + high[d]
    return table


# %% q5: right on the public tests only, since it takes the trees of cost complexity
def staircase(tree, most):
    def prunings(node):
        if len(node) == 1:
            return {(1, node[0])}
        below = {(k + j, e + f) for k, e in prunings(node[1]) for j, f in prunings(node[2])}
        return below | {(1, node[0])}

    best = {}
    for k, e in prunings(tree):
        best[k] = min(e, best.get(k, e))
    corners = [(1, best[1])]
    while True:
        k, e = corners[-1]
        after = [((e - f) / (j - k), j, f) for j, f in best.items() if j > k and f < e]
        if not after:
            break
        corners.append(max(after)[1:])
    return [min((k for k, e in corners if e <= d), default=math.inf) for d in range(most + 1)]


# %% q5: right on the public tests only, since a node is cut only if its subtree could do as well
def staircase(tree, most):
    if len(tree) == 1:
        return [1 if tree[0] <= d else math.inf for d in range(most + 1)]
    low, high = (staircase(child, most) for child in tree[1:])
    table = [min(low[i] + high[d - i] for i in range(d + 1)) for d in range(most + 1)]
    return [1 if tree[0] <= d and table[d] < math.inf else table[d] for d in range(most + 1)]


# %% q5 right: the fewest errors for every number of leaves, as an array
def staircase(tree, most):
    def fewest(node):
        if len(node) == 1:
            return [node[0]]
        low, high = fewest(node[1]), fewest(node[2])
        joined = [node[0]] + [10**9] * (len(low) + len(high) - 1)
        for a, e in enumerate(low):
            for b, f in enumerate(high):
                joined[a + b + 1] = min(joined[a + b + 1], e + f)
        return joined

    errors = np.array(fewest(tree))
    return np.array(
        [
            np.flatnonzero(errors <= d)[0] + 1.0 if (errors <= d).any() else np.inf
            for d in range(most + 1)
        ]
    )


# %% q5 right: recursion that remembers
def staircase(tree, most):
    known = {}

    def s(place, node, j):
        if (place, j) not in known:
            if node[0] <= j:
                known[place, j] = 1
            elif len(node) == 1:
                known[place, j] = float("inf")
            else:
                known[place, j] = min(
                    s(place + "0", node[1], i) + s(place + "1", node[2], j - i)
                    for i in range(j + 1)
                )
        return known[place, j]

    return tuple(s("", tree, j) for j in range(most + 1))


# %% q6: leaves in the place of leaves less one
def weakest(node, m):
    if len(node) == 1:
        return 1, node[0], math.inf
    (k0, e0, g0), (k1, e1, g1) = weakest(node[1], m), weakest(node[2], m)
    k, e = k0 + k1, e0 + e1
    return k, e, min(g0, g1, Fraction(node[0] - e, m * k))


def cut(node, price, m):
    if len(node) == 1:
        return node
    node = (node[0], cut(node[1], price, m), cut(node[2], price, m))
    k, e, _ = weakest(node, m)
    return (node[0],) if Fraction(node[0] - e, m * k) <= price else node


def critical_prices(tree, m):
    found, price = [], Fraction(0)
    while True:
        tree = cut(tree, price, m)
        leaves, _, following = weakest(tree, m)
        found.append((price, leaves))
        if leaves == 1:
            return found
        price = following


# %% q6: errors are not divided by m
def weakest(node):
    if len(node) == 1:
        return 1, node[0], math.inf
    (k0, e0, g0), (k1, e1, g1) = weakest(node[1]), weakest(node[2])
    k, e = k0 + k1, e0 + e1
    return k, e, min(g0, g1, Fraction(node[0] - e, k - 1))


def cut(node, price):
    if len(node) == 1:
        return node
    node = (node[0], cut(node[1], price), cut(node[2], price))
    k, e, _ = weakest(node)
    return (node[0],) if Fraction(node[0] - e, k - 1) <= price else node


def critical_prices(tree, m):
    found, price = [], Fraction(0)
    while True:
        tree = cut(tree, price)
        leaves, _, following = weakest(tree)
        found.append((price, leaves))
        if leaves == 1:
            return found
        price = following


# %% q6: at price 0 nothing is cut
def weakest(node, m):
    if len(node) == 1:
        return 1, node[0], math.inf
    (k0, e0, g0), (k1, e1, g1) = weakest(node[1], m), weakest(node[2], m)
    k, e = k0 + k1, e0 + e1
    return k, e, min(g0, g1, Fraction(node[0] - e, m * (k - 1)))


def cut(node, price, m):
    if len(node) == 1:
        return node
    node = (node[0], cut(node[1], price, m), cut(node[2], price, m))
    k, e, _ = weakest(node, m)
    return (node[0],) if Fraction(node[0] - e, m * (k - 1)) <= price else node


def critical_prices(tree, m):
    found = [(Fraction(0), weakest(tree, m)[0])]
    while found[-1][1] > 1:
        price = weakest(tree, m)[2]
        tree = cut(tree, price, m)
        found.append((price, weakest(tree, m)[0]))
    return found


# %% q6: the prices of the tree as it was given, never looked at again
def critical_prices(tree, m):
    def measured(node):
        if len(node) == 1:
            return 1, node[0]
        (k0, e0), (k1, e1) = measured(node[1]), measured(node[2])
        return k0 + k1, e0 + e1

    def links(node):
        if len(node) == 1:
            return set()
        k, e = measured(node)
        return links(node[1]) | links(node[2]) | {Fraction(node[0] - e, m * (k - 1))}

    def kept(node, price):
        if len(node) == 1:
            return 1
        k, e = measured(node)
        if Fraction(node[0] - e, m * (k - 1)) <= price:
            return 1
        return kept(node[1], price) + kept(node[2], price)

    found = []
    for price in sorted(links(tree) | {Fraction(0)}):
        leaves = kept(tree, price)
        if not found or leaves < found[-1][1]:
            found.append((price, leaves))
    return found


# %% q6: right on the public tests only, since links fall one at a time
def critical_prices(tree, m):
    def weakest(node, place=()):
        if len(node) == 1:
            return 1, node[0], []
        (k0, e0, one), (k1, e1, two) = weakest(node[1], (*place, 1)), weakest(node[2], (*place, 2))
        k, e = k0 + k1, e0 + e1
        return k, e, [*one, *two, (Fraction(node[0] - e, m * (k - 1)), len(place), place)]

    def cut(node, place):
        if not place:
            return (node[0],)
        parts = list(node)
        parts[place[0]] = cut(node[place[0]], place[1:])
        return tuple(parts)

    found = []
    price = Fraction(0)
    while True:
        k, _, links = weakest(tree)
        zero = [link for link in links if link[0] == 0]
        if zero:
            tree = cut(tree, zero[0][2])
            continue
        found.append((price, k))
        if k == 1:
            return found
        price, _, place = min(links)
        tree = cut(tree, place)


# %% q6: right on the public tests only, since a node waits for the links below it
def critical_prices(tree, m):
    prices = set()

    def grown(node, price):
        if len(node) == 1:
            return 1, node[0]
        (k0, e0), (k1, e1) = grown(node[1], price), grown(node[2], price)
        return (
            (1, node[0]) if k0 == k1 == 1 and node[0] - e0 - e1 <= price * m else (k0 + k1, e0 + e1)
        )

    def sums(node):
        if len(node) == 1:
            return {node[0]}
        below = {a + b for a in sums(node[1]) for b in sums(node[2])}
        prices.update(Fraction(node[0] - e, m) for e in below if node[0] >= e)
        return below | {node[0]}

    sums(tree)
    found = []
    for price in sorted(prices | {Fraction(0)}):
        leaves = grown(tree, price)[0]
        if not found or leaves < found[-1][1]:
            found.append((price, leaves))
    return found


# %% q6: every corner of the staircase, dents as well
def critical_prices(tree, m):
    def prunings(node):
        if len(node) == 1:
            return {(1, node[0])}
        below = {(k + j, e + f) for k, e in prunings(node[1]) for j, f in prunings(node[2])}
        return below | {(1, node[0])}

    best = {}
    for k, e in sorted(prunings(tree)):
        if not best or e < min(best.values()):
            best[k] = e
    sizes = sorted(best, reverse=True)
    found = [(Fraction(0), sizes[0])]
    for larger, smaller in zip(sizes, sizes[1:]):
        found.append((Fraction(best[smaller] - best[larger], m * (larger - smaller)), smaller))
    return found


# %% q6: at the price itself the larger tree
def critical_prices(tree, m):
    def prunings(node):
        if len(node) == 1:
            return {(1, node[0])}
        below = {(k + j, e + f) for k, e in prunings(node[1]) for j, f in prunings(node[2])}
        return below | {(1, node[0])}

    among = prunings(tree)
    fewest = min(e for _, e in among)
    k, e = max((k, e) for k, e in among if e == fewest)
    found = [(Fraction(0), k)]
    while k > 1:
        price = min(Fraction(f - e, m * (k - j)) for j, f in among if j < k)
        k, e = max((j, f) for j, f in among if j < k and Fraction(f - e, m * (k - j)) == price)
        found.append((price, k))
    return found


# %% q6 right: by the lower hull of all prunings, prices as floats
def critical_prices(tree, m):
    def fewest(node):
        if len(node) == 1:
            return [node[0]]
        low, high = fewest(node[1]), fewest(node[2])
        joined = [node[0]] + [10**9] * (len(low) + len(high) - 1)
        for a, e in enumerate(low):
            for b, f in enumerate(high):
                joined[a + b + 1] = min(joined[a + b + 1], e + f)
        return joined

    errors = fewest(tree)
    k = errors.index(min(errors))
    path = [[0.0, k + 1]]
    while k:
        price, k = min(((errors[j] - errors[k]) / (k - j) / m, j) for j in range(k))
        path.append([price, k + 1])
    return path


# %% q6 right: weakest links by hand, NumPy numbers
def critical_prices(tree, m):
    class Node:
        def __init__(self, told):
            self.e, self.below = told[0], [Node(child) for child in told[1:]]

        def inner(self):
            for child in self.below:
                yield from child.inner()
            if self.below:
                yield self

        def told(self):
            if not self.below:
                return 1, self.e
            parts = [child.told() for child in self.below]
            return sum(k for k, _ in parts), sum(e for _, e in parts)

        def g(self):
            k, e = self.told()
            return np.float64((self.e - e) / (k - 1))

    root, price, path = Node(tree), 0.0, []
    while True:
        weak = [node for node in root.inner() if node.g() <= price]
        while weak:
            weak[0].below = []
            weak = [node for node in root.inner() if node.g() <= price]
        path.append((price / m, np.int64(root.told()[0])))
        if not root.below:
            return path
        price = min(node.g() for node in root.inner())


# %% q7: the place in the list in place of the leaves
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = range(len(trees))
    own = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.mean(t.predict(fresh[0]) != fresh[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmin(new))]], [min(new)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: one leaf more for each tree, whatever its size
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = range(1, len(trees) + 1)
    own = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.mean(t.predict(fresh[0]) != fresh[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmin(new))]], [min(new)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: the sample that grew the trees chooses the best
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.mean(t.predict(fresh[0]) != fresh[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmin(own))]], [min(own)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: the largest of several best trees
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.mean(t.predict(fresh[0]) != fresh[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([max(k for k, e in zip(at, new) if e == min(new))], [min(new)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: numbers of errors, not shares
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.sum(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.sum(t.predict(fresh[0]) != fresh[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmin(new))]], [min(new)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: both shares out of the size of the first sample
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.sum(t.predict(fresh[0]) != fresh[1]) / len(sample[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmin(new))]], [min(new)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: shares of right labels
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.mean(t.predict(sample[0]) == sample[1]) for t in trees]
    new = [np.mean(t.predict(fresh[0]) == fresh[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmax(new))]], [max(new)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: the sample and the fresh examples exchanged
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.mean(t.predict(fresh[0]) != fresh[1]) for t in trees]
    new = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    ax.plot(at, own, label="sample")
    ax.plot(at, new, label="fresh")
    ax.plot([at[int(np.argmin(own))]], [min(own)], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7: the axes exchanged
def plot_errors(trees, sample, fresh):
    figure, ax = plt.subplots()
    at = [t.n_leaves for t in trees]
    own = [np.mean(t.predict(sample[0]) != sample[1]) for t in trees]
    new = [np.mean(t.predict(fresh[0]) != fresh[1]) for t in trees]
    ax.plot(own, at, label="sample")
    ax.plot(new, at, label="fresh")
    ax.plot([min(new)], [at[int(np.argmin(new))]], "o", label="best")
    ax.set(xlabel="leaves", ylabel="error")
    return ax


# %% q7 right: stairs and a scattered point, on the current axes
def plot_errors(trees, sample, fresh):
    ax = plt.gca()
    sizes = np.array([tree.n_leaves for tree in trees])
    errors = {}
    for name, (X, y) in {"sample": sample, "fresh": fresh}.items():
        errors[name] = np.array([(tree.predict(X) != y).sum() / len(y) for tree in trees])
        ax.step(sizes, errors[name], where="post", label=name)
    first = errors["fresh"].argmin()
    ax.scatter(sizes[first], errors["fresh"][first], s=60, label="best")
    ax.set_xlabel("Number of leaves")
    ax.set_ylabel("Error rate")
    ax.legend()
    return ax


# %% q7 right: by loops
def plot_errors(trees, sample, fresh):
    def share(tree, part):
        wrong = 0
        for x, y in zip(*part):
            if tree(x) != y:
                wrong += 1
        return wrong / len(part[1])

    fig = plt.figure(figsize=(5, 3))
    ax = fig.add_subplot()
    best = None
    for name, part, style in (("sample", sample, "--"), ("fresh", fresh, "-")):
        xs, ys = [], []
        for tree in trees:
            xs.append(tree.n_leaves)
            ys.append(share(tree, part))
            if name == "fresh" and (best is None or ys[-1] < best[1]):
                best = xs[-1], ys[-1]
        ax.plot(xs, ys, style, label=name)
    ax.plot(*best, marker="s", ls="", label="best")
    ax.set_title("overfitting")
    ax.set_xlabel("leaves")
    ax.set_ylabel("error")
    return ax


# %% q6 right: shares of errors as floats, with their rounding
def critical_prices(tree, m):
    def measured(node):
        if len(node) == 1:
            return 1, node[0] / m, []
        (k0, e0, g0), (k1, e1, g1) = measured(node[1]), measured(node[2])
        k, e = k0 + k1, e0 + e1
        return k, e, [*g0, *g1, (node[0] / m - e) / (k - 1)]

    def fall(node, price):
        if len(node) == 1:
            return node
        node = (node[0], fall(node[1], price), fall(node[2], price))
        return node[:1] if measured(node)[2][-1] <= price else node

    path, price = [], 0.0
    while True:
        tree = fall(tree, price)
        k, _, links = measured(tree)
        path.append((price, k))
        if k == 1:
            return path
        price = min(links)
