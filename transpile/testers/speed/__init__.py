"""Inputs and clocks for timings."""
