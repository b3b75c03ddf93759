"""The text of the pieces of a block: loops over its threads, or over its warps where lanes pass values."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.translators.kernels.effects import has_warp_primitive
from transpile.translators.kernels.emission import Emission
from transpile.translators.kernels.pieces import Threads
from transpile.translators.kernels.teams import BlockTeam
from transpile.translators.kernels.warp_grids import GridWarps
from transpile.translators.kernels.warp_rows import RowWarps, are_rows
from transpile.translators.kernels.warps import Warps


@dataclass(slots=True)
class BlockEmission(Emission):
    """Writes the pieces of a block, with loops over its warps where lanes pass values."""

    whole_warps: bool = False
    """A loop over warps was written that relies on blocks of whole warps."""

    def _threads(self, piece: Threads, indent: str, unit: str) -> list[str]:
        if not any(has_warp_primitive(statement) for statement in piece.statements):
            return Emission._threads(self, piece, indent, unit)
        assert isinstance(self.team, BlockTeam)
        names = self.team.names
        if are_rows(names.axes["thread"], self.draft.law):
            return self._rows(RowWarps(self, self.team, piece), indent, unit)
        if names.axes["thread"] != "x":
            return self._warps(GridWarps(self, self.team, piece), indent, unit)
        return self._warps(Warps(self, self.team, piece), indent, unit)

    def _warps(self, lanes: Warps, indent: str, unit: str) -> list[str]:
        body = lanes.lines(indent + unit, unit)
        name, count = lanes.warp, lanes.count
        if lanes.whole:
            self.whole_warps = lanes.block.names.axes["thread"] == "x"
            return [f"{indent}for (int {name} = 0; {name} < {count} / 32; ++{name}) {{", *body, indent + "}"]
        self.headers.add("<algorithm>")
        cut = f"{indent}{unit}const int {lanes.lanes} = std::min<int>(32, {count} - {name} * 32);"
        return [f"{indent}for (int {name} = 0; {name} * 32 < {count}; ++{name}) {{", cut, *body, indent + "}"]

    def _rows(self, lanes: RowWarps, indent: str, unit: str) -> list[str]:
        body = lanes.lines(indent + unit, unit)
        names = lanes.block.names
        # That rows have 32 threads is asserted where the size is a parameter.
        names.of("blockDim.x")
        head = f"for (int {lanes.warp} = 0; {lanes.warp} < {names.of('blockDim.y')}; ++{lanes.warp})"
        return [f"{indent}{head} {{", *body, indent + "}"]
