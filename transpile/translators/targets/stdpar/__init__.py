"""C and C++ to parallel algorithms of C++."""

from transpile.translators.targets.stdpar.port import propose

__all__ = ["propose"]
