"""Loops in normal form: what means the same as the source, and has fewer obstacles to running at once."""
