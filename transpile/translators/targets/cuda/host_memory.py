"""A function ported to CUDA that is called as ever: it copies arrays to the device and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import Polynomial
from transpile.code.polynomial import spelled as written
from transpile.code.syntax import (
    INDENT,
    Function,
    called,
    field,
    find,
    indentation,
    quoted,
    replace,
    source,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.core import SUPPOSED, ArrayFact, Contract
from transpile.expressions import names
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.dependence.places import name_of
from transpile.translators.loops.lengths.guards import asked_pointers
from transpile.translators.loops.lengths.inspectors import HEADERS
from transpile.translators.loops.lengths.iterations import UNCONDITIONAL, Condition
from transpile.translators.loops.lengths.local_pointers import address, leads_into
from transpile.translators.loops.lengths.resolution import Length, Lengths, lengthened
from transpile.translators.loops.lengths.slices import CHANGES
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.planning.fallback import in_order, left_in_order
from transpile.translators.loops.planning.overlaps import apart, changed, moves
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.extents import compares, factor, grouped, in_rows
from transpile.translators.loops.symbols.extents import spelled as spelled_length
from transpile.translators.loops.symbols.members import spelled
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.declarations import declared, element, rows
from transpile.translators.targets.cuda.draft import CHECK, Draft, block, indented, merged
from transpile.translators.targets.cuda.elements import copied, definition, names_array, read_by_host
from transpile.translators.targets.cuda.file_scope import with_file_scope
from transpile.translators.targets.cuda.idle import without_idle
from transpile.translators.targets.cuda.region import region
from transpile.translators.targets.cuda.remainders import remainders

_OF_ARRAYS = ("subscript_expression", "pointer_expression")


class OnHostMemory(Draft):
    """A port with the source's signature and meaning."""

    def __init__(
        self,
        written: Function,
        choice: Choice,
        contract: Contract,
        around: EnclosingScope,
        *,
        tiles: bool = False,
    ) -> None:
        """Make the kernels; raises Refused where the host needs arrays while they are on the device."""
        self._region = region(choice.function, choice.parts)
        self._around = around
        self.given = contract
        super().__init__(written, choice, contract, around, tiles=tiles)
        own = {id(item) for item in choice.variables.all}
        self._at_file_scope = [item for item in self.variables.all if id(item) not in own]
        self._refuse_file_scope()
        self._refuse_between()

    def text(self) -> str:
        """Return kernels, the sequential form where arrays may overlap, and the host's function."""
        signs, conditions = self._signs(), self._conditions()
        sequential = in_order(self.written) if signs or conditions else ""
        return self.joined(self.kernels, sequential, self._host(conditions, signs))

    @property
    def headers(self) -> tuple[str, ...]:
        """Return what the function of the host needs, to copy elements as well."""
        compared = any(item.inspector for item in self.lengths.values()) or any(
            compares(self._length(item)) for item in self.arrays if not item.array
        )
        more = (*(("<type_traits>",) if self._read else ()), *(HEADERS if compared else ()))
        return (*super().headers, *more)

    @property
    def supposed(self) -> tuple[str, ...]:
        """Return what callers' arrays have to be, beyond what the source asks of every one of them."""
        found = ((item.name, self.lengths.get(item.name)) for item in self.arrays)
        return tuple(
            f"{SUPPOSED}{name} has {length.text} elements"
            for name, length in found
            if length is not None and length.assumed
        )

    def measured(self, parts: Sequence[Part], setting: Setting) -> Contract:
        """Return the contract with lengths by the text, or by inspectors; raises Refused."""
        pointed = {access.base for part in parts for access in part.nest.accesses}
        nodes = [part.nest.node for part in parts]
        self._asked = {name for node in nodes for name in asked_pointers(node, setting.variables)}
        found = Lengths(setting, [part.nest for part in parts], self._region.statements)
        given = [item for item in self.variables.all if item.parameter and item.name in pointed]
        self.lengths: dict[str, Length] = {}
        for item in given:
            fact = self.given.array(item.name)
            if fact is not None:
                try:
                    self.lengths[item.name] = found.of(item, fact)
                except Refused as why:
                    told = f"the length of `{item.name}` is not known before the loops"
                    raise Refused(SEQUENTIAL, f"{told}: {why}") from why
        return lengthened(self.given, self.lengths)

    def named(self, choice: Choice, contract: Contract, around: EnclosingScope) -> Variables:
        """Return the function's variables, and those at file scope, of which kernels have copies."""
        return with_file_scope(choice, contract, around)

    def between(self, parts: Sequence[Part], setting: Setting) -> Iterable[SequentialNest]:
        """Return what the host does to arrays while they are on the device."""
        return remainders(self._region.statements, parts, setting, self.variables)

    def _signs(self) -> list[str]:
        """Return what is asked of the caller's numbers: when iterations do not meet, when lengths hold."""
        bands = (part for part in self.parts if isinstance(part, Band))
        signs = [sign for band in bands for known in band.loops for sign in known.signs]
        asks = (spelled(text, self.contract) for item in self.lengths.values() for text in item.asks)
        signs += [text for text in asks if f"{text.removesuffix('>= 0')}>= 1" not in signs]
        return list(dict.fromkeys(signs))

    def _conditions(self) -> list[str]:
        """Return when arrays lie apart: what one kernel writes, another one may read under another name."""
        touched = (access for part in self.parts for access in part.nest.accesses)
        read = (
            Access(name_of(variable), variable, (None,), write=False, node=name)
            for name, _ in self._read
            if (variable := self.variables.of(name)) is not None and variable.parameter
        )
        whole = Nest(self.function.body, (), (*touched, *read))
        return apart(SequentialNest(whole, ""), self.contract, self.variables)

    def _host(self, conditions: list[str], signs: list[str]) -> str:
        function, first, last = self.function, self._region.first, self._region.last
        indent = indentation(function.text, first.start_byte) or INDENT
        edits = [
            replace(part.node, self.placed(part.node, self.launch(made)))
            for part, made in zip(self.parts, self.kernels, strict=True)
        ]
        name = free_name(function.identifiers, "element")
        edits += [
            replace(element, copied(element, pointer, name, self.passed(source(pointer))))
            for pointer, element in self._read
            if self.variables.of(pointer) in self.arrays
        ]
        made = definition(name) if self._read else ()
        before, after = [*CHECK, *made, *self._copied_in()], self._copied_out()
        given = self.contract.signature
        ordered = left_in_order(function, given, conditions, signs) if signs or conditions else []
        inspected = [line for item in self.arrays for line in self._inspector(item)]
        if ordered and any(self._is_local(item) for item in self.arrays):
            self._refuse_effects(start=function.statements[0], end=first)
            before = [*inspected, *ordered, *before]
            ordered = []
        else:
            before = [*inspected, *before]
        # Ahead of all else: what the function does before its loops is not to be done twice.
        start = function.statements[0].start_byte
        if ordered and start < first.start_byte:
            edits.append(Edit(start, start, block(ordered, indent)))
        else:
            before = [*ordered, *before]
        edits.append(Edit(first.start_byte, first.start_byte, block(before, indent)))
        edits.append(Edit(last.end_byte, last.end_byte, "\n" + indent + indented("\n".join(after), indent)))
        return without_idle(function.edited(merged(edits)), self.variables) + "\n"

    def _inspector(self, variable: Variable) -> tuple[str, ...]:
        length = self.lengths.get(variable.name)
        return length.inspector if length is not None and not variable.array else ()

    def _is_local(self, variable: Variable) -> bool:
        """Tell whether a length is known only where the loops begin."""
        length = self.lengths.get(variable.name)
        return length is not None and length.local

    def _refuse_effects(self, *, start: Node, end: Node) -> None:
        """Raise Refused where what comes before the loops is not to be done twice."""
        for node in self.function.statements:
            if start.start_byte <= node.start_byte < end.start_byte and any(
                not self._may_be_repeated(item) for item in find(node, "call_expression", *CHANGES)
            ):
                raise Refused(SEQUENTIAL, f"lengths of arrays depend on {quoted(node)}, ahead of the loops")

    def _may_be_repeated(self, effect: Node) -> bool:
        """Tell whether a call only computes, or nothing but a variable of the function is set."""
        if effect.type == "call_expression":
            return self._around.calls(called(effect))
        target = effect.child_by_field_name("left") or field(effect, "argument")
        variable = self.variables.of(unparenthesized(target))
        return variable is not None and not (
            variable.parameter or variable.static or variable.reference or variable.array or variable.escapes
        )

    def _copied_in(self) -> list[str]:
        lines = []
        for item in self.arrays:
            copied, size = self._beside(item.name, "device"), self._beside(item.name, "size")
            lines += [
                *self._sized(item, size),
                f"{declared(item, copied)};",
                f"check(cudaMalloc(&{copied}, {size}));",
            ]
            if not self._is_temporary(item):
                copy = f"{copied}, {self._from(item)}, {size}, cudaMemcpyHostToDevice"
                lines.append(f"check(cudaMemcpy({copy}));")
        return lines

    def _is_temporary(self, variable: Variable) -> bool:
        """Tell whether an array is of the function alone, and nothing but kernels touches it."""
        if not variable.array or variable.initializer is not None or variable in self._at_file_scope:
            return False
        return not any(self.on_host(use) for use in variable.uses)

    def _copied_out(self) -> list[str]:
        written = [item for item in self.arrays if self._written(item) and not self._is_temporary(item)]
        copies = [
            f"check(cudaMemcpy({self._from(item)}, {self._beside(item.name, 'device')},"
            f" {self._beside(item.name, 'size')}, cudaMemcpyDeviceToHost));"
            for item in written
        ]
        return copies + [f"check(cudaFree({self._beside(item.name, 'device')}));" for item in self.arrays]

    def _beside(self, name: str, what: str) -> str:
        """Return what the host calls something that belongs to an array: no name of the function's."""
        return free_name(self.function.identifiers, f"{name}_{what}")

    def _written(self, variable: Variable) -> bool:
        name = variable.name if variable in self._at_file_scope else name_of(variable)
        touched = (access for part in self.parts for access in part.nest.accesses)
        return any(access.write and access.base == name for access in touched)

    def _fact(self, variable: Variable) -> ArrayFact:
        fact = self.contract.array(variable.name)
        if fact is None:
            raise Refused(SEQUENTIAL, f"the length of `{variable.name}` is not known")
        used = {variable.name, *names(fact.extent), *names(fact.before)}
        if moves(used, changed(self.variables, self.contract)):
            raise Refused(
                SEQUENTIAL, f"the length of `{variable.name}` depends on parameters that the function changes"
            )
        return fact

    def _sized(self, variable: Variable, size: str) -> tuple[str, ...]:
        """Return the lines that say how many bytes an array has."""
        if variable.array:
            return (f"const size_t {size} = sizeof({variable.name});",)
        if not rows(variable):
            return (f"const size_t {size} = {self._bytes(variable)};",)
        name = self._beside(variable.name, "bytes")
        return (
            f"const long long {name} = {self._bytes_of_rows(variable)};",
            f"const size_t {size} = {self._exists(variable, name)} ? {name} : 0;",
        )

    def _bytes_of_rows(self, variable: Variable) -> str:
        """Return how many bytes an array of rows has, by their length in any build."""
        fact = self._fact(variable)
        [parameter] = [item for item in self.contract.signature.parameters if item.name == variable.name]
        if not all(length.isdigit() for length in parameter.row):
            raise Refused(SEQUENTIAL, f"`{variable.name}` has rows whose length is not a constant")
        counts = in_rows([int(length) for length in parameter.row], fact.extent)
        if counts is None or fact.before != "0":
            raise Refused(SEQUENTIAL, f"the number of rows of `{variable.name}` is not known")
        terms = [
            _product(f"sizeof({'*' * at}{variable.name})", count)
            for at, count in enumerate(counts, 1)
            if count
        ]
        return spelled("".join(terms).removeprefix(" + ") or "0", self.contract)

    def _bytes(self, variable: Variable) -> str:
        fact = self._fact(variable)
        if self._inspector(variable):
            return f"sizeof({element(variable)}) * {fact.extent}"
        return spelled(self._size_of(variable, self._length(variable)), self.contract)

    def _length(self, variable: Variable) -> str:
        """Return how many elements an array has, with those before where its pointer leads."""
        fact = self._fact(variable)
        return fact.extent if fact.before == "0" else f"({fact.before}) + ({fact.extent})"

    def _size_of(self, variable: Variable, length: str) -> str:
        """Return how many bytes so many elements have; a length that chooses is worked out once."""
        size = f"sizeof({element(variable)})"
        if not compares(length):
            return f"{self._exists(variable, length)} ? {size} * {factor(length)} : 0"
        asked = " && ".join(self._condition(variable).comparisons)
        bytes_of = f"{size} * std::max<long long>(0, {spelled_length(length)})"
        return f"{asked} ? {bytes_of} : 0" if asked else bytes_of

    def _condition(self, variable: Variable) -> Condition:
        known = self.lengths.get(variable.name)
        return known.condition if known is not None else UNCONDITIONAL

    def _exists(self, variable: Variable, length: str) -> str:
        """Return the comparisons without which the loops reach nothing of an array."""
        asked = self._condition(variable)
        own = () if asked.sufficient else (f"{grouped(length)} > 0",)
        return " && ".join((*asked.comparisons, *own))

    def _from(self, variable: Variable) -> str:
        if variable.array:
            return variable.name
        fact = self._fact(variable)
        return variable.name if fact.before == "0" else f"{variable.name} - {grouped(fact.before)}"

    def passed(self, name: str) -> str:
        """Return the array's copy on the device."""
        fact = self.contract.array(name)
        ahead = "" if fact is None or fact.before == "0" else f" + {grouped(fact.before)}"
        copy = f"{self._beside(name, 'device')}{ahead}"
        # A copy leads somewhere, whatever the caller's pointer does.
        return f"{name} ? {copy} : nullptr" if name in self._asked else copy

    @cached_property
    def _read(self) -> list[tuple[Node, Node]]:
        """Return what elements the host reads while arrays are on the device, behind the pointers' names."""
        names = [node for node in find(self.function.body, "identifier") if self._between(node)]
        read = [(name, read_by_host(name, self.variables, self._around)) for name in names]
        return [(name, element) for name, element in read if element is not None]

    def _between(self, node: Node) -> bool:
        return node in self._region and self.on_host(node)

    def _refuse_file_scope(self) -> None:
        """Raise Refused where an array is no longer, or not yet, the one that kernels have a copy of."""
        for item in self.arrays:
            if item in self._at_file_scope:
                calls = find(self.function.body, "call_expression")
                if any(self._between(call) and not self._around.calls(called(call)) for call in calls):
                    raise Refused(SEQUENTIAL, f"a call between two parallel loops may reach `{item.name}`")
            elif item.array and item.declaration.end_byte > self._region.first.start_byte:
                raise Refused(SEQUENTIAL, f"`{item.name}` is host memory")

    def _refuse_between(self) -> None:
        """Raise Refused where the host leaves, or does more than to read, while arrays are on the device."""
        read = {item.id for _, element in self._read for item in find(element, *_OF_ARRAYS, "identifier")}
        followed = (item for item in self.variables.all if leads_into(item, self.variables) is not None)
        read |= {node.id for item in followed for node in address(item)}
        for node in find(self.function.body, *_OF_ARRAYS, "return_statement", "identifier"):
            if not self._between(node) or node.id in read:
                continue
            if node.type == "return_statement":
                raise Refused(SEQUENTIAL, f"the function may end between two parallel loops: {quoted(node)}")
            if node.type != "identifier" or names_array(node, self.variables):
                raise Refused(
                    SEQUENTIAL, f"host code between two parallel loops accesses arrays: {quoted(node)}"
                )


def _product(size: str, count: Polynomial) -> str:
    """Return what is added for so many things of a size."""
    if set(count) != {()}:
        return f" + {size} * {factor(written(count))}"
    number = count[()]
    return f" {'-' if number < 0 else '+'} {size}" + (f" * {abs(number)}" if abs(number) > 1 else "")
