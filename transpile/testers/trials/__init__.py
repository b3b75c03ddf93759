"""Trials of a contract: sizes, launches and data, made from a seed."""
