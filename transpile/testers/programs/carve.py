"""Run the source's own program once and keep what its units were called with, as trials."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from transpile.core import Diagnostic, ElementType, Launch, Parameter, Severity, Signature, Source, Trial
from transpile.testers.oracle.carved import CARVED, Argument, Carving, save
from transpile.testers.programs.device_numbers import number_in
from transpile.testers.programs.program import run_to_carve
from transpile.testers.trials.layout import Bytes, leaves, numbers, stored
from transpile.toolchains.workshop import Workshop

Row = Mapping[str, Any]
"""One call as ``simt/carver.h`` writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carved:
    """The trials that runs gave, by unit id, and what they did not give."""

    trials: Mapping[str, tuple[Trial, ...]]
    diagnostics: tuple[Diagnostic, ...] = ()


def carve(workshop: Workshop, source: Source, runs: Sequence[tuple[str, ...]]) -> Carved:
    """Return what the calls of these runs give; a run that fails is told of, and gives nothing."""
    found: dict[str, dict[Trial, None]] = {}
    notes: dict[str, None] = {}
    scratch = workshop.scratch()
    for command in runs:
        with tempfile.TemporaryDirectory(dir=scratch, prefix="carve-") as directory:
            told = " ".join(command)
            file = Path(directory) / "carving"
            tried = run_to_carve(workshop, source, command, file)
            if tried.failure:
                notes[f"`{told}` gives no trials: {tried.failure}"] = None
                continue
            notes |= dict.fromkeys(tried.refused)
            rows = list(_rows(file))
            if tried.cut and rows:
                notes[f"`{told}` {tried.cut}: its calls until then are trials"] = None
            elif not rows:
                why = f"it {tried.cut}" if tried.cut else "it calls no unit that is judged"
                notes[f"`{told}` gives no trials: {why}"] = None
            data = np.memmap(file.with_name(file.name + ".bytes"), mode="r") if _filled(file) else _EMPTY
            for row in rows:
                kept = _kept(workshop, source, row, data)
                if isinstance(kept, str):
                    notes[f"`{told}`: a call of `{row['call']}` gives no trial: {kept}"] = None
                else:
                    unit, trial = kept
                    found.setdefault(unit, {})[trial] = None
    path = source.translation_units[0].path if source.translation_units else ""
    return Carved(
        trials={unit: tuple(trials) for unit, trials in found.items()},
        diagnostics=tuple(
            Diagnostic(code="TP430", severity=Severity.WARNING, path=path, line=1, message=note)
            for note in notes
        ),
    )


_EMPTY: Bytes = np.zeros(0, dtype=np.uint8)


def _filled(file: Path) -> bool:
    other = file.with_name(file.name + ".bytes")
    return other.exists() and other.stat().st_size > 0


def _rows(file: Path) -> Iterator[Row]:
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            return
        yield row


def _kept(workshop: Workshop, source: Source, row: Row, data: Bytes) -> tuple[str, Trial] | str:
    """Keep one call and return its unit and trial; else why it cannot be kept."""
    if "large" in row:
        return f"its buffers hold {row['large']} bytes, beyond what is carved"
    matched = _matching(source, row)
    if matched is None:
        return "its signature is not told by its name"
    unit, signature = matched
    refused = _out_of_reach(signature, row)
    if refused:
        return refused
    carving = _carving(signature, row, data[row["start"] :])
    trial = Trial(
        seed=0,
        fill="real",
        scalars=tuple(_scalars(signature, carving)),
        launch=_launch(row),
        template_arguments=signature.template_arguments,
        carved=save(workshop.cache / CARVED, carving),
    )
    return unit, trial


def _out_of_reach(signature: Signature, row: Row) -> str:
    """Return what of a call cannot be made again; empty where all of it can."""
    arguments, variables = row["arguments"], row["variables"]
    if any(item.get("unknown") == 0 for item in arguments):
        return "a null pointer is passed"
    if any("unknown" in item for item in arguments):
        return "a pointer leads to no allocation of the program"
    parameters = _passed(signature, row)
    if len(arguments) != len(parameters):
        return "another number of arguments is passed"
    for parameter, item in zip(parameters, arguments, strict=True):
        if parameter.element is None or not parameter.element.leaves:
            return f"`{parameter.spelling} {parameter.name}` holds pointers, or its layout is unknown"
        if "shared" in item and not _alike(parameter, parameters[item["shared"]], item, arguments):
            return "pointers of different types lead into one allocation"
    for variable in signature.variables:
        named = [item for item in variables if item["name"] == variable.name]
        if variable.element is None or not variable.element.leaves:
            return f"the variable {variable.name} holds pointers, or its layout is unknown"
        if len(named) != 1:
            return (
                f"several variables are called {variable.name}" if named else f"{variable.name} is not seen"
            )
        if "shared" in named[0]:
            return f"a pointer leads to the variable {variable.name}, which it uses as well"
    return ""


def _held_outside(signature: Signature, row: Row) -> tuple[Parameter, ...]:
    """Return the parameters that a launch does not pass: numbers that variables hold."""
    return signature.held if "grid" in row else ()


def _passed(signature: Signature, row: Row) -> tuple[Parameter, ...]:
    """Return the parameters that a call passes."""
    return signature.parameters[: len(signature.parameters) - len(_held_outside(signature, row))]


def _alike(parameter: Parameter, other: Parameter, item: Row, arguments: Sequence[Row]) -> bool:
    """Tell whether two pointers into one allocation see the same elements there."""
    size = parameter.element.size if parameter.element else 1
    apart = item["below"] - arguments[item["shared"]]["below"]
    return parameter.element == other.element and apart % size == 0


def _carving(signature: Signature, row: Row, data: Bytes) -> Carving:
    arguments = tuple(
        _argument(item, parameter.element, data)
        for parameter, item in zip(_passed(signature, row), row["arguments"], strict=True)
    )
    rows = {item["name"]: item for item in row["variables"]}
    variables = tuple(
        (item.name, _argument(rows[item.name], item.element, data)) for item in signature.variables
    )
    held = {name: item.before.tobytes() for name, item in variables}
    returned = row.get("returned")
    return Carving(
        arguments=(*arguments, *(_number(signature, item, held) for item in _held_outside(signature, row))),
        variables=variables,
        returned=None if returned is None else _argument(returned, signature.returns, data).before,
    )


def _number(signature: Signature, parameter: Parameter, held: Mapping[str, bytes]) -> Argument:
    """Return what a variable held as an argument of its own."""
    data = number_in(signature, parameter, held)
    found = np.frombuffer(data or b"", dtype=np.uint8)
    return Argument(before=found, after=found, below=0, pointer=False)


def _argument(item: Row, element: ElementType | None, data: Bytes) -> Argument:
    if "shared" in item:
        return Argument(before=_EMPTY, after=_EMPTY, below=item["below"], pointer=True, shared=item["shared"])
    size, below, pointer = item["size"], item.get("below", 0), "below" in item
    at = item["value"] if "value" in item else item["buffer"]
    before = _without_padding(data[at : at + size], element, below)
    after = _without_padding(data[at + size : at + 2 * size], element, below) if "buffer" in item else before
    return Argument(before=before, after=after, below=below, pointer=pointer)


def _without_padding(data: Bytes, element: ElementType | None, below: int) -> Bytes:
    """Return the numbers alone: what lies between, such as addresses, is of one run."""
    copied = np.array(data)
    if element is None or not element.leaves:
        return copied
    held = np.zeros(element.size, dtype=np.bool_)
    for leaf in leaves(element):
        held[leaf.offset : leaf.offset + stored(leaf.scalar).itemsize] = True
    first = below % element.size
    count = (len(copied) - first) // element.size
    copied[first : first + count * element.size].reshape(count, element.size)[:, ~held] = 0
    return copied


def _launch(row: Row) -> Launch:
    if "grid" not in row:
        return Launch()
    (x, y, z), (u, v, w) = row["grid"], row["block"]
    return Launch(grid=(x, y, z), block=(u, v, w), shared=row["shared"])


def _scalars(signature: Signature, carving: Carving) -> Iterator[tuple[str, int | float]]:
    for parameter, item in zip(signature.parameters, carving.arguments, strict=True):
        if parameter.pointer or parameter.element is None or len(item.before) != parameter.element.size:
            continue
        for leaf in leaves(parameter.element):
            yield parameter.part(leaf), numbers(item.before, parameter.element, leaf)[0].item()


def _matching(source: Source, row: Row) -> tuple[str, Signature] | None:
    """Return the unit and signature that a call is of; None where it may be several."""
    called = str(row["call"])
    if called in source.signatures:
        return called, source.signatures[called][0]
    plain, _, rest = re.sub(r"[\s(&)]", "", called).partition("<")
    name, asked = plain.rpartition("::")[2], rest.removesuffix(">")
    named = [
        (unit, signature)
        for unit, signatures in source.signatures.items()
        for signature in signatures
        if signature.name.rpartition("::")[2] == name
    ]
    if len(named) > 1:
        spelled = [item for item in named if re.sub(r"\s", "", item[1].template_arguments or "") == asked]
        named = spelled or [item for item in named if _takes(item[1], row)]
    return named[0] if len(named) == 1 else None


def _takes(signature: Signature, row: Row) -> bool:
    """Tell whether these arguments are of a signature's types, as far as pointers tell."""
    arguments, parameters = row["arguments"], _passed(signature, row)
    return len(arguments) == len(parameters) and all(
        parameter.pointer == ("type" in item)
        and (not parameter.pointer or _words(_pointee(item)) == _words(parameter.element))
        for parameter, item in zip(parameters, arguments, strict=True)
    )


def _pointee(item: Row) -> str:
    return str(item["type"]).rpartition("T = ")[2].rstrip("]")


def _words(type_of: str | ElementType | None) -> list[str]:
    """Return the words of a type in an order of their own: ``unsigned long`` is ``long unsigned int``."""
    text = type_of.spelling if isinstance(type_of, ElementType) else type_of or ""
    words = sorted(word for word in text.split() if word not in ("struct", "class"))
    return [word for word in words if word != "int"] or words
