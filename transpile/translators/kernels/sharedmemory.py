"""Shared memory as arrays of the block."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import apply_outermost
from transpile.code.syntax import Function, field, source
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.launchnames import LaunchNames


@dataclass(frozen=True, slots=True)
class SharedArray:
    """One shared variable and how it is used."""

    variable: Variable
    dynamic: bool
    converted: bool
    """Used as a pointer of its own type or another, not only by index."""

    def lines(self, text: str, names: LaunchNames) -> list[str]:
        """Return the declarations that stand for it in the loop over blocks."""
        kind, name = self.variable.type, self.variable.name
        if not self.dynamic:
            declarator = self.variable.declarator
            shape = apply_outermost(text, names.edits(declarator), declarator.start_byte, declarator.end_byte)
            return [f"{_alignment(self.variable.declaration)}{kind} {shape};"]
        size = "shared_bytes" if kind in ("char", "unsigned char") else f"shared_bytes / sizeof({kind})"
        if not self.converted:
            return [f"std::vector<{kind}> {name}({size});"]
        return [f"std::vector<{kind}> {name}_storage({size});", f"{kind} *{name} = {name}_storage.data();"]


def _alignment(declaration: Node) -> str:
    """Return the alignment that a declaration begins with, if any."""
    given = (source(child) for child in declaration.children)
    return "".join(f"{text} " for text in given if text.startswith("alignas"))


def shared_arrays(function: Function, variables: Variables) -> list[SharedArray]:
    """Return the shared variables of a kernel, in order."""
    found = []
    for variable in variables.all:
        if variable.shared:
            dynamic = source(variable.declaration).lstrip().startswith("extern")
            found.append(SharedArray(variable, dynamic, any(not _indexed(use) for use in variable.uses)))
    return found


def _indexed(use: Node) -> bool:
    parent = use.parent
    return (
        parent is not None
        and parent.type == "subscript_expression"
        and field(parent, "argument").id == use.id
    )
