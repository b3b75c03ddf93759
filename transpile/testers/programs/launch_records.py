"""Launches that a source's own small runs make, with the numbers that kernels are called with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

import numpy as np

from transpile.core import Launch, Parameter, RecordedLaunch, Source
from transpile.parsers.text.launches import bare_name
from transpile.testers.programs.runs import SEEDS, asked, build_source, built_from, run_program
from transpile.testers.programs.unset import depends_on_unset, is_unasked
from transpile.testers.trials.layout import numbers
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.workshop import Workshop


def record(workshop: Workshop, source: Source, runs: Sequence[tuple[str, ...]]) -> tuple[RecordedLaunch, ...]:
    """Return the launches that small runs of the source make; none where it does not build or run."""
    parameters = _parameters(source)
    found: dict[RecordedLaunch, None] = {}
    for program in source.programs:
        for arguments in asked(source, program, runs):
            built = build_source(workshop, source, program, built_from(source))
            if isinstance(built, BuildFailed):
                break
            run = run_program(
                workshop, source, built.path, arguments, {"SIMT_SEED": SEEDS[0]}, workshop.timeout
            )
            if is_unasked(program, arguments) and depends_on_unset(workshop, source, program, arguments, run):
                continue
            for row in run.recording.launches:
                launch = _recorded(row, parameters)
                if launch is not None:
                    found[launch] = None
    return tuple(found)


_Known = Mapping[str, tuple[Parameter, ...]]
"""Parameters of kernels as launches pass them, by the kernels' ids."""


def _parameters(source: Source) -> dict[str, dict[str, tuple[Parameter, ...]]]:
    """Return the parameters of kernels by their plain names, which several may have."""
    found: dict[str, dict[str, tuple[Parameter, ...]]] = {}
    for unit, signatures in source.signatures.items():
        for item in signatures:
            own = len(item.assembly.arguments) if item.assembly is not None else len(item.parameters)
            found.setdefault(item.name.rpartition("::")[2], {})[unit] = item.parameters[:own]
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
        unit: parameters
        for unit, parameters in known.items()
        if count == len(parameters) and all(fits(at, item) for at, item in enumerate(parameters))
    }


def recorded_numbers(parameter: Parameter, value: object) -> Iterator[tuple[str, float]]:
    """Yield the numbers that an argument was recorded with, those of a struct by their members.

    What is no such record yields nothing: the code that runs may write what it likes.
    """
    if isinstance(value, int | float):
        yield parameter.name, float(value)
        return
    prefix, _, digits = str(value).partition(":")
    element = parameter.element
    if prefix != "bytes" or element is None or not re.fullmatch(r"(?:[0-9a-f]{2})+", digits):
        return
    data = np.frombuffer(bytes.fromhex(digits), dtype=np.uint8)
    if element.size == len(data):
        for leaf in element.leaves:
            yield parameter.part(leaf), float(numbers(data, element, leaf)[0])


def _recorded(row: dict[str, object], parameters: Mapping[str, _Known]) -> RecordedLaunch | None:
    kernel, grid, block, scalars = row.get("kernel"), row.get("grid"), row.get("block"), row.get("scalars")
    if not (
        isinstance(kernel, str)
        and isinstance(grid, list)
        and isinstance(block, list)
        and isinstance(scalars, list)
    ):
        return None
    meant = _taking(parameters.get(bare_name(kernel), {}), scalars, row.get("arguments"))
    # Where several take them, numbers have names if these are the same in all.
    several = {tuple(item.name for item in parameters) for parameters in meant.values()}
    known = next(iter(meant.values()), ()) if len(several) == 1 else ()
    shared = row.get("shared")
    values = tuple(
        item
        for index, value in scalars
        if index < len(known)
        for item in recorded_numbers(known[index], value)
        if isfinite(item[1])
    )
    return RecordedLaunch(
        kernel=kernel,
        launch=Launch(
            grid=(grid[0], grid[1], grid[2]),
            block=(block[0], block[1], block[2]),
            shared=shared if isinstance(shared, int) else 0,
        ),
        scalars=values,
        units=tuple(meant),
    )
