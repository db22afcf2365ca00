"""Writes test/stats/reference-values.json (rates, tests, power) and test/stats/paired-reference-values.json
(paired intervals, permutation, bootstrap, multiplicity): values made without the project's code.

    python -m venv VENV && VENV/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    VENV/bin/python scripts/reference_values.py [single | paired]
    npx biome check --write test/stats/reference-values.json test/stats/paired-reference-values.json

Rationals and rejection regions are summed in integers, distributions come from scipy, and power is the
trinomial summed cell by cell over every (b, c) the test rejects (for a needed n, those within 10 standard
deviations of the mean b + c). Score intervals are found by bisection in 40 decimal digits, with the nuisance rate
from the likelihood's derivative; bootstrap distributions of multiples of 0.1 are convolved exactly. Either file takes
some minutes.
Each entry is {of, given, expect}: the function, its arguments in order, its value. A value that one side or both
simulate has `within`, the absolute difference that chance explains at 4 standard errors or more.
"""

import decimal
import itertools
import json
import math
import sys
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests

TARGET_FOLDER = Path(__file__).parent.parent / "test" / "stats"


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


def add_single(add):
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


def all_pass_at_k(n, c, k):
    return float(Fraction(math.comb(c, k), math.comb(n, k)))


def mid_p(b, c):
    """The chance of a more extreme outcome plus half of that of one as extreme, by listing all outcomes."""
    pairs = b + c
    if pairs == 0:
        return 1.0
    ways = [(abs(2 * k - pairs), math.comb(pairs, k)) for k in range(pairs + 1)]
    more = sum(count for extreme, count in ways if extreme > abs(b - c))
    equal = sum(count for extreme, count in ways if extreme == abs(b - c))
    return float(Fraction(2 * more + equal, 2 ** (pairs + 1)))


decimal.getcontext().prec = 40
HALVINGS = 110


def constrained_rate(b, c, n, gap):
    """The most likely rate q of the second row alone passing when the first alone does with q + gap."""
    rest = n - b - c
    low, high = max(Decimal(0), -gap), (1 - gap) / 2
    for _ in range(HALVINGS):
        q = (low + high) / 2
        slope = b / (q + gap) + c / q - 2 * rest / (1 - 2 * q - gap)
        low, high = (q, high) if slope > 0 else (low, q)
    return (low + high) / 2


def score(b, c, n, gap):
    b, c, n, gap = (Decimal(value) for value in (b, c, n, gap))
    q = constrained_rate(b, c, n, gap)
    return (b - c - n * gap) / (n * (2 * q + gap * (1 - gap))).sqrt()


def tango_bound(b, c, n, z):
    """The difference with the score z: below the observed one for z > 0."""
    observed = (Decimal(b) - Decimal(c)) / Decimal(n)
    if abs(observed) == 1 and observed * Decimal(z) < 0:
        return float(observed)
    low, high = (Decimal(-1), observed) if z > 0 else (observed, Decimal(1))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if score(b, c, n, middle) > Decimal(z) else (low, middle)
    return float((low + high) / 2)


def tango(b, c, n, alpha):
    z = float(stats.norm.isf(alpha / 2))
    return [tango_bound(b, c, n, z), tango_bound(b, c, n, -z)]


def adjusted_wald(differences, alpha):
    values = np.array([*differences, -1.0, 1.0])
    half = stats.norm.isf(alpha / 2) * math.sqrt(values.var() / len(values))
    observed = np.mean(differences)
    low, high = min(observed, values.mean() - half), max(observed, values.mean() + half)
    return [max(-1.0, float(low)), min(1.0, float(high))]


def sign_flip(numerators):
    """Exact p of the sign-flip test of whole numbers, by the distribution of their signed sum."""
    ways = {0: 1}
    for value in numerators:
        following = {}
        for total, count in ways.items():
            for flipped in (total + value, total - value):
                following[flipped] = following.get(flipped, 0) + count
        ways = following
    extreme = sum(count for total, count in ways.items() if abs(total) >= abs(sum(numerators)))
    return float(Fraction(extreme, 2 ** len(numerators)))


def sign_flip_by_list(differences):
    signs = np.array(list(itertools.product((-1, 1), repeat=len(differences))))
    sums = np.abs(signs @ np.array(differences))
    return float(np.mean(sums >= abs(math.fsum(differences)) - 1e-12))


def sign_flip_by_scipy(differences):
    found = stats.permutation_test(
        (np.array(differences), np.zeros(len(differences))),
        lambda x, y, axis: np.sum(x - y, axis=axis),
        permutation_type="samples", n_resamples=np.inf, vectorized=True,
    )
    return float(found.pvalue)


RESAMPLES = 50_000  # those of the project's code


def exact_bca(tenths, alpha):
    """BCa bounds for the mean of multiples of 0.1, from the exact distribution of the resampled sum.

    Returns the bounds and what chance explains at RESAMPLES resamples: the levels' own error and that of the bias.
    """
    n = len(tenths)
    least = min(tenths)
    mass = np.bincount(np.array(tenths) - least) / n
    total = np.array([1.0])
    for _ in range(n):
        total = np.convolve(total, mass)
    cumulative = np.cumsum(total)
    at = sum(tenths) - n * least
    below = cumulative[at] - total[at] / 2
    bias = stats.norm.ppf(below)
    deviations = np.array(tenths) - np.mean(tenths)
    acceleration = (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)

    def mean_at(level):
        return (float(np.searchsorted(cumulative, level)) + n * least) / (10 * n)

    def level_at(z, shift):
        shifted = bias + shift + z
        return stats.norm.cdf(bias + shift + shifted / (1 - acceleration * shifted))

    bias_error = math.sqrt(below * (1 - below) / RESAMPLES) / stats.norm.pdf(bias)
    bounds, errors = [], []
    for z in (-stats.norm.isf(alpha / 2), stats.norm.isf(alpha / 2)):
        level = level_at(z, 0)
        spread = 4.5 * (math.sqrt(level * (1 - level) / RESAMPLES) + abs(level_at(z, bias_error) - level))
        bounds.append(mean_at(level))
        errors += [mean_at(level + spread) - bounds[-1], bounds[-1] - mean_at(level - spread)]
    return bounds, max(errors) + 1e-12


def scipy_bca(values, alpha):
    bounds = []
    for seed in range(8):
        found = stats.bootstrap(
            (np.array(values),), np.mean, confidence_level=1 - alpha, n_resamples=25_000, method="BCa",
            rng=np.random.default_rng(seed), batch=5000,
        )
        bounds.append([found.confidence_interval.low, found.confidence_interval.high])
    # One run of 25,000 varies by the deviation among the eight, their mean by 1/√8 of it.
    deviation = np.std(bounds, axis=0, ddof=1).max() * math.sqrt(1 / 8 + 25_000 / RESAMPLES)
    return [float(value) for value in np.mean(bounds, axis=0)], float(4.5 * deviation)


def max_t_critical(rows, alpha):
    """The max-T critical value from 200,000 resamples, within its limits, and 4.5 standard errors of a difference."""
    rows = np.array(rows)
    rng = np.random.default_rng(99)
    count, n = rows.shape
    pairs = list(itertools.combinations(range(count), 2))
    largest = []
    for _ in range(20):
        means = rows[:, rng.integers(0, n, (10_000, n))].mean(axis=2)
        scaled = []
        for i, j in pairs:
            difference = rows[i] - rows[j]
            if difference.std() > 0:
                deviation = np.abs(means[i] - means[j] - difference.mean())
                scaled.append(deviation / (difference.std() / math.sqrt(n)))
        largest.append(np.max(scaled, axis=0) if scaled else np.zeros(10_000))
    largest = np.concatenate(largest)
    spread = 4.5 * math.sqrt(alpha * (1 - alpha) * (1 / 200_000 + 1 / RESAMPLES))
    low, high = stats.norm.isf(alpha / 2), stats.norm.isf(alpha / 2 / len(pairs))
    found = [float(np.clip(np.quantile(largest, 1 - alpha + shift), low, high)) for shift in (0, -spread, spread)]
    return found[0], max(found[0] - found[1], found[2] - found[0]) + 1e-9


def population(rate, gap, concentration, spread):
    """Logits of 128 beta quantiles, moved to the mean `rate`, and with 16 normal quantiles each, to `rate + gap`."""
    levels = (np.arange(128) + 0.5) / 128
    quantiles = stats.beta.ppf(levels, rate * concentration, (1 - rate) * concentration)
    with np.errstate(divide="ignore"):
        difficulties = np.clip(special.logit(quantiles), -30, 30)

    def moved(logits, wanted):
        shift = optimize.brentq(lambda s: special.expit(logits + s).mean() - wanted, -60, 60, xtol=1e-14)
        return logits + shift

    base = moved(difficulties, rate)
    shifts = spread * stats.norm.ppf((np.arange(16) + 0.5) / 16)
    head = moved((base[:, None] + shifts[None, :]).ravel(), rate + gap)
    return special.expit(np.repeat(base, 16)), special.expit(head)


def population_moments(rate, gap, concentration, spread):
    base, head = population(rate, gap, concentration, spread)
    return [float(base.mean()), float(head.mean()), float((base * (1 - head)).mean()), float((base * base).mean())]


def power_of_one_sample(n, rate, gap, concentration, spread):
    base, head = population(rate, gap, concentration, spread)
    return power(n, gap, float((base * (1 - head)).mean()), 0.05)


def power_of_samples(n, samples, rate, gap, concentration, spread, repetitions):
    base, head = population(rate, gap, concentration, spread)
    rng = np.random.default_rng(7)
    rejections = 0
    for _ in range(repetitions):
        kinds = rng.integers(0, len(base), n)
        passes = rng.binomial(samples, head[kinds]) - rng.binomial(samples, base[kinds])
        sizes = np.abs(passes[passes != 0])
        mass = np.zeros(2 * sizes.sum() + 1)
        mass[sizes.sum()] = 1
        for size in sizes:
            mass = (np.roll(mass, size) + np.roll(mass, -size)) / 2
        distance = np.abs(np.arange(len(mass)) - sizes.sum())
        rejections += mass[distance >= abs(passes.sum())].sum() <= 0.05 + 1e-12
    return rejections / repetitions


def smallest_gap(n, low, high, alpha, target):
    """The first tenth of a point whose power reaches the target at 61 points of the range."""
    for step in range(1, 1001):
        gap = step / 1000
        grid = np.linspace(low, min(high, (1 - gap) / 2), 61)
        if all(power(n, gap, m, alpha, spread=10) >= target for m in (grid[0], grid[-1], *grid)):
            return gap
    return None


MASK = 2**32 - 1


def random_words(seed, count):
    """xoshiro128** after SplitMix64, in whole numbers."""
    words, state = [], seed
    for _ in range(2):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        z ^= z >> 31
        words += [z & MASK, z >> 32]

    def rotated(word, places):
        return ((word << places) | (word >> (32 - places))) & MASK

    found = []
    for _ in range(count):
        found.append(rotated(words[1] * 5 & MASK, 7) * 9 & MASK)
        shifted = words[1] << 9 & MASK
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= shifted
        words[3] = rotated(words[3], 11)
    return found


def wilson_of_sum(total, n, alpha):
    """By the textbook formula: scipy takes whole numbers only."""
    z = stats.norm.isf(alpha / 2)
    centre = (total + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(total * (n - total) / n + z * z / 4)
    return [float(centre - half), float(centre + half)]


def add_paired(add):
    for n, cs in [(1, (0, 1)), (3, (1, 2, 3)), (10, (1, 5, 9, 10)), (200, (20, 100, 199))]:
        for c in cs:
            for k in sorted({1, 2, 3, n // 2, n} - {0}):
                if k <= n:
                    add("allPassAtK", all_pass_at_k, n, c, k)
    for b, c in [(0, 0), (1, 0), (5, 0), (0, 6), (7, 1), (1, 7), (1, 1), (3, 3), (9, 9), (8, 2), (20, 5), (55, 40),
                 (31, 31), (100, 60), (300, 250), (0, 100)]:
        add("midP", mid_p, b, c)
    for z in (-30, -6, -1.96, -0.1, 0, 0.3, 1.96, 4):
        add("normalCdf", lambda z: stats.norm.cdf(z), z)
    for p in (1e-40, 1e-6, 0.025, 0.3, 0.5, 0.7, 0.975, 0.9999):
        add("invertNormalCdf", lambda p: stats.norm.ppf(p), p)

    for seed in (0, 1, 2, 42, 20260101, 2**32, 2**53 - 1):
        add("drawUint32", lambda seed: random_words(seed, 6), seed)
    for seed in (0, 7, 42):
        # 7, 31 and 338 refuse none of these words.
        for bound in (1, 7, 31, 338):
            add("drawBelow", lambda seed, bound: [word * bound >> 32 for word in random_words(seed, 6)], seed, bound)

    for n in (1, 5, 10, 31, 60, 122, 338, 2000):
        for b, c in sorted({(0, 0), (1, 0), (0, n), (n // 10, n // 5), (n // 3, n // 3), (n // 2, n - n // 2)}):
            add("tango", tango, b, c, n, 0.05)
    for b, c, n, alpha in [(9, 2, 50, 0.1), (9, 2, 50, 0.001), (5, 0, 31, 0.05 / 15), (3, 10, 40, 0.5), (43, 0, 44, 0.05),
                           (0.7, 1.4, 20, 0.05), (12.25, 3.5, 60, 0.05), (0.1, 0, 31, 0.05)]:
        add("tango", tango, b, c, n, alpha)
    for b, c, n, alpha in [(9, 2, 50, 0.05), (2, 9, 50, 0.05), (0, 0, 31, 0.05), (31, 0, 31, 0.025), (0, 31, 31, 0.1)]:
        add("tangoLowerBound", lambda b, c, n, a: tango_bound(b, c, n, float(stats.norm.isf(a))), b, c, n, alpha)
    for b, c, n in [(9, 2, 50), (0, 0, 31), (3, 3, 10), (1, 20, 122), (0.5, 2.5, 20)]:
        for gap in (-0.9, -0.25, -0.01, 0.01, 0.1, 0.5, 0.99):
            add("tangoScore", lambda b, c, n, gap: float(score(b, c, n, gap)), b, c, n, gap)

    rng = np.random.default_rng(20260101)

    def draw_tenths(n, wider, low=-10, high=10):
        return [int(v) for v in np.clip(np.round(rng.normal(wider, 3, n)), low, high)]

    for n in (1, 2, 5, 8, 12, 31, 60, 122, 208):
        for centre in (0, 0.5, 1.5):
            tenths = draw_tenths(n, centre)
            expect = sign_flip(tenths)
            add("signFlipExact", lambda _: expect, [value / 10 for value in tenths])
            if 2 <= n <= 12:
                by_scipy = sign_flip_by_scipy(tenths)
                add("signFlipExact", lambda _: by_scipy, [value / 10 for value in tenths])
    for n in (6, 13, 31, 60):
        # Families of up to three fixtures of four samples: multiples of 1/24.
        numerators = [int(value) for value in rng.integers(-10, 16, n)]
        expect = sign_flip(numerators)
        add("signFlipExact", lambda _: expect, [value / 24 for value in numerators])
    for b, c in [(5, 0), (6, 0), (7, 1), (1, 7), (10, 3), (9, 9), (30, 14), (100, 60), (300, 250)]:
        add("signFlipExact", lambda _: mcnemar(b, c), [1] * b + [-1] * c + [0, 0])
    for n in (3, 6, 11, 15):
        for centre in (0, 0.3):
            values = [round(float(value), 12) for value in rng.normal(centre, 0.3, n)]
            add("signFlipExact", sign_flip_by_list, values)
    for n, centre in [(25, 0.05), (40, 0.08), (120, 0.03)]:
        values = [round(float(value), 12) for value in rng.normal(centre, 0.3, n)]
        sums = np.zeros(0)
        for _ in range(40):
            sums = np.append(sums, np.abs(rng.choice((-1.0, 1.0), (50_000, n)) @ np.array(values)))
        p = float(np.mean(sums >= abs(sum(values)) - 1e-12))
        error = 4.5 * math.sqrt(p * (1 - p)) * math.sqrt(1 / len(sums) + 1 / 99_999)
        add("signFlipEstimate", lambda *_: p, values, 5, within=error)

    for n in (20, 31, 60, 122):
        for centre, low, high in [(5, 0, 10), (9, 0, 10), (0.5, -10, 10), (-2, -10, 10)]:
            tenths = draw_tenths(n, centre, low, high)
            for alpha in (0.05, 0.2):
                bounds, error = exact_bca(tenths, alpha)
                add("bcaInterval", lambda *_: bounds, [value / 10 for value in tenths], alpha, n, within=error)
    for n in (25, 60):
        values = [round(float(value), 12) for value in rng.beta(2, 5, n)]
        bounds, error = scipy_bca(values, 0.05)
        add("bcaInterval", lambda *_: bounds, values, 0.05, n, within=error)
    for values, alpha in [([0.0], 0.05), ([1.0, 1.0], 0.05), ([0.0] * 31, 0.05), ([-1.0] * 31, 0.05 / 15)]:
        add("adjustedWald", adjusted_wald, values, alpha)
    for n in (2, 10, 31, 60, 122):
        for centre in (0, 2):
            for alpha in (0.05, 0.003):
                add("adjustedWald", adjusted_wald, [value / 10 for value in draw_tenths(n, centre)], alpha)

    for total, n in [(12.6, 31), (0.3, 20), (57.1, 60), (204.5, 208), (10, 10), (0, 30)]:
        add("wilson", wilson_of_sum, total, n, 0.05)

    # By the rule: outcomes are Clopper-Pearson's and Tango's, means of under 60 units Wilson's and the adjusted Wald's,
    # and so are means of more whose rate is extreme or that differ on few.
    for k, n in [(0, 31), (31, 31), (10, 40), (100, 122)]:
        add("surroundRateOfOutcomes", lambda *_: clopper_pearson(k, n, 0.05), [1] * k + [0] * (n - k))
    for n, centre in [(5, 5), (31, 8), (59, 5), (122, 12), (208, -1)]:
        tenths = draw_tenths(n, centre, 0, 10)
        assert n < 60 or not 0.1 <= sum(tenths) / (10 * n) <= 0.9
        add("surroundRateOfMeans", lambda _: wilson_of_sum(sum(tenths) / 10, n, 0.05), [value / 10 for value in tenths])
    for b, c, n in [(0, 0, 31), (5, 1, 31), (3, 20, 122)]:
        outcomes = [1] * b + [-1] * c + [0] * (n - b - c)
        add("surroundDifferenceOfOutcomes", lambda _: tango(b, c, n, 0.05), outcomes)
    for n, differing in [(10, 8), (59, 59), (60, 39), (208, 12), (31, 0)]:
        tenths = [int(value) for value in rng.integers(1, 11, differing)] + [0] * (n - differing)
        values = [value / 10 for value in tenths]
        add("surroundDifferenceOfMeans", lambda _: adjusted_wald(values, 0.05), values)
    for n, families in [(6, 3), (20, 4), (31, 31)]:
        codes = [int(value) for value in rng.integers(0, families, n)]
        values = [value / 10 for value in draw_tenths(n, 5, 0, 10)]
        means = [float(np.mean([v for v, of in zip(values, codes) if of == code])) for code in dict.fromkeys(codes)]
        add("averageFamilies", lambda *_: means, values, codes)

    for count in (1, 2, 3, 6, 15, 28):
        for scale in (0.02, 0.3, 1):
            p_values = [round(float(value), 9) for value in scale * rng.random(count)]
            add("holm", lambda p: multipletests(p, 0.05, "holm")[1].tolist(), p_values)
    add("holm", lambda p: multipletests(p, 0.05, "holm")[1].tolist(), [0.01, 0.01, 0.04, 0.04, 1, 0])
    for alpha in (0.05, 0.01):
        for horizon in (1, 3, 12, 52, 365):
            add("findScheduledAlpha", lambda a, t: a / t, alpha, horizon)
        for rows in (2, 3, 6, 8):
            add("shareAlpha", lambda a, rows: a / len(list(itertools.combinations(range(rows), 2))), alpha, rows)
        for j in (1, 2, 3, 10, 100):
            add("findPushAlpha", lambda a, j: a * j**-2 / special.zeta(2), alpha, j)
            add("sumPushAlphas", lambda a, j: a * (1 - special.zeta(2, j + 1) / special.zeta(2)), alpha, j)

    for count, n, noise in [(2, 31, 2), (3, 31, 3), (6, 31, 3), (6, 122, 1), (8, 60, 2)]:
        hardness = rng.normal(5, 3, n)
        rows = [[int(v) / 10 for v in np.clip(np.round(hardness + rng.normal(0, noise, n)), 0, 10)] for _ in range(count)]
        value, error = max_t_critical(rows, 0.05)
        add("maxTCriticalValue", lambda *_: value, rows, 0.05, within=error)
        surely_better = np.zeros((count, count), bool)
        for i, j in itertools.permutations(range(count), 2):
            padded = np.array([*(np.array(rows[i]) - np.array(rows[j])), -1.0, 1.0])
            distance = padded.mean() / (padded.std() / math.sqrt(n + 2))
            assert abs(abs(distance) - value) > error, "too near to decide"
            surely_better[i, j] = distance > value
        ranks = [[1 + int(surely_better[:, i].sum()), count - int(surely_better[i].sum())] for i in range(count)]
        add("listRankIntervals", lambda *_: sum(ranks, []), rows, 0.05)
    sparse = [[1.0] * 40, [1.0] * 39 + [0.0], [1.0] * 40, [0.0] + [1.0] * 39]
    value, error = max_t_critical(sparse, 0.05)
    add("maxTCriticalValue", lambda *_: value, sparse, 0.05, within=error)

    for b, c, n, margin in [(0, 0, 31, 0.1), (2, 3, 122, 0.05), (9, 2, 50, 0.1), (0, 3, 208, 0.05), (5, 5, 338, 0.05)]:
        low = tango_bound(b, c, n, float(stats.norm.isf(0.05)))
        outcomes = [1] * b + [-1] * c + [0] * (n - b - c)
        add("testNonInferiority", lambda *_: [low, float(low > -margin)], outcomes, margin)

    for model in [(0.5, 0.1, 2, 1), (0.05, 0.05, 0.3, 0), (0.9, -0.1, 10, 2), (0.97, 0.01, 1, 0.5), (0.3, 0, 0.1, 1),
                  (0.6, 0.2, 100, 3)]:
        add("tabulatePopulation", population_moments, *model)
    repetitions = 4000
    for n, model in [(60, (0.5, 0.1, 2, 1)), (122, (0.5, 0.1, 0.3, 1)), (208, (0.9, -0.05, 2, 0.5)), (31, (0.3, 0.3, 1, 0))]:
        expect = power_of_one_sample(n, *model)
        error = 4.5 * math.sqrt(expect * (1 - expect) / repetitions)
        add("simulatePower", lambda *_: expect, n, 1, *model, repetitions, within=error)
    for n, samples, model in [(31, 10, (0.5, 0.1, 2, 1)), (60, 5, (0.5, 0.05, 0.5, 1)), (31, 4, (0.9, -0.05, 2, 2)),
                              (60, 3, (0.3, 0, 1, 1)), (122, 2, (0.6, 0.1, 10, 0))]:
        expect = power_of_samples(n, samples, *model, repetitions)
        error = 4.5 * math.sqrt(2 * max(expect * (1 - expect), 0.01) / repetitions)
        add("simulatePower", lambda *_: expect, n, samples, *model, repetitions, within=error)

    for n in (10, 31, 60, 122):
        for low, high in [(0.025, 0.075), (0.025, 0.2)]:
            add("findSmallestGap", smallest_gap, n, low, high, 0.05, 0.8)
    add("findSmallestGap", smallest_gap, 60, 0.05, 0.05, 0.05 / 15, 0.8)
    add("findSmallestGap", smallest_gap, 31, 0, 0.1, 0.05, 0.5)


def write(name, add_values):
    values = []

    def add(of, function, *given, within=None):
        expect = function(*given)
        if isinstance(expect, np.generic):
            expect = expect.item()
        value = {"of": of, "given": list(given), "expect": expect}
        values.append(value if within is None else {**value, "within": within})

    add_values(add)
    heading = {"madeBy": "scripts/reference_values.py", "scipy": scipy.__version__, "numpy": np.__version__}
    if add_values is add_paired:
        heading["statsmodels"] = statsmodels.__version__
    lines = ",\n    ".join(json.dumps(value) for value in values)
    (TARGET_FOLDER / name).write_text(json.dumps(heading, indent=2)[:-2] + ',\n  "values": [\n    ' + lines + "\n  ]\n}\n")
    print(f"{name}: {len(values)} values")


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["single", "paired"]
    if "single" in wanted:
        write("reference-values.json", add_single)
    if "paired" in wanted:
        write("paired-reference-values.json", add_paired)
