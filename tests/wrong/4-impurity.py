# %% q1 right: as those below, without their faults
def gini_of(counts, costs):
    n = sum(counts)
    pairs = [(j, k) for j in range(len(counts)) for k in range(len(counts))]
    return sum(counts[j] / n * counts[k] / n * costs[j][k] for j, k in pairs)


def power_of(counts, a):
    n = sum(counts)
    return (1 - sum((k / n) ** a for k in counts if k)) / (a - 1)


def drop(low, high, impurity):
    n = sum(low) + sum(high)
    before = impurity([a + b for a, b in zip(low, high)])
    return before - sum(sum(s) / n * impurity(s) for s in (low, high) if any(s))

# %% q1 [tests, hidden-gini, hidden-power]: what the package offers, costs and powers left out
#-     n = sum(counts)
#-     pairs = [(j, k) for j in range(len(counts)) for k in range(len(counts))]
#-     return sum(counts[j] / n * counts[k] / n * costs[j][k] for j, k in pairs)
#+     return float(dt.impurity.CLASS_COST_FUNCTIONS["gini"](np.array(counts) / sum(counts)))
#...
#-     n = sum(counts)
#-     return (1 - sum((k / n) ** a for k in counts if k)) / (a - 1)
#+     return float(dt.impurity.CLASS_COST_FUNCTIONS["entropy"](np.array(counts) / sum(counts)))

# %% q1 [tests, hidden-gini]: each pair counted once
#-     pairs = [(j, k) for j in range(len(counts)) for k in range(len(counts))]
#+     pairs = [(j, k) for j in range(len(counts)) for k in range(j)]

# %% q1 [tests, hidden-power]: the power of the sum instead of the sum of the powers
#-     return (1 - sum((k / n) ** a for k in counts if k)) / (a - 1)
#+     return (1 - sum(k**a for k in counts if k) / n) / (a - 1)

# %% q1 [tests, hidden-power]: the divisor left out
#-     return (1 - sum((k / n) ** a for k in counts if k)) / (a - 1)
#+     return 1 - sum((k / n) ** a for k in counts if k)

# %% q1 [tests, hidden-drop]: children without weights
#-     n = sum(low) + sum(high)
#...
#-     return before - sum(sum(s) / n * impurity(s) for s in (low, high) if any(s))
#+     return before - sum(impurity(s) / 2 for s in (low, high) if any(s))

# %% q1 [tests, hidden-drop]: each side with the weight of the other
#-     n = sum(low) + sum(high)
#+     n, n_low, n_high = sum(low) + sum(high), sum(low), sum(high)
#...
#-     return before - sum(sum(s) / n * impurity(s) for s in (low, high) if any(s))
#+     if n_low == 0 or n_high == 0:
#+         return 0
#+     return before - n_high / n * impurity(low) - n_low / n * impurity(high)

# %% q1 [hidden-gini, hidden-power]: right on the public tests only (two classes)
#-     pairs = [(j, k) for j in range(len(counts)) for k in range(len(counts))]
#+     pairs = [(0, 1), (1, 0)]
#...
#-     return (1 - sum((k / n) ** a for k in counts if k)) / (a - 1)
#+     return (1 - sum((k / n) ** a for k in counts[:2] if k)) / (a - 1)

# %% q1 [hidden-gini]: right on the public tests only (Gini with costs for two classes)
#-     pairs = [(j, k) for j in range(len(counts)) for k in range(len(counts))]
#+     pairs = [(0, 1), (1, 0)]

# %% q1 [hidden-power]: right on the public tests only (0 to the power 0 is 1)
#-     return (1 - sum((k / n) ** a for k in counts if k)) / (a - 1)
#+     return (1 - sum((k / n) ** a for k in counts)) / (a - 1)

# %% q1 [hidden-empty-side]: right on the public tests only (an empty side is not excepted)
#-     return before - sum(sum(s) / n * impurity(s) for s in (low, high) if any(s))
#+     return before - sum(sum(s) / n * impurity(s) for s in (low, high))

# %% q1 [hidden-drop]: right on the public tests only (the drop of the error, whatever the impurity)
#-     before = impurity([a + b for a, b in zip(low, high)])
#-     return before - sum(sum(s) / n * impurity(s) for s in (low, high) if any(s))
#+     return (max(low) + max(high) - max(a + b for a, b in zip(low, high))) / n

# %% q1 [hidden-empty-side]: right on the public tests only (an empty side leaves the whole impurity as the drop)
#-     return before - sum(sum(s) / n * impurity(s) for s in (low, high) if any(s))
#+     if not any(low) or not any(high):
#+         return before
#+     return before - sum(sum(s) / n * impurity(s) for s in (low, high))

# %% q1 right: with arrays
def gini_of(counts, costs):
    p = np.asarray(counts) / np.sum(counts)
    return p @ np.array(costs) @ p


def power_of(counts, a):
    p = np.asarray(counts) / np.sum(counts)
    p = p[p > 0]
    return np.sum(p - p**a) / (a - 1)


def drop(low, high, impurity):
    sides = np.array([low, high])
    weights = sides.sum(axis=1) / sides.sum()
    after = sum(w * impurity(s) for w, s in zip(weights, sides) if w > 0)
    return impurity(sides.sum(axis=0)) - after

# %% q2 right: as those below, without their faults
def id3(points, labels, early=False):
    counts = Counter(labels)
    common = min(counts, key=lambda k: (-counts[k], k))
    best, question = 2, None
    for f in range(len(points[0])):
        values = sorted({x[f] for x in points})
        for a, b in zip(values, values[1:]):
            weighted = 0
            for side in (True, False):
                part = Counter(k for x, k in zip(points, labels) if (x[f] <= a) == side)
                weighted += _weighted(part.values(), len(labels))
            if weighted < best:
                best, question = weighted, (f, (a + b) / 2)
    whole = _weighted(counts.values(), len(labels))
    if len(counts) == 1 or question is None or (early and best == whole):
        return common
    f, t = question
    parts = []
    for side in (True, False):
        rows = [(x, k) for x, k in zip(points, labels) if (x[f] <= t) == side]
        parts.append(id3([x for x, _ in rows], [k for _, k in rows], early))
    return f, t, *parts


def _weighted(counts, n):
    m = sum(counts)
    return Fraction(m, n) * (1 - sum(Fraction(k, m) ** 2 for k in counts))

# %% q2 [tests, hidden-stopping]: always with the extra rule
#  def id3(points, labels, early=False):
#+     return _id3(points, labels, True)
#+
#+
#+ def _id3(points, labels, early):
#...
#-     best, question = 2, None
#+     best = _weighted(counts.values(), len(labels)) if early else 2
#+     question = None
#...
#-     whole = _weighted(counts.values(), len(labels))
#-     if len(counts) == 1 or question is None or (early and best == whole):
#+     if len(counts) == 1 or question is None:
#...
#-         parts.append(id3([x for x, _ in rows], [k for _, k in rows], early))
#+         parts.append(_id3([x for x, _ in rows], [k for _, k in rows], early))

# %% q2 [tests, hidden-stopping]: the extra rule forgotten
#-     whole = _weighted(counts.values(), len(labels))
#-     if len(counts) == 1 or question is None or (early and best == whole):
#+     if len(counts) == 1 or question is None:

# %% q2 [tests, hidden-splits]: sides without weights
#-     best, question = 2, None
#+     best = 2 * _gini(counts.values()) if early else 3
#+     question = None
#...
#-             weighted = 0
#+             both = 0
#...
#-                 weighted += _weighted(part.values(), len(labels))
#-             if weighted < best:
#-                 best, question = weighted, (f, (a + b) / 2)
#-     whole = _weighted(counts.values(), len(labels))
#-     if len(counts) == 1 or question is None or (early and best == whole):
#+                 both += _gini(part.values())
#+             if both < best:
#+                 best, question = both, (f, (a + b) / 2)
#+     if len(counts) == 1 or question is None:
#...
#- def _weighted(counts, n):
#+ def _gini(counts):
#...
#-     return Fraction(m, n) * (1 - sum(Fraction(k, m) ** 2 for k in counts))
#+     return 1 - sum(Fraction(k, m) ** 2 for k in counts)

# %% q2 [tests, hidden-ties]: the last of equally good questions
#-             if weighted < best:
#+             if weighted <= best:

# %% q2 [tests, hidden-splits, hidden-ties, hidden-stopping]: the largest impurity instead of the smallest
#-     best, question = 2, None
#+     best, question = -1, None
#...
#-             if weighted < best:
#+             if weighted > best:

# %% q2 [tests, hidden-splits]: the entropy instead of Gini
#-     best, question = 2, None
#+     best, question = 99, None
#...
#-     return Fraction(m, n) * (1 - sum(Fraction(k, m) ** 2 for k in counts))
#+     return round(sum(k / n * math.log2(m / k) for k in counts), 9)

# %% q2 [tests, hidden-splits, hidden-ties, hidden-stopping]: one value weighed against all others
#-                 part = Counter(k for x, k in zip(points, labels) if (x[f] <= a) == side)
#+                 part = Counter(k for x, k in zip(points, labels) if (x[f] == a) == side)

# %% q2 [tests, hidden-leaves]: the largest label instead of the commonest
#-     common = min(counts, key=lambda k: (-counts[k], k))
#+     common = max(counts)

# %% q2 [tests, hidden-ties]: ties decided by rounding
#-     if len(counts) == 1 or question is None or (early and best == whole):
#+     if len(counts) == 1 or question is None or (early and best >= whole):
#...
#-     return Fraction(m, n) * (1 - sum(Fraction(k, m) ** 2 for k in counts))
#+     return m / n * (1 - sum((k / m) ** 2 for k in counts))

# %% q2 [hidden-leaves]: right on the public tests only (the commonest label that comes first)
#-     common = min(counts, key=lambda k: (-counts[k], k))
#+     common = counts.most_common(1)[0][0]

# %% q2 [hidden-stopping]: right on the public tests only (the extra rule at the root alone)
#-         parts.append(id3([x for x, _ in rows], [k for _, k in rows], early))
#+         parts.append(id3([x for x, _ in rows], [k for _, k in rows]))

# %% q2 [hidden-splits]: right on the public tests only (the impurity of the classes 0, 1 and 2 only)
#-                 part = Counter(k for x, k in zip(points, labels) if (x[f] <= a) == side)
#-                 weighted += _weighted(part.values(), len(labels))
#+                 part = [k for x, k in zip(points, labels) if (x[f] <= a) == side]
#+                 weighted += _weighted([part.count(k) for k in range(3)], len(part), len(labels))
#...
#-     whole = _weighted(counts.values(), len(labels))
#+     whole = _weighted([labels.count(k) for k in range(3)], len(labels), len(labels))
#...
#- def _weighted(counts, n):
#-     m = sum(counts)
#+ def _weighted(counts, m, n):

# %% q2 [hidden-ties]: right on the public tests only (the smaller low side before the lower feature)
#-     best, question = 2, None
#+     best, question = (2,), None
#...
#-             if weighted < best:
#-                 best, question = weighted, (f, (a + b) / 2)
#+             size = sum(x[f] <= a for x in points)
#+             if (weighted, size) < best:
#+                 best, question = (weighted, size), (f, (a + b) / 2)
#...
#-     if len(counts) == 1 or question is None or (early and best == whole):
#+     if len(counts) == 1 or question is None or (early and best[0] == whole):

# %% q2 right: with arrays and sums of squares, nodes as lists
def id3(points, labels, early=False):
    return _grown(np.array(points, dtype=float), np.array(labels), early)


def _grown(X, y, early):
    classes, counts = np.unique(y, return_counts=True)
    leaf = classes[counts.argmax()]
    if classes.size == 1:
        return leaf
    onehot = y[:, None] == classes
    n, best, question = len(y), None, None
    for f in range(X.shape[1]):
        order = X[:, f].argsort(kind="stable")
        v, low = X[order, f], onehot[order].cumsum(axis=0)
        for i in np.flatnonzero(v[:-1] < v[1:]):
            high = counts - low[i]
            a, b = int((low[i] ** 2).sum()), int((high**2).sum())
            score = Fraction(a, int(i) + 1) + Fraction(b, n - int(i) - 1)
            if best is None or score > best:
                best, question = score, (f, (v[i] + v[i + 1]) / 2)
    if best is None or (early and best == Fraction(int((counts**2).sum()), n)):
        return leaf
    f, t = question
    low = X[:, f] <= t
    return [float(f), t, _grown(X[low], y[low], early), _grown(X[~low], y[~low], early)]

# %% q2 right: the smallest of all questions, by pairs that differ
def id3(points, labels, early=False):
    leaf = min(set(labels), key=lambda k: (-labels.count(k), k))
    found = [
        (_mixed(points, labels, f, t), f, t)
        for f in range(len(points[0]))
        for t in _middles([x[f] for x in points])
    ]
    if len(set(labels)) == 1 or not found:
        return leaf
    least, f, t = min(found)
    if early and least >= _pairs(labels):
        return leaf
    rows = list(zip(points, labels))
    low = zip(*(row for row in rows if row[0][f] <= t))
    high = zip(*(row for row in rows if not row[0][f] <= t))
    return f, t, id3(*low, early=early), id3(*high, early=early)


def _middles(values):
    values = sorted(set(values))
    return [(a + b) / 2 for a, b in zip(values, values[1:])]


def _pairs(labels):
    return Fraction(sum(a != b for a in labels for b in labels), len(labels))


def _mixed(points, labels, f, t):
    low = [k for x, k in zip(points, labels) if x[f] <= t]
    high = [k for x, k in zip(points, labels) if x[f] > t]
    return _pairs(low) + _pairs(high)

# %% q2 right: with floats, compared to twelve digits
def id3(points, labels, early=False):
    X, y = np.array(points, dtype=float), np.array(labels)
    classes = np.unique(y)
    counts = (y[:, None] == classes).sum(axis=0)
    if len(classes) == 1 or (X == X[0]).all():
        return classes[counts.argmax()]

    def gini(rows):
        p = (y[rows][:, None] == classes).mean(axis=0)
        return p @ (1 - p)

    found = []
    for f in range(X.shape[1]):
        values = np.unique(X[:, f])
        for t in (values[1:] + values[:-1]) / 2:
            low = X[:, f] <= t
            weighted = low.mean() * gini(low) + (~low).mean() * gini(~low)
            found.append((round(weighted, 12), f, t))
    least, f, t = min(found)
    if early and least >= round(gini(slice(None)), 12):
        return int(classes[counts.argmax()])
    low = X[:, f] <= t
    return (f, t, id3(X[low], y[low], early), id3(X[~low], y[~low], early))

# %% q3 right: as those below, without their faults
everyone = frozenset(range(15))
lows = [
    frozenset(i for i in everyone if cellar[i][f] <= t)
    for f in range(4)
    for t in sorted({row[f] for row in cellar})[:-1]
]


def shares(side):
    counts = Counter(cellar[i][-1] for i in side)
    return [Fraction(k, len(side)) for k in counts.values()]


def mistakes(side):
    return 1 - max(shares(side))


def mixed(side):
    return 1 - sum(p * p for p in shares(side))


def drop(low, impurity):
    high = everyone - low
    after = Fraction(len(low), 15) * impurity(low) + Fraction(len(high), 15) * impurity(high)
    return impurity(everyone) - after


n_questions = len(lows)
n_divisions = len({min(tuple(sorted(s)), tuple(sorted(everyone - s))) for s in lows})
n_blind_error = sum(drop(s, mistakes) == 0 for s in lows)
n_blind_gini = sum(drop(s, mixed) == 0 for s in lows)

# %% q3 [hidden-questions]: one question for each value, the highest too
#- n_questions = len(lows)
#+ n_questions = sum(len({row[f] for row in cellar}) for f in range(4))

# %% q3 [hidden-questions]: one question for each bottle but one
#- n_questions = len(lows)
#+ n_questions = 4 * (len(cellar) - 1)

# %% q3 [hidden-divisions]: divisions that differ in which side is yes
#- n_divisions = len({min(tuple(sorted(s)), tuple(sorted(everyone - s))) for s in lows})
#+ n_divisions = len(set(lows))

# %% q3 [hidden-divisions]: divisions counted within each feature only
#- n_divisions = len({min(tuple(sorted(s)), tuple(sorted(everyone - s))) for s in lows})
#+ n_divisions = len(lows)

# %% q3 [hidden-blind-error]: zero tested with floats
#-     return [Fraction(k, len(side)) for k in counts.values()]
#+     return [k / len(side) for k in counts.values()]
#...
#-     after = Fraction(len(low), 15) * impurity(low) + Fraction(len(high), 15) * impurity(high)
#+     after = len(low) / 15 * impurity(low) + len(high) / 15 * impurity(high)

# %% q3 [hidden-blind-error]: sides without weights
#-     after = Fraction(len(low), 15) * impurity(low) + Fraction(len(high), 15) * impurity(high)
#+     after = Fraction(1, 2) * impurity(low) + Fraction(1, 2) * impurity(high)

# %% q3 [hidden-blind-error, hidden-blind-gini]: blind means that the drop is not positive on either side alone
#- n_blind_error = sum(drop(s, mistakes) == 0 for s in lows)
#- n_blind_gini = sum(drop(s, mixed) == 0 for s in lows)
#+ n_blind_error = sum(mistakes(everyone) == mistakes(s) for s in lows)
#+ n_blind_gini = sum(mixed(everyone) == mixed(s) for s in lows)

# %% q3 [hidden-questions, hidden-divisions, hidden-blind-error, hidden-blind-gini]: a feature left out
#-     for f in range(4)
#+     for f in range(3)

# %% q3 [hidden-blind-gini]: blind to Gini where the drop is small, not only where it is 0
#- n_blind_gini = sum(drop(s, mixed) == 0 for s in lows)
#+ n_blind_gini = sum(drop(s, mixed) < Fraction(1, 100) for s in lows)

# %% q3 right: with arrays and whole numbers
table = np.array(cellar)
owner = table[:, -1].astype(int)
cuts = []
for column in table[:, :-1].T:
    values = np.unique(column)
    cuts += [column <= t for t in (values[:-1] + values[1:]) / 2]
cuts = np.array(cuts)
low = np.array([np.bincount(owner[cut], minlength=3) for cut in cuts])
whole = np.bincount(owner)
high = whole - low
n_questions = np.float64(len(cuts))
# Turned so that the first bottle is always on the same side.
n_divisions = len(np.unique(cuts ^ ~cuts[:, :1], axis=0))
n_blind_error = (low.max(axis=1) + high.max(axis=1) == whole.max()).sum()
n, m = low.sum(axis=1), high.sum(axis=1)
# Equal shares, without a fraction: each class in the same proportion.
n_blind_gini = np.count_nonzero((low * m[:, None] == high * n[:, None]).all(axis=1))
