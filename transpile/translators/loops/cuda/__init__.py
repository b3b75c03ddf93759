"""C and C++ to CUDA."""

from transpile.translators.loops.cuda.port import propose, tile

__all__ = ["propose", "tile"]
