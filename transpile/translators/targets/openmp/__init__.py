"""C and C++ to OpenMP: lines above loops."""

from transpile.translators.targets.openmp.marking import propose
from transpile.translators.targets.openmp.variants import variants

__all__ = ["propose", "variants"]
