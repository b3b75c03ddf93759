"""Strength of trials: faults planted in the source, and whether the trials notice them."""
