"""Carved trials: calls that the source's own program made, kept by the digest of their data.

Buffers are as large as the program allocated them: the contract's extents count for nothing here.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from transpile.core import PRINTED, Contract, ElementType, GlobalVariable, Parameter, Role, Trial, digest
from transpile.files import write_whole
from transpile.testers.compare.compare import Mask
from transpile.testers.trials.layout import Bytes, leaves, numbers
from transpile.testers.trials.materialise import Prepared, Slot, Unmakeable, returned_slots

CARVED = "carved"
"""Where the data lies, below the cache."""

_CLOSE = 1e-4
"""Relative difference that other optimisation of the source may make; what is further off is another call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """What a call was given: the bytes of a value or variable, or the allocation around a pointer."""

    before: Bytes
    after: Bytes
    below: int = 0
    """Bytes of the allocation that lie below the pointer."""
    pointer: bool = False
    shared: int | None = None
    """Number of the earlier argument that has the allocation, where this one leads into the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carving:
    """One call."""

    arguments: tuple[Argument, ...]
    """In the order of the signature."""
    variables: tuple[tuple[str, Argument], ...] = ()
    """Those at file scope that it uses, by name."""
    returned: Bytes | None = None


def save(root: Path, carving: Carving) -> str:
    """Write a call, whole or not at all; return its digest."""
    packed = io.BytesIO()
    told = {
        "arguments": [[item.below, item.pointer, item.shared] for item in carving.arguments],
        "variables": [name for name, _ in carving.variables],
    }
    arrays = {"head": np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)}
    for number, item in enumerate((*carving.arguments, *(item for _, item in carving.variables))):
        arrays[f"before{number}"] = item.before
        arrays[f"after{number}"] = item.after
    if carving.returned is not None:
        arrays["returned"] = carving.returned
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    data = packed.getvalue()
    name = digest(data)
    write_whole(root / name, data)
    return name


def load(root: Path, name: str) -> Carving:
    """Return a call that was saved; Unmakeable where its data is gone or damaged."""
    try:
        data = (root / name).read_bytes()
        if digest(data) != name:
            raise Unmakeable("the carved data is damaged; carve again")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            told = json.loads(bytes(arrays["head"]))
            kept = [
                Argument(before=arrays[f"before{number}"], after=arrays[f"after{number}"])
                for number in range(len(told["arguments"]) + len(told["variables"]))
            ]
            arguments = [
                replace(item, below=below, pointer=pointer, shared=shared)
                for item, (below, pointer, shared) in zip(kept, told["arguments"], strict=False)
            ]
            variables = zip(told["variables"], kept[len(arguments) :], strict=True)
            returned = arrays.get("returned")
            return Carving(arguments=tuple(arguments), variables=tuple(variables), returned=returned)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise Unmakeable(f"the carved data cannot be read: {error}") from error


def replant(contract: Contract, trial: Trial, carving: Carving, initialised: frozenset[str]) -> Prepared:
    """Return a carved call as one that can be made again."""
    signature = contract.signature
    if len(signature.parameters) != len(carving.arguments):
        raise Unmakeable("another number of arguments was carved")
    slots: list[Slot] = []
    for parameter, item in zip(signature.parameters, carving.arguments, strict=True):
        fact = contract.array(parameter.name)
        output = fact is not None and fact.role is Role.OUT and parameter.name not in initialised
        if item.shared is not None:
            owner = slots[item.shared]
            # It may be read through the other pointer.
            slots[item.shared] = replace(owner, output=False, constant=owner.constant and parameter.const)
            slots.append(_sharing(parameter, item, carving.arguments[item.shared], owner))
        else:
            slots.append(_slot(parameter, item, output=output))
    variables = dict(carving.variables)
    returned = returned_slots(signature.returns)
    if bool(returned) != (carving.returned is not None):
        raise Unmakeable("what is returned was not carved")
    return Prepared(
        trial=trial,
        contract=contract,
        arguments=tuple(slots),
        globals=tuple(_variable(item, variables.get(item.name)) for item in signature.globals),
        returned=returned,
    )


def _slot(parameter: Parameter, item: Argument, *, output: bool) -> Slot:
    element = _laid_out(parameter, item)
    if not parameter.pointer:
        if len(item.before) != element.size:
            raise Unmakeable(f"`{parameter.name}` was carved with another size")
        return Slot(name=parameter.name, element=element, data=item.before, pointer=False, constant=True)
    first, last = _whole(element, item)
    return Slot(
        name=parameter.name,
        element=element,
        data=item.before[first:last],
        before=item.below - first,
        output=output,
        constant=parameter.const,
    )


def _sharing(parameter: Parameter, item: Argument, other: Argument, owner: Slot) -> Slot:
    """Return a pointer into the allocation of another argument."""
    element = _laid_out(parameter, item)
    if element != owner.element or (item.below - other.below) % element.size:
        raise Unmakeable(f"`{parameter.name}` and `{owner.name}` lead into one allocation of different types")
    assert item.shared is not None
    return Slot(
        name=parameter.name,
        element=element,
        data=np.zeros(0, dtype=np.uint8),
        before=item.below - _whole(element, other)[0],
        constant=parameter.const,
        alias=item.shared,
    )


def _laid_out(parameter: Parameter, item: Argument) -> ElementType:
    if parameter.element is None or not parameter.element.leaves or parameter.pointer != item.pointer:
        raise Unmakeable(f"`{parameter.spelling} {parameter.name}` cannot be carved")
    return parameter.element


def _whole(element: ElementType, item: Argument) -> tuple[int, int]:
    """Return the bytes that whole elements fill: an allocation may be a little longer than its last one."""
    first = item.below % element.size
    return first, first + (len(item.before) - first) // element.size * element.size


def _variable(variable: GlobalVariable, item: Argument | None) -> Slot:
    element = variable.element
    if variable == PRINTED and element is not None:
        return Slot(
            name=variable.name, element=element, data=np.zeros(element.size, np.uint8), constant=False
        )
    if item is None or element is None or not element.leaves:
        raise Unmakeable(f"the variable {variable.name} was not carved")
    if len(item.before) != element.size * variable.count:
        raise Unmakeable(f"the variable {variable.name} was carved with another size")
    return Slot(name=variable.name, element=element, data=item.before, constant=variable.constant)


def departure(
    prepared: Prepared, results: tuple[Bytes, ...], written: tuple[Mask, ...], carving: Carving
) -> str:
    """Return the name of the first thing that the program's call left otherwise; empty where none."""
    left = list(_left(prepared, carving))
    for (slot, wanted), result, mask in zip(left, results, written, strict=True):
        if slot.name == PRINTED.name:
            continue  # The program counts nothing there.
        asked = np.where(mask, wanted, result) if slot.output else wanted
        if not _agree(slot.element, result, asked):
            return slot.name
    return ""


def _left(prepared: Prepared, carving: Carving) -> Iterator[tuple[Slot, Bytes]]:
    """Yield what the call may have changed, and what it left there in the program."""
    for slot, item in zip(prepared.arguments, carving.arguments, strict=True):
        if slot.pointer:
            first = _whole(slot.element, item)[0] if slot.alias is None else 0
            yield slot, item.after[first : first + len(slot.data)]
    variables = dict(carving.variables)
    for slot in prepared.globals:
        yield slot, variables[slot.name].after if slot.name in variables else slot.data
    for slot in prepared.returned:
        assert carving.returned is not None
        yield slot, carving.returned


def _agree(element: ElementType, result: Bytes, wanted: Bytes) -> bool:
    """Tell whether floating numbers agree but for rounding, and all others to the bit."""
    for leaf in leaves(element):
        one, other = numbers(result, element, leaf), numbers(wanted, element, leaf)
        if not leaf.scalar.floating:
            if not np.array_equal(one, other):
                return False
        elif not np.allclose(one, other, rtol=_CLOSE, atol=1e-30, equal_nan=True):
            return False
    return True
