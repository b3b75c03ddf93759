"""All plants."""

from __future__ import annotations

from benchmarks.plants import sizes, state, values

PLANTS = (*sizes.PLANTS, *values.PLANTS, *state.PLANTS)
