"""C and C++ to CUDA."""

from transpile.translators.loops.cuda.port import propose, variants

__all__ = ["propose", "variants"]
