"""What the emulator lacks: found by name, located, and made harmless where it would not even compile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.core import Diagnostic, Severity
from transpile.parsers.lexer import Kind, Token, closing

_ASM = frozenset((b"asm", b"__asm__", b"__asm"))
_TEXTURES = (b"tex1D", b"tex2D", b"tex3D", b"texCubemap", b"surf1D", b"surf2D", b"surf3D", b"surfCubemap")
_TEXTURE_TYPES = frozenset((b"cudaTextureObject_t", b"cudaSurfaceObject_t"))
_GRID = frozenset(
    (b"grid_group", b"multi_grid_group", b"this_grid", b"this_multi_grid", b"cluster_group", b"this_cluster")
)
_TENSOR = frozenset((b"wmma", b"nvcuda"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A use of something that the emulator does not have."""

    code: str
    what: str
    token: Token


def find(tokens: Sequence[Token], device: Sequence[tuple[int, int]] = ()) -> Iterator[Lack]:
    """Yield the uses in a token list; assembly counts inside device code only (ranges of token indices)."""
    ranges = iter(device)
    current = next(ranges, None)
    for index, token in enumerate(tokens):
        if token.kind is not Kind.WORD:
            continue
        while current is not None and index > current[1]:
            current = next(ranges, None)
        lack = _lack(tokens, index, inside=current is not None and current[0] <= index)
        if lack is not None:
            yield lack


def _lack(tokens: Sequence[Token], index: int, *, inside: bool) -> Lack | None:
    token = tokens[index]
    text = token.text
    if text in _ASM:
        return Lack(code="TP110", what="inline PTX assembly", token=token) if inside else None
    called = index + 1 < len(tokens) and tokens[index + 1].text in (b"(", b"<")
    if text in _TEXTURE_TYPES or (
        called and (text.startswith(_TEXTURES) or text in (b"texture", b"surface"))
    ):
        qualified = index > 0 and tokens[index - 1].text in (b"::", b".", b"->")
        return (
            None
            if qualified
            else Lack(code="TP111", what=f"a texture or surface ({text.decode()})", token=token)
        )
    if text in _GRID:
        return Lack(code="TP112", what=f"synchronisation across blocks ({text.decode()})", token=token)
    if inside and text in _TENSOR:
        return Lack(code="TP113", what="tensor core operations (wmma)", token=token)
    return None


def assembly_end(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the parenthesis that ends the ``asm`` statement at the index."""
    at = index + 1
    while at < len(tokens) and tokens[at].text in (b"volatile", b"__volatile__", b"goto", b"inline"):
        at += 1
    return closing(tokens, at) if at < len(tokens) and tokens[at].text == b"(" else None


def diagnostic(lack: Lack, path: str, data: bytes) -> Diagnostic:
    """Locate a use for the user."""
    start = lack.token.start
    return Diagnostic(
        code=lack.code,
        severity=Severity.ERROR,
        path=path,
        line=data.count(b"\n", 0, start) + 1,
        column=start - (data.rfind(b"\n", 0, start) + 1) + 1,
        message=f"uses {lack.what}, which the emulator does not have",
        hint="the kernels that reach this are not judged; the rest of the file is",
    )
