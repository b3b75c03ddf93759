"""Does what runs on the device use only what is there? The emulator would not notice otherwise."""

from __future__ import annotations

from transpile.core import Candidate, Rejected, Source, Unit
from transpile.parsers.files.includes import read_by
from transpile.parsers.text.sides import names_of, qualifiers, uses_of_host


def misplaced(source: Source, unit: Unit, candidate: Candidate) -> Rejected | None:
    """Return that kernels of a candidate use functions or variables of the host, or None."""
    if not candidate.dialect.traits.emulated:
        return None
    paths = {unit.path, *read_by(source, unit.translation_unit)}
    files = [source.files[path] for path in sorted(paths) if path in source.files]
    texts = [item.text for item in candidate.replacements]
    macros = qualifiers((*files, *texts))
    known = [names_of(text, macros) for text in (*files, *texts)]
    host = frozenset().union(*(names.host for names in known)) - frozenset().union(
        *(names.device for names in known)
    )
    found = [
        unit.diagnostic(
            "TP418",
            f"device code uses host code: `{use.name}` in `{use.function}` (its line {use.line})",
            hint="mark functions __device__ or __host__ __device__, and pass variables as arguments",
        )
        for text in texts
        for use in uses_of_host(text, host, macros)
    ]
    return Rejected(stage="build", diagnostics=tuple(found)) if found else None
