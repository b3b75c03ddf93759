"""Names in a function that it does not declare: macros, and functions that only compute."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from tree_sitter import Node

from transpile.code.identity import Same
from transpile.code.lexer import Macro
from transpile.code.pure_calls import PURE
from transpile.code.syntax import LOOPS, ancestors, called, find, function_of, operator, source, squeeze
from transpile.code.types import arithmetic
from transpile.code.variables import Variable, Variables, resolve
from transpile.core import ArrayFact, Contract, Scalar, Signature, Source, Unit, UnitKind
from transpile.parsers.files.includes import read_by
from transpile.toolchains.needed import needed
from transpile.translators.loops.symbols.file_scope import constant_data, declarations
from transpile.translators.loops.symbols.macros import (
    constants,
    given_macros,
    is_value,
    macros_in,
    spelling,
    words_of,
)
from transpile.translators.loops.symbols.type_names import NUMBERS, meanings, named_types, senses

_STANDARD = re.compile(
    r"std::(?:complex<(?:float|double)>|conj|polar|norm|arg|proj|(?:real|imag)"
    r"|numeric_limits<[\w\s:]+>::(?:min|max|lowest|epsilon|infinity))"
)
"""Functions and constructors of C++ that are values of their arguments, on the host."""
_EXCHANGING = ("swap", "exchange", "iter_swap", "tie", "ref")
"""Functions of C++ that take variables by reference, as they are called without their namespace."""
_CONST = re.compile(r"\bconst\b")
_OF_THREADS = re.compile(rb"\b(?:_Thread_local|__thread|thread_local|threadprivate\s*\()([^;{=()]*)")
_ADDRESS = re.compile(rb"(?<!&)&\s*(?:\w+\s*[={(]\s*)?(\w+)")
"""An address that a pointer or a reference may be given."""
_READING = re.compile(rb'\b[fs]?scanf\s*\((?:"[^"\n]*"|[^"(){};=])*\)')
"""A call of the library that reads input, and keeps none of the addresses that it is given."""
_CALL = re.compile(rb"\b(\w+)\s*\((?=([^;{]*))")
"""A call, with all that may be among its arguments."""
_CHOICES = {"min": b"<", "max": b">"}
_CHOICE = re.compile(rb"(\w+)([<>])=?(\w+)\?(\w+):(\w+)")
_WORD = re.compile(r"\b(?!std\b)\w+")
_MEMORY = (
    "subscript_expression",
    "pointer_expression",
    "new_expression",
    "lambda_expression",
    "throw_statement",
    "gnu_asm_expression",
)
_IN_STRUCT = re.compile(r"([^\[]+\.[^\[]+)((?:\[\d+\])+)(?:\..*)?")
"""An element of an array in a struct, or a member of one."""
_FRACTIONS = ("float", "double", "longdouble")
_SIGNED = (Scalar.INT32, Scalar.INT64)
_FLOATS = {Scalar.FLOAT32: "float", Scalar.FLOAT64: "double", Scalar.LONG_DOUBLE: "longdouble"}


@dataclass(frozen=True, slots=True, eq=False)
class EnclosingScope:
    """What names stand for, as far as that matters to loops."""

    values: frozenset[str] = frozenset()
    """Macros that are values, of their arguments where they have any."""
    defined: frozenset[str] = frozenset()
    """All macros."""
    single: Mapping[str, Macro] = field(default_factory=dict)
    """Those with one definition, however often it stands in the source."""
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """All names that may be in an expansion."""
    own: frozenset[str] = frozenset()
    """All functions of the source, some of which have a name that the standard library has."""
    functions: Mapping[str, str] = field(default_factory=dict)
    """Texts of the functions of the source that make a value of their arguments, and nothing else."""
    readers: Mapping[str, str] = field(default_factory=dict)
    """Texts of those that read constants at file scope as well, and of those that call them; of a name that
    several functions have, each of which only computes, no text."""
    bodies: Mapping[str, Unit] = field(default_factory=dict)
    """Other functions of the source that have a name of their own: of the same file, or closed ones."""
    closed: frozenset[str] = frozenset()
    """Those that name nothing at file scope but what is the same everywhere."""
    types: frozenset[str] = frozenset()
    """Names of types of numbers: ``(T)(x)`` looks like a call."""
    integers: frozenset[str] = frozenset()
    """Those that are of whole numbers."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """What those that the source defines stand for, where that is one type in all its definitions."""
    senses: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """All that names of types of numbers stand for in some definition."""
    choices: frozenset[str] = frozenset()
    """Functions and macros of the source that are ``min`` and ``max`` of whole numbers."""
    repeated: frozenset[str] = frozenset()
    """Functions that loops call."""
    recurring: frozenset[str] = frozenset()
    """Functions that one calls which calls itself."""
    arrays: frozenset[str] = frozenset()
    """Arrays of arrays, whose rows are memory of their own."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """Types of what arrays hold: of an array's name, or of a member of its elements (``points.x``)."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """How many subscripts lead to an element of an array in a struct, by the names that contracts have."""
    declared: Mapping[str, Variable] = field(default_factory=dict)
    """Variables at file scope that the unit, and what it calls, name, as the source declares them."""
    lengths: Mapping[str, str] = field(default_factory=dict)
    """How many elements arrays have by a declaration or by the user's word, and not by what was run."""
    pointers: frozenset[str] = frozenset()
    """Parameters and members of structs behind them that are pointers, by the names that contracts have."""
    of_threads: frozenset[str] = frozenset()
    """Words of the declarations of variables that each thread has for itself."""
    opaque: frozenset[str] = frozenset()
    """Names in the function behind which something may run that no call in its text shows."""
    references: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Which arguments functions of the source may change; of several functions of a name all count."""
    constants: Mapping[str, int] = field(default_factory=dict)
    """Macros that are one whole number, the same in every definition. Another build may have others."""
    shared: frozenset[str] = frozenset()
    """Variables that something may lead to: their address is taken, or they are passed by reference."""
    of_host: frozenset[str] = frozenset()
    """Names behind which a function of the host runs."""
    objects: frozenset[str] = frozenset()
    """Classes whose operators only compute."""
    settled: frozenset[str] = frozenset()
    """Numbers at file scope, also in arrays, that a unit, and what it calls, find set and leave alone."""

    def calls(self, name: str) -> bool:
        """Tell whether a call is of what is a value of its arguments."""
        kind = name.removeprefix("(").removesuffix(")").strip()
        if _STANDARD.fullmatch(name) or kind in self.types or arithmetic(kind) is not None:
            return True
        plain = name.removeprefix("std::")
        if plain in self.defined:
            return plain in self.values
        return name in self.functions if name in self.own else plain in PURE

    def with_readers(self) -> EnclosingScope:
        """Return the same where what reads constants at file scope counts as a value of its arguments."""
        bodies = {name: unit for name, unit in self.bodies.items() if name not in self.readers}
        return replace(self, functions={**self.functions, **self.readers}, bodies=bodies)

    def holds_fractions(self, kind: str) -> bool:
        """Tell whether a type is one of floating numbers, or a name for one in some build."""
        return kind in _FRACTIONS or kind in self.types - self.integers

    def refers(self, name: str, position: int) -> bool:
        """Tell whether a call may change the variable that it is given as one of its arguments."""
        plain = name.rpartition("::")[2]
        if self.calls(name):
            return False
        if plain in self.references:
            return position in self.references[plain]
        return name.startswith("std::") or plain in _EXCHANGING

    def element(self, text: str) -> str:
        """Return the name of an element of an array at file scope that keeps its value; empty for others."""
        name = squeeze(text)
        return name if "[" in name and name in self.settled else ""

    def fixed(self, name: str, written: Collection[str]) -> bool:
        """Tell whether a name of no variable keeps its value where these variables are written."""
        if name not in self.defined:
            return name.isupper() or name in PURE or name in self.settled
        return name in self.values and not any(word in written for word in self.words[name])


OPAQUE = "`{}`, of a class whose operators or constructors may have side effects"
"""Why nothing is known of what a text does with one of its names."""
NOTHING = EnclosingScope()
"""The environment of a function of which nothing is known."""


def of_host(text: str) -> str:
    """Return what a text names that only computes and that devices lack; empty where there is nothing."""
    found = _STANDARD.search(text)
    return found[0] if found else ""


def enclosing_scope(source_: Source, unit: Unit, contract: Contract | None = None) -> EnclosingScope:
    """Return what is known of what a unit names; of several definitions of a macro all count.

    Macros are those of the programs that the unit is part of. They and functions are looked for once.
    """
    arrays = contract.arrays if contract is not None else ()
    return _enclosing_scope(Same(source_), unit, tuple(item for item in arrays if item.stated))


@lru_cache(maxsize=16)
def _enclosing_scope(key: Same, unit: Unit, stated: tuple[ArrayFact, ...]) -> EnclosingScope:
    """Return the same, the same one for all proposals that are made of the unit."""
    source_ = key.source
    signatures = source_.signatures.get(unit.id, ())
    parameters = {item.name for known in signatures for item in known.parameters if item.row}
    arrays = [item for known in signatures for item in (*known.globals, *known.constants)]
    variables = {item.name for item in arrays if len(item.lengths) > 1}
    known = numbers(signatures[0]) if len(signatures) == 1 else {}
    named = {item.name for item in arrays}
    named |= {item.name for known in signatures for item in known.parameters if item.outside}
    path = unit.translation_unit
    known_to_all = _with_functions(key, _of_others(key, path), _read_beside(key, path))
    return replace(
        known_to_all,
        bodies={
            name: item
            for name, item in known_to_all.bodies.items()
            if item.id != unit.id and (item.path == unit.path or name in known_to_all.closed)
        },
        opaque=source_.opaque.get(unit.id, frozenset()),
        of_host=source_.of_host.get(unit.id, frozenset()),
        settled=frozenset(
            name
            for name in _settled(signatures)
            if _owner(name) not in known_to_all.shared and not _may_decay(key, name)
        ),
        arrays=frozenset(parameters | variables),
        declared=declarations(source_, named, unit.path),
        numbers=known,
        ranks=_ranks(known),
        pointers=frozenset(item.name for known in signatures for item in known.parameters if item.pointer),
        lengths={item.name: str(item.lengths[0]) for item in arrays if len(item.lengths) == 1}
        | {item.name: item.extent for item in stated if item.name not in parameters},
    )


def _ranks(known: Iterable[str]) -> dict[str, int]:
    """Return the arrays in structs behind parameters, with their numbers of dimensions.

    One of a single element may be one of more that begin there.
    """
    several = (_IN_STRUCT.fullmatch(name) for name in known)
    return {found[1]: found[2].count("[") for found in several if found and found[2].strip("[]0") != ""}


def _settled(signatures: Sequence[Signature]) -> frozenset[str]:
    """Return the numbers at file scope that calls find set, of types that hold what is less than zero."""
    return frozenset(
        item.name
        for known in signatures
        for item in known.parameters
        if item.outside and not item.pointer and item.element is not None and item.element.scalar in _SIGNED
    )


def _owner(name: str) -> str:
    """Return the variable that a number at file scope is, or is an element of."""
    return name.partition("[")[0]


@lru_cache(maxsize=64)
def _may_decay(key: Same, name: str) -> bool:
    """Tell whether the source names an array, of which this is an element, where it is a pointer to it."""
    if "[" not in name:
        return False
    whole = re.compile(rb"\b%b\b(?!\s*\[)" % re.escape(_owner(name).encode()))
    return any(whole.search(data) for data in key.source.files.values())


def numbers(signature: Signature) -> dict[str, str]:
    """Return the types of numbers that lie in memory, by the names that contracts have."""
    return dict(_numbers(signature))


def _numbers(signature: Signature) -> Iterator[tuple[str, str]]:
    arrays = [(item.name, item.element) for item in (*signature.globals, *signature.constants)]
    whole = {item.name for item in signature.parameters}
    for item in signature.parameters:
        owner = item.name.removesuffix(".data")  # of a container: a struct is there itself
        arrays.append((item.name if owner in whole else owner, item.element))
    for name, element in arrays:
        for leaf in element.leaves if element is not None else ():
            plain = leaf.scalar.floating or leaf.scalar is Scalar.BOOL
            kind = _FLOATS.get(leaf.scalar, f"{leaf.scalar}{'' if plain else '_t'}")
            yield f"{name}.{leaf.name}".rstrip("."), kind


@lru_cache(maxsize=64)
def _read_beside(key: Same, path: str) -> frozenset[str]:
    """Return the files that the programs of a translation unit may be made of; all where it is in none."""
    source_ = key.source
    programs = [item.translation_units for item in source_.programs if path in item.translation_units]
    if not programs:
        return frozenset(source_.files)
    together = {other for paths in programs for other in paths}
    units = [unit for unit in source_.translation_units if unit.path in together]
    return frozenset(needed(source_.files, units))


@lru_cache(maxsize=4)
def _of_source(key: Same) -> EnclosingScope:
    """Return what no macro has a part in."""
    source_ = key.source
    repeated, recurring = _called_often(source_.units)
    return EnclosingScope(
        own=frozenset(name for unit in source_.units for name in (unit.name, unit.name.rpartition("::")[2])),
        repeated=repeated | frozenset(_of_functions(source_)),
        recurring=recurring,
        references=_references(source_.units),
        of_threads=frozenset(_of_threads(source_)),
        shared=frozenset(_shared(source_)),
    )


@lru_cache(maxsize=16)
def _with_macros(key: Same, files: frozenset[str]) -> EnclosingScope:
    """Return what is known of a source by the macros of some of its files."""
    source_ = key.source
    known: dict[str, list[Macro]] = {}
    written = (macro for path in sorted(files) for macro in macros_in(source_.files[path]))
    for macro in (*written, *given_macros(source_.translation_units)):
        known.setdefault(macro.name.decode("latin-1"), []).append(macro)
    values = frozenset(known)
    while True:
        kept = frozenset(
            name for name in values if all(is_value(item, values, known) for item in known[name])
        )
        if kept == values:
            break
        values = kept
    words = {name: frozenset(words_of(name, known)) for name in known}
    return replace(
        _of_source(key),
        values=values,
        defined=frozenset(known),
        single={name: macros[0] for name, macros in known.items() if len(set(map(spelling, macros))) == 1},
        words=words,
        types=named_types(source_, known, NUMBERS),
        integers=named_types(source_, known, NUMBERS - {"float", "double"}),
        meanings=meanings(source_, known),
        senses=senses(source_, known),
        choices=frozenset(_chosen(source_, known)),
        constants=dict(constants(known)),
    )


def _of_threads(source_: Source) -> Iterator[str]:
    for data in source_.files.values():
        for found in _OF_THREADS.finditer(data):
            yield from _WORD.findall(found[1].decode("latin-1"))


def _shared(source_: Source) -> Iterator[str]:
    references = _references(source_.units)
    reads_input = not {"scanf", "fscanf", "sscanf"} & references.keys()
    for data in source_.files.values():
        kept = _READING.sub(b"", data) if reads_input else data
        for address in _ADDRESS.finditer(kept):
            yield address[1].decode()
        for call in _CALL.finditer(data):
            if references.get(call[1].decode()):
                yield from _WORD.findall(call[2].decode("latin-1"))


def _called_often(units: Sequence[Unit]) -> tuple[frozenset[str], frozenset[str]]:
    """Return what units call in loops, and what those call beside themselves that call themselves."""
    repeated, recurring = set[str](), set[str]()
    for unit in units:
        function = function_of(unit.text.decode("latin-1"))
        if function is None:
            continue
        calls = list(find(function.body, "call_expression"))
        repeated |= {called(call) for call in calls if any(item.type in LOOPS for item in ancestors(call))}
        names = {called(call) for call in calls}
        recurring |= names - {unit.name} if unit.name in names else set()
    return frozenset(repeated), frozenset(recurring)


def _of_functions(source_: Source) -> Iterator[str]:
    """Yield the functions that were loops of others than ``main``: those may be called often."""
    for identifier, loop in source_.extracted.items():
        if source_.unit(loop.caller).name != "main":
            yield source_.unit(identifier).name


def _chosen(source_: Source, macros: Mapping[str, list[Macro]]) -> Iterator[str]:
    """Yield the functions and macros that choose the smaller or the larger one of two numbers."""
    for name, sign in _CHOICES.items():
        texts = [b"".join(token.text for token in item.body) for item in macros.get(name, ())]
        texts += [unit.text.partition(b"{")[2] for unit in source_.units if unit.name == name]
        choices = [_CHOICE.fullmatch(re.sub(rb"[\s()]|\breturn\b|;\s*}$", b"", text)) for text in texts]
        if choices and all(found and _picks(found, sign) for found in choices):
            yield name


def _picks(choice: re.Match[bytes], sign: bytes) -> bool:
    """Tell whether a choice between two numbers is of the one that a comparison says to be ahead."""
    left, compared, right, taken, other = choice.groups()
    return {left, right} == {taken, other} and (compared == sign) == (left == taken)


def _references(units: Sequence[Unit]) -> dict[str, frozenset[int]]:
    """Return which arguments functions take by reference, and may change."""
    found: dict[str, frozenset[int]] = {}
    for unit in units:
        function = function_of(unit.text.decode("latin-1"))
        if function is not None:
            texts = [item.text for item in function.parameters]
            own = {at for at, text in enumerate(texts) if "&" in text and not _is_kept(text)}
            name = unit.name.rpartition("::")[2]
            found[name] = found.get(name, frozenset()) | own
    return found


def _is_kept(parameter: str) -> bool:
    """Tell whether what a parameter refers to is constant, and not only what a pointer leads to."""
    return _CONST.search(parameter) is not None and "*" not in parameter


@lru_cache(maxsize=64)
def _of_others(key: Same, path: str) -> frozenset[str]:
    """Return the ids of functions that a translation unit does not mean: it has its own of their names."""
    source_ = key.source
    counts = Counter(unit.name for unit in source_.units)
    several = [unit for unit in source_.units if counts[unit.name] > 1 and unit.name != "main"]
    read = frozenset(read_by(source_, path)) if several else frozenset()
    own = {unit.name for unit in several if unit.path in read}
    return frozenset(unit.id for unit in several if unit.name in own and unit.path not in read)


@lru_cache(maxsize=16)
def _with_functions(key: Same, of_others: frozenset[str], files: frozenset[str]) -> EnclosingScope:
    """Return what is known of a source, with the functions that only compute.

    Args:
        key: The source.
        of_others: Ids of functions that are not looked at.
        files: Whose macros and functions count.
    """
    source_, around = key.source, _with_macros(key, files)
    kinds = (UnitKind.FUNCTION, UnitKind.GLUE)
    units = [unit for unit in source_.units if unit.kind in kinds and unit.translation_unit]
    units = [unit for unit in units if unit.id not in of_others and unit.path in files]
    shown = {identifier for identifier, names in source_.opaque.items() if not names}
    names = Counter(unit.name for unit in units)
    alone = {
        unit.name: unit
        for unit in units
        if names[unit.name] == 1 and not unit.member and "::" not in unit.name and unit.id in shown
    }
    texts = {name: unit.text.decode("latin-1") for name, unit in alone.items()}
    made = dict.fromkeys(source_.values, "")
    around = replace(around, own=around.own | source_.values, objects=source_.values)
    around = _computing(texts, around, frozenset(), made)
    overloads = {**dict.fromkeys(_overloaded(units, names, shown, around), ""), **made}
    reading = _computing(texts, around, constant_data(source_), overloads)
    bodies = {name: unit for name, unit in alone.items() if name not in around.functions}
    return replace(
        around,
        readers={name: text for name, text in reading.functions.items() if name not in around.functions},
        bodies=bodies,
        closed=frozenset(name for name in bodies if _is_closed(texts[name], around)),
    )


def _overloaded(
    units: Sequence[Unit], names: Mapping[str, int], shown: Collection[str], around: EnclosingScope
) -> Iterator[str]:
    """Yield the names of several functions at file scope all of which make a value of their arguments."""
    for name in (name for name, count in names.items() if count > 1 and "::" not in name):
        several = [unit for unit in units if unit.name == name]
        plain = not any(unit.member or unit.id not in shown for unit in several)
        if plain and all(_computes(unit.text.decode("latin-1"), around, ()) for unit in several):
            yield name


def _computing(
    texts: Mapping[str, str],
    around: EnclosingScope,
    constants: Collection[str],
    overloads: Mapping[str, str] = MappingProxyType({}),
) -> EnclosingScope:
    """Return the same with the functions that make a value of their arguments, and of constants."""
    around = replace(around, functions={**around.functions, **overloads})
    while True:
        found = {name: text for name, text in texts.items() if _computes(text, around, constants)}
        found |= overloads
        if found == around.functions:
            return around
        around = replace(around, functions=found)


def _is_closed(text: str, around: EnclosingScope) -> bool:
    """Tell whether a function names nothing but its variables, and what is the same everywhere."""
    function = function_of(text)
    if function is None:
        return False
    variables = resolve(function, around.refers)
    return all(_own(name, variables, around) for name in find(function.body, "identifier"))


def _computes(text: str, around: EnclosingScope, constants: Collection[str]) -> bool:
    """Tell whether a function makes a value of its arguments: it touches its own scalars and constants."""
    function = function_of(text)
    if function is None:
        return False
    if any("*" in item.text or "[" in item.text for item in function.parameters):
        return False
    if not constants and any(find(function.body, *_MEMORY)):
        return False
    variables = resolve(function, around.refers)
    if any(item.static or item.pointer or item.array or _is_open(item) for item in variables.all):
        return False
    own = {item.name for item in variables.all}
    seen = frozenset(constants) - own
    if any(not _is_element_of(node, seen) for node in find(function.body, *_MEMORY)):
        return False
    if any(operator(member) != "." for member in find(function.body, "field_expression")):
        return False
    if any(not around.calls(called(call)) for call in find(function.body, "call_expression")):
        return False
    names = find(function.body, "identifier")
    return all(source(name) in seen or _own(name, variables, around) for name in names)


def _is_element_of(node: Node, constants: Collection[str]) -> bool:
    """Tell whether a node is an element of an array that nothing writes."""
    array: Node | None = node
    while array is not None and array.type == "subscript_expression":
        array = array.child_by_field_name("argument")
    return array is not None and array.type == "identifier" and source(array) in constants


def _is_open(variable: Variable) -> bool:
    """Tell whether a variable is a reference through which something else may be changed."""
    return variable.reference and not (variable.parameter and _CONST.search(variable.type))


def _own(name: Node, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a name is a variable of the function, or stands for what is the same everywhere."""
    text = source(name)
    if any(item.name == text for item in variables.all):
        return True
    if text not in around.defined:
        return around.calls(text)
    # A number, or a value of arguments; what names a variable at file scope is neither.
    return text in around.values and all(
        around.calls(word) for word in around.words[text] if word[:1].isalpha()
    )
