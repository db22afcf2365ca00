"""Writes test/stats/reference-values.json: values of the exact statistics, made without the project's code.

    python -m venv VENV && VENV/bin/pip install scipy==1.17.1
    VENV/bin/python scripts/reference_values.py && npx biome check --write test/stats/reference-values.json

Rationals and rejection regions are summed in integers, distributions come from scipy, and power is the
trinomial summed cell by cell over every (b, c) the test rejects (for a needed n, those within 10 standard
deviations of the mean b + c). It takes some minutes.
Each entry is {of, given, expect}: the function, its arguments in order, its value.
"""

import json
import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize, special, stats

TARGET_FILE = Path(__file__).parent.parent / "test" / "stats" / "reference-values.json"


def pass_at_k(n, c, k):
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def clopper_pearson(k, n, alpha):
    # By quantiles: binomtest's own "exact" interval searches to an absolute 2e-12 only.
    low = stats.beta.ppf(alpha / 2, k, n - k + 1) if k > 0 else 0.0
    high = stats.beta.isf(alpha / 2, k + 1, n - k) if k < n else 1.0
    return [float(low), float(high)]


def wilson(k, n, alpha):
    found = stats.binomtest(k, n).proportion_ci(1 - alpha, method="wilson")
    return [float(found.low), float(found.high)]


def mcnemar(b, c):
    return 1.0 if b + c == 0 else float(stats.binomtest(b, b + c, 0.5).pvalue)


@cache
def critical_count(pairs, alpha):
    """The largest minority count with a doubled tail of at most alpha, or -1; integers throughout."""
    numerator, denominator = Fraction(alpha).as_integer_ratio()
    tail = 0
    for count in range(pairs // 2 + 1):
        tail += math.comb(pairs, count)
        if 2 * tail * denominator > numerator * 2**pairs:
            return count - 1
    return pairs // 2


MOST = 1100


@cache
def rejected_cells(alpha):
    """All (b, c) with b + c <= MOST that the test rejects, in the order of b + c."""
    rows = []
    for pairs in range(MOST + 1):
        r = critical_count(pairs, alpha)
        rows += [(b, pairs - b) for b in range(r + 1)]
        rows += [(pairs - b, b) for b in range(r + 1)]
    cells = np.array(rows)
    return cells[:, 0], cells[:, 1]


LOG_FACTORIAL = special.gammaln(np.arange(MOST + 2) + 1.0)


def power(n, gap, m, alpha, spread=math.inf):
    """Summed over the cells with b + c at most `spread` standard deviations from its mean."""
    b, c = rejected_cells(alpha)
    discordant = 2 * m + gap
    reach = spread * math.sqrt(n * discordant * (1 - discordant) + 1)
    first = np.searchsorted(b + c, n * discordant - reach, side="left")
    last = np.searchsorted(b + c, min(n, n * discordant + reach), side="right")
    b, c = b[first:last], c[first:last]
    rest = n - b - c
    log_cells = (
        LOG_FACTORIAL[n] - LOG_FACTORIAL[b] - LOG_FACTORIAL[c] - LOG_FACTORIAL[rest]
        + special.xlogy(b, m) + special.xlogy(c, m + gap) + special.xlogy(rest, max(0.0, 1 - 2 * m - gap))
    )
    return math.fsum(np.exp(log_cells))


@cache
def needed_n(gap, m, alpha, target):
    """One past the last n below the target, looking half as far again as that n, and 60 further."""
    last_below = 0
    n = 1
    while n <= min(MOST, 1.5 * last_below + 60):
        if power(n, gap, m, alpha, spread=10) < target:
            last_below = n
        n += 1
    assert n > 1.5 * last_below + 60, "MOST is too small"
    return last_below + 1


def power_range(n, gap, low, high, alpha):
    grid = np.linspace(low, high, 301)
    found = []
    for sign in (1, -1):
        values = [sign * power(n, gap, m, alpha) for m in grid]
        at = int(np.argmin(values))
        bounds = (grid[max(0, at - 1)], grid[min(300, at + 1)])
        refined = optimize.minimize_scalar(
            lambda m: sign * power(n, gap, m, alpha), bounds=bounds, method="bounded", options={"xatol": 1e-10}
        )
        found.append(sign * min(min(values), refined.fun))
    return found


def needed_range(gap, low, high, alpha, target):
    found = [needed_n(gap, m, alpha, target) for m in np.linspace(low, high, 6).tolist()]
    return [min(found), max(found)]


def main():
    values = []

    def add(of, function, *given):
        expect = function(*given)
        if isinstance(expect, np.generic):
            expect = expect.item()
        values.append({"of": of, "given": list(given), "expect": expect})

    for n, c, k in [(10, 0, 10), (5, 1, 5), (5, 2, 1), (3, 1, 2), (5, 5, 5), (1, 1, 1), (1, 0, 1), (3, 2, 1)]:
        add("passAtK", pass_at_k, n, c, k)
    for n, ks in [(7, (1, 3, 7)), (20, (1, 5, 10, 20)), (200, (1, 10, 100)), (1000, (1, 50)), (100000, (1, 100))]:
        for k in ks:
            for c in sorted({1, n // 10, n // 2, n - k, n - 1} - {0}):
                add("passAtK", pass_at_k, n, c, k)

    for x in (1e-8, 0.1, 0.5, 1.5, 2.5, 3, 7.25, 11.9, 12, 12.1, 31, 170.5, 1000, 1e5):
        add("logGamma", lambda x: special.gammaln(float(x)), x)
    for a, b in [(0.5, 0.5), (1, 31), (3, 29), (16, 16), (31, 1), (0.1, 4), (200, 139), (1500, 40)]:
        for x in (1e-3, 0.05, 0.3, 0.5, 0.9, 0.999):
            expect = float(special.betainc(a, b, x))
            if expect > 1e-290:
                add("regularisedBeta", lambda x, a, b: special.betainc(a, b, x), x, a, b)
        for p in (1e-6, 0.025, 0.5, 0.975):
            add("invertRegularisedBeta", lambda p, a, b: special.betaincinv(a, b, p), p, a, b)

    for z in (0, 0.1, 0.5, 1, 1.96, 2.99, 3, 3.5, 6, 10, 30):
        add("normalUpperTail", lambda z: stats.norm.sf(z), z)
    for tail in (0.5, 0.4999, 0.4, 0.1, 0.05, 0.025, 0.005, 0.05 / 30, 1e-5, 1e-10, 1e-40):
        add("invertNormalUpperTail", lambda tail: stats.norm.isf(tail), tail)

    for n, p in [(1, 0.3), (10, 0.5), (31, 0.03), (31, 0.97), (208, 0.5), (338, 0.9), (5000, 0.01)]:
        for k in sorted({0, 1, n // 20, n // 4, n // 2, int(n * p), n - 1, n}):
            logged = float(stats.binom.logpmf(k, n, p))
            add("logBinomialPmf", lambda k, n, p: logged, k, n, p)
            expect = float(stats.binom.cdf(k, n, p))
            if expect > 1e-290:
                add("binomialCdf", lambda k, n, p: expect, k, n, p)

    for n in (1, 5, 10, 30, 31, 60, 122, 338, 2000):
        for k in sorted({0, 1, n // 3, n - 1, n}):
            add("clopperPearson", clopper_pearson, k, n, 0.05)
            add("wilson", wilson, k, n, 0.05)
    for k, n, alpha in [(3, 31, 0.1), (28, 31, 0.01), (0, 31, 0.001), (31, 31, 0.5), (60, 122, 0.05 / 15)]:
        add("clopperPearson", clopper_pearson, k, n, alpha)
        add("wilson", wilson, k, n, alpha)

    for b, c in [(0, 0), (1, 0), (5, 0), (0, 6), (7, 1), (1, 7), (8, 2), (10, 3), (12, 4), (9, 9), (10, 9), (1, 1)]:
        add("mcnemarP", mcnemar, b, c)
    for b, c in [(20, 5), (30, 14), (31, 31), (55, 40), (100, 60), (0, 338), (300, 250), (1000, 900), (3000, 2500)]:
        add("mcnemarP", mcnemar, b, c)
    for pairs in (0, 1, 4, 5, 6, 8, 9, 12, 20, 31, 53, 54, 100, 338, 1000):
        for alpha in (0.05, 0.0625, 0.05 / 15):
            add("criticalCount", critical_count, pairs, alpha)

    for n in (0, 5, 6, 12, 31, 60, 122, 338, 1000):
        for gap, m in [(0, 0.1), (0.05, 0.025), (0.1, 0.025), (0.1, 0.075), (0.1, 0.2), (0.15, 0), (0.3, 0.35)]:
            add("computePower", power, n, gap, m, 0.05)
    for n, gap, m, alpha in [(31, 0.1, 0.05, 0.05 / 15), (582, 0.1, 0.15, 0.05 / 15), (5, 0.4, 0.1, 0.0625), (10, 0.5, 0.2, 0.4)]:
        add("computePower", power, n, gap, m, alpha)

    for gap, m, alpha in [
        (0.1, 0.025, 0.05), (0.1, 0.05, 0.05), (0.1, 0.075, 0.05), (0.1, 0.15, 0.05), (0.1, 0.2, 0.05),
        (0.15, 0.025, 0.05), (0.15, 0.075, 0.05), (0.15, 0.2, 0.05), (0.05, 0.025, 0.05), (0.05, 0.075, 0.05),
        (0.1, 0.025, 0.05 / 15), (0.1, 0.075, 0.05 / 15), (0.1, 0.15, 0.05 / 15), (0.2, 0, 0.05), (1, 0, 0.05),
        (0.4, 0.3, 0.05), (0.5, 0.25, 0.05), (0.6, 0.2, 0.05), (0.7, 0.15, 0.05), (0.3, 0.35, 0.05), (0.3, 0.3, 0.2),
    ]:
        add("findNeededN", needed_n, gap, m, alpha, 0.8)
    for gap, m, target in [(0.1, 0.025, 0.9), (0.5, 0.25, 0.95), (0.2, 0.05, 0.5), (0.3, 0.35, 0.6)]:
        add("findNeededN", needed_n, gap, m, 0.05, target)

    for n, gap, low, high, alpha in [
        (31, 0.1, 0.025, 0.075, 0.05), (31, 0.1, 0.025, 0.2, 0.05), (31, 0.15, 0.025, 0.2, 0.05),
        (60, 0.1, 0.025, 0.2, 0.05), (122, 0.1, 0, 0.075, 0.05), (31, 0.1, 0.025, 0.2, 0.05 / 15), (40, 0.4, 0.1, 0.3, 0.05),
    ]:
        add("computePowerRange", power_range, n, gap, low, high, alpha)
    for gap, low, high in [(0.1, 0.025, 0.075), (0.15, 0.025, 0.075), (0.15, 0.025, 0.2)]:
        add("findNeededNRange", needed_range, gap, low, high, 0.05, 0.8)

    heading = {"madeBy": "scripts/reference_values.py", "scipy": scipy.__version__, "numpy": np.__version__}
    lines = ",\n    ".join(json.dumps(value) for value in values)
    TARGET_FILE.write_text(json.dumps(heading, indent=2)[:-2] + ',\n  "values": [\n    ' + lines + "\n  ]\n}\n")
    print(f"{len(values)} values")


if __name__ == "__main__":
    main()
