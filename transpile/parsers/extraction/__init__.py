"""Loops of functions that cannot be called by themselves become functions that can."""
