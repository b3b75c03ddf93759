"""C and C++ to CUDA."""

from transpile.translators.targets.cuda.port import propose, variants

__all__ = ["propose", "variants"]
