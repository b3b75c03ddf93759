"""Kernels whose name alone is no function: a launch by an address would not know which is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token, closing, tokenize
from transpile.core import Source
from transpile.parsers.text.outline import DeviceFunction, device_functions, file_scope
from transpile.parsers.text.units import parameter_types

_KERNEL = b"__global__"
_BOUNDS = b"__launch_bounds__"
_ENDS = frozenset((b";", b"{", b"}"))
"""Behind these a declaration begins."""
_Read = tuple[Sequence[Token], Sequence[DeviceFunction]]


@dataclass(frozen=True, slots=True)
class _Kernel:
    """The head of a kernel, as some file has it."""

    name: bytes
    types: tuple[str, ...]
    plain: bool
    """No template, and no parameter has a default."""


def nameless_kernels(files: Mapping[str, bytes]) -> frozenset[str]:
    """Return the names of the kernels that are no function by their name alone in some file.

    Templates, overloads, kernels that a host function is named like, ones with default arguments, and ones
    that a header declares with other parameters than any file defines: to a compiler those are overloads.
    """
    read = _read(files)
    names = {name for tokens, functions in read for name in nameless_in(tokens, functions)}
    names |= {item.name for tokens, _ in read for item in _declarations(tokens) if not item.plain}
    return _plain(names | _declared_otherwise(read))


def names_of_several(source: Source, path: str) -> frozenset[str]:
    """Return the names that several functions have which a translation unit may see.

    A host function is often named like the kernel that it launches.
    """
    seen = {item.id: item.name for item in source.units if path in (item.path, item.translation_unit)}
    several = frozenset(name for name, count in Counter(seen.values()).items() if count > 1)
    return several | _plain(_declared_otherwise(_read(source.files)))


def _read(files: Mapping[str, bytes]) -> list[_Read]:
    """Return the tokens of the files that mention kernels, and the functions of the device in each."""
    texts = (tokenize(data).text for data in files.values() if _KERNEL in data)
    return [(tokens, tuple(device_functions(tokens))) for tokens in texts]


def _declared_otherwise(read: Sequence[_Read]) -> set[bytes]:
    """Return the names of kernels that some file declares with parameters that no definition has."""
    defined = {
        (item.name, item.types) for tokens, functions in read for item in _definitions(tokens, functions)
    }
    known = {name for name, _ in defined}
    declared = (item for tokens, _ in read for item in _declarations(tokens))
    return {item.name for item in declared if item.name in known and (item.name, item.types) not in defined}


def _plain(names: Iterable[bytes]) -> frozenset[str]:
    return frozenset(name.rpartition(b"::")[2].decode("utf-8", "surrogateescape") for name in names)


def nameless_in(tokens: Sequence[Token], functions: Sequence[DeviceFunction]) -> frozenset[bytes]:
    """Return the names of such kernels, as far as one file tells.

    Args:
        tokens: Of the file.
        functions: Those of the device that it defines.
    """
    own = set(_definitions(tokens, functions))
    several = {item.name for item in own if not item.plain} | _overloaded(own)
    return frozenset(several | set(_of_the_host(tokens, {item.name for item in own})))


def _overloaded(kernels: Iterable[_Kernel]) -> set[bytes]:
    """Return the names that several kernels of a file have."""
    lists: dict[bytes, set[tuple[str, ...]]] = {}
    for item in kernels:
        lists.setdefault(item.name, set()).add(item.types)
    return {name for name, different in lists.items() if len(different) > 1}


def _definitions(tokens: Sequence[Token], functions: Sequence[DeviceFunction]) -> Iterator[_Kernel]:
    for function in functions:
        if function.kernel:
            close = closing(tokens, function.parameters) or function.body
            yield _kernel(tokens, function.name, function.parameters, close, template=function.template)


def _declarations(tokens: Sequence[Token]) -> Iterator[_Kernel]:
    """Yield the kernels that a file declares and does not define there."""
    for index, token in enumerate(tokens):
        opening = _parameters(tokens, index) if token.text == _KERNEL else None
        close = closing(tokens, opening) if opening is not None else None
        if opening is not None and close is not None and _followed(tokens, close, b";"):
            template = b">" in {item.text for item in tokens[max(index - 1, 0) : index]}
            yield _kernel(tokens, tokens[opening - 1].text, opening, close, template=template)


def _parameters(tokens: Sequence[Token], index: int) -> int | None:
    """Return where the parameters begin of what is declared there; None where nothing is."""
    while index < len(tokens) and tokens[index].text not in _ENDS:
        if tokens[index].text == b"(":
            if tokens[index - 1].text != _BOUNDS:
                return index
            index = closing(tokens, index) or len(tokens)
        index += 1
    return None


def _kernel(tokens: Sequence[Token], name: bytes, opening: int, close: int, *, template: bool) -> _Kernel:
    inside = tokens[opening + 1 : close]
    return _Kernel(
        name, parameter_types(inside), not template and all(token.text != b"=" for token in inside)
    )


def _of_the_host(tokens: Sequence[Token], names: Collection[bytes]) -> Iterator[bytes]:
    """Yield those of the names by which something without ``__global__`` is declared at file scope."""
    scope = file_scope(tokens) if names else bytearray()
    for index, token in enumerate(tokens):
        if token.text not in names or not scope[index] or not _followed(tokens, index, b"("):
            continue
        first = index
        while first and tokens[first - 1].text not in _ENDS and tokens[first - 1].kind is not Kind.DIRECTIVE:
            first -= 1
        before = [item.text for item in tokens[first:index]]
        if before and b"__global__" not in before:
            yield token.text


def _followed(tokens: Sequence[Token], index: int, text: bytes) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1].text == text
