"""SOURCE to UNIT: files read, cut, typed and ordered."""

from transpile.parsers.isolated import Reader as IsolatedReader
from transpile.parsers.isolated_child import DEEPEST_CALLS
from transpile.parsers.reading import read

__all__ = ["DEEPEST_CALLS", "IsolatedReader", "read"]
