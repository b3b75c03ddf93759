"""C and C++ to OpenMP: lines above loops."""

from transpile.translators.loops.openmp.marking import propose
from transpile.translators.loops.openmp.variants import variants

__all__ = ["propose", "variants"]
