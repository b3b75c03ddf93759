"""Kernels whose threads meet: blocks in parallel, the threads of a block as loops between barriers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tree_sitter import Node

from transpile.translators.rules.coordinates import BLOCKS, THREADS, Reader
from transpile.translators.rules.draft import Draft
from transpile.translators.rules.effects import calls, has_barrier
from transpile.translators.rules.emission import Emission
from transpile.translators.rules.launchnames import LaunchNames
from transpile.translators.rules.layout import assemble
from transpile.translators.rules.peel import Peeler
from transpile.translators.rules.pieces import Cutter, Piece
from transpile.translators.rules.polynomial import LAUNCH
from transpile.translators.rules.refusal import refuse
from transpile.translators.rules.sharedmemory import SharedArray, shared_arrays
from transpile.translators.rules.storage import decide
from transpile.translators.rules.syntax import Function, find, indent_unit, indentation, source
from transpile.translators.rules.uniformity import Uniformity
from transpile.translators.rules.variables import Variable, Variables


def blocks(draft: Draft) -> Draft:
    """Turn a kernel into a loop over its blocks, with loops over the threads between its barriers."""
    function = draft.function
    if not LAUNCH.search(draft.text) and not has_barrier(function.body) and "__shared__" not in draft.text:
        return draft
    if any(True for _ in find(function.body, "preproc_if", "preproc_ifdef")):
        refuse("TP207", function.body, "statements under #if in a kernel that is cut into pieces")
    return _Blocks(draft, function).done()


@dataclass(slots=True)
class _Blocks:
    """The work on one kernel."""

    draft: Draft
    function: Function
    variables: Variables = field(init=False)
    reader: Reader = field(init=False)
    names: LaunchNames = field(init=False)

    def __post_init__(self) -> None:
        self.variables = self.draft.variables(self.function)
        self.reader = Reader(self.function, self.variables)

    def done(self) -> Draft:
        """Return the draft as a loop over blocks."""
        _refuse_volatile(self.function)
        shared = shared_arrays(self.function, self.variables)
        own = self._own_names()
        self.names = LaunchNames.choose(self.function, {q: (v.name, _kind(v)) for q, v in own.items()})
        dropped = {v.declaration.id for v in own.values()} | {a.variable.declaration.id for a in shared}
        statements = self.function.statements
        uniformity = Uniformity(statements, self.variables, has_barrier)
        cutter = Cutter(uniformity, has_barrier, _is_barrier, dropped=dropped)
        peeler = Peeler(self.variables, uniformity, self.reader, self.names.axes["thread"])
        pieces = peeler.peel(cutter.cut(statements))
        emission = Emission(
            draft=self.draft,
            function=self.function,
            variables=self.variables,
            names=self.names,
            uniformity=uniformity,
            storage=decide(pieces, self.variables, uniformity),
            peeler=peeler,
            loop_variables=frozenset(id(v) for q, v in own.items() if q.startswith("threadIdx")),
        )
        unit = indent_unit(self.function)
        outer = indentation(self.function.text, self.function.body.end_byte - 1)
        lines = self._around(emission, pieces, shared, outer + unit, unit)
        extra = [*self.names.parameters()]
        if any(array.dynamic for array in shared):
            extra.append(("size_t shared_bytes", "dynamicShared"))
            emission.headers.add("<vector>")
        text = assemble(self.function, [declaration for declaration, _ in extra], lines)
        local = frozenset(array.variable.name for array in shared) | self._aliases(shared)
        result = self.draft.after("blocks", text, *emission.headers)
        return replace(result, extra=tuple(extra), block_local=local, parallel=bool(self.names.axes["block"]))

    def _own_names(self) -> dict[str, Variable]:
        """Return the kernel's own variables that hold a thread or block index, by quantity."""
        found: dict[str, Variable] = {}
        for variable in self.variables.all:
            parent = variable.declaration.parent
            if parent is None or parent.id != self.function.body.id:
                continue
            coordinate = self.reader.formula(variable)
            for base, table in (("threadIdx", THREADS), ("blockIdx", BLOCKS)):
                for axis, known in table.items():
                    if coordinate == known:
                        found.setdefault(f"{base}.{axis}", variable)
        return found

    def _around(
        self, emission: Emission, pieces: list[Piece], shared: list[SharedArray], indent: str, unit: str
    ) -> list[str]:
        """Return the body: loops over the blocks, the shared arrays, then the pieces."""
        axes = self.names.axes["block"]
        emission.leave = "continue" if axes else "return"
        deeper = indent + unit * max(len(axes), 0)
        body = [deeper + line for array in shared for line in array.lines(self.function.text, self.names)]
        body += emission.lines(pieces, deeper, unit)
        if not axes:
            return body
        clause = f" collapse({len(axes)})" if len(axes) > 1 else ""
        lines = [f"{indent}#pragma omp parallel for{clause}"]
        for level, axis in enumerate(axes):
            name, kind = self.names.names[f"blockIdx.{axis}"], self.names.types[f"blockIdx.{axis}"]
            count = self.names.of(f"gridDim.{axis}")
            opening = " {" if level == len(axes) - 1 else ""
            lines.append(
                f"{indent}{unit * level}for ({kind} {name} = 0; {name} < {count}; ++{name}){opening}"
            )
        return [*lines, *body, f"{indent}{unit * (len(axes) - 1)}}}"]

    def _aliases(self, shared: list[SharedArray]) -> frozenset[str]:
        """Return the pointers that are computed from shared arrays."""
        names = {array.variable.name for array in shared}
        for variable in self.variables.all:
            if variable.pointer and variable.initializer is not None and variable.constant:
                if any(source(item) in names for item in find(variable.initializer, "identifier")):
                    names.add(variable.name)
        return frozenset(names)


def _kind(variable: Variable) -> str:
    kind = variable.type.replace("const ", "").replace("constexpr ", "").strip()
    return "int" if kind == "auto" else kind


def _is_barrier(statement: Node) -> bool:
    if statement.type != "expression_statement" or not statement.named_children:
        return False
    call = statement.named_children[0]
    return call.type == "call_expression" and [name for name, _ in calls(call)] == ["__syncthreads"]


def _refuse_volatile(function: Function) -> None:
    for node in find(function.body, "type_qualifier"):
        if source(node) == "volatile":
            refuse("TP202", node, "volatile data exchanged between lanes without a barrier")
