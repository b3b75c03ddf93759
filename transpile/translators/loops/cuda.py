"""Sequential C and C++ to CUDA: kernels of the parallel loops, and a host function that is called as ever."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.core import (
    CUDA,
    ArrayFact,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Rejected,
    Replacement,
    Source,
    Unit,
)
from transpile.expressions import names
from transpile.translators.loops.choice import Choice, chosen
from transpile.translators.loops.extents import factor, grouped
from transpile.translators.loops.helpers import calling_copies, copies
from transpile.translators.loops.kernels import Kernel, NoKernel, element, kernel, single
from transpile.translators.loops.outside import Outside, of_host, outside
from transpile.translators.loops.overlaps import Unbounded, apart, changed, overlapping
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.refusal import refusal
from transpile.translators.rules.syntax import INDENT, Edit, Function, called, find, indentation, inside
from transpile.translators.rules.variables import Variable, Variables

_OF_ARRAYS = ("subscript_expression", "pointer_expression")
_CHECK = (
    "const auto check = [](cudaError_t error) {",
    "    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));",
    "};",
)


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device, or why none of them does."""
    text = unit.text.decode("latin-1")
    contract = contracts[0] if contracts else None
    around = outside(source_, unit)
    choice = chosen(text, contract, around)
    function, parts = choice.function, choice.parts
    if not parts or contract is None:
        return refusal(unit, function, [])
    try:
        ported = _Port(Function(text), choice, contract, around).text()
    except NoKernel as why:
        return refusal(unit, function, [Alone(parts[0].nest, str(why))])
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=ported.encode("latin-1")),),
        binding=Binding(name=unit.name, arguments=contract.signature.names),
        dialect=CUDA,
        headers=("<stdexcept>",),
        origin=ByRules(rules=("loops", "cuda", *choice.rules)),
    )


class _Port:
    """A function in the making."""

    def __init__(self, written: Function, choice: Choice, contract: Contract, around: Outside) -> None:
        self.written = written
        self.function = function = choice.function
        self.variables = variables = choice.variables
        self.parts = parts = choice.parts
        self.contract = contract
        self.name = name = function.name.rpartition("::")[2]
        self.kernels = [
            _kernel(function, variables, part, f"{name}_kernel{number or ''}")
            for number, part in enumerate(parts, 1 if len(parts) > 1 else 0)
        ]
        self.arrays = list({item.name: item for made in self.kernels for item in made.arrays}.values())
        called_there = {called(call) for part in parts for call in find(part.node, "call_expression")}
        self.helpers = copies(sorted(called_there & set(around.functions)), around, name)
        self._refuse_between()
        for text in (*self.helpers.values(), *(item.text for item in self.kernels)):
            if lacking := of_host(text):
                raise NoKernel(f"a call of {lacking}")

    def text(self) -> str:
        """Return kernels, the sequential form where arrays may overlap, and the host's function."""
        conditions = self._conditions()
        sequential = self._sequential() if conditions else ""
        kernels = [calling_copies(item.text, self.helpers, self.name) for item in self.kernels]
        parts = [*self.helpers.values(), *kernels, sequential, self._host(conditions)]
        return "\n".join(part for part in parts if part)

    def _conditions(self) -> list[str]:
        """Return when arrays lie apart, over all parts."""
        try:
            found = [item for part in self.parts for item in apart(part, self.contract, self.variables)]
        except Unbounded as why:
            raise NoKernel(str(why)) from why
        return list(dict.fromkeys(found))

    def _sequential(self) -> str:
        """Return the source's function under another name."""
        name = next(node for node in find(self.written.declarator, "identifier"))
        edit = Edit(name.start_byte, name.end_byte, self._sequential_name)
        text = self.written.edited([edit])
        return text if text.lstrip().startswith("static") else f"static {text}\n"

    @property
    def _sequential_name(self) -> str:
        return f"{self.function.name}_sequential"

    def _host(self, conditions: list[str]) -> str:
        function, first, last = self.function, self.parts[0].nest.node, self.parts[-1].nest.node
        indent = indentation(function.text, first.start_byte) or INDENT
        edits = [
            Edit(part.node.start_byte, part.node.end_byte, _indented(self._launch(made), indent))
            for part, made in zip(self.parts, self.kernels, strict=True)
        ]
        before, after = [*_CHECK, *self._copied_in()], self._copied_out()
        # Ahead of all else: what the function does before its loops is not to be done twice.
        start = function.statements[0].start_byte
        if start < first.start_byte:
            edits.append(Edit(start, start, _block(self._fallback(conditions), indent)))
        else:
            before = [*self._fallback(conditions), *before]
        edits.append(Edit(first.start_byte, first.start_byte, _block(before, indent)))
        edits.append(Edit(last.end_byte, last.end_byte, "\n" + indent + _indented("\n".join(after), indent)))
        return function.edited(_merged(edits)) + "\n"

    def _fallback(self, conditions: list[str]) -> list[str]:
        if not conditions:
            return []
        given = ", ".join(item.name for item in self.function.parameters)
        call = f"{self._sequential_name}({given});"
        void = self.contract.signature.returns is None
        leave = [f"{INDENT}{call}", f"{INDENT}return;"] if void else [f"{INDENT}return {call}"]
        head = f"if ({overlapping(conditions, '')}) {{"
        return ["// Arrays that overlap depend on the order of the loops.", *head.split("\n"), *leave, "}"]

    def _copied_in(self) -> list[str]:
        lines = []
        for item in self.arrays:
            name, kind, size = item.name, element(item), f"{item.name}_size"
            lines += [
                f"const size_t {size} = {self._bytes(item)};",
                f"{kind} *{name}_device;",
                f"check(cudaMalloc(&{name}_device, {size}));",
                f"check(cudaMemcpy({name}_device, {self._from(item)}, {size}, cudaMemcpyHostToDevice));",
            ]
        return lines

    def _copied_out(self) -> list[str]:
        written = [item for item in self.arrays if self._written(item)]
        copies = [
            f"check(cudaMemcpy({self._from(item)}, {item.name}_device, {item.name}_size,"
            " cudaMemcpyDeviceToHost));"
            for item in written
        ]
        return copies + [f"check(cudaFree({item.name}_device));" for item in self.arrays]

    def _written(self, variable: Variable) -> bool:
        return any(
            access.write and access.variable is variable
            for part in self.parts
            for access in part.nest.accesses
        )

    def _fact(self, variable: Variable) -> ArrayFact:
        fact = self.contract.array(variable.name)
        if fact is None:
            raise NoKernel(f"the length of `{variable.name}` is not known")
        if changed(self.variables) & {variable.name, *names(fact.extent), *names(fact.before)}:
            raise NoKernel(f"the length of `{variable.name}` is that of another value of its parameters")
        return fact

    def _bytes(self, variable: Variable) -> str:
        fact = self._fact(variable)
        length = fact.extent if fact.before == "0" else f"({fact.before}) + ({fact.extent})"
        return f"{grouped(length)} > 0 ? sizeof({element(variable)}) * {factor(length)} : 0"

    def _from(self, variable: Variable) -> str:
        fact = self._fact(variable)
        return variable.name if fact.before == "0" else f"{variable.name} - {grouped(fact.before)}"

    def _launch(self, made: Kernel) -> str:
        arrays = {item.name for item in made.arrays}
        given = [self._passed(name) if name in arrays else name for name in made.arguments]
        given += [f"{item.name}_total" for item in made.reductions]
        lines: list[str] = []
        for item in made.reductions:
            total, size = f"{item.name}_total", f"sizeof({item.type})"
            lines += [
                f"{item.type} *{total};",
                f"check(cudaMalloc(&{total}, {size}));",
                f"check(cudaMemcpy({total}, &{item.name}, {size}, cudaMemcpyHostToDevice));",
            ]
        lines += [made.launch.replace("ARGUMENTS", ", ".join(given)), "check(cudaGetLastError());"]
        for item in made.reductions:
            total, size = f"{item.name}_total", f"sizeof({item.type})"
            lines += [
                f"check(cudaMemcpy(&{item.name}, {total}, {size}, cudaMemcpyDeviceToHost));",
                f"check(cudaFree({total}));",
            ]
        return "\n".join(lines)

    def _passed(self, name: str) -> str:
        fact = self.contract.array(name)
        ahead = "" if fact is None or fact.before == "0" else f" + {grouped(fact.before)}"
        return f"{name}_device{ahead}"

    def _refuse_between(self) -> None:
        """Raise NoKernel where the host touches arrays or leaves while they are on the device."""
        start, end = self.parts[0].nest.node.start_byte, self.parts[-1].nest.node.end_byte
        for node in find(self.function.body, *_OF_ARRAYS, "return_statement", "identifier"):
            if node.start_byte < start or node.end_byte > end:
                continue
            variable = self.variables.of(node)
            touches = variable is not None and (variable.pointer or variable.array)
            if (touches or node.type != "identifier") and not any(
                inside(node, part.node) for part in self.parts
            ):
                raise NoKernel("the host touches arrays between two parallel loops")


def _kernel(function: Function, variables: Variables, part: Band | Alone, name: str) -> Kernel:
    if isinstance(part, Alone):
        return single(function, variables, part, name)
    try:
        return kernel(function, variables, part, name)
    except NoKernel as why:
        if part.node.id != part.nest.node.id:
            raise
        return single(function, variables, Alone(part.nest, str(why)), name)


def _indented(text: str, indent: str) -> str:
    return text.replace("\n", "\n" + indent)


def _block(lines: Sequence[str], indent: str) -> str:
    return "".join(line + "\n" + indent for line in lines)


def _merged(edits: Sequence[Edit]) -> list[Edit]:
    """Return edits with those that put something in joined to the one that begins there."""
    inserted = {edit.start: edit.text for edit in edits if edit.start == edit.end}
    result = []
    for edit in edits:
        if edit.start == edit.end:
            continue
        text = inserted.pop(edit.start, "") + edit.text + inserted.pop(edit.end, "")
        result.append(Edit(edit.start, edit.end, text))
    return [*result, *(Edit(place, place, text) for place, text in inserted.items())]
