"""The kernels of ``tests/cases/gallery``, the law of each, and what the translator makes of them.

Run as a module, it writes the expected translations again: read the difference before it is committed.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from unittest import mock

from transpile import parsers, translators
from transpile.code.syntax import Function
from transpile.core import (
    OPENMP,
    Candidate,
    Contract,
    Covers,
    Invariant,
    LaunchLaw,
    Parameter,
    Rejected,
    ShapeDependent,
    Signature,
    Source,
    Unbounded,
    Unit,
    UnitKind,
)
from transpile.parsers import signatures

GALLERY = Path(__file__).parents[2] / "cases" / "gallery"
LAWS = tomllib.loads((GALLERY / "laws.toml").read_text())


def names() -> list[str]:
    """Return the names of the cases."""
    return sorted(path.stem for path in GALLERY.glob("*.cu"))


def read(path: Path) -> Source:
    """Return a file as the parsers see it, without the types that rules do not ask for."""
    nothing = signatures.Typed(
        signatures={},
        calls={},
        inactive={},
        opaque={},
        of_host={},
        values=frozenset(),
        inventories=(),
        lacking={},
        damaged={},
        diagnostics=(),
    )
    with mock.patch.object(signatures, "find", lambda *_: nothing):
        return parsers.read(path)


def law(text: str) -> LaunchLaw:
    """Return the law that a line of ``laws.toml`` gives."""
    kind, _, rest = text.partition(" ")
    match kind:
        case "invariant":
            return Invariant()
        case "unbounded":
            return Unbounded()
        case "shape-dependent":
            return ShapeDependent(relations=tuple(rest.removeprefix("where ").split("; ")) if rest else ())
        case _:
            return Covers(**dict(zip("xyz", rest.split(", "), strict=False)))


def contract(unit: Unit, launch: LaunchLaw) -> Contract:
    """Return as much of a contract as the rules read."""
    function = Function(unit.text.decode("latin-1"))
    parameters = tuple(
        Parameter(name=p.name, spelling=p.text, element=None, pointer=p.pointer) for p in function.parameters
    )
    signature = Signature(name=unit.name, parameters=parameters)
    return Contract(signature=signature, arrays=(), scalars=(), law=launch)


def candidates(name: str) -> list[Candidate | Rejected]:
    """Return what becomes of every kernel of a case."""
    source = read(GALLERY / f"{name}.cu")
    kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
    return [
        translators.propose(source, unit, [contract(unit, law(LAWS[name][unit.name]))], OPENMP)
        for unit in kernels
    ]


def translation(name: str) -> str:
    """Return the translation of a case as one text."""
    seen: dict[str, str] = {}
    headers: set[str] = set()
    for candidate in candidates(name):
        assert isinstance(candidate, Candidate), candidate
        headers |= set(candidate.headers)
        for replacement in reversed(candidate.replacements):
            text = replacement.text.decode("latin-1")
            if replacement.unit == candidate.unit:
                text = f"// {candidate.binding.name}({', '.join(candidate.binding.arguments)})\n{text}"
            seen.setdefault(replacement.unit, text)
    includes = "".join(f"#include {header}\n" for header in sorted(headers))
    return "\n\n".join(part for part in (includes.rstrip(), *seen.values()) if part) + "\n"


def expected(name: str) -> Path:
    """Return the file that holds the expected translation."""
    return GALLERY / f"{name}.openmp.cpp"


if __name__ == "__main__":
    for case in names():
        expected(case).write_text(translation(case), encoding="latin-1")
