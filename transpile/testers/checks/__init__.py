"""Checks of a candidate beside its results: sanitizers, races, leaks, coverage."""
