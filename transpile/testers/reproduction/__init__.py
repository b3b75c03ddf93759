"""A trial as a program of its own: what an engineer puts into a bug report."""
