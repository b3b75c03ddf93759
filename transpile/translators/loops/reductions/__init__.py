"""Reductions, scans, extremes and compactions: what iterations combine."""
