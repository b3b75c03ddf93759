"""Launches that a source's own small runs make, with the numbers that kernels are called with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

import numpy as np

from transpile.core import Launch, Parameter, RecordedLaunch, Signature, Source
from transpile.parsers.text.launches import bare_name
from transpile.testers.programs.boundaries import with_variables
from transpile.testers.programs.device_numbers import number_in
from transpile.testers.programs.runs import SEEDS, asked, build_source, built_from, run_program
from transpile.testers.programs.unset import depends_on_unset, is_unasked
from transpile.testers.trials.layout import numbers
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.workshop import Workshop


def record(workshop: Workshop, source: Source, runs: Sequence[tuple[str, ...]]) -> tuple[RecordedLaunch, ...]:
    """Return the launches that small runs of the source make; none where it does not build or run."""
    signatures = _signatures(source)
    found: dict[RecordedLaunch, None] = {}
    files = built_from(source)
    if any(item.held for known in signatures.values() for item in known.values()):
        files = with_variables(source, files)
    for program in source.programs:
        for arguments in asked(source, program, runs):
            built = build_source(workshop, source, program, files)
            if isinstance(built, BuildFailed):
                break
            run = run_program(
                workshop, source, built.path, arguments, {"SIMT_SEED": SEEDS[0]}, workshop.timeout
            )
            if is_unasked(program, arguments) and depends_on_unset(workshop, source, program, arguments, run):
                continue
            for row in run.recording.launches:
                launch = _recorded(row, signatures)
                if launch is not None:
                    found[launch] = None
    return tuple(found)


_Known = Mapping[str, Signature]
"""Signatures of kernels, by the kernels' ids."""


def _signatures(source: Source) -> dict[str, dict[str, Signature]]:
    """Return the signatures of kernels by their plain names, which several may have."""
    found: dict[str, dict[str, Signature]] = {}
    for unit, signatures in source.signatures.items():
        for item in signatures:
            found.setdefault(item.name.rpartition("::")[2], {})[unit] = item
    return found


def _taking(known: _Known, scalars: Sequence[Sequence[object]], count: object) -> _Known:
    """Return those of some kernels that take so many arguments, these of which are numbers.

    A pointer may be given as a zero. Large structs are not recorded.
    """
    if len(known) < 2:
        return known
    given = {index: value for index, value in scalars}

    def fits(at: int, item: Parameter) -> bool:
        if item.pointer:
            return given.get(at, 0) == 0
        number = item.element is not None and item.element.scalar is not None
        return at in given if number else isinstance(given.get(at, ""), str)

    return {
        unit: signature
        for unit, signature in known.items()
        if count == len(signature.passed) and all(fits(at, item) for at, item in enumerate(signature.passed))
    }


def recorded_numbers(parameter: Parameter, value: object) -> Iterator[tuple[str, float]]:
    """Yield the numbers that an argument was recorded with, those of a struct by their members.

    What is no such record yields nothing: the code that runs may write what it likes.
    """
    if isinstance(value, int | float):
        yield parameter.name, float(value)
        return
    data = _bytes(value)
    if data is not None:
        yield from _numbers_in(parameter, data)


def _numbers_in(parameter: Parameter, data: bytes) -> Iterator[tuple[str, float]]:
    """Yield the numbers of an argument whose bytes these are; none where it has others."""
    element, held = parameter.element, np.frombuffer(data, dtype=np.uint8)
    if element is not None and element.size == len(data):
        for leaf in element.leaves:
            yield parameter.part(leaf), float(numbers(held, element, leaf)[0])


def _bytes(value: object) -> bytes | None:
    """Return the bytes that a record holds in hexadecimal digits; None where it holds none."""
    prefix, _, digits = str(value).partition(":")
    return bytes.fromhex(digits) if prefix == "bytes" and re.fullmatch(r"(?:[0-9a-f]{2})+", digits) else None


def _of_variables(signature: Signature, rows: object) -> Iterator[tuple[str, float]]:
    """Yield the numbers that variables held; none of what several variables of one name may have held."""
    pairs = (
        [item for item in rows if isinstance(item, list) and len(item) == 2] if isinstance(rows, list) else []
    )
    names = [name for name, _ in pairs]
    held = {name: data for name, value in pairs if names.count(name) == 1 and (data := _bytes(value))}
    for parameter in signature.held:
        number = number_in(signature, parameter, held)
        if number is not None:
            yield from _numbers_in(parameter, number)


def _recorded(row: dict[str, object], signatures: Mapping[str, _Known]) -> RecordedLaunch | None:
    kernel, grid, block, scalars = row.get("kernel"), row.get("grid"), row.get("block"), row.get("scalars")
    if not (
        isinstance(kernel, str)
        and isinstance(grid, list)
        and isinstance(block, list)
        and isinstance(scalars, list)
    ):
        return None
    meant = _taking(signatures.get(bare_name(kernel), {}), scalars, row.get("arguments"))
    # Where several take them, numbers have names if these are the same in all.
    several = {tuple(item.name for item in signature.parameters) for signature in meant.values()}
    known = next(iter(meant.values())) if len(several) == 1 else Signature(name=kernel)
    shared = row.get("shared")
    passed = known.passed
    values = (
        *(
            item
            for index, value in scalars
            if index < len(passed)
            for item in recorded_numbers(passed[index], value)
        ),
        *_of_variables(known, row.get("variables")),
    )
    return RecordedLaunch(
        kernel=kernel,
        launch=Launch(
            grid=(grid[0], grid[1], grid[2]),
            block=(block[0], block[1], block[2]),
            shared=shared if isinstance(shared, int) else 0,
        ),
        scalars=tuple(item for item in values if isfinite(item[1])),
        units=tuple(meant),
    )
