"""Behaviour of the source on the trials: their validity, their coverage, its rounding."""
