"""Writes test/stats/isotonic-reference-values.json: weighted isotonic fits made by scipy and, again, by scikit-learn.

    python -m venv VENV && VENV/bin/pip install scipy==1.17.1 scikit-learn==1.9.1
    VENV/bin/python scripts/isotonic_reference.py && npx biome check --write test/stats/isotonic-reference-values.json

Each entry is {values, weights, fit}. The two libraries must agree, or nothing is written.
"""

import json
from pathlib import Path

import numpy as np
from scipy.optimize import isotonic_regression
from sklearn.isotonic import isotonic_regression as by_sklearn

TARGET_FILE = Path(__file__).parent.parent / "test" / "stats" / "isotonic-reference-values.json"


def entry(values, weights):
    values, weights = np.asarray(values, float), np.asarray(weights, float)
    fit = isotonic_regression(values, weights=weights).x
    assert np.allclose(fit, by_sklearn(values, sample_weight=weights), rtol=1e-12, atol=1e-12)
    return {"values": values.tolist(), "weights": weights.tolist(), "fit": fit.tolist()}


def main():
    rng = np.random.default_rng(20261130)
    entries = [
        entry([0.5], [40]),
        entry([0, 0, 0, 1, 1, 1], [40] * 6),
        entry([1, 1, 0, 0], [1, 1, 1, 1]),
        entry([0.9, 0.7, 0.5, 0.3, 0.1], [5, 4, 3, 2, 1]),
        entry([0.1, 0.5, 0.4, 0.8, 0.7, 0.9], [31] * 6),
        entry([0.2, 0.2, 0.2], [1, 2, 3]),
        entry([0, 1, 0], [1e-6, 1, 1e6]),
    ]
    for size in (2, 3, 4, 6, 6, 6, 6, 10, 10, 25, 60):
        for kind in ("rates", "real", "falling"):
            weights = rng.integers(1, 60, size) if kind == "rates" else rng.uniform(0.01, 10, size)
            if kind == "rates":
                values = rng.binomial(weights, np.linspace(0.1, 0.9, size)) / weights
            else:
                values = rng.normal(size=size) * 10 + (np.arange(size)[::-1] if kind == "falling" else 0)
            entries.append(entry(values, weights))
    TARGET_FILE.write_text(json.dumps(entries, indent=1) + "\n")
    print(f"{len(entries)} fits")


main()
