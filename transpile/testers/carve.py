"""Run the source's own program once and keep what its launches were called with, as trials."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from transpile.core import Diagnostic, Launch, Severity, Signature, Source, Trial
from transpile.testers.carved import CARVED, Argument, Carving, save
from transpile.testers.layout import leaves, numbers
from transpile.testers.program import run_to_carve
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Carved:
    """The trials that runs gave, by unit id, and what they did not give."""

    trials: Mapping[str, tuple[Trial, ...]]
    diagnostics: tuple[Diagnostic, ...] = ()


def carve(workshop: Workshop, source: Source, runs: Sequence[tuple[str, ...]]) -> Carved:
    """Return what the launches of these runs give; a run that fails is told of, and gives nothing."""
    found: dict[str, dict[Trial, None]] = {}
    notes: dict[str, None] = {}
    scratch = workshop.cache / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    for command in runs:
        with tempfile.TemporaryDirectory(dir=scratch, prefix="carve-") as directory:
            told = " ".join(command)
            file = Path(directory) / "carving"
            failure = run_to_carve(workshop, source, command, file)
            if failure:
                notes[f"nothing is carved from `{told}`: {failure}"] = None
                continue
            rows = list(_rows(file))
            if not rows:
                notes[f"nothing is carved from `{told}`: it launches no kernel"] = None
            data = np.memmap(file.with_name(file.name + ".bytes"), mode="r") if _filled(file) else _EMPTY
            for row in rows:
                said = _keep(workshop, source, row, data, found)
                if said:
                    notes[f"`{told}`: a launch of {row['kernel']} is not carved: {said}"] = None
    path = source.translation_units[0].path if source.translation_units else ""
    return Carved(
        trials={unit: tuple(trials) for unit, trials in found.items()},
        diagnostics=tuple(
            Diagnostic(code="TP430", severity=Severity.WARNING, path=path, line=1, message=note)
            for note in notes
        ),
    )


_EMPTY = np.zeros(0, dtype=np.uint8)


def _filled(file: Path) -> bool:
    other = file.with_name(file.name + ".bytes")
    return other.exists() and other.stat().st_size > 0


def _rows(file: Path) -> Iterator[dict[str, object]]:
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            return
        yield row


def _keep(
    workshop: Workshop,
    source: Source,
    row: Mapping[str, object],
    data: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    found: dict[str, dict[Trial, None]],
) -> str:
    """Keep one launch; return why it cannot be kept."""
    if "large" in row:
        return f"its buffers hold {row['large']} bytes, beyond what is carved"
    matched = _matching(source, str(row["kernel"]))
    if matched is None:
        return "its signature is not told by its name"
    unit, signature = matched
    if signature.globals:
        return f"it uses variables at file scope ({signature.globals[0].name})"
    arguments = row["arguments"]
    assert isinstance(arguments, list)
    if any("unknown" in item for item in arguments):
        return "a pointer leads to no allocation of the program"
    places = [item["place"] - item["below"] for item in arguments if "place" in item]
    if len(set(places)) < len(places):
        return "two pointers lead into one allocation"
    for parameter in signature.parameters:
        if parameter.element is None or not parameter.element.leaves:
            return f"`{parameter.spelling} {parameter.name}` holds pointers, or its layout is unknown"
    if len(arguments) != len(signature.parameters):
        return "another number of arguments is passed"
    carving = Carving(arguments=tuple(_argument(item, data) for item in arguments))
    grid, block, shared = row["grid"], row["block"], row["shared"]
    assert isinstance(grid, list) and isinstance(block, list) and isinstance(shared, int)
    trial = Trial(
        seed=0,
        fill="real",
        scalars=tuple(_scalars(signature, carving)),
        launch=Launch(grid=(grid[0], grid[1], grid[2]), block=(block[0], block[1], block[2]), shared=shared),
        template_arguments=signature.template_arguments,
        carved=save(workshop.cache / CARVED, carving),
    )
    found.setdefault(unit, {})[trial] = None
    return ""


def _argument(item: Mapping[str, int], data: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Argument:
    size = item["size"]
    if "value" in item:
        value = np.array(data[item["value"] : item["value"] + size])
        return Argument(before=value, after=value)
    at = item["buffer"]
    return Argument(
        before=np.array(data[at : at + size]),
        after=np.array(data[at + size : at + 2 * size]),
        below=item["below"],
        pointer=True,
    )


def _scalars(signature: Signature, carving: Carving) -> Iterator[tuple[str, int | float]]:
    for parameter, item in zip(signature.parameters, carving.arguments, strict=True):
        if parameter.pointer or parameter.element is None or len(item.before) != parameter.element.size:
            continue
        for leaf in leaves(parameter.element):
            yield parameter.part(leaf), numbers(item.before, parameter.element, leaf)[0].item()


def _matching(source: Source, kernel: str) -> tuple[str, Signature] | None:
    """Return the unit and signature that a launch names; None where it may be several."""
    plain, _, rest = re.sub(r"[\s(&)]", "", kernel).partition("<")
    name = plain.rpartition("::")[2]
    named = [
        (unit, signature)
        for unit, signatures in source.signatures.items()
        for signature in signatures
        if signature.name.rpartition("::")[2] == name
    ]
    if len(named) > 1:
        asked = rest.removesuffix(">")
        named = [item for item in named if re.sub(r"\s", "", item[1].template_arguments or "") == asked]
    return named[0] if len(named) == 1 else None
