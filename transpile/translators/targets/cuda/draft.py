"""Parts that all ports of a function to CUDA share, in whatever memory: kernels, and their launches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Template

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, LOOPS, Function, called, find, indentation, inside
from transpile.code.types import bare
from transpile.code.variables import Variable, Variables
from transpile.core import Contract
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.lengths.local_pointers import leads_into
from transpile.translators.loops.lengths.resolution import trusted
from transpile.translators.loops.planning.bins import bins
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.planning.overlaps import touched
from transpile.translators.loops.reductions.reductions import ADDED
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope, of_host
from transpile.translators.loops.symbols.lines import deeper
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.helpers import calling_copies, copies
from transpile.translators.targets.cuda.kernels import Kernel, kernel
from transpile.translators.targets.cuda.refusals import refuse_file_scope, refuse_members
from transpile.translators.targets.cuda.scans import appending, scanning
from transpile.translators.targets.cuda.searches import searching
from transpile.translators.targets.cuda.single import single
from transpile.translators.targets.cuda.tiles import tiled

CHECK = (
    "const auto check = [](cudaError_t error) {",
    "    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));",
    "};",
)


Emitter = Callable[[Function, Variables, Band, str, frozenset[str]], Kernel]

EMITTERS: Mapping[Idiom, Emitter] = {
    Idiom.SCAN: scanning,
    Idiom.COMPACTION: appending,
    Idiom.ARG_EXTREME: searching,
}
"""The writer of the kernel of each idiom that has a scheme of its own on devices."""


class Draft(ABC):
    """A function in the making; what makes it raises Refused where something of it cannot be written."""

    def __init__(
        self,
        written: Function,
        choice: Choice,
        contract: Contract,
        around: EnclosingScope,
        *,
        tiles: bool = False,
    ) -> None:
        """Make the kernels.

        Args:
            written: The function as its author wrote it.
            choice: The form of it that is translated.
            contract: What its calls respect.
            around: What it may name that it does not declare.
            tiles: Load what threads read alike into shared memory, where they do.
        """
        self.written = written
        self.function = function = choice.function
        self.variables = self.named(choice, contract, around)
        self._constants = around.constants
        self._added = ADDED | {
            name for name, kinds in around.senses.items() if ADDED.issuperset(map(bare, kinds))
        }
        self.name = name = function.name.rpartition("::")[2]
        setting = Setting(function, choice.variables, contract, around)
        parts = sorted((*choice.parts, *self.between(choice.parts, setting)), key=_place)
        refuse_members(parts)
        refuse_file_scope(parts, contract, self.variables, around.words)
        self.contract = self.measured(parts, setting)
        self._banded = [part for part in parts if isinstance(part, Band)]
        made = [
            self._made(part, f"{name}_kernel{number or ''}", tiles=tiles)
            for number, part in enumerate(parts, 1 if len(parts) > 1 else 0)
        ]
        self.parts, self.kernels = [part for part, _ in made], [item for _, item in made]
        named = [item for made in self.kernels for item in made.given.arrays]
        self.arrays = list({item.name: item for item in map(self._array_of, named)}.values())
        called_there = {called(call) for part in self.parts for call in find(part.node, "call_expression")}
        self.helpers = copies(sorted(called_there & set(around.functions)), around, name)
        of_kernels = [text for item in self.kernels for text in (*item.helpers, item.text)]
        for text in (*self.helpers.values(), *of_kernels):
            if lacking := of_host(text):
                raise Refused(SEQUENTIAL, f"a call of `{lacking}`, which is host code")

    def named(self, choice: Choice, contract: Contract, around: EnclosingScope) -> Variables:
        """Return the variables that kernels may be given."""
        del contract, around
        return choice.variables

    def measured(self, parts: Sequence[Part], setting: Setting) -> Contract:
        """Return the contract with lengths of arrays that rest on no data of some runs."""
        found = trusted(setting, parts)
        assert found is not None
        return found

    def between(self, parts: Sequence[Part], setting: Setting) -> Iterable[SequentialNest]:
        """Return what else becomes kernels, since it stands between others."""
        del parts, setting
        return ()

    def _made(self, part: Part, name: str, *, tiles: bool) -> tuple[Part, Kernel]:
        """Return the kernel of a part, and that part, which may turn out to be sequential."""
        function, variables, types = self.function, self.variables, self._added
        brings = any(band is not part for band in self._banded) or _counts(part)
        if isinstance(part, SequentialNest):
            return part, single(function, variables, part, name, part.reason, bringing=brings)
        try:
            idiom = part.loops[0].idiom
            if idiom is not None and idiom in EMITTERS:
                return part, EMITTERS[idiom](function, variables, part, name, types)
            with_tiles = tiled(function, variables, part, name, self._constants) if tiles else None
            copied = bins(part, self.contract, variables)
            return part, with_tiles or kernel(function, variables, part, name, copied, types)
        except Refused as why:
            if part.merges:
                raise
            alone = SequentialNest(Nest(part.node, (), tuple(touched(part))), why.detail)
            return alone, single(function, variables, alone, name, why.detail, bringing=brings)

    @property
    def headers(self) -> tuple[str, ...]:
        """Return what the function of the host needs."""
        return ("<stdexcept>",)

    @abstractmethod
    def text(self) -> str:
        """Return the port."""

    def joined(self, kernels: Sequence[Kernel], *functions: str) -> str:
        """Return kernels and what they call, with functions of the host behind them."""
        texts = dict.fromkeys(text for item in kernels for text in (*item.helpers, item.text))
        made = [calling_copies(text, self.helpers, self.name) for text in texts]
        return "\n".join(part for part in (*self.helpers.values(), *made, *functions) if part)

    def launch(self, made: Kernel) -> str:
        """Return the statements that launch a kernel, and bring back what it gathers."""
        held: list[str] = []
        for item in made.given.totals:
            total, size = f"{item.name}_total", f"sizeof({item.type})"
            held += [
                f"{item.type} *{total};",
                f"check(cudaMalloc(&{total}, {size}));",
                f"check(cudaMemcpy({total}, &{item.name}, {size}, cudaMemcpyHostToDevice));",
            ]
        memory = {item.name: self._memory(item) for item in made.given.arrays}
        held += Template(made.launch).substitute(memory).split("\n")
        for item in made.given.totals:
            total, size = f"{item.name}_total", f"sizeof({item.type})"
            held += [
                f"check(cudaMemcpy(&{item.name}, {total}, {size}, cudaMemcpyDeviceToHost));",
                f"check(cudaFree({total}));",
            ]
        # In a block where another loop may gather what has the same name.
        several = made.given.totals and sum(bool(item.given.totals) for item in self.kernels) > 1
        return "\n".join(["{", *deeper(held), "}"] if several else held)

    def _array_of(self, named: Variable) -> Variable:
        """Return the array that a kernel touches by a name: pointers of the function lead into others."""
        into = leads_into(named, self.variables) if named.pointer and not named.parameter else None
        return into if into is not None else named

    def _memory(self, named: Variable) -> str:
        """Return what a launch passes for an array, or for a pointer that leads into one."""
        array = self._array_of(named)
        memory = self.passed(array.name)
        if array is named:
            return memory
        return f"{memory if memory.isidentifier() else f'({memory})'} + ({named.name} - {array.name})"

    def placed(self, node: Node, text: str) -> str:
        """Return statements that take the place of one."""
        if node.parent is None or node.parent.type != "compound_statement":
            text = f"{{\n{INDENT}{indented(text, INDENT)}\n}}"
        return indented(text, indentation(self.function.text, node.start_byte) or INDENT)

    @abstractmethod
    def passed(self, name: str) -> str:
        """Return what a kernel is given for an array."""

    def on_host(self, node: Node) -> bool:
        """Tell whether a node stands outside of all that became kernels."""
        return not any(inside(node, part.node) for part in self.parts)


def _counts(part: Part) -> bool:
    """Tell whether all loops are counted: how far others go may be for data to say, and few were seen."""
    return all(part.nest.of(loop) is not None for loop in find(part.node, *LOOPS))


def _place(part: Part) -> int:
    return part.node.start_byte


def indented(text: str, indent: str) -> str:
    """Return lines of which all but the first are indented."""
    return text.replace("\n", "\n" + indent)


def block(lines: Sequence[str], indent: str) -> str:
    """Return lines that stand in front of something at an indentation."""
    return "".join(line + "\n" + indent for line in lines)


def merged(edits: Sequence[Edit[str]]) -> list[Edit[str]]:
    """Return edits with those that put something in joined to the one that begins there."""
    inserted = {edit.start: edit.text for edit in edits if edit.start == edit.end}
    result = []
    for edit in edits:
        if edit.start == edit.end:
            continue
        text = inserted.pop(edit.start, "") + edit.text + inserted.pop(edit.end, "")
        result.append(Edit(edit.start, edit.end, text))
    return [*result, *(Edit(place, place, text) for place, text in inserted.items())]
