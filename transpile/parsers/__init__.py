"""SOURCE to UNIT: files read, cut, typed and ordered."""

from transpile.parsers.reading import read

__all__ = ["read"]
