"""Canonicalise loops: the same meaning with fewer obstacles to parallel execution."""
