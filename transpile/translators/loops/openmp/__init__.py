"""C and C++ to OpenMP: lines above loops."""

from transpile.translators.loops.openmp.marking import propose, variants

__all__ = ["propose", "variants"]
