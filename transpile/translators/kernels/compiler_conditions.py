"""Conditions on the compiler of devices, ``#if __CUDA_ARCH__ >= 700``: the branch that is judged is ported.

A compiler of the host defines none of these names: a port with the condition would be another text. What is
judged is compiled for the emulator, which has the version of a runtime and no architecture.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from transpile.code.edits import Edit, edited
from transpile.code.identity import Same
from transpile.core import ProgrammingModel, Source, UnitKind
from transpile.parsers.files.branches import Values, edits_without
from transpile.parsers.files.conditionals import defined

VALUES: Mapping[ProgrammingModel, Mapping[str, int]] = {
    ProgrammingModel.CUDA: {
        "__CUDACC__": 1,
        "__NVCC__": 1,
        "__CUDACC_VER_MAJOR__": 12,
        "__CUDACC_VER_MINOR__": 4,
        "__CUDACC_VER_BUILD__": 0,
        "CUDART_VERSION": 12040,
        "CUDA_VERSION": 12040,
    },
    ProgrammingModel.HIP: {
        "__HIPCC__": 1,
        "__HIP__": 1,
        "__HIP_PLATFORM_AMD__": 1,
        "HIP_VERSION_MAJOR": 6,
        "HIP_VERSION_MINOR": 2,
        "HIP_VERSION": 60200000,
    },
}
"""Macros of the emulator (``simt/qualifiers.h``)."""
_NEVER = ("__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__")


def without_compiler_conditions(source: Source) -> Source:
    """Return a source whose kernels and device functions have no conditions on the compiler of devices."""
    return _without(Same(source)) if source.dialect.model in VALUES else source


@lru_cache(maxsize=4)
def _without(key: Same) -> Source:
    source, own = key.source, VALUES[key.source.dialect.model]
    given = {name.decode("latin-1") for name in defined(source.files, source.translation_units)}
    every = (*_NEVER, *(name for names in VALUES.values() for name in names))
    numbers = {name: own.get(name, 0) for name in every if name not in given}
    known = Values(numbers, frozenset(name for name, value in numbers.items() if value))
    found: dict[str, list[Edit[bytes]]] = {}
    for unit in source.units:
        if unit.kind in (UnitKind.KERNEL, UnitKind.DEVICE) and b"#" in unit.text:
            edits = found.setdefault(unit.path, [])
            made = edits_without(unit.text, unit.span.start, known)
            edits += (item for item in made if item not in edits)
    return edited(source, found) if any(found.values()) else source
