"""C and C++ to OpenMP: lines above loops."""

from transpile.translators.loops.openmp.marking import faster, propose

__all__ = ["faster", "propose"]
