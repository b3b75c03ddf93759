"""Faults that the text of a candidate tells by itself, before anything runs."""
