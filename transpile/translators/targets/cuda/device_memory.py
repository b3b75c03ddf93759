"""A function ported to CUDA whose arrays are on the device already: it launches, and copies nothing but sums.

It stands beside the source's function, which goes on being called with memory of the host.
"""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import (
    INDENT,
    Function,
    find,
    indentation,
    operator,
    quoted,
    replace,
)
from transpile.core import Contract
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.planning.overlaps import apart, overlapping
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.draft import CHECK, Draft, block, indented, merged
from transpile.translators.targets.cuda.idle import without_idle
from transpile.translators.targets.cuda.kernels import Kernel
from transpile.translators.targets.cuda.single import single

SUFFIX = "_device"
_TESTS = ("!", "==", "!=", "&&", "||")
_OVERLAP = "Arrays that overlap depend on the order of the loops."


class OnDeviceMemory(Draft):
    """A port with the source's signature and another name: what its kernels touch is memory of the device."""

    def __init__(
        self,
        written: Function,
        choice: Choice,
        contract: Contract,
        around: EnclosingScope,
        *,
        tiles: bool = False,
    ) -> None:
        """Make the kernels; raises Refused where the host needs what is on the device."""
        super().__init__(written, choice, contract, around, tiles=tiles)
        if "::" in self.function.name:
            raise Refused(
                SEQUENTIAL, f"`{self.function.name}` is a member, beside which no function can be added"
            )
        self._refuse_objects()
        self._refuse_on_host()

    def text(self) -> str:
        """Return kernels, those of one thread where arrays may overlap, and the function of the host."""
        kernels, edits = [], []
        for part, made in zip(self.parts, self.kernels, strict=True):
            conditions = self._conditions(part)
            ordered = self._ordered(part, made) if conditions else None
            kernels += [made] if ordered is None else [made, ordered]
            edits.append(replace(part.node, self.placed(part.node, self._chosen(made, ordered, conditions))))
        return self.joined(kernels, self._function(edits))

    def passed(self, name: str) -> str:
        """Return the array itself."""
        return name

    def _conditions(self, part: Band | SequentialNest) -> list[str]:
        """Return when the arrays of a part lie apart, where that matters."""
        if isinstance(part, SequentialNest):
            return []
        return apart(part, self.contract, self.variables)

    def _ordered(self, part: Band | SequentialNest, made: Kernel) -> Kernel:
        """Return a part as the work of one thread, in the order of the source."""
        name = f"{made.name}_sequential"
        return single(self.function, self.variables, part, name, "arrays overlap", bringing=True)

    def _chosen(self, made: Kernel, ordered: Kernel | None, conditions: list[str]) -> str:
        if ordered is None:
            return self.launch(made)
        return (
            f"// {_OVERLAP}\n"
            f"if ({overlapping(conditions, '')}) {{\n{INDENT}{indented(self.launch(ordered), INDENT)}\n"
            f"}} else {{\n{INDENT}{indented(self.launch(made), INDENT)}\n}}"
        )

    def _function(self, edits: list[Edit[str]]) -> str:
        function = self.function
        name = next(find(function.declarator, "identifier"))
        start = function.statements[0].start_byte
        indent = indentation(function.text, start) or INDENT
        text = function.edited(
            merged([replace(name, function.name + SUFFIX), Edit(start, start, block(CHECK, indent)), *edits])
        )
        told = ", ".join(f"`{item.name}`" for item in self.arrays)
        text = without_idle(text, self.variables)
        return (f"// Memory of the device: {told}.\n" if told else "") + text + "\n"

    def _refuse_objects(self) -> None:
        """Raise Refused where kernels reach what is no buffer of a call, but made of some."""
        buffers = {item.name for item in self.contract.signature.parameters if item.pointer}
        for item in self.arrays:
            if item.name not in buffers:
                raise Refused(SEQUENTIAL, f"`{item.name}` points to a host object")

    def _refuse_on_host(self) -> None:
        """Raise Refused where the host asks more of an array of the device than whether it is there."""
        arrays = {id(item) for item in self.arrays}
        for node in find(self.function.body, "identifier"):
            variable = self.variables.of(node)
            if id(variable) in arrays and self.on_host(node) and not _is_asked_for(node):
                raise Refused(SEQUENTIAL, f"host code accesses {quoted(node)}, which is device memory")


def _is_asked_for(node: Node) -> bool:
    """Tell whether a pointer is an operand of a test."""
    user = node.parent
    while user is not None and user.type == "parenthesized_expression":
        user = user.parent
    return user is not None and (
        user.type in ("condition_clause", "if_statement")
        or (user.type in ("unary_expression", "binary_expression") and operator(user) in _TESTS)
    )
