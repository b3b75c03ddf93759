"""All plants."""

from __future__ import annotations

from benchmarks.plants import sizes, state, threads, tokens, values

PLANTS = (*sizes.PLANTS, *values.PLANTS, *threads.PLANTS, *tokens.PLANTS, *state.PLANTS)
