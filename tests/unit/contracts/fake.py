"""Model kernels in Python, traced by element: what the real tracer does to compiled ones."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from transpile.contracts.learn import learn
from transpile.contracts.probing.batches import drive
from transpile.contracts.probing.fill import filled
from transpile.contracts.probing.probe import Failed, Observed, Outcome, Probe, Touched
from transpile.contracts.probing.subject import Subject, axes_of, subject_of
from transpile.contracts.text.sites import Site
from transpile.core import (
    CUDA,
    Contract,
    ElementType,
    Inconclusive,
    Leaf,
    Parameter,
    Scalar,
    ShapeDependent,
    Signature,
    Source,
    Span,
    Unit,
    UnitKind,
)

INT = ElementType(spelling="int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.INT32),))
FLOAT = ElementType(spelling="float", size=4, leaves=(Leaf(offset=0, scalar=Scalar.FLOAT32),))
BYTE = ElementType(spelling="unsigned char", size=1, leaves=(Leaf(offset=0, scalar=Scalar.UINT8),))
_TYPES = {"int": INT, "float": FLOAT, "unsigned char": BYTE}
_SUPPLY = 512


@dataclass(frozen=True)
class Thread:
    """Where a thread stands."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    grid_dim: tuple[int, int, int]
    block_dim: tuple[int, int, int]

    def at(self, axis: int = 0) -> int:
        return self.block[axis] * self.block_dim[axis] + self.thread[axis]

    def total(self, axis: int = 0) -> int:
        return self.grid_dim[axis] * self.block_dim[axis]


@dataclass
class Array:
    """Elements on demand, with the threads that read and wrote them."""

    data: np.ndarray[Any, Any]
    who: int = 0
    values: dict[int, Any] = field(default_factory=dict)
    readers: dict[int, set[int]] = field(default_factory=dict)
    writers: dict[int, dict[int, Any]] = field(default_factory=dict)
    first: set[int] = field(default_factory=set)
    atomics: set[int] = field(default_factory=set)
    reach: dict[int, int] = field(default_factory=dict)
    """How far the accesses of each line of the kernel went."""

    def note(self, index: int) -> None:
        line = sys._getframe(2).f_lineno
        self.reach[line] = max(self.reach.get(line, index + 1), index + 1)

    def __getitem__(self, index: int) -> Any:
        index = int(index)
        self.note(index)
        if index not in self.writers:
            self.first.add(index)
        self.readers.setdefault(index, set()).add(self.who)
        return self.value(index)

    def value(self, index: int) -> Any:
        stored = self.data[index] if 0 <= index < len(self.data) else self.data.dtype.type(0)
        return self.values.get(index, stored)

    def __setitem__(self, index: int, value: Any) -> None:
        index = int(index)
        self.note(index)
        self.values[index] = self.data.dtype.type(value)
        self.writers.setdefault(index, {})[self.who] = self.values[index]

    def add(self, index: int, value: Any) -> None:
        """Atomically add."""
        index = int(index)
        self.values[index] = self.data.dtype.type(self.value(index) + value)
        self.atomics.add(index)

    def race(self) -> bool:
        for index, written in self.writers.items():
            if len(written) > 1 and len(set(written.values())) > 1:
                return True
            others = self.readers.get(index, set()) - set(written)
            readers = self.readers.get(index, set()) if len(written) > 1 else others
            if readers:
                return True
        return False

    def touched(self) -> Touched | None:
        indices = set(self.readers) | set(self.writers) | self.atomics
        if not indices:
            return None
        return Touched(
            low=min(indices),
            high=max(indices) + 1,
            bytes_low=4 * min(indices),
            bytes_high=4 * max(indices) + 4,
            read=bool(self.readers or self.atomics),
            written=bool(self.writers or self.atomics),
            read_first=bool(self.first or self.atomics),
            atomic=bool(self.atomics),
            reach=self.reach,
        )


Kernel = Callable[[Thread, Mapping[str, Any]], None]


def positions(shape: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    for z, y, x in product(range(shape[2]), range(shape[1]), range(shape[0])):
        yield (x, y, z)


@dataclass
class FakeTracer:
    """Answers probes by running a Python kernel."""

    kernel: Kernel
    calls: int = 0

    def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
        self.calls += len(asked)
        return [self._one(subject, probe) for subject, probe in asked]

    def _one(self, subject: Subject, probe: Probe) -> Outcome:
        words = tuple(int(probe.scalars[name]) for name in subject.integers)
        arrays: dict[str, Array] = {}
        for item in subject.arrays:
            filling = probe.filling
            values = filling.own.get(item.name, filling.free.get(item.name, filling.integers))
            generator = np.random.default_rng([filling.seed, item.position])
            strewn = () if item.name in filling.own else words
            data = filled(item.element, _SUPPLY, filling, values, strewn, generator)
            arrays[item.name] = Array(data.view(item.element.leaves[0].scalar.value))
        call = {**arrays, **probe.scalars}
        try:
            for number, (block, thread) in enumerate(
                product(positions(probe.launch.grid), positions(probe.launch.block))
            ):
                for array in arrays.values():
                    array.who = number
                self.kernel(Thread(block, thread, probe.launch.grid, probe.launch.block), call)
        except ZeroDivisionError:
            return Failed(reason="arithmetic")
        racing = frozenset(name for name, array in arrays.items() if array.race())
        return Observed(
            touched={name: found for name, array in arrays.items() if (found := array.touched())},
            outputs=_digest(arrays),
            race=f"race on {sorted(racing)}" if racing else "",
            racing=racing,
            supplied=dict.fromkeys(arrays, _SUPPLY),
        )


def _digest(arrays: Mapping[str, Array]) -> str:
    hasher = hashlib.sha1()
    for name, array in arrays.items():
        for index in sorted(set(array.writers) | array.atomics):
            hasher.update(f"{name}[{index}]={array.values[index]!r};".encode())
    return hasher.hexdigest()


def subject(declaration: str, text: str) -> Subject:
    """Return a subject from ``int n, float *x`` and the words of the kernel's text."""
    parameters: list[Parameter] = []
    for part in declaration.split(","):
        spelling, name = part.strip().rsplit(" ", 1)
        pointer = name.startswith("*")
        element = _TYPES.get(spelling.removeprefix("const ").strip())
        parameters.append(
            Parameter(name=name.lstrip("*"), spelling=part.strip(), element=element, pointer=pointer)
        )
    unit = Unit(
        id="k.cu::k",
        kind=UnitKind.KERNEL,
        path="k.cu",
        name="k",
        span=Span(start=0, end=len(text)),
        line=1,
        text=text.encode(),
        translation_unit="k.cu",
    )
    signature = Signature(name="k", parameters=tuple(parameters))
    source = Source(
        root=__import__("pathlib").Path("."),
        files={"k.cu": text.encode()},
        dialect=CUDA,
        translation_units=(),
        units=(unit,),
        signatures={unit.id: (signature,)},
        launches=(),
    )
    made = subject_of(source, unit, signature, 0)
    assert not isinstance(made, Inconclusive), made
    assert made.axes == axes_of(text.encode())
    return made


def contract_of(
    declaration: str,
    text: str,
    kernel: Kernel,
    stated: ShapeDependent | None = None,
    sites: tuple[Site, ...] = (),
) -> Contract | Inconclusive:
    """Learn the contract of a Python kernel, under the launches that are stated, or with those of sites."""
    made = replace(subject(declaration, text), stated=stated, sites=sites)
    (result,) = drive(FakeTracer(kernel), [(made, learn(made, {}, 0))])
    return result
