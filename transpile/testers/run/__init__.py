"""Build a candidate beside its source, and call it."""
