"""C and C++ to OpenMP: lines above loops."""

from transpile.translators.loops.openmp.marking import propose, reorder

__all__ = ["propose", "reorder"]
