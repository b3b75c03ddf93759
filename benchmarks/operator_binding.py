"""Which buffers a compiler-made operator passes to its kernels, told by names, roles and lengths.

The host code is not among the kernels. Its compiler names a kernel's parameter after the buffer, numbers
names that occur twice in the order of their use, and passes what no caller knows through buffers of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from operator_reach import stem

from transpile.core import Role

_MOST = 200_000
"""Steps after which no binding counts as found."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """An array that is passed to kernels."""

    name: str
    length: int
    ctype: str
    own: bool = False
    """Allocated by the operator."""
    output: bool = False
    written: int = 0
    """Elements that hold something that a kernel wrote."""
    used: bool = False
    reached: int = 0
    """Elements up to which kernels go, which may be more: a last block that has too many threads."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a kernel does to one of its arrays."""

    name: str
    role: Role
    length: int
    ctype: str
    spare: int = 0
    """Elements that the last block of the launch may take beyond what is needed."""


Bound = tuple[str, ...]
"""Names of the buffers of one kernel, in the order of its parameters."""


@dataclass(frozen=True, slots=True)
class Binding:
    """Names of the buffers of all kernels, and the buffers."""

    kernels: tuple[Bound, ...]
    buffers: tuple[Buffer, ...]


def bind(kernels: Sequence[Sequence[Use]], buffers: Sequence[Buffer]) -> Binding | None:
    """Return the first binding under which all outputs are written and all inputs are used, or None.

    None too where a kernel reads two buffers of the operator's own that might as well be exchanged.
    """
    search = _Search([use for uses in kernels for use in uses], [i for i, k in enumerate(kernels) for _ in k])
    found = search.run(0, {buffer.name: buffer for buffer in buffers}, ())
    if found is None:
        return None
    names, known = found
    rows: list[Bound] = []
    for uses in kernels:
        rows.append(names[: len(uses)])
        names = names[len(uses) :]
    if any(_exchangeable(uses, row, known) for uses, row in zip(kernels, rows, strict=True)):
        return None
    return Binding(tuple(rows), tuple(known.values()))


def _exchangeable(uses: Sequence[Use], names: Bound, known: Mapping[str, Buffer]) -> bool:
    """Tell whether two buffers of a kernel have nothing that says which is which."""
    read = [(use, known[name]) for use, name in zip(uses, names, strict=True) if use.role is not Role.OUT]
    return any(
        stem(first.name) == stem(second.name)
        and one.own
        and other.own
        and first.length <= other.length
        and second.length <= one.length
        for (first, one), (second, other) in combinations(read, 2)
    )


@dataclass(slots=True)
class _Search:
    """Goes through the uses in order, and back where a choice leads nowhere."""

    uses: Sequence[Use]
    turns: Sequence[int]
    steps: int = 0

    def run(
        self, at: int, known: Mapping[str, Buffer], names: Bound
    ) -> tuple[Bound, Mapping[str, Buffer]] | None:
        """Return the names of all buffers from one use on, and the buffers at the end."""
        self.steps += 1
        if self.steps > _MOST:
            return None
        if at == len(self.uses):
            return (names, known) if _complete(known.values()) else None
        use = self.uses[at]
        first = self.turns.index(self.turns[at])
        for choice in _choices(use, known, names[first:]):
            found = self.run(at + 1, {**known, choice.name: choice}, (*names, choice.name))
            if found is not None:
                return found
        return None


def _complete(buffers: Iterable[Buffer]) -> bool:
    return all(
        buffer.written >= buffer.length if buffer.output else buffer.used or buffer.own for buffer in buffers
    )


def _choices(use: Use, known: Mapping[str, Buffer], taken: Bound) -> Iterator[Buffer]:
    """Yield the buffers that a use may mean, likely ones first, as they are behind it."""
    alike = [
        buffer
        for buffer in known.values()
        if stem(buffer.name.removeprefix("own_")) == stem(use.name)
        and buffer.name not in taken
        and buffer.ctype == use.ctype
        and use.length <= buffer.length + (0 if buffer.own else use.spare)
    ]
    if use.role is Role.OUT:
        given = [buffer for buffer in alike if not buffer.own]
        for buffer in sorted(given, key=lambda item: (item.written > 0, item.name != use.name)):
            yield _written(buffer, use)
        fresh = f"own_{stem(use.name)}_{len(known)}"
        yield Buffer(fresh, use.length, use.ctype, own=True, written=use.length)
        return
    reading = [
        buffer
        for buffer in alike
        if buffer.written >= min(use.length, buffer.length) or not (buffer.own or buffer.output)
    ]
    latest = list(known)
    for buffer in sorted(
        reading,
        key=lambda item: (not item.own, item.name != use.name, item.used, -latest.index(item.name)),
    ):
        yield _written(buffer, use) if use.role is Role.INOUT else _read(buffer, use)


def _read(buffer: Buffer, use: Use) -> Buffer:
    return replace(buffer, reached=max(buffer.reached, use.length), used=True)


def _written(buffer: Buffer, use: Use) -> Buffer:
    return replace(_read(buffer, use), written=max(buffer.written, use.length))
