"""What the units of a source see of each other."""

from __future__ import annotations

import re
from functools import lru_cache

from transpile.core import Source, UnitKind
from transpile.translators.rules.draft import Surroundings

_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\([^)\n]*\))?)((?:[^\n\\]|\\.|\\\r?\n)*)", re.M)
CUDA_NAME = re.compile(
    r"\b(threadIdx|blockIdx|blockDim|gridDim|warpSize|__syncthreads\w*|__syncwarp|__shfl\w*|__ballot\w*|__any\w*|__all\w*"
    r"|__activemask|__shared__|__device__|__global__|__host__|__constant__|__ldg\w*|__threadfence\w*|atomic[A-Z]\w*"
    r"|__launch_bounds__|__forceinline__|cuda(?:TextureObject|SurfaceObject)_t|__pipeline\w*|tex[123]D\w*|surf[123]D\w*|clock64|__trap"
    r"|cooperative_groups|(?:cub|thrust|nvcuda)(?=\s*::))\b"
)
"""Names that exist only where CUDA does."""


def surroundings(source: Source) -> Surroundings:
    """Return the functions, CUDA macros and shared variables that the units of a source may refer to."""
    functions: dict[str, list[str]] = {}
    for unit in source.units:
        if unit.kind in (UnitKind.DEVICE, UnitKind.KERNEL, UnitKind.FUNCTION):
            functions.setdefault(unit.name.rsplit("::", 1)[-1], []).append(unit.text.decode("latin-1"))
    macros: dict[str, str] = {}
    for data in source.files.values():
        macros.update(_macros(data))
    return Surroundings(functions={name: tuple(texts) for name, texts in functions.items()}, macros=macros)


@lru_cache(maxsize=512)
def _macros(data: bytes) -> dict[str, str]:
    """Return the macros of a file, by name: parameter list and body as written, continuation lines joined."""
    found = {}
    for match in _DEFINE.finditer(data):
        name, parameters, body = (part.decode("latin-1") for part in match.groups())
        found[name] = parameters + "\n" + re.sub(r"\\\r?\n", "\n", body).strip()
    return found
