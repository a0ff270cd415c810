# %% q1 right: as those below, without their faults
def portrait(f, p):
    weights = dt.ProductDistribution(p).weights()
    m = float(weights @ f.table)
    points = np.arange(1 << f.n)
    flips = [float(weights @ (f.table != f.table[points ^ 1 << i])) for i in range(f.n)]
    return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]

# %% q1 [tests, hidden-variation, hidden-flips]: p and 1 - p swapped
def portrait(f, p):
    points = range(1 << f.n)
    weights = [math.prod(1 - p[i] if x >> i & 1 else p[i] for i in range(f.n)) for x in points]
    m = sum(w for x, w in enumerate(weights) if f.table[x])
    flips = [
        sum(weights[x] for x in points if f.table[x] != f.table[x ^ 1 << i]) for i in range(f.n)
    ]
    return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]

# %% q1 [tests, hidden-variation, hidden-flips]: the bits of a point read from the wrong end
def portrait(f, p):
    points = range(1 << f.n)
    weights = [math.prod(b if x >> i & 1 else 1 - b for i, b in enumerate(p[::-1])) for x in points]
    m = sum(w for x, w in enumerate(weights) if f.table[x])
    flips = [
        sum(weights[x] for x in points if f.table[x] != f.table[x ^ 1 << i]) for i in range(f.n)
    ]
    return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]

# %% q1 [tests, hidden-variation]: the variance of the values 0 and 1
#-     return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]
#+     return m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]

# %% q1 [tests, hidden-variation]: the variance of the values -1 and 1
#-     return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]
#+     return 4 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]

# %% q1 [tests, hidden-resamples]: p(1 - p) instead of 2p(1 - p)
#-     return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]
#+     return 2 * m * (1 - m), flips, [b * (1 - b) * v for b, v in zip(p, flips, strict=True)]

# %% q1 [tests, hidden-resamples]: half of the flip influence, as under fair coins
#-     return 2 * m * (1 - m), flips, [2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True)]
#+     return 2 * m * (1 - m), flips, [v / 2 for v in flips]

# %% q1 [tests, hidden-flips]: flip influences under fair coins
#-     flips = [float(weights @ (f.table != f.table[points ^ 1 << i])) for i in range(f.n)]
#+     flips = [float(np.mean(f.table != f.table[points ^ 1 << i])) for i in range(f.n)]

# %% q1 [tests, hidden-flips]: the wrong neighbor, 2^(n-1-i) instead of 2^i
#-     flips = [float(weights @ (f.table != f.table[points ^ 1 << i])) for i in range(f.n)]
#+     flips = [float(weights @ (f.table != f.table[points ^ 1 << f.n - 1 - i])) for i in range(f.n)]

# %% q1 [hidden-flips]: the difference of the means, right on the public tests only (all of them are monotone)
#-     points = np.arange(1 << f.n)
#-     flips = [float(weights @ (f.table != f.table[points ^ 1 << i])) for i in range(f.n)]
#+     flips = []
#+     for i in range(f.n):
#+         ones = (np.arange(1 << f.n) >> i & 1) == 1
#+         m1 = float(weights[ones] @ f.table[ones]) / p[i]
#+         m0 = float(weights[~ones] @ f.table[~ones]) / (1 - p[i])
#+         flips.append(abs(m1 - m0))

# %% q1 [hidden-variation, hidden-flips]: all but the first bit taken for fair, right on the public tests only
#-     weights = dt.ProductDistribution(p).weights()
#+     weights = dt.ProductDistribution([p[0]] + [0.5] * (f.n - 1)).weights()

# %% q1 right: by restriction, in fractions
def portrait(f, p):
    p = [Fraction(b) for b in p]

    def mean(g, biases):
        if g.n == 0:
            return Fraction(int(g.table[0]))
        low, high = (mean(g.restrict(0, b), biases[1:]) for b in (0, 1))
        return (1 - biases[0]) * low + biases[0] * high

    m = mean(f, p)
    flips = tuple(mean(f.restrict(i, 0) ^ f.restrict(i, 1), p[:i] + p[i + 1 :]) for i in range(f.n))
    again = tuple(2 * b * (1 - b) * v for b, v in zip(p, flips, strict=True))
    return [2 * m * (1 - m), flips, again]

# %% q1 right: by arrays
def portrait(f, p):
    cube = f.table.reshape((2,) * f.n)
    weights = np.ones(1)
    for b in p:
        weights = np.concatenate([(1 - b) * weights, b * weights])
    m = weights @ f.table
    axes = range(f.n)[::-1]
    flips = np.array([(cube != np.flip(cube, axis)).ravel() @ weights for axis in axes])
    p = np.array(p)
    return np.float64(2 * m * (1 - m)), flips, 2 * p * (1 - p) * flips

# %% q1 right: by the definitions
def portrait(f, p):
    def weight(x):
        return math.prod(b if x >> i & 1 else 1 - b for i, b in enumerate(p))

    points = range(1 << f.n)
    table = f.table.tolist()
    everything = sum(weight(x) * weight(y) for x in points for y in points if table[x] != table[y])
    flips, again = [], []
    for i, b in enumerate(p):
        flips.append(sum(weight(x) for x in points if table[x] != table[x ^ 1 << i]))
        again.append(
            sum(
                weight(x) * (b if fresh else 1 - b)
                for x in points
                for fresh in (0, 1)
                if table[x] != table[x & ~(1 << i) | fresh << i]
            )
        )
    return everything, flips, again

# %% q2 right: as those below, without their faults
def draw_guard():
    eta = np.linspace(0.01, 0.99, 99)
    _, ax = plt.subplots()
    ax.plot(eta, 0 * eta + 1 / 2, label="flip x0")
    ax.plot(eta, eta / 2, label="flip x1")
    ax.plot(eta, eta * (1 - eta), label="resample x0")
    ax.plot(eta, eta / 4, label="resample x1")
    ax.plot(3 / 4, 3 / 16, "o", label="crossing")
    ax.set(xlabel="eta", ylabel="influence")
    ax.legend()
    return ax

# %% q2 [hidden-flips, hidden-resamples, hidden-crossing]: the curve of a guard who sleeps with probability eta
#-     ax.plot(eta, eta / 2, label="flip x1")
#+     ax.plot(eta, (1 - eta) / 2, label="flip x1")
#...
#-     ax.plot(eta, eta / 4, label="resample x1")
#-     ax.plot(3 / 4, 3 / 16, "o", label="crossing")
#+     ax.plot(eta, (1 - eta) / 4, label="resample x1")
#+     ax.plot(1 / 4, 3 / 16, "o", label="crossing")

# %% q2 [hidden-crossing]: the crossing marked where the best tree changes
#-     ax.plot(3 / 4, 3 / 16, "o", label="crossing")
#+     ax.plot(11 / 14, 11 / 56, "o", label="crossing")

# %% q2 [hidden-crossing]: the crossing at the end, where the flip curves meet
#-     ax.plot(3 / 4, 3 / 16, "o", label="crossing")
#+     ax.plot(1, 1 / 2, "o", label="crossing")

# %% q2 [tests, hidden-resamples]: p(1 - p) instead of 2p(1 - p)
def draw_guard():
    f = zoo.guarded(zoo.majority(3))
    eta = np.linspace(0.01, 0.99, 99)
    flips = np.array([dt.influences(f, dt.ProductDistribution([e, 0.5, 0.5, 0.5])) for e in eta])
    _, ax = plt.subplots()
    ax.plot(eta, flips[:, 0], label="flip x0")
    ax.plot(eta, flips[:, 1], label="flip x1")
    ax.plot(eta, eta * (1 - eta) * flips[:, 0], label="resample x0")
    ax.plot(eta, flips[:, 1] / 4, label="resample x1")
    ax.plot(3 / 4, 3 / 32, "o", label="crossing")
    ax.set(xlabel="eta", ylabel="influence")
    ax.legend()
    return ax

# %% q2 [hidden-resamples]: half of the flip influences, as under fair coins
def draw_guard():
    f = zoo.guarded(zoo.majority(3))
    eta = np.linspace(0.01, 0.99, 99)
    flips = np.array([dt.influences(f, dt.ProductDistribution([e, 0.5, 0.5, 0.5])) for e in eta])
    _, ax = plt.subplots()
    for i in (0, 1):
        ax.plot(eta, flips[:, i], label=f"flip x{i}")
        ax.plot(eta, flips[:, i] / 2, label=f"resample x{i}")
    ax.plot(3 / 4, 3 / 16, "o", label="crossing")
    ax.set(xlabel="eta", ylabel="influence")
    ax.legend()
    return ax

# %% q2 [hidden-flips, hidden-resamples]: all four bits have the bias eta
def draw_guard():
    f = zoo.guarded(zoo.majority(3))
    eta = np.linspace(0.01, 0.99, 99)
    mus = [dt.ProductDistribution([e] * 4) for e in eta]
    _, ax = plt.subplots()
    for i in (0, 1):
        ax.plot(eta, [dt.influences(f, mu)[i] for mu in mus], label=f"flip x{i}")
        ax.plot(eta, [dt.measures.resample_influences(f, mu)[i] for mu in mus], label=f"resample x{i}")
    ax.plot(3 / 4, 3 / 16, "o", label="crossing")
    ax.set(xlabel="eta", ylabel="influence")
    ax.legend()
    return ax

# %% q2 [tests, hidden-flips, hidden-resamples, hidden-crossing]: the axes exchanged
def draw_guard():
    eta = np.linspace(0.01, 0.99, 99)
    _, ax = plt.subplots()
    ax.plot(0 * eta + 1 / 2, eta, label="flip x0")
    ax.plot(eta / 2, eta, label="flip x1")
    ax.plot(eta * (1 - eta), eta, label="resample x0")
    ax.plot(eta / 4, eta, label="resample x1")
    ax.plot(3 / 16, 3 / 4, "o", label="crossing")
    ax.set(xlabel="influence", ylabel="eta")
    ax.legend()
    return ax

# %% q2 [hidden-flips]: the flip curve of the voter with the coin of the guard divided out, right on the public tests only
#-     ax.plot(eta, eta / 2, label="flip x1")
#+     ax.plot(eta, 1 / (8 * (1 - eta)), label="flip x1")

# %% q2 right: by formulas, the point by scatter
def draw_guard():
    eta = [k / 200 for k in range(1, 200)]
    ax = plt.figure().add_subplot()
    ax.plot(eta, [0.5 for _ in eta], label="flip $x_0$")
    ax.plot(eta, [e / 2 for e in eta], label="flip $x_1$")
    ax.plot(eta, [e * (1 - e) for e in eta], label="Resample $x_0$")
    ax.plot(eta, [e / 4 for e in eta], label="Resample $x_1$")
    ax.scatter([0.75], [0.1875], label="crossing")
    ax.set_xlabel("$\\eta$")
    ax.set_ylabel("influence")
    ax.legend()
    return ax

# %% q2 right: the crossing searched on the grid, one more line at no charge
def draw_guard():
    f = zoo.guarded(zoo.majority(3))
    eta = np.linspace(0.001, 0.999, 999)
    both = np.array(
        [dt.measures.resample_influences(f, dt.ProductDistribution([e, 0.5, 0.5, 0.5])) for e in eta]
    )
    _, ax = plt.subplots()
    ax.plot(eta, np.full(eta.size, 0.5), label="flip x0")
    ax.plot(eta, 2 * both[:, 1], label="flip x1")
    ax.plot(eta, both[:, 0], label="resample x0")
    ax.plot(eta, both[:, 1], label="resample x1")
    k = np.abs(both[:, 0] - both[:, 1]).argmin()
    ax.axvline(eta[k], linestyle="dotted")
    ax.plot([eta[k]], [both[k, 0]], "s", label="crossing")
    ax.set(xlabel="eta", ylabel="Pr")
    ax.legend(loc="upper left")
    return ax

# %% q3 right: as those below, without their faults
def next_split(f, p, leaves):
    found = []
    for k, path in enumerate(leaves):
        g, free, weight = f, list(range(f.n)), 1.0
        for i, b in path:
            g = g.restrict(free.index(i), b)
            free.remove(i)
            weight *= float(p[i] if b else 1 - p[i])
        values = dt.measures.resample_influences(g, dt.ProductDistribution([p[i] for i in free]))
        found += [(len(path), k, i, weight * r) for i, r in zip(free, values, strict=True)]
    top = max((c[3] for c in found), default=0.0)
    if top == 0:
        return None
    return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]

# %% q3 [tests, hidden-variable]: flip influence instead of resample influence
#-         values = dt.measures.resample_influences(g, dt.ProductDistribution([p[i] for i in free]))
#+         values = dt.influences(g, dt.ProductDistribution([p[i] for i in free]))

# %% q3 [tests, hidden-leaf]: the influence without the weight of the leaf
#-         g, free, weight = f, list(range(f.n)), 1.0
#+         g, free = f, list(range(f.n))
#...
#-             weight *= float(p[i] if b else 1 - p[i])
#...
#-         found += [(len(path), k, i, weight * r) for i, r in zip(free, values, strict=True)]
#+         found += [(len(path), k, i, r) for i, r in zip(free, values, strict=True)]

# %% q3 [hidden-leaf]: the weight of fair coins, right on the public tests only
#-         g, free, weight = f, list(range(f.n)), 1.0
#+         g, free = f, list(range(f.n))
#...
#-             weight *= float(p[i] if b else 1 - p[i])
#...
#-         found += [(len(path), k, i, weight * r) for i, r in zip(free, values, strict=True)]
#+         found += [(len(path), k, i, r / 2 ** len(path)) for i, r in zip(free, values, strict=True)]

# %% q3 [hidden-leaf]: p and 1 - p swapped in the weight, right on the public tests only
#-             weight *= float(p[i] if b else 1 - p[i])
#+             weight *= float(1 - p[i] if b else p[i])

# %% q3 [hidden-ties]: ties left to rounding, right on the public tests only
def next_split(f, p, leaves):
    best, choice = 0.0, None
    for k in sorted(range(len(leaves)), key=lambda k: (len(leaves[k]), k)):
        g, free, weight = f, list(range(f.n)), 1.0
        for i, b in leaves[k]:
            g = g.restrict(free.index(i), b)
            free.remove(i)
            weight *= float(p[i] if b else 1 - p[i])
        values = dt.measures.resample_influences(g, dt.ProductDistribution([p[i] for i in free]))
        for i, r in zip(free, values, strict=True):
            if weight * r > best:
                best, choice = weight * r, (k, i)
    return choice

# %% q3 [hidden-ties]: the leftmost leaf of a tie, not the shallowest, right on the public tests only
#-         found += [(len(path), k, i, weight * r) for i, r in zip(free, values, strict=True)]
#-     top = max((c[3] for c in found), default=0.0)
#+         found += [(k, i, weight * r) for i, r in zip(free, values, strict=True)]
#+     top = max((c[2] for c in found), default=0.0)
#...
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     return min(c for c in found if c[2] >= top * (1 - 1e-9))[:2]

# %% q3 [hidden-ties]: the lowest variable of a tie before all, right on the public tests only
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     ties = [c for c in found if c[3] >= top * (1 - 1e-9)]
#+     return min(ties, key=lambda c: (c[2], c[0], c[1]))[1:3]

# %% q3 [hidden-ties]: of the shallowest leaves that of the lowest variable, right on the public tests only
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     ties = [c for c in found if c[3] >= top * (1 - 1e-9)]
#+     return min(ties, key=lambda c: (c[0], c[2], c[1]))[1:3]

# %% q3 [tests, hidden-ties]: the last leaf and variable of a tie
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     return max(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]

# %% q3 [tests, hidden-variable]: the number of the variable in the restriction
#-         found += [(len(path), k, i, weight * r) for i, r in zip(free, values, strict=True)]
#+         found += [(len(path), k, i, weight * r) for i, r in enumerate(values)]

# %% q3 [hidden-variable]: the biases of the restriction not moved up, right on the public tests only
#-         values = dt.measures.resample_influences(g, dt.ProductDistribution([p[i] for i in free]))
#+         values = dt.measures.resample_influences(g, dt.ProductDistribution(p[: len(free)]))

# %% q3 [hidden-ties]: ties within an absolute 1e-9, right on the public tests only
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     return min(c for c in found if c[3] >= top - 1e-9)[1:3]

# %% q3 [hidden-ties]: ties within a relative 1e-8, right on the public tests only
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     return min(c for c in found if c[3] >= top * (1 - 1e-8))[1:3]

# %% q3 [hidden-ties]: scores rounded to three digits, right on the public tests only
#-         found += [(len(path), k, i, weight * r) for i, r in zip(free, values, strict=True)]
#+         found += [
#+             (len(path), k, i, round(weight * r, 3)) for i, r in zip(free, values, strict=True)
#+         ]
#...
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     return min(c for c in found if c[3] == top)[1:3]

# %% q3 [tests, hidden-ties]: at the first leaf of a tie the last variable
#-     return min(c for c in found if c[3] >= top * (1 - 1e-9))[1:3]
#+     ties = [c for c in found if c[3] >= top * (1 - 1e-9)]
#+     return min(ties, key=lambda c: (c[0], c[1], -c[2]))[1:3]

# %% q3 right: exact, by the definition of the score
def next_split(f, p, leaves):
    def weight(x):
        return math.prod((b if x >> i & 1 else 1 - b for i, b in enumerate(p)), start=Fraction(1))

    best, choice = 0, None
    for k in sorted(range(len(leaves)), key=lambda k: len(leaves[k])):
        known = dict(leaves[k])
        here = [x for x in range(1 << f.n) if all(x >> i & 1 == b for i, b in known.items())]
        for i in range(f.n):
            if i in known:
                continue
            score = 2 * p[i] * (1 - p[i]) * sum(weight(x) for x in here if f(x) != f(x ^ 1 << i))
            if score > best:
                best, choice = score, [k, i]
    return choice

# %% q3 right: by masks and numpy integers
def next_split(f, p, leaves):
    mu = dt.ProductDistribution(p)
    points, weights = np.arange(1 << f.n), mu.weights()
    scores = np.zeros((len(leaves), f.n))
    for k, path in enumerate(leaves):
        here = np.ones(points.size, dtype=bool)
        for i, b in path:
            here &= (points >> i & 1) == b
        for i in set(range(f.n)) - {j for j, _ in path}:
            changes = f.table != f.table[points ^ 1 << i]
            scores[k, i] = 2 * mu.p[i] * (1 - mu.p[i]) * weights[here & changes].sum()
    top = scores.max()
    if top == 0:
        return None
    ties = np.argwhere(scores >= top * (1 - 1e-9))
    return 1.0 * np.array(min(ties, key=lambda tie: (len(leaves[tie[0]]), *tie)))

# %% q4 right: as those below, without their faults
def estimate_scores(ask, p, path, m, rng):
    x = (rng.random((m, len(p))) < p).astype(int)
    found = []
    for i in range(len(p)):
        y = x.copy()
        y[:, i] = rng.random(m) < p[i]
        here = np.all([x[:, j] == b for j, b in path] + [y[:, j] == b for j, b in path], axis=0)
        found.append(float((here & (ask(x) != ask(y))).sum() / m))
    return found

# %% q4 [tests, hidden-leaf]: divided by the pairs that come to the leaf
#-         found.append(float((here & (ask(x) != ask(y))).sum() / m))
#+         here = here & np.ones(m, dtype=bool)
#+         found.append(float((here & (ask(x) != ask(y))).sum() / here.sum()))

# %% q4 [tests, hidden-root, hidden-leaf]: the bit flipped instead of drawn again
#-         y[:, i] = rng.random(m) < p[i]
#+         y[:, i] = 1 - y[:, i]

# %% q4 [hidden-root]: the fresh bit is a fair coin, right on the public tests only
#-         y[:, i] = rng.random(m) < p[i]
#+         y[:, i] = rng.integers(0, 2, size=m)

# %% q4 [hidden-root, hidden-leaf]: points of fair coins, right on the public tests only
#-     x = (rng.random((m, len(p))) < p).astype(int)
#+     x = rng.integers(0, 2, size=(m, len(p)))

# %% q4 [hidden-root, hidden-leaf]: p and 1 - p swapped, right on the public tests only
#-     x = (rng.random((m, len(p))) < p).astype(int)
#+     x = (rng.random((m, len(p))) >= p).astype(int)
#...
#-         y[:, i] = rng.random(m) < p[i]
#+         y[:, i] = rng.random(m) >= p[i]

# %% q4 [tests, hidden-leaf]: only the first point of a pair must come to the leaf
#-         here = np.all([x[:, j] == b for j, b in path] + [y[:, j] == b for j, b in path], axis=0)
#+         here = np.all([x[:, j] == b for j, b in path], axis=0)

# %% q4 [tests, hidden-root, hidden-leaf]: all bits drawn again
#-     for i in range(len(p)):
#-         y = x.copy()
#-         y[:, i] = rng.random(m) < p[i]
#+     for _ in p:
#+         y = (rng.random((m, len(p))) < p).astype(int)

# %% q4 [hidden-root, hidden-leaf]: one random number for all bits of a point, right on the public tests only
#-     x = (rng.random((m, len(p))) < p).astype(int)
#+     x = (rng.random((m, 1)) < p).astype(int)

# %% q4 [hidden-generator]: a generator of its own, right on the public tests only
#  def estimate_scores(ask, p, path, m, rng):
#+     rng = np.random.default_rng(0)

# %% q4 [hidden-root]: one fresh bit for all pairs, right on the public tests only
#-         y[:, i] = rng.random(m) < p[i]
#+         y[:, i] = rng.random() < p[i]

# %% q4 [hidden-leaf]: the last answer of the path alone decides, right on the public tests only
#-         here = np.all([x[:, j] == b for j, b in path] + [y[:, j] == b for j, b in path], axis=0)
#+         here = np.all([x[:, j] == b for j, b in path[-1:]] + [y[:, j] == b for j, b in path[-1:]], axis=0)

# %% q4 [hidden-generator]: a generator that nobody has seeded
#  def estimate_scores(ask, p, path, m, rng):
#+     rng = np.random.default_rng()

# %% q4 right: a fresh sample for each variable, an array
def estimate_scores(ask, p, path, m, rng):
    p = np.array(p)
    found = np.zeros(p.size)
    for i in range(p.size):
        x = rng.random((m, p.size)) < p
        y = np.where(np.arange(p.size) == i, rng.random((m, p.size)) < p, x)
        sensitive = np.asarray(ask(x)) != np.asarray(ask(y))
        for j, b in path:
            sensitive &= (x[:, j] == b) & (y[:, j] == b)
        found[i] = sensitive.mean()
    return found

# %% q4 right: points in lists, fractions
def estimate_scores(ask, p, path, m, rng):
    n = len(p)
    xs = [[int(u < b) for u, b in zip(row, p, strict=True)] for row in rng.random((m, n)).tolist()]
    fresh = [
        [int(u < b) for u, b in zip(row, p, strict=True)] for row in rng.random((m, n)).tolist()
    ]
    known = dict(path)
    before = list(ask(np.array(xs)))
    result = []
    for i in range(n):
        ys = [[*x[:i], new[i], *x[i + 1 :]] for x, new in zip(xs, fresh, strict=True)]
        after = list(ask(np.array(ys)))
        count = 0
        for k in range(m):
            comes = all(xs[k][j] == b == ys[k][j] for j, b in known.items())
            count += comes and before[k] != after[k]
        result.append(Fraction(int(count), m))
    return result
