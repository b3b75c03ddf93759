"""Loops of sequential code: what their iterations touch, and which of them may run at once."""
