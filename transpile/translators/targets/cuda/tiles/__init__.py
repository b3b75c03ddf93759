"""Kernels whose blocks load what their threads read of one another into tiles of shared memory."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.code.syntax import Function
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.targets.cuda.declarations import is_array, rows
from transpile.translators.targets.cuda.kernels import Kernel, from_outside
from transpile.translators.targets.cuda.tiles.products import product
from transpile.translators.targets.cuda.tiles.stencils import stencil

__all__ = ["tiled"]


def tiled(
    function: Function, variables: Variables, band: Band, name: str, numbers: Mapping[str, int]
) -> Kernel | None:
    """Return the kernel of a band with tiles, or None where its threads have no use for them.

    Args:
        function: Whose loops they are.
        variables: Those of the function.
        band: The loops.
        name: Of the kernel.
        numbers: Macros that are whole numbers.
    """
    if any(item.gathers or item.lasts for item in band.loops) or _of_rows(band, variables):
        return None
    return product(function, variables, band, name) or stencil(function, variables, band, name, numbers)


def _of_rows(band: Band, variables: Variables) -> bool:
    """Tell whether an array is one of rows, whose elements tiles do not spell."""
    return any(is_array(item) and rows(item) for item in from_outside(band.node, variables))
