"""A kernel as its contract is learnt: what goes in, which axes its text mentions, how it is launched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from transpile.code.trees import grammar_of, parse
from transpile.contracts.probing.callability import out_of_reach
from transpile.contracts.probing.probe import unknown
from transpile.contracts.text.constants import constants_for, macros
from transpile.contracts.text.launch_bounds import Told, template_arguments, told_of
from transpile.contracts.text.named_numbers import mentioned_by
from transpile.contracts.text.site_relations import only_of
from transpile.contracts.text.sites import Site
from transpile.contracts.text.size_products import Text
from transpile.core import (
    PRINTED,
    ElementType,
    Inconclusive,
    Scalar,
    ShapeDependent,
    Signature,
    Source,
    Unit,
    UnitKind,
)
from transpile.expressions import names as names_of
from transpile.parsers.files.comments import code
from transpile.parsers.text.enumerations import ends as enumerators_ends
from transpile.parsers.text.enumerations import enumerators

_BUILTIN = re.compile(rb"\b(threadIdx|blockIdx|blockDim|gridDim)\b(?:\s*\.\s*([xyz])\b)?")
_ATOMIC = re.compile(rb"\batomic[A-Z]\w*\s*\(")
_GROUP = re.compile(rb"\b(thread_rank|this_thread_block|this_grid|tiled_partition|meta_group_rank)\b")
_GROUP_INDEX = re.compile(rb"\b(thread_index|group_index)\s*\(\s*\)\s*\.\s*([xyz])\b")
_DIMENSION = re.compile(rb"\[\s*(\w+)\s*\]")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TAKEN = rb"(?<![\w.])%s\s*-\s*(\d{1,4})(?![\w.])"
_SIGN = (
    rb"(?<![\w.])%s[\s)]*[<>]=?[\s(]*-?[01]\b|(?<![\w.])-?[01][\s)]*[<>]=?[\s(]*%s\b"
    rb"|\b(?:l?l?abs|signbit)[\s(]*%s\b"
)
"""A number is compared with 0, 1 or -1, or taken without its sign."""
_PASSED = rb"[(,]\s*%s\s*[,)]"
_VOID = re.compile(rb"\(\s*void\s*\)\s*\w+\s*;")
_WHOLE = rb"\b%s\b(?!\s*\.\s*\w+\b(?!\s*(?:\.\s*\w+\s*)*\())"
"""A struct that stands alone, or one of its functions: what these look at is not followed."""
_INTEGER = re.compile(rb"(?<![\w.])(\d{1,6})(?![\w.])")
_GREATEST_LITERAL = 4096
_MOST_SCALARS = 96
_LITERALS = 6
_LEVELS = 3
_USUAL = range(1, 5)
"""Integers that arrays hold anyway."""
_CHOICES = 6
_GREATEST_SHIFT = 12
_GRID_WORDS = frozenset({b"blockIdx", b"gridDim", b"group_index"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarInput:
    """A number passed by value: a parameter, or a member of one."""

    name: str
    scalar: Scalar
    position: int
    offset: int
    ends: tuple[int, int] | None = None
    """The least and the greatest value of an enumerated type without gaps: callers pass no other."""

    @property
    def integer(self) -> bool:
        """Tell whether it may be a size, an index or a flag."""
        return not self.scalar.floating


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayInput:
    """A pointer parameter."""

    name: str
    element: ElementType
    position: int
    const: bool = False

    @property
    def integer(self) -> bool:
        """Tell whether elements hold integers, which may serve as indices."""
        return any(not leaf.scalar.floating for leaf in self.element.leaves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis of the launch by which threads count: by the grid, within a block, or both."""

    letter: str
    grid: bool
    block: bool


_ACROSS = Axis(letter="x", grid=True, block=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One instantiation of a kernel."""

    signature: Signature
    entry: int
    arrays: tuple[ArrayInput, ...]
    scalars: tuple[ScalarInput, ...]
    axes: tuple[Axis, ...]
    sites: tuple[Site, ...] = ()
    shared: bool = False
    """The text declares shared memory."""
    launched: bool = True
    """A kernel, and no function of the host."""
    dimensions: tuple[int, ...] = ()
    """Constant lengths of arrays, in the text of a host function or in the types of its parameters."""
    literals: tuple[int, ...] = (0, 1)
    """Small integers of the text, which data may be compared with."""

    levels: tuple[float, ...] = ()
    """Numbers that the text asks something to equal: floating data rarely do by chance."""

    sought: tuple[int, ...] = ()
    """Whole numbers that the text asks something to equal, but for those that usual data hold."""

    asked: tuple[tuple[str, int], ...] = ()
    """Integers passed by value that the text asks to equal numbers, with these: what it does is chosen so."""

    remainders: bool = False
    """The text has ``%``, by which it may take a number apart into several indices."""

    unmentioned: tuple[str, ...] = ()
    """Integer parameters that the text has no use for: they tell callers how large something is."""

    unused: frozenset[str] = frozenset()
    """Integers passed by value, members too, that neither the text nor what it calls has a word for."""

    signs: frozenset[str] = frozenset()
    """Integers passed by value whose sign the text asks for, or may pass on to what does."""

    floors: tuple[str, ...] = ()
    """That numbers exceed what the text takes from them: it may divide by the difference."""

    constants: frozenset[int] = frozenset()
    """Numbers of the text and of template arguments, powers of two where it shifts."""

    told: Told = field(default_factory=Told)
    """Launch bounds in the text of a kernel."""

    text: Text = field(default_factory=Text)
    """Of a kernel: what its subscripts are made of follows from it."""

    stated: ShapeDependent | None = None
    """The law, where the user says which launches there are, or none but the program's own are borne."""

    kept: tuple[str, ...] = ()
    """Relations that scalars keep at all of these launches."""

    @property
    def families(self) -> tuple[tuple[str, ...], ...]:
        """Return the launches of sites that use nothing but the kernel's scalars.

        The kernel may have no use for them: where rows are blocks, their number is passed and never compared.
        """
        known = [site.family for site in self.sites if site.family is not None]
        return tuple(
            dict.fromkeys(item for item in known if all(names_of(part) <= {*self.integers} for part in item))
        )

    @property
    def confined(self) -> bool:
        """Tell whether it uses arrays of a fixed length that are not its callers', which no trace bounds."""
        return self.shared or self.told.arrays or any(item.count > 1 for item in self.signature.globals)

    @property
    def passed(self) -> tuple[tuple[str, ...], ...]:
        """Return what holds between scalars wherever the program launches the kernel, by call."""
        return only_of([item for site in self.sites for item in site.passed], frozenset(self.used))

    def says(self, relation: str) -> bool:
        """Tell whether the text of every launch in the program says that a relation holds."""
        return bool(self.sites) and all(relation in site.held for site in self.sites)

    @property
    def integers(self) -> tuple[str, ...]:
        """Return the names of the integer scalars."""
        return tuple(item.name for item in self.scalars if item.integer)

    @property
    def used(self) -> tuple[str, ...]:
        """Return the integer scalars that results can depend on: laws and relations name no others."""
        return tuple(name for name in self.integers if name not in self.unused)

    def axis(self, letter: str) -> Axis | None:
        """Return the axis of that letter where it is used."""
        return next((axis for axis in self.axes if axis.letter == letter), None)


def subject_of(
    source: Source, unit: Unit, signature: Signature, entry: int, sites: tuple[Site, ...] = ()
) -> Subject | Inconclusive:
    """Return what is learnt about; Inconclusive names the parameter whose layout is out of reach."""
    beyond = out_of_reach(source, unit, signature)
    if beyond is not None:
        return beyond
    arrays: list[ArrayInput] = []
    scalars: list[ScalarInput] = []
    for position, parameter in enumerate(signature.parameters):
        element = parameter.element
        assert element is not None
        if parameter.pointer:
            arrays.append(
                ArrayInput(name=parameter.name, element=element, position=position, const=parameter.const)
            )
            continue
        for leaf in element.leaves:
            name = parameter.part(leaf)
            ends = None if leaf.name else _ends(source, parameter.spelling)
            scalars.append(
                ScalarInput(name=name, scalar=leaf.scalar, position=position, offset=leaf.offset, ends=ends)
            )
    if len(scalars) > _MOST_SCALARS:
        most = f"contracts are inferred for {_MOST_SCALARS} at most"
        return unknown(f"{len(scalars)} scalars are passed by value, and {most}")
    # What comments say of threads and numbers is nothing that the kernel does.
    mine = code(unit.text)
    own = b" ".join((mine, *_macro_bodies(macros(source.files.values()), [mine])))
    text = closure(source, unit)
    kernel = unit.kind is UnitKind.KERNEL
    mentioned = mentioned_by(source, unit)
    compared = mentioned.compared
    numbers = [item.name for item in scalars if item.integer]
    return Subject(
        signature=signature,
        entry=entry,
        arrays=tuple(arrays),
        scalars=tuple(scalars),
        axes=_counted(signature, text) if kernel else (),
        launched=kernel,
        dimensions=_dimensions(source, unit, signature, text),
        sites=sites,
        shared=b"__shared__" in text,
        literals=_literals(text, compared),
        levels=compared[:_LEVELS] if any(item.element.has_fractions for item in arrays) else (),
        sought=tuple(number for number in mentioned.sought if number not in _USUAL),
        asked=tuple(
            (name, int(number)) for name, number in mentioned.asked if name in numbers and number.is_integer()
        )[:_CHOICES],
        remainders=b"%" in text,
        unmentioned=_unmentioned(own, scalars),
        unused=_unused(own, numbers) if kernel else frozenset(),
        signs=frozenset(_signs(text, own, numbers)),
        floors=tuple(_floors(own, numbers)) if kernel else (),
        constants=_constants(text, signature),
        told=told_of(source, unit, signature, numbers) if kernel else Told(),
        text=_text(source, unit, signature, numbers) if kernel else Text(),
    )


def _text(source: Source, unit: Unit, signature: Signature, numbers: Iterable[str]) -> Text:
    """Return a kernel's functions; none where two have one name, or a template may choose between texts."""
    parts = (unit, *source.closure(unit))
    named = {item.name.rpartition("::")[2]: item for item in parts}
    if len(named) < len(parts):
        return Text()
    functions = {name: parse(item.text, grammar_of(item.path)).root_node for name, item in named.items()}
    return Text(
        functions=functions,
        scalars=frozenset(numbers),
        constant=constants_for(source, unit).get,
        arguments=template_arguments(next(iter(functions.values())), signature),
    )


def _ends(source: Source, spelling: str) -> tuple[int, int] | None:
    values = enumerators(source.files, spelling)
    return enumerators_ends(values) if values else None


def _unmentioned(text: bytes, scalars: Iterable[ScalarInput]) -> tuple[str, ...]:
    _, body, inside = text.partition(b"{")
    words = {word.decode() for word in _WORD.findall(inside)}
    plain = [item.name for item in scalars if item.integer and "." not in item.name]
    return tuple(name for name in plain if body and name not in words)


def _unused(own: bytes, numbers: Iterable[str]) -> frozenset[str]:
    """Return the numbers that a body leaves out; of a struct members, where it takes it by single ones."""
    _, body, inside = own.partition(b"{")
    inside = _VOID.sub(b"", inside)
    words = {word.decode() for word in _WORD.findall(inside)}
    found: set[str] = set()
    for name in numbers:
        whole, _, member = name.partition(".")
        spoken = whole in words
        if spoken and member and not re.search(_WHOLE % re.escape(whole).encode(), inside):
            spoken = set(member.split(".")) <= words
        found |= set() if spoken else {name}
    return frozenset(found) if body else frozenset()


def _floors(own: bytes, numbers: Iterable[str]) -> Iterator[str]:
    for name in numbers:
        taken = re.findall(_TAKEN % re.escape(name).encode(), own)
        yield from (f"{name} >= {int(number) + 1}" for number in dict.fromkeys(taken))


def _signs(text: bytes, own: bytes, numbers: Iterable[str]) -> Iterator[str]:
    """Yield the numbers that are compared with 0 or 1, and those passed on where anything is so compared."""
    anything = re.search(_SIGN % (rb"\w+", rb"\w+", rb"\w+"), text)
    for name in numbers if anything else ():
        word = re.escape(name).encode()
        if re.search(_SIGN % (word, word, word), text) or re.search(_PASSED % word, own.partition(b"{")[2]):
            yield name


def _dimensions(source: Source, unit: Unit, signature: Signature, text: bytes) -> tuple[int, ...]:
    if unit.kind is UnitKind.KERNEL and b"__shared__" not in text:
        return ()
    words = [parameter.spelling.encode() for parameter in signature.parameters]
    known = macros(source.files.values())
    numbers = {known.get(word, word).strip(b" ()") for word in _DIMENSION.findall(b" ".join([text, *words]))}
    lengths = {int(number) for number in numbers if number.isdigit()}
    lengths |= {length for item in signature.globals for length in item.lengths}
    return tuple(sorted(length for length in lengths if 1 < length <= _GREATEST_LITERAL))[:_LITERALS]


def _literals(text: bytes, compared: Iterable[float]) -> tuple[int, ...]:
    found = {int(word) for word in _INTEGER.findall(text)}
    found |= {int(number) for number in compared if number.is_integer()}
    small = (number for number in found if abs(number) <= _GREATEST_LITERAL)
    return tuple(sorted({0, 1, *small}))[:_LITERALS]


def _constants(text: bytes, signature: Signature) -> frozenset[int]:
    found = {int(word) for word in _INTEGER.findall(text)}
    found |= {int(word) for word in re.findall(r"\b\d{1,6}\b", signature.template_arguments or "")}
    shifts = b"<<" in text or b">>" in text
    return frozenset(found | {1 << number for number in found if shifts and number <= _GREATEST_SHIFT})


def closure(source: Source, unit: Unit) -> bytes:
    """Return the code of a unit, of what it calls, and of the macros that these use."""
    known = {item.id: item for item in source.units}
    waiting, seen, texts = [unit.id], set[str](), [b""]
    while waiting:
        identifier = waiting.pop()
        if identifier in seen or identifier not in known:
            continue
        seen.add(identifier)
        texts.append(code(known[identifier].text))
        waiting.extend(known[identifier].callees)
    return b"\n".join([*texts, *_macro_bodies(macros(source.files.values()), texts)])


def _macro_bodies(bodies: Mapping[bytes, bytes], texts: Iterable[bytes]) -> list[bytes]:
    used: dict[bytes, bytes] = {}
    waiting = list(texts)
    while waiting:
        for word in set(_WORD.findall(waiting.pop())):
            if word in bodies and word not in used:
                used[word] = bodies[word]
                waiting.append(bodies[word])
    return list(used.values())


def _counted(signature: Signature, text: bytes) -> tuple[Axis, ...]:
    """Return the axes by which threads count: also those by which they do the same again, and it adds up."""
    named = axes_of(text)
    if PRINTED in signature.globals:
        return (_ACROSS, *(axis for axis in named if axis.letter != "x"))
    return named or ((_ACROSS,) if _ATOMIC.search(text) else ())


def axes_of(text: bytes) -> tuple[Axis, ...]:
    """Return the axes that a text mentions; a builtin that is passed on whole counts for all three."""
    grid: set[str] = set()
    block: set[str] = set()
    for word, letter in [*_BUILTIN.findall(text), *_GROUP_INDEX.findall(text)]:
        (grid if word in _GRID_WORDS else block).update(letter.decode() or "xyz")
    if _GROUP.search(text):
        block.add("x")
    return tuple(
        Axis(letter=letter, grid=letter in grid, block=letter in block)
        for letter in "xyz"
        if letter in grid | block
    )
