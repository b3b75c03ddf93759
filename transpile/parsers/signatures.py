"""Signatures of kernels: parameters with their layouts, instantiations of templates, variables they touch.

A launch is lowered to a plain call, so that libclang resolves overloads and template arguments as the
compiler would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile import faults
from transpile.code.lexer import tokenize
from transpile.core import (
    JUDGED,
    PRINTED,
    SIGNALS,
    Diagnostic,
    GlobalVariable,
    LaunchSite,
    Severity,
    Signature,
    Span,
    TranslationUnit,
    Unit,
    UnitKind,
)
from transpile.parsers.complaints import Complaints
from transpile.parsers.lowering.declarations import Damage
from transpile.parsers.lowering.emulation import called_directly
from transpile.parsers.text import template_arguments
from transpile.parsers.text.hosts import is_c, is_plain
from transpile.parsers.text.outline import device_functions
from transpile.parsers.types import clang, instances
from transpile.parsers.types.aggregates import (
    Uses,
    assembled,
    assembled_last,
    taken_apart,
    with_pointers,
)
from transpile.parsers.types.companions import (
    Inventory,
    inventory,
    inventory_of_device,
    lacking,
    lacking_kernels,
)
from transpile.parsers.types.declared import parameter, parameter_of_kernel, returned
from transpile.parsers.types.file_scope import found_set, numbers_of_device
from transpile.parsers.types.functions import Calls, Function, Functions, Key, key_of, needs_object
from transpile.parsers.types.layouts import element
from transpile.parsers.types.opaque import Opaque
from transpile.parsers.types.passed import Callees, Passed, is_function
from transpile.parsers.types.printing import prints
from transpile.parsers.types.signals import Signals
from transpile.parsers.types.virtual_methods import virtual_members

Cursor = Any
_FORM = "transpile_form_"
"""Begins the names of variables that lead to forms of templates."""
_HINTS = {
    "TP120": "look at the headers that are missing (TP102), and at the flags",
    "TP121": "launch it with the template arguments that you use, or instantiate it explicitly",
    "TP122": "launch it with the template arguments that you use, or instantiate it explicitly",
    "TP123": "take it by value, or as a pointer",
    "TP124": "call it with the name of a function, or with a lambda that captures only numbers",
    "TP125": "move its loops into a free function or a static member that takes the data they need",
}
UNCALLABLE = frozenset(("TP123", "TP124", "TP125"))
"""Codes that say why trials cannot call a function."""
OF_UNITS = frozenset(_HINTS)
"""Codes of what is told of a unit's declaration, where the unit stands."""
_MOST_FORMS = 64
"""Instances of one kernel that are judged; a source that makes more of them is a stress test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What libclang tells of a source."""

    signatures: Mapping[str, tuple[Signature, ...]]
    calls: Mapping[str, Calls]
    """What each unit calls, for those that libclang saw."""
    inactive: Mapping[str, tuple[Span, ...]]
    """Bytes that ``#if`` removes in every translation unit that reads the file."""
    of_host: Mapping[str, frozenset[str]]
    """Names behind which a function of the host may run, by unit id; the same and more."""
    values: frozenset[str]
    """Classes whose objects are made, copied and operated on by computing alone."""
    opaque: Mapping[str, frozenset[str]]
    """Names in units of plain C++ behind which something may run that no call shows."""
    inventories: tuple[Inventory, ...]
    """Of plain translation units."""
    lacking: Mapping[str, frozenset[str]]
    """Variables of host code, and kernels, that others define, by the path of a translation unit."""
    damaged: Mapping[str, Damage]
    """Missing headers and unknown names of a translation unit, by its path."""
    diagnostics: tuple[Diagnostic, ...]


def find(
    root: Path,
    files: Mapping[str, bytes],
    translation_units: Sequence[TranslationUnit],
    units: Sequence[Unit],
    launches: Sequence[LaunchSite],
    begin: Callable[[str], None],
) -> Typed:
    """Return the signatures of all kernels, by unit id.

    Args:
        root: Of the source.
        files: Its code, as it is.
        translation_units: What the build compiles.
        units: Everything that was cut.
        launches: The launch sites.
        begin: Told of each translation unit before it is parsed.
    """
    lowered = {path: called_directly(data) for path, data in files.items()}
    stored = _stored(units, files)
    signatures: dict[str, tuple[Signature, ...]] = {}
    calls: dict[str, Calls] = {}
    inactive: dict[str, tuple[Span, ...]] = {}
    opaque: dict[str, frozenset[str]] = {}
    of_host: dict[str, frozenset[str]] = {}
    classes: dict[str, bool] = {}
    inventories: list[Inventory] = []
    lacks: dict[str, frozenset[str]] = {}
    damaged: dict[str, Damage] = {}
    diagnostics: list[Diagnostic] = []
    for item in translation_units:
        homely = [unit for unit in units if unit.translation_unit == item.path]
        if item.path not in files or not any(_of_interest(unit) for unit in homely):
            continue
        begin(item.path)
        reading = _Reading(root, lowered, item, units, launches, stored)
        diagnostics += reading.complaints.missing_headers()
        if (damage := reading.complaints.damage()) is not None:
            damaged[item.path] = damage
        calls |= reading.functions.calls()
        _merge(inactive, reading.inactive())
        for unit in homely:
            if unit.kind in JUDGED and not _within(unit.span, inactive.get(unit.path, ())):
                signatures[unit.id], complaints = _signatures_of(reading, unit)
                diagnostics += complaints
        for name, plain in reading.classes.items():
            classes[name] = plain and classes.get(name, True)
        for known, found in ((reading.opaque, opaque), (reading.of_host, of_host)):
            for identifier, names in known.items():
                found[identifier] = found.get(identifier, frozenset()) | names
        if is_plain(units, item.path):
            inventories.append(reading.inventory())
        else:
            inventories.append(inventory_of_device(item.path, reading.functions))
            lacks[item.path] = reading.lacking()
    return Typed(
        signatures=signatures,
        calls=calls,
        inactive=inactive,
        opaque=opaque,
        of_host=of_host,
        values=frozenset(name for name, plain in classes.items() if plain),
        inventories=tuple(inventories),
        lacking=lacks,
        damaged=damaged,
        diagnostics=tuple(dict.fromkeys(diagnostics)),
    )


def _signatures_of(reading: _Reading, unit: Unit) -> tuple[tuple[Signature, ...], list[Diagnostic]]:
    """Return the forms of a kernel, and what the user should know of them: also that we failed ourselves."""
    try:
        return reading.signatures(unit)
    except Exception as error:
        fault = faults.own(error, f"reading {unit.id}")
        return (), [faults.diagnostic(fault, unit.path, unit.line)]


def _stored(units: Sequence[Unit], files: Mapping[str, bytes]) -> dict[str, Sequence[str]]:
    """Return the template arguments of kernels where they are values, by unit id."""
    names = {
        unit.id: unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape")
        for unit in units
        if unit.kind is UnitKind.KERNEL and b"template" in unit.text.partition(b"{")[0]
    }
    found = template_arguments.of_values(frozenset(names.values()), files)
    return {identifier: found[name] for identifier, name in names.items() if name in found}


def _of_interest(unit: Unit) -> bool:
    return unit.kind is UnitKind.DEVICE or unit.kind in JUDGED


def _within(span: Span, ranges: Sequence[Span]) -> bool:
    return any(item.start <= span.start < item.end for item in ranges)


def _merge(known: dict[str, tuple[Span, ...]], more: Mapping[str, tuple[Span, ...]]) -> None:
    """Keep of a file's inactive ranges those that start alike in each reading."""
    for path, spans in more.items():
        known[path] = tuple(span for span in known[path] if span in spans) if path in known else spans


_Forms = dict[str | None, tuple[Functions, Key]]
"""Forms of a template by their arguments."""


class _Reading:
    """One translation unit, parsed and walked."""

    def __init__(
        self,
        root: Path,
        files: Mapping[str, bytes],
        item: TranslationUnit,
        units: Sequence[Unit],
        launches: Sequence[LaunchSite],
        stored: Mapping[str, Sequence[str]],
    ) -> None:
        self._root = root
        self._files = files
        self._item = item
        self._units = units
        self._launches = launches
        self._stored = stored
        self._plain = is_plain(units, item.path)
        self._parsed = clang.parse(root, files, item, plain=self._plain)
        self.functions = Functions(root, self._parsed, units)
        self.complaints = Complaints(root, files, self._parsed, self.functions)
        self.classes: dict[str, bool] = {}
        """Classes of the source: are objects of them made and operated on by computing alone?"""
        self.opaque: dict[str, frozenset[str]] = {}
        """Names behind which something may run that no call shows, by the unit."""
        self.of_host: dict[str, frozenset[str]] = {}
        self._look_behind(self._parsed, self.functions)
        self._callees = Callees(self.functions, files, c=is_c(item.path)) if self._plain else None
        if self._callees is not None:
            self._callees.link()
        self._signals = Signals(self.functions, units, item.path) if self._plain else None
        self._instances: dict[str, _Forms] | None = None
        self._virtual: dict[str, _Forms] | None = None

    def _look_behind(self, parsed: Any, functions: Functions) -> None:
        if self._plain:
            known = Opaque(parsed, functions, c=is_c(self._item.path))
            self.opaque = {**known.names(), **self.opaque}
            self.classes = known.classes()
            if known.relies:
                strict = Opaque(parsed, functions, c=is_c(self._item.path), computing=False)
                self.of_host = {**strict.names(), **self.of_host}

    def inventory(self) -> Inventory:
        """Return what the translation unit defines and lacks."""
        unknown = [name for name, some in self.opaque.items() if some]
        return inventory(self._item.path, self.functions, unknown)

    def lacking(self) -> frozenset[str]:
        """Return the variables and kernels that the translation unit declares and does not define."""
        names = {unit.name.rpartition("::")[2] for unit in self._units if unit.kind is UnitKind.KERNEL}
        return lacking(self.functions) | lacking_kernels(self.functions, names)

    def inactive(self) -> dict[str, tuple[Span, ...]]:
        """Return what ``#if`` removes here, for every file that was read."""
        read = clang.skipped(self._parsed, [str(self._root / path) for path in self._files])
        return {str(Path(name).relative_to(self._root)): spans for name, spans in read.items()}

    def signatures(self, unit: Unit) -> tuple[tuple[Signature, ...], list[Diagnostic]]:
        """Return the forms of a kernel, and what the user should know of them."""
        forms = self._forms(unit)
        notes: list[Diagnostic] = []
        pattern = self.functions.patterns.get(unit.id)
        if not forms and pattern is not None:
            forms = list(self._behind_virtual_calls().get(unit.id, {}).items())
        if pattern is not None and self._unseen(unit):
            forms = list({**self._made().get(unit.id, {}), **dict(forms)}.items())
        if not forms and pattern is not None:
            assumed, note = self._assumed(unit, pattern)
            forms = list(assumed.items())
            notes.append(note)
        found = tuple(
            signature
            for text, function in forms[:_MOST_FORMS]
            for signature in self._signatures(unit, text, function, notes)
        )[:_MOST_FORMS]
        if not forms and pattern is None:
            header = self._header_alone(unit)
            notes.append(
                _diagnostic(
                    "TP120", unit, f"the C++ parser cannot read the declaration of {unit.kind} `{unit.name}`"
                )
            )
            found = (header,) if header is not None else ()
        return found, notes

    def _forms(self, unit: Unit) -> list[tuple[str | None, tuple[Functions, Key]]]:
        """Return the plain function, or the instances of a template, that the source uses.

        Those of a lambda have no arguments that could be spelt: what is passed tells them.
        """
        return self._forms_among(self.functions, unit)

    def _forms_among(
        self, functions: Functions, unit: Unit
    ) -> list[tuple[str | None, tuple[Functions, Key]]]:
        found: dict[str | None, tuple[Functions, Key]] = {}
        of_lambdas: list[tuple[str | None, tuple[Functions, Key]]] = []
        for key in functions.by_unit.get(unit.id, ()):
            cursor = functions.found[key].cursor
            if cursor.get_num_template_arguments() > 0:
                text = instances.arguments(cursor)
                if text is not None:
                    found[text] = (functions, key)
                elif self._plain and any(is_function(item.type) for item in cursor.get_arguments()):
                    of_lambdas.append((None, (functions, key)))
            else:
                found[None] = (functions, key)
        return [*found.items(), *of_lambdas]

    def _behind_virtual_calls(self) -> dict[str, _Forms]:
        """Return the forms of templates that only methods behind virtual calls use, by unit id."""
        if self._virtual is None:
            self._virtual = {}
            wanted = [unit for unit, _ in self._unused()]
            members = virtual_members(self.functions.outermost) if wanted else ()
            if members:
                functions, _ = self._with_pointers_to(members)
                self._virtual = {unit.id: dict(self._forms_among(functions, unit)) for unit in wanted}
        return self._virtual

    def _assumed(self, unit: Unit, pattern: Cursor) -> tuple[_Forms, Diagnostic]:
        """Instantiate a template for which libclang saw no use: as a launch spells it, else with floats."""
        forms = self._made().get(unit.id, {})
        if not forms:
            return {}, _diagnostic("TP121", unit, f"no launch gives the template arguments of `{unit.name}`")
        texts, as_written = self._arguments(unit, pattern)
        message = (
            f"no launch of `{unit.name}` compiles: its template arguments are taken as written, <{texts[0]}>"
            if as_written
            else f"no launch gives the template arguments of `{unit.name}`: <{texts[0]}> is assumed"
        )
        return forms, _diagnostic("TP122", unit, message, Severity.NOTE)

    def _made(self) -> Mapping[str, _Forms]:
        """Return the forms of templates of which libclang saw no use, by unit id."""
        if self._instances is None:
            known = self._behind_virtual_calls()
            wanted = {item: texts for item, texts in self._unused() if not known.get(item.id)}
            for unit in self._units:
                if unit.id in self.functions.patterns and (unseen := self._unseen(unit)):
                    wanted[unit] = unseen
            self._instances = self._instantiated(wanted)
        return self._instances

    def _unseen(self, unit: Unit) -> list[str]:
        """Return the arguments that only values in braces give a kernel: libclang does not look there."""
        stored = self._stored.get(unit.id, ()) if unit.translation_unit == self._item.path else ()
        known = {text for text, _ in self._forms(unit)} if stored else ()
        return [text for text in stored if text not in known]

    def _unused(self) -> Iterator[tuple[Unit, list[str]]]:
        """Yield the templates for which libclang saw no use, with their arguments."""
        for unit in self._units:
            pattern = self.functions.patterns.get(unit.id)
            at_home = unit.translation_unit == self._item.path and unit.kind in JUDGED
            if at_home and pattern is not None and not self._forms(unit):
                yield unit, self._arguments(unit, pattern)[0]

    def _arguments(self, unit: Unit, pattern: Cursor) -> tuple[list[str], bool]:
        """Return the arguments that a template is tried with, and whether launches spell them."""
        parameters = instances.template_parameters(pattern)
        functions = {item.name for item in self._units if item.kind is UnitKind.DEVICE}
        texts = template_arguments.at_launches(unit, len(parameters), self._launches, functions)
        if texts:
            return texts, True
        of_types = all(item.kind is CursorKind.TEMPLATE_TYPE_PARAMETER for item in parameters)
        return [", ".join("float" for _ in parameters)] if of_types else [], False

    def _instantiated(self, wanted: Mapping[Unit, Sequence[str]]) -> dict[str, _Forms]:
        """Parse once more with a pointer to each form at the end, which makes libclang instantiate them.

        One parse serves all templates: a header of a test framework has hundreds.
        """
        asked = [(unit, text) for unit, texts in wanted.items() for text in texts]
        if not asked:
            return {}
        functions, parsed = self._with_pointers_to([f"{unit.name}<{text}>" for unit, text in asked])
        found: dict[str, _Forms] = {}
        for child in parsed.cursor.get_children():
            if child.spelling.startswith(_FORM):
                unit, text = asked[int(child.spelling.removeprefix(_FORM))]
                named = (item.referenced for item in clang.descend(child) if item.referenced is not None)
                instance = next((item for item in named if key_of(item) in functions.found), None)
                if instance is not None:
                    spelled = instances.arguments(instance) or text
                    found.setdefault(unit.id, {})[spelled] = (functions, key_of(instance))
        return found

    def _with_pointers_to(self, names: Sequence[str]) -> tuple[Functions, Any]:
        """Parse once more with a pointer to each of these functions at the end."""
        lines = [f"static auto {_FORM}{i} = &{name};\n" for i, name in enumerate(names)]
        data = self._files[self._item.path] + b"\n" + "".join(lines).encode("utf-8", "surrogateescape")
        files = {**self._files, self._item.path: data}
        parsed = clang.parse(self._root, files, self._item, plain=self._plain)
        functions = Functions(self._root, parsed, self._units)
        self._look_behind(parsed, functions)
        return functions, parsed

    def _header_alone(self, unit: Unit) -> Signature | None:
        """Read the types from the kernel's header alone: built-in and vector types need no more."""
        tokens = tokenize(unit.text).text
        function = next(iter(device_functions(tokens)), None)
        if function is None or function.template:
            return None
        text = unit.text[tokens[function.first].start : tokens[function.body].start] + b";\n"
        parsed = clang.parse(
            self._root, {"transpile_header.cu": text}, TranslationUnit(path="transpile_header.cu")
        )
        if any(item.severity >= clang.ERROR for item in parsed.diagnostics):
            return None
        for cursor in parsed.cursor.get_children():
            if cursor.kind is CursorKind.FUNCTION_DECL and cursor.spelling == function.name.decode():
                parameters = tuple(parameter(item) for item in cursor.get_arguments())
                return Signature(
                    name=unit.name, parameters=parameters, uses_dynamic_shared=b"extern" in unit.text
                )
        return None

    def _signatures(
        self, unit: Unit, text: str | None, form: tuple[Functions, Key], notes: list[Diagnostic]
    ) -> Iterator[Signature]:
        """Yield one signature of a form, or one for each set of functions that calls pass."""
        functions, key = form
        cursor = functions.found[key].cursor
        if needs_object(cursor):
            notes.append(
                _diagnostic(
                    "TP125", unit, f"`{unit.name}` is called for an object, and trials make no objects"
                )
            )
            return
        declared = list(cursor.get_arguments())
        asked = [item for item in declared if is_function(item.type)] if self._callees else []
        combinations = self._callees.combinations(cursor) if self._callees else []
        if asked and not combinations:
            names = ", ".join(f"`{item.spelling}` (`{item.type.spelling}`)" for item in asked)
            message = f"no call in the source shows which function `{unit.name}` is given for {names}"
            notes.append(_diagnostic("TP124", unit, message))
            return
        for passed in combinations or [{}]:
            signature = self._signature(unit, text, form, notes, passed)
            if signature is not None:
                yield signature

    def _signature(
        self,
        unit: Unit,
        text: str | None,
        form: tuple[Functions, Key],
        notes: list[Diagnostic],
        passed: Mapping[int, Passed],
    ) -> Signature | None:
        functions, key = form
        closure = list(functions.reached(key))
        cursor = functions.found[key].cursor
        declared = list(cursor.get_arguments())
        broken = self._error_in(unit, declared)
        if broken is not None:
            notes.append(
                _diagnostic("TP120", unit, f"the parameters of `{unit.name}` do not compile: {broken}")
            )
            return None
        uses = Uses(body=unit.text[unit.text.find(b"{") :], words=_words(closure))
        parts = [
            passed[index].flat(item.spelling)
            if index in passed
            else taken_apart(item, uses)
            if self._plain
            else with_pointers(item, uses)
            for index, item in enumerate(declared)
        ]
        refused = next(
            (
                item
                for item, part in zip(declared, parts, strict=True)
                if part is None and item.type.get_canonical().kind in clang.REFERENCES
            ),
            None,
        )
        if refused is not None:
            why = "the layout of its type is unknown" if self._plain else "a kernel cannot"
            taken = f"`{refused.spelling}` (`{refused.type.spelling}`) by reference"
            message = f"`{unit.name}` takes {taken}: {why}"
            notes.append(_diagnostic("TP123", unit, message))
            return None
        flat = [
            part.parameters
            if part
            else (parameter(item, flat=True) if self._plain else parameter_of_kernel(item, cursor),)
            for item, part in zip(declared, parts, strict=True)
        ]
        if not self._plain:
            # A launch passes them in this order, and what they lead to is behind them.
            flat = [tuple(some[0] for some in flat), *(some[1:] for some in flat)]
        variables = {name: item for function in closure for name, item in function.variables.items()}
        text_of_all = b"\n".join(item.unit.text for item in closure)
        seen = found_set if self._plain else numbers_of_device
        outside = tuple(seen(cursor, variables, text_of_all))
        led = {item.name for part in outside for item in part.parameters if item.pointer}
        known = [item for item in self._globals(functions, variables) if item[0].name not in led]
        told = self._signals.of(closure) if self._signals is not None else ()
        written = [variable for variable, const in known if not const]
        noted = not self._plain and prints(item.unit.text for item in closure)
        names = [item.spelling for item in declared]
        return Signature(
            name=unit.name,
            template_arguments=text,
            functions=tuple(
                (declared[index].spelling, item.name or item.text) for index, item in passed.items()
            ),
            parameters=tuple(
                parameter for some in (*flat, *(part.parameters for part in outside)) for parameter in some
            ),
            assembly=(assembled if self._plain else assembled_last)(names, parts, outside),
            returns=returned(cursor.result_type),
            globals=(*written, *((SIGNALS,) if told else ()), *((PRINTED,) if noted else ())),
            constants=tuple(variable for variable, const in known if const and variable.lengths),
            static_shared=sum(item.static_shared for item in closure),
            uses_dynamic_shared=any(item.dynamic_shared for item in closure),
            signals=told,
        )

    def _error_in(self, unit: Unit, declared: Sequence[Cursor]) -> str | None:
        """Return the error that makes a parameter's type a guess (libclang takes ``int`` for the unknown)."""
        end = max((item.extent.end.offset for item in declared), default=0)
        errors = (item for item in self._parsed.diagnostics if item.severity >= clang.ERROR)
        return next(
            (
                str(item.spelling)
                for item in errors
                if unit.span.start <= item.location.offset < end and self.functions.file_of(item) == unit.path
            ),
            None,
        )

    def _globals(
        self, functions: Functions, variables: Mapping[str, Cursor]
    ) -> Iterator[tuple[GlobalVariable, bool]]:
        """Yield the variables at file scope that a closure refers to, and whether none may be written."""
        for name, variable in sorted(variables.items()):
            kind, lengths = variable.type.get_canonical(), list[int]()
            const = kind.is_const_qualified()
            while kind.kind is TypeKind.CONSTANTARRAY:
                lengths.append(kind.element_count)
                kind = kind.element_type.get_canonical()
                const = const or kind.is_const_qualified()
            found = GlobalVariable(
                name=name,
                element=element(kind),
                count=prod(lengths),
                constant=not const and self._is_of_device(functions, variable),
                lengths=tuple(lengths),
            )
            yield found, const

    def _is_of_device(self, functions: Functions, variable: Cursor) -> bool:
        """Tell whether a variable lies in the constant memory of a device."""
        before = self._files[functions.file_of(variable)][: variable.location.offset]
        return b"__constant__" in re.split(rb"[;{}]", before[-512:])[-1]


def _words(closure: Sequence[Function]) -> frozenset[bytes] | None:
    """Return what functions may name; None where one passes objects on to what is not to be seen."""
    told = [
        given for item in closure for callee in item.elsewhere.values() for given in callee.get_arguments()
    ]
    if not all(_is_of_numbers(given.type.get_canonical()) for given in told):
        return None
    return frozenset(token.text for item in closure for token in tokenize(item.unit.text).text)


def _is_of_numbers(kind: Any) -> bool:
    """Tell whether a type is a number, or a pointer to some."""
    inner = kind.get_pointee().get_canonical() if kind.kind is TypeKind.POINTER else kind
    held = element(inner)
    return held is not None and held.scalar is not None


def _diagnostic(code: str, unit: Unit, message: str, severity: Severity = Severity.WARNING) -> Diagnostic:
    return unit.diagnostic(code, message, severity=severity, hint=_HINTS.get(code, ""))
