"""Code that the emulator or the trials do not support: found by name, and located."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from transpile.code.edits import column_of, line_of
from transpile.code.lexer import Kind, Macro, Token, tokenize
from transpile.core import Diagnostic, Severity, Span
from transpile.parsers.ptx import places
from transpile.parsers.text.outline import DeviceFunction, device_functions

_SUSPECT = re.compile(
    rb"\b(?:asm|__asm|__asm__)\b|tex[123C]|surf[123C]|texture|surface|cuda(?:Texture|Surface)Object_t"
    rb"|_grid|grid_group|_cluster|cluster_group|nvcuda|wmma"
)
_TEXTURES = (b"tex1D", b"tex2D", b"tex3D", b"texCubemap", b"surf1D", b"surf2D", b"surf3D", b"surfCubemap")
_TEXTURE_OBJECTS = frozenset((b"cudaTextureObject_t", b"cudaSurfaceObject_t"))
_GRID = frozenset(
    (b"grid_group", b"multi_grid_group", b"this_grid", b"this_multi_grid", b"cluster_group", b"this_cluster")
)
_OF_WARPS = re.compile(
    rb"warpSize|__(?:shfl|ballot|any|all|activemask|match|reduce|lane_id|syncwarp)(?:_\w+)?|__mbcnt_(?:lo|hi)"
    rb"|__builtin_amdgcn_\w+|coalesced_threads|tiled_partition"
)
"""HIP's, that do something else on warps of 64 lanes than on warps of 32."""
_WHY = {
    "TP111": "trials cannot make",
    "TP112": "trials cannot launch",
    "TP114": "does something else on devices of AMD whose warps have 64 lanes: trials run on 32",
}
_TENSOR = frozenset((b"wmma", b"nvcuda"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A use of something that cannot be judged."""

    code: str
    what: str
    token: Token


def diagnose(
    files: Mapping[str, bytes],
    macros: frozenset[bytes] = frozenset(),
    inactive: Mapping[str, Sequence[Span]] | None = None,
    *,
    hip: bool = False,
) -> Iterator[Diagnostic]:
    """Yield one diagnostic a function and thing that it uses.

    Args:
        files: The code of a source.
        macros: Words that mean ``__device__``.
        inactive: What ``#if`` removes from each file, where that is known: it is not complained of.
        hip: The code is HIP's.
    """
    suspects = {
        path: data
        for path, data in files.items()
        if _SUSPECT.search(data) or (hip and _OF_WARPS.search(data))
    }
    hidden = hiding_macros([macro for data in suspects.values() for macro in tokenize(data).macros], hip=hip)
    words = re.compile(rb"\b(?:" + b"|".join(map(re.escape, hidden)) + rb")\b") if hidden else None
    for path, data in files.items():
        if path in suspects or (words is not None and words.search(data)):
            tokens = tokenize(data).text
            device = tuple(device_functions(tokens, macros))
            spans = [(tokens[item.first].start, tokens[item.last].end) for item in device]
            told: set[tuple[str, int]] = set()
            for lack in find(tokens, device, hidden, hip=hip):
                home = next((begin for begin, end in spans if begin <= lack.token.start < end), -1)
                removed = (inactive or {}).get(path, ())
                if (lack.what, home) not in told and not any(
                    span.start <= lack.token.start < span.end for span in removed
                ):
                    told.add((lack.what, home))
                    yield _diagnostic(lack, path, data)


def hiding_macros(macros: Sequence[Macro], *, hip: bool = False) -> dict[bytes, Lack]:
    """Return the macros whose bodies hold such a use, directly or by another macro."""
    hidden: dict[bytes, Lack] = {}
    for _ in range(len(macros)):
        before = len(hidden)
        for macro in macros:
            lack = next(find(macro.body, None, hidden, hip=hip), None) if macro.name not in hidden else None
            if lack is not None:
                hidden[macro.name] = lack
        if len(hidden) == before:
            break
    return hidden


def find(
    tokens: Sequence[Token],
    device: Sequence[DeviceFunction] | None,
    hidden: Mapping[bytes, Lack],
    *,
    hip: bool = False,
) -> Iterator[Lack]:
    """Yield the uses in a token list.

    Assembly and macros count inside device code only: in the functions ``device``, or everywhere for None.
    """
    functions = iter(device or ())
    home = next(functions, None)
    for index, token in enumerate(tokens):
        if token.kind is not Kind.WORD:
            continue
        while home is not None and index > home.last:
            home = next(functions, None)
        around = home if home is not None and home.first <= index else None
        inside = device is None or around is not None
        if inside and token.text in hidden:
            behind = hidden[token.text]
            yield Lack(
                code=behind.code, what=f"{behind.what}, by the macro {token.text.decode()}", token=token
            )
        elif token.text in places.WORDS:
            yield from _assembly(tokens, index, around, inside=inside)
        elif hip and inside and _OF_WARPS.fullmatch(token.text):
            yield Lack(code="TP114", what=f"an operation of warps ({token.text.decode()})", token=token)
        elif (lack := _lack(tokens, index, inside=inside)) is not None:
            yield lack


def _assembly(
    tokens: Sequence[Token], index: int, home: DeviceFunction | None, *, inside: bool
) -> Iterator[Lack]:
    place = places.place(tokens, index, home=home, inside=inside) if inside else None
    if place is not None and place.refused:
        yield Lack(code="TP110", what=f"inline PTX ({place.refused})", token=tokens[index])


def _lack(tokens: Sequence[Token], index: int, *, inside: bool) -> Lack | None:
    token = tokens[index]
    text = token.text
    if is_texture(tokens, index):
        return Lack(code="TP111", what=f"a texture or surface ({text.decode()})", token=token)
    if text in _GRID:
        return Lack(code="TP112", what=f"synchronisation across blocks ({text.decode()})", token=token)
    if inside and text in _TENSOR:
        return Lack(code="TP113", what=f"tensor core operations ({text.decode()})", token=token)
    return None


def is_texture(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether the word at the index belongs to textures or surfaces."""
    text = tokens[index].text
    called = index + 1 < len(tokens) and tokens[index + 1].text in (b"(", b"<")
    named = text.startswith(_TEXTURES) or text in (b"texture", b"surface")
    qualified = index > 0 and tokens[index - 1].text in (b"::", b".", b"->")
    return (text in _TEXTURE_OBJECTS or (called and named)) and not qualified


def _diagnostic(lack: Lack, path: str, data: bytes) -> Diagnostic:
    """Locate a use for the user."""
    start = lack.token.start
    return Diagnostic(
        code=lack.code,
        severity=Severity.ERROR,
        path=path,
        line=line_of(data, start),
        column=column_of(data, start),
        message=f"uses {lack.what}, which {_WHY.get(lack.code, 'the emulator does not support')}",
        hint="kernels that use this are not judged; the others of the file are",
    )
