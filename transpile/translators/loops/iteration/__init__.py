"""Loops and what they count: nests, trip counts, affine values and iteration spaces."""
