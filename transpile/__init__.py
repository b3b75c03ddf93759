"""Ports numerical code, and keeps only what trials have shown to behave like its source."""

__version__ = "0.1.0"
