"""The arguments of one call as C++: constants, and the members that are filled with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.compare.tolerance import Allowance
from transpile.testers.reproduction.literals import TYPES, array, floating, literals
from transpile.testers.reproduction.scene import Scene
from transpile.testers.trials.layout import Numbers, leaves
from transpile.testers.trials.materialise import Slot
from transpile.toolchains.function_entry import names

_ROWS = re.compile(r"(?:\[\d+\])+")
_UNNAMED = re.compile(r"\(anonymous namespace\)::")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a call takes, touches or returns, under its name in the test."""

    name: str
    slot: Slot
    comment: str = ""
    alias: str = ""
    """Name of the array that it leads into, where it has none of its own."""
    away: int = 0
    """Elements from where that array's own pointer leads to where this one does."""

    @property
    def plain_value(self) -> bool:
        """Tell whether it is passed by value, and is just a number."""
        return not self.slot.pointer and self.slot.element.scalar is not None

    @property
    def element(self) -> ElementType:
        """Return what the test has an array of: rows of numbers are numbers one after the other."""
        own = self.slot.element
        if own.leaves and all(_ROWS.fullmatch(leaf.name) for leaf in own.leaves):
            scalar = own.leaves[0].scalar
            size = own.size // len(own.leaves)
            if all(leaf.scalar is scalar and leaf.offset % size == 0 for leaf in own.leaves):
                return ElementType(spelling=TYPES[scalar], size=size, leaves=(Leaf(offset=0, scalar=scalar),))
        return own

    @property
    def type(self) -> str:
        """Return the type of an element; one without a name is its bytes."""
        spelling = _UNNAMED.sub("", self.element.spelling)
        if "(" in spelling or self.element.size == 0:
            return f"unsigned char[{max(self.element.size, 1)}]"
        return "bool" if spelling == "_Bool" else spelling

    @property
    def count(self) -> int:
        """Return how many elements there are, those below the pointer included."""
        return len(self.slot.data) // self.element.size if self.element.size else 0

    @property
    def before(self) -> int:
        """Return how many elements lie below the pointer."""
        return self.slot.before // self.element.size if self.element.size else 0

    @property
    def columns(self) -> list[tuple[Leaf, str]]:
        """Return the numbers within an element, each with a name for all of its kind."""
        return [
            (leaf, f"{self.name}_{re.sub(r'[^0-9a-zA-Z]+', '_', leaf.name).strip('_') or 'values'}")
            for leaf in leaves(self.element)
        ]


def arguments(scene: Scene) -> list[Item]:
    """Return what is passed, in the order of the signature: no numbers that a kernel finds in variables."""
    prepared = scene.reference.prepared
    called = names(scene.signature)
    held = 0 if scene.compilation.plain else len(scene.signature.held)
    passed = zip(called, prepared.arguments, strict=True)
    return [
        Item(
            name=name,
            slot=slot,
            comment=_comment(scene, slot),
            alias="" if slot.alias is None else called[slot.alias],
            away=0 if slot.alias is None else _away(slot, prepared.arguments[slot.alias]),
        )
        for name, slot in islice(passed, len(called) - held)
    ]


def _away(slot: Slot, owner: Slot) -> int:
    return (slot.before - owner.before) // owner.element.size


def globals_of(scene: Scene) -> list[Item]:
    """Return the variables at file scope that both sides find set."""
    return [
        Item(
            name="global_" + slot.name.replace("::", "_"),
            slot=slot,
            comment=f"variable {slot.name}, {len(slot.data) // slot.element.size} elements",
        )
        for slot in scene.reference.prepared.globals
    ]


def returned(scene: Scene) -> list[Item]:
    """Return the place for what is returned: one or none."""
    return [
        Item(name="returned", slot=slot, comment="returned") for slot in scene.reference.prepared.returned
    ]


def items(scene: Scene) -> list[Item]:
    """Return everything, in the order in which it is compared."""
    return [*arguments(scene), *globals_of(scene), *returned(scene)]


def _comment(scene: Scene, slot: Slot) -> str:
    if not slot.pointer:
        return "by value"
    fact = scene.contract.array(slot.name)
    if fact is None or not len(slot.data):
        return "no element is touched"
    count = len(slot.data) // slot.element.size
    before = slot.before // slot.element.size
    parts = [str(fact.role), f"{count} element{'s' * (count != 1)} ({fact.extent})"]
    if before:
        parts.append(f"the first {before} of them below the pointer")
    if slot.output:
        parts.append(f"every byte {scene.configuration.poison:#x} until it is written")
    return ", ".join(parts)


def constants(item: Item) -> Iterator[str]:
    """Yield the definitions of the values that an array is filled with."""
    if item.plain_value or item.slot.output or not item.count:
        return
    for leaf, name in item.columns:
        values = literals(item.slot.data, item.element, leaf)
        comment = item.comment + (f": .{leaf.name}" if leaf.name else "")
        yield array(TYPES[leaf.scalar], name, values, comment)


def tolerances(item: Item, scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield for each column with a tolerance its name and the definitions of its numbers."""
    for leaf, name in item.columns:
        found = scene.allowances.get((item.slot.name, leaf.name))
        if found is not None and (found.allowed >= 0).any():
            yield name, _bounds(name, found)


def _bounds(name: str, found: Allowance) -> str:
    allowed = np.where(
        found.allowed > 0,
        np.nextafter(found.allowed.astype(np.float64), np.inf),
        found.allowed.astype(np.float64),
    )
    return array("double", f"{name}_reference", _doubles(found.reference), "as exact as can be had") + array(
        "double", f"{name}_allowed", _doubles(allowed), "largest distance from it that rounding explains"
    )


def _doubles(values: Numbers) -> list[str]:
    bits = np.ascontiguousarray(values.astype(np.float64)).view(np.uint64)
    return [floating(int(value), Scalar.FLOAT64) for value in bits]


def member(item: Item, poison: int) -> str:
    """Return the member of the test's arguments that holds an item."""
    if item.plain_value:
        [value] = literals(item.slot.data, item.element, item.element.leaves[0])
        kind = item.type
        spelled = value if kind in TYPES.values() else f"static_cast<{kind}>({value})"
        return f"    {kind} {item.name} = {spelled};\n"
    if item.alias:
        beyond = f", {item.away} elements on" if item.away else ""
        return f"    // {item.name} points to what {item.alias} does{beyond}\n"
    if item.slot.null:
        return f"    // {item.name} is null\n"
    kind = f"Array<{item.type}>"
    if not item.count:
        return f"    {kind} {item.name}{{0}};  // {item.comment}\n"
    if item.slot.output:
        place = f", {item.before}" if item.before else ""
        return f"    // {item.comment}\n    {kind} {item.name}{{{item.count}, {poison:#x}{place}}};\n"
    place = f", 0, {item.before}" if item.before else ""
    filled = "".join(
        f".with({name}{f', {leaf.offset}' if leaf.offset else ''})" for leaf, name in item.columns
    )
    return f"    {kind} {item.name} = {kind}({item.count}{place}){filled};\n"
