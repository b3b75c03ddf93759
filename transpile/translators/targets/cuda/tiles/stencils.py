"""Kernels whose blocks load an array's part and the halo around it once, into a tile of shared memory.

Each thread does what it did, in the order in which it did it, and reads the tile in place of the array.
Nothing is loaded but what some thread of the block reads, and what lies between such elements of a row or a
column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from transpile.code.names import free_name
from transpile.code.polynomial import add, spelled
from transpile.code.syntax import Function, block_statements
from transpile.code.syntax import replace as replaced
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.reached import goes_through
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import count, tight
from transpile.translators.loops.symbols.lines import deeper, lines_of
from transpile.translators.targets.cuda.declarations import element
from transpile.translators.targets.cuda.kernels import (
    BLOCKS,
    Kernel,
    compared,
    kernel,
    launch,
    ordered,
    private,
    strided,
    type_of,
    wide,
)
from transpile.translators.targets.cuda.tiles.axes import Axis, first
from transpile.translators.targets.cuda.tiles.shapes import Box, boxes
from transpile.translators.targets.cuda.tiles.text import bare, plus
from transpile.translators.targets.cuda.tiles.windows import Numbers, Read, Window, evaluated, windows

_BLOCKS = {**BLOCKS, 3: (32, 8, 1)}
"""Threads of a block along each axis: of a volume, a plane at a time."""
_LEAST = 3
"""Distances along an axis at which neighbours read, so that a tile pays."""
_READS = 2
"""Reads of an element of a tile, on average, from which a tile pays."""
_WIDE = re.compile(r"\b(?:long|unsigned(?! char)|\w+_t)\b")
"""Types in which a source may count further than in an int."""
_BYTES = 48 * 1024
"""Shared memory that every device has for a block."""


def stencil(
    function: Function, variables: Variables, band: Band, name: str, numbers: Numbers
) -> Kernel | None:
    """Return the kernel of a band with tiles, or None where neighbouring threads read little alike."""
    loops = ordered(band)
    if not goes_through(band.inner) or any(loop.step != 1 for loop in loops[:2]):
        return None
    starts = [first(loop) for loop in loops[:2]]
    block = _BLOCKS[len(loops)]
    paying = [item for item in windows(band, variables, numbers) if _pays(item, block, numbers)]
    needed = sum(item.unit * _elements(item, block, numbers) for item in paying)
    if not paying or needed > _BYTES or any(start is None for start in starts):
        return None
    body = _Body(function, band, loops, block, _tiles(function, paying, numbers))
    plain = kernel(function, variables, band, name)
    return replace(plain, body=body.text(), launch=launch(loops, name, plain.given, block), tiled=True)


def _pays(window: Window, block: Sequence[int], numbers: Numbers) -> bool:
    """Tell whether threads read enough alike, in a shape that is the same whatever macros are."""
    offsets = window.offsets(numbers)
    along = max(len({row for row, _ in offsets}), len({column for _, column in offsets}))
    reads = prod(block) * len(offsets)
    clear = not window.symbolic or len(boxes(offsets)) == 1
    return clear and along >= _LEAST and reads >= _READS * _elements(window, block, numbers)


def _elements(window: Window, block: Sequence[int], numbers: Numbers) -> int:
    """Return how many elements a tile has."""
    halos = (window.columns.width, window.rows.width)
    return prod(size + evaluated(halo, numbers) for size, halo in zip(block, halos, strict=False))


@dataclass(frozen=True, slots=True)
class _Tile:
    """A tile, and which part of it holds something."""

    name: str
    window: Window
    parts: tuple[Box, ...]
    """In rows and columns of the halo; empty where all of it does."""


def _tiles(function: Function, found: Sequence[Window], numbers: Numbers) -> list[_Tile]:
    taken = set(function.identifiers)
    tiles = []
    for window in found:
        name = free_name(taken, f"{window.array.name}_tile")
        taken.add(name)
        offsets = window.offsets(numbers)
        top, left = min(row for row, _ in offsets), min(column for _, column in offsets)
        parts = tuple(box.moved(-top, -left) for box in boxes(offsets))
        tiles.append(_Tile(name, window, parts if len(parts) > 1 else ()))
    return tiles


class _Body:
    """The text between the braces of a kernel."""

    def __init__(
        self,
        function: Function,
        band: Band,
        loops: Sequence[Loop],
        block: Sequence[int],
        tiles: Sequence[_Tile],
    ) -> None:
        taken = function.identifiers | {tile.name for tile in tiles}
        words = (("x", "column", "columns"), ("y", "row", "rows"))
        axes = [
            Axis(letters[0], loop, size, *(free_name(taken, word) for word in (*letters[1:], letters[0])))
            for loop, size, letters in zip(loops, block, words, strict=False)
        ]
        self._function = function
        self._band = band
        self._x, self._y = axes[0], axes[1] if len(axes) > 1 else None
        self._outer = loops[2] if len(loops) > 2 else None
        self._tiles = tiles

    def text(self) -> str:
        """Return the tiles, and what a block does for each part of the array that is its own."""
        x = self._x
        lines = [
            *(self._declared(tile) for tile in self._tiles),
            *(f"{item.type} {item.name};" for item in private(self._band)),
            f"const {type_of(x.loop)} {x.begin} = {wide(x.loop)}blockIdx.x * blockDim.x;",
            x.actives(),
            *([x.own()] if self._y is not None else ()),
            *self._planes(),
        ]
        return "\n".join(deeper(lines))

    def _declared(self, tile: _Tile) -> str:
        window = tile.window
        sizes = [plus(str(self._x.size), window.columns.width)]
        if self._y is not None:
            sizes.insert(0, plus(str(self._y.size), window.rows.width))
        return f"__shared__ {element(window.array)} {tile.name}{''.join(f'[{size}]' for size in sizes)};"

    def _planes(self) -> Iterator[str]:
        if self._outer is None:
            yield from self._rows()
            return
        yield f"{strided(self._outer, 'z')} {{"
        yield from deeper(self._rows())
        yield "}"

    def _rows(self) -> Iterator[str]:
        y = self._y
        if y is None:
            yield from self._part()
            return
        kind, row = type_of(y.loop), y.begin
        start = f"{kind} {row} = {wide(y.loop)}blockIdx.y * blockDim.y"
        yield f"for ({start}; {row} < {tight(count(y.loop))}; {row} += gridDim.y * blockDim.y) {{"
        yield from deeper((y.actives(), *self._part(), "__syncthreads();"))
        yield "}"

    def _part(self) -> Iterator[str]:
        """Yield how a block loads its part of the arrays, and what its threads do with it."""
        for tile in self._tiles:
            yield from self._loaded(tile)
        yield "__syncthreads();"
        last = self._y or self._x
        yield last.own()
        axes = [axis for axis in (self._x, self._y) if axis is not None]
        yield f"if ({' && '.join(compared(axis.loop) for axis in axes)}) {{"
        edits = [
            replaced(read.node, self._read(tile, read)) for tile in self._tiles for read in tile.window.reads
        ]
        for item in block_statements(self._band.inner.body):
            yield from deeper(lines_of(self._function, item, edits))
        yield "}"

    def _loaded(self, tile: _Tile) -> Iterator[str]:
        """Yield how the threads of a block load a tile, along rows."""
        x, y, window = self._x, self._y, tile.window
        place, heads = f"[{x.place}]", [x.along(window.columns.width)]
        if y is not None:
            place = f"[{y.place}]{place}"
            heads.insert(0, y.along(window.rows.width))
        conditions = [self._holds(box, window) for box in tile.parts]
        if conditions:
            heads.append(f"if ({' || '.join(conditions)})")
        for depth, head in enumerate(heads):
            yield from deeper([head], depth)
        yield from deeper([f"{tile.name}{place} = {self._element(window)};"], len(heads))

    def _holds(self, box: Box, window: Window) -> str:
        """Return the condition under which a place in a tile is one of a part of it."""
        y, rows, columns = self._y, window.rows.width, window.columns.width
        assert y is not None  # of one row alone all is loaded
        conditions = [
            *y.within(box.top, box.bottom, rows.get((), 0)),
            *self._x.within(box.left, box.right, columns.get((), 0)),
        ]
        return f"({' && '.join(conditions)})" if len(conditions) > 1 else conditions[0]

    def _element(self, window: Window) -> str:
        """Return the element of the array that a place in a tile is for."""
        cast = "(long long)" if _WIDE.search(self._function.text) else ""
        terms = [spelled(bare(window.rest, cast))] if window.rest else []
        if self._y is not None:
            pitch = spelled(bare(window.pitch))
            if not pitch.isalnum():
                pitch = f"({spelled(bare(window.pitch, cast))})"
            terms.append(f"({self._y.source(window.rows.low, cast)}) * {pitch}")
        terms.append(self._x.source(window.columns.low, cast))
        return f"{window.array.name}[{' + '.join(terms)}]"

    def _read(self, tile: _Tile, read: Read) -> str:
        window = tile.window
        columns = plus(self._x.thread, bare(add(read.column, window.columns.low, -1)))
        if self._y is None:
            return f"{tile.name}[{columns}]"
        rows = plus(self._y.thread, bare(add(read.row, window.rows.low, -1)))
        return f"{tile.name}[{rows}][{columns}]"
