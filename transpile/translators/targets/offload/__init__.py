"""C and C++ to target regions of OpenMP."""

from transpile.translators.targets.offload.port import propose

__all__ = ["propose"]
