"""Carved trials: calls that the source's own program made, kept by the digest of their data.

Buffers are as large as the program allocated them: the contract's extents count for nothing here.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from transpile.core import Contract, Parameter, Role, Trial, digest
from transpile.testers.compare import Mask
from transpile.testers.layout import Bytes, floating, leaves, numbers
from transpile.testers.materialise import Prepared, Slot, Unmakeable

CARVED = "carved"
"""Where the data lies, below the cache."""

_CLOSE = 1e-4
"""Relative difference that other optimisation of the source may make; what is further off is another call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument as the program passed it: the bytes of a value, or the allocation around a pointer."""

    before: Bytes
    after: Bytes
    below: int = 0
    """Bytes of the allocation that lie below the pointer."""
    pointer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Carving:
    """The arguments of one call, in order."""

    arguments: tuple[Argument, ...]


def save(root: Path, carving: Carving) -> str:
    """Write a call, whole or not at all; return its digest."""
    packed = io.BytesIO()
    head = json.dumps([[item.below, item.pointer] for item in carving.arguments]).encode()
    arrays = {"head": np.frombuffer(head, dtype=np.uint8)}
    for number, item in enumerate(carving.arguments):
        arrays[f"before{number}"] = item.before
        arrays[f"after{number}"] = item.after
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    data = packed.getvalue()
    name = digest(data)
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=root, prefix=".", delete=False) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(root / name)
    return name


def load(root: Path, name: str) -> Carving:
    """Return a call that was saved; Unmakeable where its data is gone or damaged."""
    try:
        data = (root / name).read_bytes()
        if digest(data) != name:
            raise Unmakeable("the carved data is damaged; carve again")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            head = json.loads(bytes(arrays["head"]))
            return Carving(
                arguments=tuple(
                    Argument(
                        before=arrays[f"before{number}"],
                        after=arrays[f"after{number}"],
                        below=below,
                        pointer=pointer,
                    )
                    for number, (below, pointer) in enumerate(head)
                )
            )
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise Unmakeable(f"the carved data cannot be read: {error}") from error


def replant(contract: Contract, trial: Trial, carving: Carving, initialised: frozenset[str]) -> Prepared:
    """Return a carved call as one that can be made again."""
    signature = contract.signature
    if signature.globals:
        raise Unmakeable("variables at file scope are not carved")
    if len(signature.parameters) != len(carving.arguments):
        raise Unmakeable("another number of arguments was carved")
    slots = []
    for parameter, item in zip(signature.parameters, carving.arguments, strict=True):
        fact = contract.array(parameter.name)
        output = fact is not None and fact.role is Role.OUT and parameter.name not in initialised
        slots.append(_slot(parameter, item, output=output))
    return Prepared(trial=trial, contract=contract, arguments=tuple(slots))


def _slot(parameter: Parameter, item: Argument, *, output: bool) -> Slot:
    element = parameter.element
    if element is None or not element.leaves or parameter.pointer != item.pointer:
        raise Unmakeable(f"`{parameter.spelling} {parameter.name}` cannot be carved")
    if not parameter.pointer:
        if len(item.before) != element.size:
            raise Unmakeable(f"`{parameter.name}` was carved with another size")
        return Slot(name=parameter.name, element=element, data=item.before, pointer=False, constant=True)
    # Whole elements only: an allocation may be a little longer than its last one.
    first = item.below % element.size
    last = first + (len(item.before) - first) // element.size * element.size
    return Slot(
        name=parameter.name,
        element=element,
        data=item.before[first:last],
        before=item.below - first,
        output=output,
        constant=parameter.const,
    )


def departure(
    prepared: Prepared, results: tuple[Bytes, ...], written: tuple[Mask, ...], carving: Carving
) -> str:
    """Return the name of the first array that the program's launch left otherwise; empty where none."""
    pointers = [
        (slot, item) for slot, item in zip(prepared.arguments, carving.arguments, strict=True) if slot.pointer
    ]
    for (slot, item), result, mask in zip(pointers, results, written, strict=True):
        first = item.below % slot.element.size
        wanted = item.after[first : first + len(slot.data)]
        wrong = result != wanted
        if slot.output:
            wrong &= mask
        if wrong.any() and not _close(slot, result, np.where(mask | (not slot.output), wanted, result)):
            return slot.name
    return ""


def _close(slot: Slot, result: Bytes, wanted: Bytes) -> bool:
    """Tell whether floating numbers agree but for rounding, and all others to the bit."""
    if not floating(slot.element):
        return False
    for leaf in leaves(slot.element):
        one, other = numbers(result, slot.element, leaf), numbers(wanted, slot.element, leaf)
        if not leaf.scalar.floating:
            if not np.array_equal(one, other):
                return False
        elif not np.allclose(one, other, rtol=_CLOSE, atol=1e-30, equal_nan=True):
            return False
    return True
