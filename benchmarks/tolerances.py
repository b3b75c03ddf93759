"""Rates at which the tolerance refuses good results and accepts bad ones, by type and size.

Run as ``python benchmarks/tolerances.py [--pools N]``. Dot products stand for kernels; each pool of twelve
trials calibrates one source as a judgement does. A variant is refused if any trial of its pool refuses it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

import numpy as np

from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.compare.tolerance import (
    FAR,
    LOOKS,
    PERTURBATIONS,
    Key,
    Pair,
    Scales,
    first_excess,
    joined,
    lost,
    perturbed,
    pooled,
    scales,
)
from transpile.testers.trials.layout import Bytes, Numbers, stored
from transpile.testers.trials.materialise import Slot

TYPES = {
    Scalar.FLOAT16: (np.float32, None),
    Scalar.FLOAT32: (np.float64, np.float16),
    Scalar.FLOAT64: (np.longdouble, np.float32),
    Scalar.LONG_DOUBLE: (None, np.float64),
}
"""By type, the wider one that the reference is computed in and a narrower one to be found out."""
SIZES = (4, 33, 257, 1000)
TRIALS = 12
KEY = ("y", "")

Variant = Callable[[Numbers, Numbers], Numbers]


def total(values: Numbers) -> Numbers:
    """Return the sum in order, every step rounded."""
    return np.cumsum(values, dtype=values.dtype)[-1:]


def source(x: Numbers, z: Numbers) -> Numbers:
    """Return the dot product as a loop computes it."""
    return total(x * z)


def good() -> dict[str, Variant]:
    """Return variants that are right."""
    return {
        "backwards": lambda x, z: total((x * z)[::-1]),
        "pairwise": lambda x, z: np.sum(x * z, dtype=x.dtype, keepdims=True),
        "by blocks": lambda x, z: total(np.add.reduceat(x * z, np.arange(0, len(x), 16))),
        "eight lanes": lambda x, z: total(
            np.asarray([total((x * z)[lane::8])[0] for lane in range(min(8, len(x)))], dtype=x.dtype)
        ),
    }


def bad(narrow: type | None) -> dict[str, Variant]:
    """Return variants that are wrong."""
    found: dict[str, Variant] = {
        "tail dropped": lambda x, z: total((x * z)[:-1]),
        "last one twice": lambda x, z: total(np.append(x * z, (x * z)[-1:])),
        "wrong 6th digit": lambda x, z: (total(x * z) * x.dtype.type(1.000003)).astype(x.dtype),
    }
    if narrow is not None:
        found["narrower sum"] = lambda x, z: total((x * z).astype(narrow)).astype(x.dtype)
    return found


def pool(seed: int, scalar: Scalar, size: int) -> list[tuple[Numbers, Numbers]]:
    """Return the inputs of some trials."""
    kind = stored(scalar)
    made = []
    for trial in range(TRIALS):
        rng = np.random.default_rng([seed, size, trial])
        mixed = rng.standard_normal((2, size)) * np.exp2(rng.integers(-2, 3, (2, size)))
        x, z = (np.abs(mixed) if trial % 3 == 0 else mixed).astype(kind)
        made.append((x, z))
    return made


def refused(scalar: Scalar, trials: list[tuple[Numbers, Numbers]], variants: dict[str, Variant]) -> set[str]:
    """Return the names of the variants that are refused on a pool."""
    kind = stored(scalar)
    element = ElementType(spelling=scalar.value, size=kind.itemsize, leaves=(Leaf(offset=0, scalar=scalar),))
    slot = Slot(name="y", element=element, data=np.zeros(kind.itemsize, dtype=np.uint8))
    wide = TYPES[scalar][0]
    measured = [_measured(slot, kind, wide, x, z, 0) for x, z in trials]
    errors = pooled(measured)
    found = set()
    for (x, z), item in zip(trials, measured, strict=True):
        if not item.steady or lost(item, errors):
            continue
        for name, variant in variants.items():
            pair = Pair(
                slots=[slot],
                source=[_bytes(source(x, z))],
                candidate=[_bytes(variant(x, z).astype(kind))],
                written=[np.ones(kind.itemsize, dtype=np.bool_)],
            )
            looks = (_measured(slot, kind, wide, x, z, look) for look in range(1, LOOKS))
            if _falls(pair, item, errors, looks):
                found.add(name)
    return found


def _falls(pair: Pair, item: Scales, errors: Mapping[Key, float], looks: Iterable[Scales]) -> bool:
    """Tell whether a result is refused, as :meth:`Differential.compare` decides it."""
    for other in chain([item], looks):
        item = joined(item, other)
        if first_excess(pair, item, errors) is None:
            return False
        if first_excess(pair, item, errors, FAR) is not None:
            return True
    return True


def _measured(slot: Slot, kind: np.dtype, wide: type | None, x: Numbers, z: Numbers, look: int) -> Scales:
    rng = np.random.default_rng([len(x), look])

    def moved(data: Numbers) -> Numbers:
        held = Slot(name="x", element=slot.element, data=_bytes(data))
        return perturbed(held.data, held, rng).view(kind)

    others = [[_bytes(source(moved(x), moved(z)))] for _ in range(PERTURBATIONS)]
    reference = None if wide is None else {KEY: source(x.astype(wide), z.astype(wide))}
    return scales([slot], [_bytes(source(x, z))], others, reference)


def _bytes(values: Numbers) -> Bytes:
    return np.ascontiguousarray(values).view(np.uint8)


def main() -> None:
    """Print one row a type and size: the share of pools on which each variant is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=int, default=20)
    count = parser.parse_args().pools
    print("| type | elements | good ones refused | " + " | ".join([*bad(np.float32)]) + " |")
    print("|---|---|---|" + "---|" * len(bad(np.float32)))
    for scalar, (_, narrow) in TYPES.items():
        for size in SIZES:
            variants = {**good(), **bad(narrow)}
            with np.errstate(all="ignore"):
                each = [refused(scalar, pool(seed, scalar, size), variants) for seed in range(count)]
            wrong = sum(name in found for found in each for name in good())
            shares = [
                f"{sum(name in found for found in each) / count:.0%}" if name in variants else "-"
                for name in bad(np.float32)
            ]
            row = [scalar.value, str(size), f"{wrong} of {count * len(good())}", *shares]
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
