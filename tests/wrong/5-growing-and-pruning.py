# %% q1 right: as those below, without their faults
def wrong_share(d):
    return sum(math.comb(d, j) * 0.625**j * 0.375 ** (d - j) for j in range(d + 1) if 2 * j < d)


levels = next(d for d in range(1, 1000, 2) if wrong_share(d) <= 0.05)
enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** (d / 2) <= 0.05)

# %% q1 [hidden-levels]: a tie counts as right
#- levels = next(d for d in range(1, 1000, 2) if wrong_share(d) <= 0.05)
#+ levels = next(d for d in range(1, 1000) if wrong_share(d) <= 0.05)

# %% q1 [hidden-levels, hidden-enough]: one level too few
levels = 42
enough = 71

# %% q1 [hidden-enough]: the exponent as the notes print it, 1 over gamma
#- enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** (d / 2) <= 0.05)
#+ enough = math.ceil(math.log2(20) / 0.125)

# %% q1 [hidden-levels]: a vote is right with probability one half plus half of gamma
#-     return sum(math.comb(d, j) * 0.625**j * 0.375 ** (d - j) for j in range(d + 1) if 2 * j < d)
#+     right = 0.5 + 1 / 16
#+     return sum(
#+         math.comb(d, j) * right**j * (1 - right) ** (d - j) for j in range(d + 1) if 2 * j < d
#+     )

# %% q1 [hidden-enough]: the cost without its factor one half
#- enough = next(d for d in range(1, 1000) if 0.5 * (15 / 16) ** (d / 2) <= 0.05)
#+ enough = next(d for d in range(1, 1000) if (15 / 16) ** (d / 2) <= 0.05)

# %% q1 [hidden-levels, hidden-enough]: in words
levels = "43"
enough = "72"

# %% q1 right: level by level, with NumPy numbers
votes = np.array([1.0])
levels = np.int64(0)
while True:
    halves = np.arange(len(votes)) - (len(votes) - 1) / 2
    if votes[halves < 0].sum() + votes[halves == 0].sum() / 2 <= 0.05:
        break
    votes = 0.375 * np.append(votes, 0) + 0.625 * np.append(0, votes)
    levels += 1
enough = np.ceil(2 * np.log(0.1) / np.log(15 / 16))

# %% q1 right: over all leaves that are alike
def tree_error(d):
    share = [0.5 * (0.625**j * 0.375 ** (d - j)) for j in range(d + 1)]
    return sum(math.comb(d, j) * min(share[j], share[d - j]) for j in range(d + 1))


levels = min(d for d in range(100) if tree_error(d) <= 0.05)
enough = min(d for d in range(100) if (15 / 16) ** d <= 0.01)

# %% q3 right: as those below, without their faults
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
        if leaf <= errors:
            return label, leaf
        return (node[0], sides[0][0], sides[1][0]), errors

    return pruned(tree, grown_on, second, 0)[0]

# %% q3 [hidden-ties]: a tie keeps the subtree
#-         if leaf <= errors:
#+         if leaf < errors:

# %% q3 [hidden-order]: right on the public tests only, since it compares with the subtree as it was
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

# %% q3 [tests, hidden-order, hidden-ties, hidden-equal, hidden-empty]: from the root down, ending at the first node that stays
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

# %% q3 [hidden-labels, hidden-equal]: a cut node says what the second sample says
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

# %% q3 [tests, hidden-order, hidden-ties, hidden-labels, hidden-equal, hidden-empty]: errors are counted on the sample that grew the tree
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

# %% q3 [hidden-equal]: equally frequent labels give 1
#-         label = above if not first else int(2 * ones > len(first))
#+         label = above if not first else int(2 * ones >= len(first))

# %% q3 [hidden-empty]: right on the public tests only, since a node without examples of S1 says 0
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

# %% q3 [tests, hidden-order, hidden-ties, hidden-labels, hidden-equal, hidden-empty]: low and high exchanged
#-                 node[1 + b],
#+                 node[2 - b],
#...
#-         return (node[0], sides[0][0], sides[1][0]), errors
#+         return (node[0], sides[1][0], sides[0][0]), errors

# %% q3 [hidden-ties]: a part that no example of S2 reaches is left as it is
#-         if not isinstance(node, tuple):
#+         if not isinstance(node, tuple) or not votes:

# %% q3 [hidden-labels]: the leaves of the given tree are labeled again
#-         if not isinstance(node, tuple):
#-             return node, sum(y != node for _, y in votes)
#...
#          label = above if not first else int(2 * ones > len(first))
#+         leaf = sum(y != label for _, y in votes)
#+         if not isinstance(node, tuple):
#+             return label, leaf
#...
#-         leaf = sum(y != label for _, y in votes)

# %% q3 [hidden-empty]: right on the public tests only, since a node without examples of S1 copies the root
#-     def pruned(node, first, votes, above):
#+     top = int(2 * sum(y for _, y in grown_on) > len(grown_on))
#+
#+     def pruned(node, first, votes):
#...
#-         ones = sum(y for _, y in first)
#-         label = above if not first else int(2 * ones > len(first))
#+         label = int(2 * sum(y for _, y in first) > len(first)) if first else top
#...
#-                 label,
#...
#-     return pruned(tree, grown_on, second, 0)[0]
#+     return pruned(tree, grown_on, second)[0]

# %% q3 [hidden-labels]: public tests only, where S1 has no example the second sample labels
#-         label = above if not first else int(2 * ones > len(first))
#+         label = int(2 * ones > len(first)) if first else above
#+         if votes and not first:
#+             label = int(2 * sum(y for _, y in votes) > len(votes))

# %% q3 [hidden-labels]: public tests only, the label of S1 after the last answer alone
#-                 [e for e in first if e[0][node[0]] == b],
#+                 [e for e in grown_on if e[0][node[0]] == b],

# %% q3 [hidden-equal]: public tests only, the second sample decides between equally frequent labels
#          label = above if not first else int(2 * ones > len(first))
#+         if 2 * ones == len(first) > 0:
#+             label = int(2 * sum(y for _, y in votes) > len(votes))

# %% q3 [hidden-ties]: public tests only, without a second sample nothing is cut
#-     return pruned(tree, grown_on, second, 0)[0]
#+     return pruned(tree, grown_on, second, 0)[0] if second else tree

# %% q3 [hidden-ties]: public tests only, where S2 has no example the label is 0
#          label = above if not first else int(2 * ones > len(first))
#+         label = label if votes else 0

# %% q3 [hidden-order]: public tests only, what is kept counts no errors further up
#-         return (node[0], sides[0][0], sides[1][0]), errors
#+         return (node[0], sides[0][0], sides[1][0]), 0

# %% q3 [hidden-equal]: equally frequent labels give that of the node above
#-         ones = sum(y for _, y in first)
#-         label = above if not first else int(2 * ones > len(first))
#+         zeros, ones = sum(1 - y for _, y in first), sum(y for _, y in first)
#+         label = above if zeros == ones else int(ones > zeros)

# %% q3 right: by looking at what is left, with lists and NumPy labels
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

# %% q3 right: as the best of all prunings, errors first and then leaves
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

# %% q4 right: as those below, without their faults
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
    found, price = [], Fraction(0)
    while True:
        tree = cut(tree, price, m)
        leaves, _, following = weakest(tree, m)
        found.append((price, leaves))
        if leaves == 1:
            return found
        price = following

# %% q4 [tests, hidden-prices]: leaves in the place of leaves less one
#-     return k, e, min(g0, g1, Fraction(node[0] - e, m * (k - 1)))
#+     return k, e, min(g0, g1, Fraction(node[0] - e, m * k))
#...
#-     return (node[0],) if Fraction(node[0] - e, m * (k - 1)) <= price else node
#+     return (node[0],) if Fraction(node[0] - e, m * k) <= price else node

# %% q4 [tests, hidden-prices]: errors are not divided by m
#- def weakest(node, m):
#+ def weakest(node):
#...
#-     (k0, e0, g0), (k1, e1, g1) = weakest(node[1], m), weakest(node[2], m)
#+     (k0, e0, g0), (k1, e1, g1) = weakest(node[1]), weakest(node[2])
#...
#-     return k, e, min(g0, g1, Fraction(node[0] - e, m * (k - 1)))
#+     return k, e, min(g0, g1, Fraction(node[0] - e, k - 1))
#...
#- def cut(node, price, m):
#+ def cut(node, price):
#...
#-     node = (node[0], cut(node[1], price, m), cut(node[2], price, m))
#-     k, e, _ = weakest(node, m)
#-     return (node[0],) if Fraction(node[0] - e, m * (k - 1)) <= price else node
#+     node = (node[0], cut(node[1], price), cut(node[2], price))
#+     k, e, _ = weakest(node)
#+     return (node[0],) if Fraction(node[0] - e, k - 1) <= price else node
#...
#-         tree = cut(tree, price, m)
#-         leaves, _, following = weakest(tree, m)
#+         tree = cut(tree, price)
#+         leaves, _, following = weakest(tree)

# %% q4 [hidden-free]: at price 0 nothing is cut
#-     found, price = [], Fraction(0)
#-     while True:
#+     found = [(Fraction(0), weakest(tree, m)[0])]
#+     while found[-1][1] > 1:
#+         price = weakest(tree, m)[2]
#...
#-         leaves, _, following = weakest(tree, m)
#-         found.append((price, leaves))
#-         if leaves == 1:
#-             return found
#-         price = following
#+         found.append((price, weakest(tree, m)[0]))
#+     return found

# %% q4 [tests, hidden-again]: the prices of the tree as it was given, never looked at again
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

# %% q4 [hidden-together]: right on the public tests only, since links fall one at a time
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

# %% q4 [hidden-whole]: right on the public tests only, since a node waits for the links below it
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

# %% q4 [hidden-together, hidden-whole]: every corner of the staircase, dents as well
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

# %% q4 [hidden-free, hidden-together]: at the price itself the larger tree
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

# %% q4 [hidden-prices]: right on the public tests only, since prices are rounded to three places
#-         found.append((price, leaves))
#+         found.append((round(float(price), 3), leaves))

# %% q4 [hidden-whole]: right on the public tests only, since nobody divides by the leaves that are saved
#-     k, e = k0 + k1, e0 + e1
#-     return k, e, min(g0, g1, Fraction(node[0] - e, m * (k - 1)))
#+     e = e0 + e1
#+     return k0 + k1, e, min(g0, g1, Fraction(node[0] - e, m))
#...
#-     k, e, _ = weakest(node, m)
#-     return (node[0],) if Fraction(node[0] - e, m * (k - 1)) <= price else node
#+     return (node[0],) if Fraction(node[0] - weakest(node, m)[1], m) <= price else node

# %% q4 [hidden-again]: right on the public tests only, since it looks again at the root alone
def critical_prices(tree, m):
    def measured(node):
        if len(node) == 1:
            return 1, node[0]
        (k0, e0), (k1, e1) = measured(node[1]), measured(node[2])
        return k0 + k1, e0 + e1

    def link(node):
        k, e = measured(node)
        return Fraction(node[0] - e, m * (k - 1))

    def priced(node):
        return node if len(node) == 1 else (node[0], priced(node[1]), priced(node[2]), link(node))

    def links(node, place=""):
        if len(node) > 1:
            yield (node[3] if place else link(node)), place
            yield from links(node[1], place + "1")
            yield from links(node[2], place + "2")

    def cut(node, place):
        if not place:
            return node[:1]
        parts = list(node)
        parts[int(place[0])] = cut(node[int(place[0])], place[1:])
        return tuple(parts)

    tree, price, found = priced(tree), Fraction(0), []
    while True:
        while len(tree) > 1 and min(links(tree))[0] <= price:
            tree = cut(tree, min(links(tree))[1])
        found.append((price, measured(tree)[0]))
        if len(tree) == 1:
            return found
        price = min(links(tree))[0]

# %% q4 [tests, hidden-again]: each price is paid on top of the one before
#-     found, price = [], Fraction(0)
#+     found, price, paid = [], Fraction(0), Fraction(0)
#...
#-         found.append((price, leaves))
#+         found.append((paid, leaves))
#...
#          price = following
#+         paid += following

# %% q4 [tests, hidden-prices, hidden-free, hidden-together, hidden-again, hidden-whole]: the numbers of leaves alone, and not a word of prices
def critical_prices(tree, m):
    return [1]

# %% q4 right: by the lower hull of all prunings, prices as floats
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

# %% q4 right: weakest links by hand, NumPy numbers
def critical_prices(tree, m):
    class Node:
        def __init__(self, given):
            self.e, self.below = given[0], [Node(child) for child in given[1:]]

        def inner(self):
            for child in self.below:
                yield from child.inner()
            if self.below:
                yield self

        def read(self):
            if not self.below:
                return 1, self.e
            parts = [child.read() for child in self.below]
            return sum(k for k, _ in parts), sum(e for _, e in parts)

        def g(self):
            k, e = self.read()
            return np.float64((self.e - e) / (k - 1))

    root, price, path = Node(tree), 0.0, []
    while True:
        weak = [node for node in root.inner() if node.g() <= price]
        while weak:
            weak[0].below = []
            weak = [node for node in root.inner() if node.g() <= price]
        path.append((price / m, np.int64(root.read()[0])))
        if not root.below:
            return path
        price = min(node.g() for node in root.inner())

# %% q4 right: shares of errors as floats, with their rounding
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

# %% q4 right: weakest links of a copy in lists, prices kept in a dictionary
def critical_prices(tree, m):
    def unfold(node):
        return [node[0], [unfold(child) for child in node[1:]]]

    def below(node):
        if not node[1]:
            return 1, node[0]
        parts = [below(child) for child in node[1]]
        return sum(k for k, _ in parts), sum(e for _, e in parts)

    def inner(node):
        if node[1]:
            yield node
            for child in node[1]:
                yield from inner(child)

    def worth(node):
        k, e = below(node)
        return Fraction(node[0] - e, k - 1)

    root, at, path = unfold(tree), Fraction(0), {}
    while True:
        for node in inner(root):
            if worth(node) <= at:
                node[1] = []
                break
        else:
            path[at] = below(root)[0]
            if not root[1]:
                return sorted((price / m, leaves) for price, leaves in path.items())
            at = min(worth(node) for node in inner(root))
