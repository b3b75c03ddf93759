"""Loops of sequential code: which of them may run in parallel, and in what form."""
