"""Kept units and their source become a port that builds."""

from transpile.assemble.assembly import Assembly, assemble
from transpile.assemble.host import Style

__all__ = ["Assembly", "Style", "assemble"]
