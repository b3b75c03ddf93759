"""Hand-made atomic operations: loops around a compare-and-swap, and the plain reads that they begin with."""

from __future__ import annotations

from transpile.parsers.swaps.reads import expected_reads, unused_results

__all__ = ["expected_reads", "unused_results"]
