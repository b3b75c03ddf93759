"""Kernels whose threads meet: blocks in parallel, the threads of a block as loops between barriers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.names import unqualified
from transpile.code.polynomial import LAUNCH
from transpile.code.syntax import (
    Function,
    arguments,
    find,
    indent_unit,
    indentation,
    outside_lambdas,
    quoted,
    source,
)
from transpile.code.variables import Variable, Variables
from transpile.core import ShapeDependent, Unbounded
from transpile.translators.kernels.block_emission import BlockEmission
from transpile.translators.kernels.coordinates import BLOCKS, THREADS, Reader
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import adds_up, calls, has_barrier, joins
from transpile.translators.kernels.launchnames import LaunchNames
from transpile.translators.kernels.laws import block_size
from transpile.translators.kernels.layout import assemble
from transpile.translators.kernels.peel import Peeler
from transpile.translators.kernels.pieces import Cutter, Leave, Once, Piece
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.sharedmemory import SharedArray, shared_arrays
from transpile.translators.kernels.storage import decide, stable
from transpile.translators.kernels.teams import BlockTeam
from transpile.translators.kernels.uniformity import NAMING, Uniformity, loads

CONDITIONAL = "TP207"
"""Code of kernels that are not cut into pieces since parts of them are compiled under conditions."""
_MENTIONS_BLOCKS = re.compile(r"\b(blockIdx|gridDim)\b")
_MENTIONS_THREADS = re.compile(r"\b(threadIdx|blockDim)\b")


def blocks(draft: Draft) -> Draft:
    """Turn a kernel into a loop over its blocks, with loops over the threads between its barriers."""
    function = draft.function
    meets = has_barrier(function.body) or "__shared__" in code(draft.text)
    alone = draft.placed or not adds_up(function.body, draft.law)
    if not meets and not LAUNCH.search(code(draft.text)) and alone:
        return draft
    if any(True for _ in find(function.body, "preproc_if", "preproc_ifdef")):
        refuse(CONDITIONAL, function.body, "`#if` in the body of a kernel with barriers")
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
        known = {q: (v.name, _kind(v)) for q, v in own.items()}
        self.names = LaunchNames.choose(self.function, known, self._counted(shared))
        dropped = {v.declaration.id for v in own.values()} | {a.variable.declaration.id for a in shared}
        statements = self.function.statements
        uniformity = Uniformity(
            statements, self.variables, joins, excluded=_set_behind_returns(statements, self.variables)
        )
        cutter = Cutter(
            uniformity,
            joins,
            _is_barrier,
            waits=has_barrier,
            stable=lambda node: stable(node, self.variables, uniformity),
            dropped=dropped,
        )
        peeler = Peeler(self.variables, uniformity, self.reader, self.names.axes["thread"])
        cut = cutter.cut(statements)
        peeled = peeler.peel(cut)
        counting = _counting(self.variables, peeler, peeled)
        kept = decide(peeled, self.variables, uniformity, settled=counting).expanded
        # What needs an array anyway does not keep thread 0 from working alone.
        peeler.kept = frozenset(id(v) for v in kept)
        pieces = peeler.peel(cut)
        own_threads = frozenset(id(v) for q, v in own.items() if q.startswith("threadIdx"))
        emission = BlockEmission(
            draft=self.draft,
            function=self.function,
            variables=self.variables,
            team=BlockTeam(
                self.names,
                own_threads,
                self.variables,
                fixed=block_size(self.draft.law, self.names.axes["thread"]),
            ),
            uniformity=uniformity,
            storage=decide(
                pieces, self.variables, uniformity, settled=_counting(self.variables, peeler, pieces)
            ),
            peeler=peeler,
            taken=own_threads,
        )
        unit = indent_unit(self.function)
        outer = indentation(self.function.text, self.function.body.end_byte - 1)
        lines = self._around(emission, pieces, shared, outer + unit, unit)
        extra = [*self._sizes()]
        if any(array.dynamic for array in shared):
            extra.append(("size_t shared_bytes", "dynamicShared"))
            emission.headers.add("<vector>")
        conditions = [f"{outer}{unit}assert({text});" for text in self._preconditions(emission)]
        if conditions:
            emission.headers.add("<cassert>")
        text = assemble(self.function, [declaration for declaration, _ in extra], [*conditions, *lines])
        local = frozenset(array.variable.name for array in shared) | self._aliases(shared)
        result = self.draft.after("blocks", text, *emission.headers)
        return replace(result, extra=tuple(extra), block_local=local, parallel=bool(self.names.axes["block"]))

    def _sizes(self) -> Iterator[tuple[str, str]]:
        """Yield the parameters for the launch; where no thread is told from another, for all axes at once."""
        alike = not LAUNCH.search(code(self.draft.text))
        for declaration, value in self.names.parameters():
            name, _, axis = value.partition(".")
            whole = alike and axis == "x" and name in ("gridDim", "blockDim")
            yield declaration, " * ".join(f"{name}.{other}" for other in "xyz") if whole else value

    def _counted(self, shared: list[SharedArray]) -> frozenset[str]:
        """Return the axes that count without being mentioned: every thread adds to something, or prints."""
        names = {array.variable.name for array in shared}
        atomic = [call for name, call in calls(self.function.body) if name.startswith("atomic")]
        everywhere = [
            call
            for call in atomic
            if not any(source(item) in names for item in find(arguments(call)[0], "identifier"))
        ]
        text = code(self.draft.text)
        alike = "printf" in text or not LAUNCH.search(text)
        again = isinstance(self.draft.law, Unbounded) and alike
        needed = {"blockIdx.x"} if (everywhere or again) and not _MENTIONS_BLOCKS.search(text) else set()
        if (atomic or again) and not _MENTIONS_THREADS.search(text):
            needed.add("threadIdx.x")
        return frozenset(needed)

    def _preconditions(self, emission: BlockEmission) -> list[str]:
        """Return what the port relies on: whole warps, and the relations that launches were seen to keep."""
        found = []
        if emission.whole_warps:
            found.append(f"{self.names.names['blockDim.x']} % 32 == 0")
        known = {p.name for p in self.function.parameters}
        relations = self.draft.law.relations if isinstance(self.draft.law, ShapeDependent) else ()
        for relation in relations:
            quantities = {".".join(match.groups()) for match in LAUNCH.finditer(relation)}
            rest = set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", LAUNCH.sub("", relation)))
            if quantities <= self.names.used and rest <= known:
                found.append(LAUNCH.sub(lambda m: self.names.names[".".join(m.groups())], relation))
        return list(dict.fromkeys(found))

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
        self, emission: BlockEmission, pieces: list[Piece], shared: list[SharedArray], indent: str, unit: str
    ) -> list[str]:
        """Return the body: loops over the blocks, the shared arrays, then the pieces."""
        axes = self.names.axes["block"]
        emission.leave = "continue" if axes else "return"
        deeper = indent + unit * max(len(axes), 0)
        first = _leading(pieces, [array.variable for array in shared], self.variables)
        arrays = [deeper + line for array in shared for line in array.lines(self.function.text, self.names)]
        body = emission.lines(pieces, deeper, unit, arrays, first)
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
            if not variable.pointer or variable.initializer is None or not variable.constant:
                continue
            if any(source(item) in names for item in find(variable.initializer, "identifier")):
                names.add(variable.name)
        return frozenset(names)


def _leading(pieces: list[Piece], shared: list[Variable], variables: Variables) -> int:
    """Return how many pieces come before shared memory: up to the last early return, length or type of it."""
    names = {variable.name for variable in shared}
    lengths = {v.declaration.id for array in shared for v in variables.used_in(array.declarator)}
    last = 0
    for index, piece in enumerate(pieces):
        if not isinstance(piece, Once | Leave):
            break
        if any(source(item) in names for item in find(piece.statement, "identifier")):
            break
        named = piece.statement.type in NAMING
        if isinstance(piece, Leave) or named or piece.statement.id in lengths:
            last = index + 1
    return last


def _counting(variables: Variables, peeler: Peeler, pieces: list[Piece]) -> frozenset[int]:
    """Return the variables that only count in loops which the threads share out."""
    declarations = set(peeler.counters(pieces))
    return frozenset(id(v) for v in variables.all if v.declaration.id in declarations)


def _kind(variable: Variable) -> str:
    kind = unqualified(variable.type)
    return "int" if kind == "auto" else kind


def _is_barrier(statement: Node) -> bool:
    if statement.type != "expression_statement" or not statement.named_children:
        return False
    call = statement.named_children[0]
    return call.type == "call_expression" and [name for name, _ in calls(call)] == ["__syncthreads"]


def _set_behind_returns(statements: list[Node], variables: Variables) -> frozenset[int]:
    """Return the variables that get a value behind a return, in a kernel without barriers.

    What threads have in common is computed once, before they part. Behind a return, that would cut a loop
    over threads which nothing else cuts.
    """
    if any(map(joins, statements)):
        return frozenset()
    returns = (next(outside_lambdas(item, "return_statement"), None) for item in statements)
    first = next((item.start_byte for item in returns if item is not None), None)
    if first is None:
        return frozenset()
    return frozenset(id(v) for v in variables.all if any(place.start_byte > first for place in _settings(v)))


def _settings(variable: Variable) -> Iterator[Node]:
    """Yield what gives a variable its values, but for a beginning that no memory decides."""
    yield from variable.writes
    if variable.initializer is not None and loads(variable.initializer):
        yield variable.initializer


def _refuse_volatile(function: Function) -> None:
    for node in find(function.body, "type_qualifier"):
        if source(node) == "volatile":
            data = quoted(node.parent if node.parent is not None else node)
            refuse("TP202", node, f"lanes exchange data without a barrier through {data}")
