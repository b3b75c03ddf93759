"""Companions of a translation unit, to link with it: variables of others, and functions without state.

Kernels are linked with functions of the device alone (``-rdc=true``), and those only compute.

What a function keeps between calls is neither made by trials nor compared by them. So all that may run behind
one that is linked touches its arguments and constants alone. Variables that the translation unit itself names
are set by trials, wherever they are defined. Names are those of the linker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind, LinkageKind, StorageClass, TypeKind

from transpile.code.pure_calls import PURE
from transpile.core import Companion, Elsewhere, ProgramTarget, TranslationUnit, UnitKind
from transpile.parsers.text.effects import effect_of
from transpile.parsers.types import clang
from transpile.parsers.types.functions import Function, Functions
from transpile.parsers.types.layouts import element

Cursor = Any
Type = Any

_NAMES = (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR)
_SCOPES = (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC)
_OF_DEVICE = (UnitKind.KERNEL, UnitKind.DEVICE)
_ASSEMBLY = (CursorKind.ASM_STMT, CursorKind.MS_ASM_STMT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A function that other translation units may call."""

    name: str
    """In the source, without namespaces."""
    type: str
    needs: Mapping[str, str]
    """What it and all that it calls need of other translation units, with the types by which they know it."""
    units: frozenset[str]
    """Ids of what may run."""
    stateless: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """What a translation unit defines and lacks."""

    path: str
    definitions: Mapping[str, Definition]
    needs: Mapping[str, str]
    variables: frozenset[str]
    """That it defines and others may name."""
    lacks: frozenset[str]
    """Variables that it names and does not define."""
    of_device: bool = False
    """Its functions are those of the device: nothing of the host is linked with them."""


def inventory(path: str, functions: Functions, opaque: Collection[str]) -> Inventory:
    """Return what a translation unit defines and lacks.

    Args:
        path: Of its file.
        functions: Of it.
        opaque: Ids of units in which something may run that no call shows.
    """
    definitions = {
        function.cursor.mangled_name: _definition(list(functions.reached(key)), opaque)
        for key, function in functions.found.items()
        if function.cursor.linkage is LinkageKind.EXTERNAL and function.cursor.is_definition()
    }
    variables = _variables(functions.outermost)
    return Inventory(
        path=path,
        definitions=definitions,
        needs=_needs(functions.found.values()),
        variables=variables,
        lacks=frozenset(_named(functions, functions.found.values())) - variables,
    )


def inventory_of_device(path: str, functions: Functions) -> Inventory:
    """Return which functions of the device, and variables, a translation unit defines and lacks."""
    own = {key: item for key, item in functions.found.items() if item.unit.kind in _OF_DEVICE}
    variables = _variables(functions.outermost)
    return Inventory(
        path=path,
        definitions={
            item.cursor.mangled_name: _computing(list(functions.reached(key)))
            for key, item in own.items()
            if item.unit.kind is UnitKind.DEVICE
            and item.cursor.linkage is LinkageKind.EXTERNAL
            and item.cursor.is_definition()
        },
        needs=_needs(own.values()),
        variables=variables,
        lacks=frozenset(_named(functions, own.values())) - variables,
        of_device=True,
    )


def lacking(functions: Functions) -> frozenset[str]:
    """Return the variables that the source declares in a translation unit and does not define there."""
    seen = list(_seen_variables(functions.outermost))
    defined = (item.mangled_name for item in seen if _is_defined(item))
    return frozenset(item.mangled_name for item in seen).difference(defined)


def lacking_kernels(functions: Functions, names: Collection[str]) -> frozenset[str]:
    """Return the kernels among some names that a translation unit declares and does not define.

    A launch takes the address of one, which a loader looks for at once.
    """
    seen = [item for item in functions.outermost if item.kind is CursorKind.FUNCTION_DECL]
    defined = {str(item.mangled_name) for item in seen if item.is_definition()}
    return frozenset(str(item.mangled_name) for item in seen if item.spelling in names) - defined


def holders(
    root: Path,
    files: Mapping[str, bytes],
    units: Sequence[TranslationUnit],
    known: Sequence[Inventory],
    begin: Callable[[str], None],
    *,
    of_device: bool,
) -> Iterator[Inventory]:
    """Yield what is known of further translation units that seem to define what the known ones lack.

    Args:
        root: Of the source.
        files: Its code.
        units: Those that may be linked.
        known: Those that have functions of interest.
        begin: Told of each translation unit before it is parsed.
        of_device: They may hold kernels; of the known ones those that may count.
    """
    paths = {item.path for item in known}
    alike = [item for item in known if item.of_device == of_device]
    lacking = frozenset[str]().union(*(item.lacks for item in alike))
    lacking -= frozenset[str]().union(*(item.variables for item in alike))
    words = re.compile(rb"\b(?:%s)\b" % b"|".join(re.escape(name.encode()) for name in sorted(lacking)))
    for unit in units:
        if lacking and unit.path in files and unit.path not in paths and words.search(files[unit.path]):
            begin(unit.path)
            parsed = clang.parse(root, files, unit, plain=not of_device)
            yield Inventory(
                path=unit.path,
                definitions={},
                needs={},
                variables=_variables(parsed.cursor.get_children()),
                lacks=frozenset(),
                of_device=of_device,
            )


def linked(
    inventories: Sequence[Inventory],
    units: Sequence[TranslationUnit],
    programs: Sequence[ProgramTarget],
    taken: Mapping[str, Collection[str]],
) -> dict[str, Elsewhere]:
    """Return, by the path of a translation unit, what its library is linked with.

    Args:
        inventories: Of those that may be linked.
        units: Their flags.
        programs: Which of them are in one program.
        taken: Names in the source that are something else in a library, by the path of its translation unit.
    """
    known = {item.path: item for item in inventories}
    flags = {item.path: item for item in units}
    found: dict[str, Elsewhere] = {}
    for item in inventories:
        others = [known[path] for path in _beside(item.path, programs, known)]
        beside = [other for other in others if other.of_device == item.of_device]
        functions = _Linking(beside, taken.get(item.path, ())).of(item.needs)
        defined = Counter(name for other in beside for name in other.variables & item.lacks)
        variables = {name for name, times in defined.items() if times == 1}
        companions = (_companion(flags[other.path], other, functions, variables) for other in beside)
        found[item.path] = Elsewhere(
            companions=tuple(item for item in companions if item.symbols),
            variables=tuple(sorted(item.lacks)),
        )
    return {path: item for path, item in found.items() if item != Elsewhere()}


def _companion(
    unit: TranslationUnit, item: Inventory, functions: Collection[str], variables: Collection[str]
) -> Companion:
    own = [name for name in item.definitions if name in functions]
    return Companion(
        unit=unit,
        symbols=tuple(sorted([*own, *item.variables.intersection(variables)])),
        units=frozenset[str]().union(*(item.definitions[name].units for name in own)),
    )


def _beside(path: str, programs: Sequence[ProgramTarget], known: Collection[str]) -> Iterator[str]:
    """Yield the other translation units of the programs that hold one; of all where none does."""
    own = [item.translation_units for item in programs if path in item.translation_units]
    together = {other for units in own for other in units} if own else known
    return (other for other in known if other != path and other in together)


class _Linking:
    """Which functions can be linked beside one translation unit."""

    def __init__(self, beside: Sequence[Inventory], taken: Collection[str]) -> None:
        self._taken = taken
        self._definitions: dict[str, list[Definition]] = {}
        for item in beside:
            for name, definition in item.definitions.items():
                self._definitions.setdefault(name, []).append(definition)

    def of(self, needs: Mapping[str, str]) -> frozenset[str]:
        """Return those of the needs that can be linked, and all that they need in turn."""
        found = frozenset[str]()
        for name, kind in needs.items():
            found |= self._all_of(name, kind) or frozenset()
        return found

    def _all_of(self, first: str, kind: str) -> frozenset[str] | None:
        """Return a function with all that it needs; None where some of that cannot be linked."""
        waiting, found = {first: kind}, set[str]()
        while waiting:
            name, expected = waiting.popitem()
            meant = self._definitions.get(name, ())
            if len(meant) != 1 or not self._may_be_linked(meant[0]) or meant[0].type != expected:
                return None
            found.add(name)
            waiting |= {other: kind for other, kind in meant[0].needs.items() if other not in found}
        return frozenset(found)

    def _may_be_linked(self, definition: Definition) -> bool:
        return definition.stateless and definition.name not in self._taken


def _variables(declarations: Iterable[Cursor]) -> frozenset[str]:
    """Return the variables at file scope that a translation unit defines and others may name."""
    seen = _seen_variables(declarations)
    return frozenset(item.mangled_name for item in seen if _is_defined(item))


def _seen_variables(declarations: Iterable[Cursor]) -> Iterator[Cursor]:
    """Yield the declarations of variables that other translation units may name."""
    waiting = list(declarations)
    while waiting:
        item = waiting.pop()
        if item.kind in _SCOPES:
            waiting += item.get_children()
        elif _is_seen(item):
            yield item


def _is_defined(variable: Cursor) -> bool:
    # In C a definition without a value is tentative, which is none to libclang.
    return variable.storage_class is StorageClass.NONE or variable.is_definition()


def _named(functions: Functions, naming: Iterable[Function]) -> Iterator[str]:
    """Yield the variables that functions name and other translation units may define.

    Args:
        functions: All of the translation unit.
        naming: Those that are asked about.
    """
    for function in naming:
        for item in function.naming:
            meant = item.referenced if item.kind in _NAMES else None
            if meant is not None and _is_seen(meant) and functions.file_of(meant):
                yield meant.mangled_name


def _is_seen(cursor: Cursor) -> bool:
    """Tell whether a cursor declares a variable that other translation units may name."""
    return cursor.kind is CursorKind.VAR_DECL and cursor.linkage is LinkageKind.EXTERNAL


def _definition(closure: Sequence[Function], opaque: Collection[str]) -> Definition:
    return Definition(
        name=closure[0].cursor.spelling,
        type=_type(closure[0].cursor),
        needs=_needs(closure),
        units=frozenset(item.unit.id for item in closure),
        stateless=not any(
            item.unit.id in opaque or effect_of(item.unit.text) is not None or _keeps_state(item)
            for item in closure
        ),
    )


def _computing(closure: Sequence[Function]) -> Definition:
    """Return a function of the device; without state is what knows no thread, too, and waits for none."""
    found = _definition(closure, ())
    known = {item.unit.name.rpartition("::")[2] for item in closure}
    known |= {cursor.spelling for item in closure for cursor in item.elsewhere.values()}
    called = {name for item in closure for name in item.names}
    return replace(found, stateless=found.stateless and called <= known | PURE)


def _needs(functions: Collection[Function]) -> dict[str, str]:
    return {cursor.mangled_name: _type(cursor) for item in functions for cursor in item.elsewhere.values()}


def _type(function: Cursor) -> str:
    # What a destructor throws is known where it is defined, and may not be where it is declared.
    return str(function.type.get_canonical().spelling).removesuffix(" noexcept")


def _keeps_state(function: Function) -> bool:
    """Tell whether a function may touch what is there between calls, or call what is not to be seen."""
    return any(
        item.kind in _ASSEMBLY
        or (item.kind is CursorKind.VAR_DECL and _is_lasting(item))
        or (item.kind in _NAMES and _is_lasting(item.referenced))
        or (item.kind is CursorKind.CALL_EXPR and _is_unknown(item.referenced))
        for item in function.naming
    )


def _is_lasting(variable: Cursor | None) -> bool:
    """Tell whether something is a variable that outlives a call and is no constant."""
    return (
        variable is not None
        and variable.kind is CursorKind.VAR_DECL
        and (variable.storage_class is StorageClass.STATIC or variable.linkage is not LinkageKind.NO_LINKAGE)
        and not _is_constant(variable.type.get_canonical())
    )


def _is_constant(kind: Type) -> bool:
    const = kind.is_const_qualified()
    while kind.kind is TypeKind.CONSTANTARRAY:
        kind = kind.element_type.get_canonical()
        const = const or kind.is_const_qualified()
    return const and element(kind) is not None


def _is_unknown(called: Cursor | None) -> bool:
    """Tell whether the text leaves open what is called: pointers in memory, virtual functions."""
    return (
        called is None
        or called.kind is CursorKind.FIELD_DECL
        or (called.kind is CursorKind.CXX_METHOD and called.is_virtual_method())
    )
