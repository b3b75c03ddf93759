"""C and C++ to parallel algorithms of C++."""

from transpile.translators.loops.stdpar.port import propose

__all__ = ["propose"]
