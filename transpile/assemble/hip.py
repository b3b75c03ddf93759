"""A source becomes the files of a port to HIP: all of its text, whatever of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from transpile.assemble.kernels import note, replacements
from transpile.assemble.names import HIP_SUFFIXES, renamed, with_new_includes
from transpile.code.edits import Edit, apply
from transpile.core import Candidate, Dialect, ProgrammingModel, Source, UnitKind
from transpile.parsers.files.discovery import is_code
from transpile.parsers.lowering.stubs import trapped
from transpile.translators.targets.hip import vendors
from transpile.translators.targets.hip.leftovers import lacking_names, leftovers
from transpile.translators.targets.hip.source import in_hip, is_ported
from transpile.translators.targets.hip.vendors import is_left

_STAYS = "Not kept{why}. It is the source's text."
_UNPROVEN = "Not kept{why}. Its translation stands here all the same."


def defines(source: Source, reading: Dialect) -> tuple[str, ...]:
    """Return the macros, without ``-D``, of the emulator on which a candidate of a dialect is built."""
    own = reading.traits.defines
    chooses = reading.model is ProgrammingModel.HIP and becomes_hip(source, reading)
    return (*own, *vendors.selecting(source)) if chooses else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Ported:
    """The files of a port, without its build files."""

    files: Mapping[str, bytes]
    whole: Mapping[str, bytes]
    """The same with every kernel in HIP, kept or not, and traps in place of what HIP has nothing for."""
    names: Mapping[str, str]
    """The port's path of each file of the source."""


def becomes_hip(source: Source, target: Dialect) -> bool:
    """Tell whether all of a source is put into HIP: what is no CUDA stays around the functions that are."""
    return ProgrammingModel.HIP in target.models and source.dialect.model is ProgrammingModel.CUDA


def surroundings(source: Source, target: Dialect) -> Source:
    """Return what stands around a candidate of a dialect: its source, or all of that in HIP."""
    return in_hip(source, single=target.also is not None) if becomes_hip(source, target) else source


def ported(
    source: Source,
    target: Dialect,
    kept: Mapping[str, Candidate],
    reasons: Mapping[str, str],
    *,
    unproven: bool,
) -> Ported:
    """Return the files of a source in HIP.

    Args:
        source: What is ported.
        target: HIP, alone or with CUDA.
        kept: The candidates that go into the port, by unit id.
        reasons: Why a unit is not kept, for the comment beside it.
        unproven: Kernels that are not kept stand in HIP all the same.
    """
    port = surroundings(source, target)
    # nvcc knows CUDA by the suffix alone, and what is HIP already has the name that its build knows.
    changing = (path for path in port.files if path not in vendors.already(source))
    suffixes = {} if target.also is ProgrammingModel.CUDA else HIP_SUFFIXES
    names = {path: path for path in port.files} | renamed(changing, suffixes)

    def finished(edits: Mapping[str, list[Edit[bytes]]]) -> dict[str, bytes]:
        files = {path: apply(data, edits.get(path, ())) for path, data in port.files.items()}
        return {
            names[path]: with_new_includes(data, names) if is_code(path) else data
            for path, data in files.items()
        }

    translated = _translated(port, kept)
    others = _untranslated(source, port, kept, reasons, unproven=unproven)
    traps = _traps(source, port, kept, lacking_names(port))
    return Ported(
        files=finished(_joined(translated, others)),
        whole=finished(_joined(translated, traps)),
        names=names,
    )


def _translated(port: Source, kept: Mapping[str, Candidate]) -> dict[str, list[Edit[bytes]]]:
    """Return the edits, by path, that put the texts of candidates in their places."""
    found: dict[str, list[Edit[bytes]]] = {}
    for identifier, text in replacements(port, kept).items():
        unit = port.unit(identifier)
        if text != unit.text:
            found.setdefault(unit.path, []).append(Edit(unit.span.start, unit.span.end, text))
    return found


def _untranslated(
    source: Source, port: Source, kept: Mapping[str, Candidate], reasons: Mapping[str, str], *, unproven: bool
) -> dict[str, list[Edit[bytes]]]:
    """Return the edits, by path, that mark kernels which are not kept."""
    found: dict[str, list[Edit[bytes]]] = {}
    for unit in port.units:
        if unit.kind is UnitKind.KERNEL and unit.id not in kept and not is_left(source, unit):
            said = note(_UNPROVEN if unproven else _STAYS, reasons.get(unit.id, ""))
            text = unit.text if unproven else source.unit(unit.id).text
            found.setdefault(unit.path, []).append(Edit(unit.span.start, unit.span.end, said + text))
    return found


def _traps(
    source: Source, port: Source, kept: Mapping[str, Candidate], lacking: frozenset[bytes]
) -> dict[str, list[Edit[bytes]]]:
    """Return the edits, by path, that make traps of functions which no compiler for AMD could read."""
    found: dict[str, list[Edit[bytes]]] = {}
    for unit in port.units:
        changes = is_ported(unit.path, port.files[unit.path]) and not is_left(source, unit)
        if changes and unit.kind in (UnitKind.KERNEL, UnitKind.DEVICE) and unit.id not in kept:
            trap = trapped(unit) if any(leftovers(unit.text, lacking)) else None
            if trap is not None:
                found.setdefault(unit.path, []).append(trap)
    return found


def _joined(*parts: Mapping[str, list[Edit[bytes]]]) -> dict[str, list[Edit[bytes]]]:
    paths = dict.fromkeys(path for part in parts for path in part)
    return {path: [item for part in parts for item in part.get(path, ())] for path in paths}
