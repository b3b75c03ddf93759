"""Kernels of two loops whose blocks load what their threads read alike once, into tiles of shared memory.

The loop that all threads go through is cut into pieces as long as a tile is wide. Every thread does what it
did, in the order in which it did it, so that results are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.edits import apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import INDENT, Function, block_statements, find, source, squeeze, unparenthesized
from transpile.code.syntax import replace as replaced
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.reached import goes_through
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import count, value
from transpile.translators.loops.symbols.lines import deeper, lines_of
from transpile.translators.targets.cuda.declarations import element
from transpile.translators.targets.cuda.kernels import (
    Kernel,
    compared,
    index,
    kernel,
    launch,
    ordered,
    private,
    type_of,
    wide,
)
from transpile.translators.targets.cuda.tiles.operands import Operand, common, operands, shared_along_both

SIZE = 16
"""Threads of a block, and elements of a tile, along each axis."""
_MEMORY = ("subscript_expression", "pointer_expression", "field_expression")


def product(function: Function, variables: Variables, band: Band, name: str) -> Kernel | None:
    """Return the kernel of a band with tiles, or None where its body is no product."""
    if len(band.loops) != 2 or not _straight(band):
        return None
    for loop in common(band, variables):
        found = operands(band, loop, variables)
        if shared_along_both(found) and not _short(loop):
            plain, loops = kernel(function, variables, band, name), ordered(band)
            body = _Body(function, band, loops[0], loops[1], loop, _tiles(function, found, loops[0]))
            return replace(
                plain, body=body.text(), launch=launch(loops, name, plain.given, (SIZE, SIZE)), tiled=True
            )
    return None


def _straight(band: Band) -> bool:
    """Tell whether all threads can go through the body: to its end, and to all that it declares."""
    return goes_through(band.inner) and not any(
        item.type.startswith("preproc") or (item.type == "declaration" and _touches(item))
        for item in block_statements(band.inner.body)
    )


def _short(loop: Loop) -> bool:
    """Tell whether a loop is known to end before it has gone along a tile."""
    trips = count(loop)
    return trips.isdigit() and int(trips) < SIZE


def _touches(node: Node) -> bool:
    return any(True for _ in find(node, *_MEMORY))


@dataclass(frozen=True, slots=True)
class _Tile:
    """A tile, and the reads that go to it."""

    name: str
    reads: tuple[Operand, ...]
    on_x: bool
    """It holds what threads along x have each their own of."""
    turned: bool
    """Neighbouring threads load what lies along the other axis, since that is neighbouring in memory."""

    @property
    def first(self) -> Operand:
        """Return one of the reads; all are of the same element."""
        return self.reads[0]

    @property
    def common_axis(self) -> str:
        """Return the axis of threads along which the common loop is loaded."""
        return "x" if self.on_x == self.turned else "y"

    @property
    def declared(self) -> str:
        """Return its declarator. A column more keeps what is stored turned in different banks."""
        return f"{self.name}[{SIZE}][{SIZE + self.turned}]"


def _tiles(function: Function, found: Sequence[Operand], x: Loop) -> list[_Tile]:
    groups: dict[str, list[Operand]] = {}
    for item in found:
        groups.setdefault(squeeze(source(unparenthesized(item.node))), []).append(item)
    taken = set(function.identifiers)
    tiles = []
    for group in groups.values():
        first = group[0]
        name = free_name(taken, f"{first.array.name}_tile")
        taken.add(name)
        on_x = first.axis is x
        straight, turned = (first.across, first.along) if on_x else (first.along, first.across)
        tiles.append(_Tile(name, tuple(group), on_x, first.movable and turned and not straight))
    return tiles


@dataclass(frozen=True, slots=True)
class _Body:
    """The text between the braces of a kernel."""

    function: Function
    band: Band
    x: Loop
    y: Loop
    loop: Loop
    tiles: Sequence[_Tile]

    def text(self) -> str:
        """Return the tiles, and what a block does for every group of rows that is its own."""
        x, y = self.x, self.y
        own = [item for item in private(self.band) if item is not self.loop.variable]
        row = self._name("row")
        head = (
            f"for ({type_of(y)} {row} = {wide(y)}blockIdx.y * blockDim.y; {row} < {count(y)};"
            f" {row} += gridDim.y * blockDim.y) {{"
        )
        inner = [
            *self._declared(),
            *(f"{item.type} {item.name};" for item in own),
            f"const {type_of(x)} {x.variable.name} = {value(x, index(x, 'x'))};",
            head,
            *deeper(self._rows(row)),
            "}",
        ]
        return "\n".join(deeper(inner))

    def _declared(self) -> Iterator[str]:
        for tile in self.tiles:
            yield f"__shared__ {element(tile.first.array)} {tile.declared};"

    def _rows(self, row: str) -> Iterator[str]:
        """Yield what is done for a group of rows: as before, around the common loop in pieces."""
        y, within = self.y, self._name("within")
        yield f"const {type_of(y)} {y.variable.name} = {value(y, f'{row} + threadIdx.y')};"
        yield f"const bool {within} = {compared(self.x)} && {compared(y)};"
        statements = block_statements(self.band.inner.body)
        place = next(number for number, item in enumerate(statements) if item.id == self.loop.node.id)
        for item in statements[:place]:
            yield from self._alone(item, within)
        yield from self._pieces(row, within)
        if statements[place + 1 :]:
            yield f"if ({within}) {{"
            for item in statements[place + 1 :]:
                yield from deeper(lines_of(self.function, item))
            yield "}"

    def _alone(self, statement: Node, within: str) -> Iterator[str]:
        """Yield a statement ahead of the loop: what touches memory is for threads with an iteration alone."""
        open_to_all = statement.type in ("declaration", "comment") or (
            statement.type == "expression_statement" and not _touches(statement)
        )
        if open_to_all:
            yield from lines_of(self.function, statement)
        else:
            yield f"if ({within}) {{"
            yield from deeper(lines_of(self.function, statement))
            yield "}"

    def _pieces(self, row: str, within: str) -> Iterator[str]:
        loop, name = self.loop, self.loop.variable.name
        kind, start = type_of(loop), self._name("start")
        yield f"for ({kind} {start} = {source(loop.first)}; {compared(loop, start)}; {start} += {SIZE}) {{"
        for axis in sorted({tile.common_axis for tile in self.tiles}):
            yield f"{INDENT}const {kind} {self._name(f'{name}_{axis}')} = {start} + threadIdx.{axis};"
        for tile in self.tiles:
            yield from deeper(self._loaded(tile, row))
        yield f"{INDENT}__syncthreads();"
        yield f"{INDENT}if ({within}) {{"
        yield (
            f"{INDENT * 2}for ({kind} {name} = {start};"
            f" {compared(loop)} && {name} - {start} < {SIZE}; {name}++) {{"
        )
        edits = [replaced(read.node, self._read(tile, start)) for tile in self.tiles for read in tile.reads]
        for item in block_statements(loop.body):
            yield from deeper(lines_of(self.function, item, edits), 3)
        yield f"{INDENT * 2}}}"
        yield f"{INDENT}}}"
        yield f"{INDENT}__syncthreads();"
        yield "}"

    def _read(self, tile: _Tile, start: str) -> str:
        step = f"{self.loop.variable.name} - {start}"
        return f"{tile.name}[{step}][threadIdx.x]" if tile.on_x else f"{tile.name}[threadIdx.y][{step}]"

    def _loaded(self, tile: _Tile, row: str) -> Iterator[str]:
        """Yield how a thread loads its element of a tile, where there is one."""
        axis = tile.first.axis
        name = axis.variable.name
        if tile.turned:
            other = "y" if tile.on_x else "x"
            name = self._name(f"{name}_{other}")
            number = index(axis, "x", thread="y") if tile.on_x else f"{row} + threadIdx.x"
            yield f"const {type_of(axis)} {name} = {value(axis, number)};"
        step = self._name(f"{self.loop.variable.name}_{tile.common_axis}")
        names = {self.loop.variable.name: step, axis.variable.name: name}
        node = tile.first.node
        edits = [
            replaced(item, names[source(item)]) for item in find(node, "identifier") if source(item) in names
        ]
        place = "[threadIdx.x][threadIdx.y]" if tile.turned else "[threadIdx.y][threadIdx.x]"
        read = apply_outermost(self.function.text, edits, node.start_byte, node.end_byte)
        yield f"if ({compared(axis, name)} && {compared(self.loop, step)}) {tile.name}{place} = {read};"

    def _name(self, wish: str) -> str:
        """Return a name of our own; the same one for the same wish."""
        return free_name(self.function.identifiers | {tile.name for tile in self.tiles}, wish)
