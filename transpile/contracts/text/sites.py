"""Launch sites as expressions: grid, block and shared memory, over the kernel's scalars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tree_sitter import Node

from transpile.code.brackets import enclosed, split
from transpile.code.templates import parameters_around
from transpile.code.types import bare, size_of
from transpile.contracts.text.callers import altering
from transpile.contracts.text.constants import without_shifts
from transpile.contracts.text.helpers import without_calls
from transpile.contracts.text.host_values import Held, held, is_given_shape, is_plain_shape, root_of
from transpile.contracts.text.limits import limited
from transpile.contracts.text.site_relations import products_of, relations_of
from transpile.contracts.text.symbol_copies import copied
from transpile.core import LaunchSite, Signature, Source, Unit
from transpile.expressions import ExpressionError, evaluate, names, parse, substitute, to_text
from transpile.parsers.files.discovery import is_code
from transpile.parsers.text.launching_parameters import launching_parameters
from transpile.parsers.text.launching_pointers import launching_pointers

_DEPTH = 8
_CAST = re.compile(
    r"\(\s*(?:const\s+)?(?:unsigned|signed|int|long|short|size_t|u?int\d+_t|uint|float|double|\s)+\s*\)(?=\s*[\w(])"
    r"|static_cast\s*<[^<>]*>(?=\s*\()"
)
_SUFFIX = re.compile(r"\b(\d+)(?:[uU][lL]{0,2}|[lL]{1,2}[uU]?)\b")
_WHOLE_FLOAT = re.compile(r"\b(\d+)\.0*f?(?![\w.])")
_CEIL = re.compile(r"\b(?:std::)?ceilf?\s*\(")
_SIZEOF = re.compile(r"\bsizeof\s*\(\s*([\w ]+?)\s*\)")
_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*")
_UNKNOWN = "?"
"""In the place of what nothing tells."""
_CONSTANTS = frozenset({"min", "max"})
_LITERAL = re.compile(
    r"(?:(?:const|unsigned|signed|char|short|int|long|float|double|bool|void|[\s*&])+|true|false|[-+]?\d[\w.]*)"
)


Block = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A launch site; what could not be expressed is None."""

    grid: tuple[str | None, str | None, str | None]
    block: tuple[str | None, str | None, str | None]
    shared: str | None
    relations: tuple[str, ...] = ()
    """What the host passes twice, or as a constant: ``m == n``, ``k == 16``."""
    passed: tuple[tuple[str, ...], ...] = ()
    """Relations between scalars at the site, and at the calls that lead to it."""
    held: tuple[str, ...] = ()
    """Relations between scalars at the site, whoever calls the function around it."""
    products: tuple[str, ...] = ()
    """What the host makes scalars of others by: ``size == rows * columns``, whatever these are."""

    @property
    def family(self) -> tuple[str, ...] | None:
        """Return the launch as seven expressions where all are known."""
        parts = [*self.grid, *self.block, self.shared]
        known = [part for part in parts if part is not None]
        return tuple(known) if len(known) == len(parts) else None

    @property
    def fixed_block(self) -> Block | None:
        """Return the block where it is a constant."""
        try:
            x, y, z = (evaluate(part, {}) for part in self.block if part is not None)
        except (ExpressionError, ValueError):
            return None
        return (x, y, z)


def sites_of(source: Source, unit: Unit, signature: Signature) -> tuple[Site, ...]:
    """Return the sites that launch an instantiation, without repetition."""
    found: list[Site] = []
    changing = altering(source)
    launches = [_from_outside(item, changing) for item in _launches(source, unit)]
    alone = len(launches) == 1 or len(source.signatures.get(unit.id, ())) == 1
    for launch in launches:
        bound = _bound(source, launch, signature)
        held = copied(source, launch, signature, changing)
        given = _arguments(launch, signature, held)
        reader = _Reader(source, launch, *given, changing, _sizes(signature), {**bound})
        if not _instantiates(reader, signature, bound, alone=alone):
            continue
        site = reader.site()
        relations = relations_of(source, launch, signature, held)
        site = replace(
            site,
            passed=relations.passed,
            held=relations.held,
            products=products_of(source, launch, signature, held),
        )
        found.append(_with_numbers(site, unit))
    return tuple(dict.fromkeys(found))


def _launches(source: Source, unit: Unit) -> Iterator[LaunchSite]:
    """Yield the launches of a kernel: by its name, and of what may stand for it."""
    places = {
        (item.path, span.start)
        for item in launching_parameters(source)
        if any(passed.unit == unit.id for passed in item.passed)
        for span in item.launches
    }
    for found in launching_pointers(source):
        if any(held.unit == unit.id for held in found.held):
            places |= {(item.path, item.span.start) for item in found.launches}
    for launch in source.launches:
        if launch.unit == unit.id or (launch.unit is None and (launch.path, launch.span.start) in places):
            yield launch


def _from_outside(launch: LaunchSite, changing: frozenset[str]) -> LaunchSite:
    """Return a launch in which names that its macro sets are none that the function around it knows.

    Args:
        launch: By a macro, or not.
        changing: Functions that may change what they are given.
    """
    own = set[str]()
    if launch.macro is not None:
        text = launch.macro.expansion.decode("utf-8", "surrogateescape")
        given = [
            enclosed(text, item.end() - 1)
            for item in re.finditer(r"\b(\w+)\s*\(", text)
            if item[1] in changing
        ]
        own = {*launch.macro.own, *re.findall(r"[A-Za-z_]\w*", " ".join(item or text for item in given))}
    if not own:
        return launch
    word = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(own)))})(?!\w)")

    def renamed(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(word.sub(r"\g<0>_of_the_macro", text) for text in texts)

    return replace(launch, configuration=renamed(launch.configuration), arguments=renamed(launch.arguments))


def _with_numbers(site: Site, unit: Unit) -> Site:
    """Return a site in whose launch there are numbers for what it passes as one and the kernel does not use.

    Such may be how much shared memory there is: no trial would choose it well.
    """
    sides = (item.partition(" == ") for item in (site.passed[0] if site.passed else ()))
    values = {
        name: value
        for name, _, value in sides
        if not names(value) and len(re.findall(rb"\b%s\b" % re.escape(name.encode()), unit.text)) == 1
    }

    def written(part: str | None) -> str | None:
        return part if part is None or not values else substitute(part, values)

    grid, block = (tuple(map(written, parts)) for parts in (site.grid, site.block))
    return replace(
        site,
        grid=(grid[0], grid[1], grid[2]),
        block=(block[0], block[1], block[2]),
        shared=written(site.shared),
    )


def _instantiates(reader: _Reader, signature: Signature, bound: Mapping[str, str], *, alone: bool) -> bool:
    """Tell whether a launch is of an instantiation.

    The caller may have names for the arguments: ``scale<TILE>``. Parameters of its own template (``bound``)
    may stand for any. Of names whose values are not known it counts whether there is but one launch of the
    kernel, or one instantiation (``alone``).
    """

    def agrees(one: str, other: str) -> bool:
        if _compact(one) == _compact(other) or one in bound:
            return True
        value = reader.number(one) if _is_named(one) else None
        return value == other if value is not None else alone and _is_named(one)

    return all(agrees(one, other) for one, other in _told(reader.launch, signature))


def _told(launch: LaunchSite, signature: Signature) -> list[tuple[str, str]]:
    """Return the template arguments that a launch writes, each beside that of an instantiation."""
    if signature.template_arguments is None or "<" not in launch.kernel:
        return []
    given = launch.kernel.split("<", 1)[1].rsplit(">", 1)[0]
    return [
        (one.strip(), other.strip())
        for one, other in zip(split(given), split(signature.template_arguments), strict=False)
    ]


def _bound(source: Source, launch: LaunchSite, signature: Signature) -> dict[str, str]:
    """Return what the launching function's template parameters are where it launches an instantiation."""
    told = _told(launch, signature)
    if not told:
        return {}
    root = root_of(launch.path, source.files[launch.path])
    place = root.descendant_for_byte_range(launch.span.start, launch.span.end)
    own = parameters_around(place) if place is not None else frozenset()
    return {one: other for one, other in told if one in own}


def _is_named(argument: str) -> bool:
    """Tell whether a template argument is given by a name of the caller's: of a constant, or of a type."""
    return not _LITERAL.fullmatch(argument.strip())


def _compact(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _arguments(
    launch: LaunchSite, signature: Signature, held: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the kernel's names for what the host passes by value, and what holds between them.

    Args:
        launch: The launch.
        signature: Of the kernel.
        held: The host's texts for numbers that the kernel finds in variables.
    """
    renaming: dict[str, str] = {}
    relations: list[str] = []
    for argument, parameter in zip(launch.arguments, signature.parameters, strict=False):
        text = _SUFFIX.sub(r"\1", _CAST.sub("", argument)).strip()
        if parameter.pointer or parameter.element is None or parameter.element.scalar is None:
            continue
        if text in renaming:
            relations.append(f"{parameter.name} == {renaming[text]}")
        elif _NAME.fullmatch(text):
            renaming[text] = parameter.name
        elif text.isdigit():
            relations.append(f"{parameter.name} == {text}")
    for name, text in held.items():
        if renaming.setdefault(text, name) != name:
            relations.append(f"{name} == {renaming[text]}")
    return renaming, tuple(relations)


@dataclass(slots=True)
class _Reader:
    source: Source
    launch: LaunchSite
    renaming: Mapping[str, str]
    relations: tuple[str, ...]
    altering: frozenset[str]
    sizes: Mapping[str, int]
    """Of the types of what the kernel's pointers lead to."""
    known: dict[str, str | None] = field(default_factory=dict)

    def site(self) -> Site:
        texts = [*self.launch.configuration, "0"]
        grid = self._shape(texts[0])
        block = self._shape(texts[1] if len(self.launch.configuration) > 1 else "")
        shared = self._number(texts[2] if len(self.launch.configuration) > 2 else "0", _DEPTH)
        return Site(grid=grid, block=block, shared=shared, relations=self.relations)

    def number(self, text: str) -> str | None:
        """Return what a text stands for at the launch, where it is a number."""
        found = self._number(text, _DEPTH)
        try:
            return str(evaluate(found, {})) if found is not None else None
        except ExpressionError:
            return None

    def _shape(self, text: str) -> tuple[str | None, str | None, str | None]:
        parts = self._parts(text, _DEPTH)
        numbers = [self._number(part, _DEPTH) for part in parts[:3]]
        numbers += ["1"] * (3 - len(numbers))
        return (numbers[0], numbers[1], numbers[2])

    def _parts(self, text: str, depth: int) -> list[str]:
        """Return the components of a shape: of a constructor, a braced list, or a variable defined so."""
        text = text.strip()
        call = re.fullmatch(r"(?:dim3\s*)?[({](.*)[)}]", text, re.DOTALL)
        if call and (text.startswith(("dim3", "{"))):
            return split(call.group(1))
        if depth and self._is_variable(text):
            shape = self._components(text, depth)
            if shape is not None:
                return shape
            definition = self._definition(text)
            if definition is not None:
                return self._parts(definition, depth - 1)
            if is_given_shape(self._root, self.launch.span.start, text):
                return [_UNKNOWN] * 3
        return [text]

    def _components(self, name: str, depth: int) -> list[str] | None:
        """Return the components of a variable that is a shape, as they are at the launch; else None."""
        definition, parts = self._definition(name), None
        if definition is None:
            if is_plain_shape(self._root, self.launch.span.start, name, self.altering):
                parts = list[str]()
        elif definition.startswith(("dim3", "{")):
            parts = self._parts(definition, depth - 1)
        elif depth and self._is_variable(definition):
            parts = self._components(definition, depth - 1)
        if parts is None:
            return None
        given = [*parts, "1", "1", "1"][:3]
        return [self._set(f"{name}.{member}", part) for member, part in zip("xyz", given, strict=True)]

    def _set(self, name: str, before: str) -> str:
        """Return what a component is after assignments to it alone."""
        found = self._held(name)
        return before if found is None else _UNKNOWN if found.value is None else found.value

    def _number(self, text: str, depth: int) -> str | None:
        """Return the text as an expression of the kernel's scalars, None where it is none."""
        written = without_calls(text, self.source)
        plain = plainer(without_shifts(written, self._definition), self.sizes)
        if plain is None or depth == 0:
            return None
        pieces: list[str] = []
        end = 0
        for match in _NAME.finditer(plain):
            name = match.group()
            pieces.append(plain[end : match.start()])
            end = match.end()
            if name in _CONSTANTS:
                pieces.append(name)
                continue
            whole, dot, member = name.partition(".")
            if name in self.renaming:
                pieces.append(self.renaming[name])
                continue
            if whole in self.renaming:
                pieces.append(self.renaming[whole] + dot + member)
                continue
            components = self._components(whole, depth - 1) if member in ("x", "y", "z") else None
            definition = components["xyz".index(member)] if components else self._definition(name)
            value = None if definition is None else self._number(definition, depth - 1)
            if value is None:
                return None
            pieces.append(f"({value})")
        try:
            return to_text(parse("".join([*pieces, plain[end:]])))
        except ExpressionError:
            return None

    def _definition(self, name: str) -> str | None:
        """Return what a name holds at the launch, or what a macro or constant of it is."""
        if name not in self.known:
            self.known[name] = None
            found = self._held(name)
            self.known[name] = self._constant(name) if found is None else found.value
        return self.known[name]

    def _held(self, name: str) -> Held | None:
        """Return what the host function says of a name at the launch."""
        return held(self._root, self.launch.span.start, name, self.altering)

    @property
    def _root(self) -> Node:
        """Return the tree of the file that launches."""
        return root_of(self.launch.path, self.source.files[self.launch.path])

    def _is_variable(self, text: str) -> bool:
        """Tell whether a text is the name of something that is no scalar of the kernel."""
        return re.fullmatch(r"[A-Za-z_]\w*", text) is not None and text not in self.renaming

    def _constant(self, name: str) -> str | None:
        """Return what a macro or a constant stands for: in the file that launches, else in all others."""
        own = self.source.files[self.launch.path]
        values = set(_constants(own, name)) or {
            value
            for path, data in self.source.files.items()
            if is_code(path)
            for value in _constants(data, name)
        }
        return values.pop() if len(values) == 1 else None


def _constants(data: bytes, name: str) -> list[str]:
    """Return what a file says that a macro or a constant stands for, each time."""
    if name.encode() not in data:
        return []
    text, word = data.decode("utf-8", "replace"), re.escape(name)
    found = re.findall(rf"^[ \t]*#[ \t]*define[ \t]+{word}[ \t]+(.+)$", text, re.MULTILINE)
    found += re.findall(rf"\bconst(?:expr)?\b[^;=()]*\b{word}\s*=\s*([^;,]+)[;,]", text)
    return [re.sub(r"//.*|/\*.*?\*/", "", value).strip() for value in found]


def _sizes(signature: Signature) -> dict[str, int]:
    known = [(item, item.element) for item in signature.parameters if item.element is not None]
    sizes = {bare(element.spelling): element.size for _, element in known}
    named = ((item.spelling.partition("*"), element) for item, element in known)
    return sizes | {bare(name): element.size for (name, _, rest), element in named if "*" not in rest}


def plainer(text: str, sizes: Mapping[str, int] = MappingProxyType({})) -> str | None:
    """Return a C expression without casts, suffixes, ``sizeof`` and ``ceil``; None where one stays.

    Args:
        text: The expression.
        sizes: Of types that are no numbers, by their names.
    """

    def size(match: re.Match[str]) -> str:
        known = size_of(match[1]) or sizes.get(re.sub(r"^\s*struct\s+", "", match[1]).strip())
        return str(known or "?")

    text = _SUFFIX.sub(r"\1", _CAST.sub("", limited(text.replace("\n", " "))))
    text = re.sub(r"\b(?:std|thrust)::(min|max)\b", r"\1", text)
    text = _SIZEOF.sub(size, text)
    while (match := _CEIL.search(text)) is not None:
        inner = enclosed(text, match.end() - 1, most=500)
        quotient = None if inner is None else _quotient(inner)
        if inner is None or quotient is None:
            return None
        text = f"{text[: match.start()]}{quotient}{text[match.end() + len(inner) + 1 :]}"
    text = _WHOLE_FLOAT.sub(r"\1", text).replace("->", ".")
    return None if re.search(r"[?\[\]\"']|\.\d|<<|>>", text) else text.strip()


def _quotient(text: str) -> str | None:
    """Return the division inside a ``ceil``, rounded up."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] in ")]") - (text[position] in "([")
        if text[position] == "/" and depth == 0:
            top, bottom = text[:position].strip(), text[position + 1 :].strip()
            return f"((({top}) + ({bottom}) - 1) / ({bottom}))"
    return f"({text})"
