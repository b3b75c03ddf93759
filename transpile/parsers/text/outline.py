"""Where device code lies in a token list: file scope, and the functions with CUDA qualifiers.

This sees kernels inside regions that tree-sitter could not parse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token, Tokens, angle_closing, closing

QUALIFIERS = frozenset((b"__global__", b"__device__"))
_ATTRIBUTES = frozenset(
    b"""
    __launch_bounds__ __attribute__ __align__ alignas decltype noexcept __declspec
    __cluster_dims__ explicit requires __maxnreg__
    """.split()
)
_QUALIFYING = frozenset(
    (b"__host__", b"__forceinline__", b"inline", b"static", b"constexpr", b"__noinline__", b"__inline__")
)

_LONGEST_HEAD = 8
"""Words of a specialization among which its qualifier is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFunction:
    """A definition marked ``__global__`` or ``__device__``, as token indices."""

    name: bytes
    first: int
    parameters: int
    """Index of the parenthesis that opens the parameter list."""
    body: int
    """Index of the opening brace."""
    last: int
    """Index of the closing brace."""
    kernel: bool
    template: bool


def file_scope(tokens: Sequence[Token]) -> bytearray:
    """Return a flag a token: 1 where no brace is open but those of namespaces and ``extern "C"``."""
    flags = bytearray(len(tokens))
    braces: list[bool] = []
    branches: list[list[bool]] = []
    code = 0
    for index, (kind, text, _, _) in enumerate(tokens):
        if kind is Kind.DIRECTIVE:
            braces = _conditional(text, braces, branches)
            code = braces.count(True)
        elif text == b"{":
            inner = not _opens_namespace(tokens, index)
            braces.append(inner)
            code += inner
        elif text == b"}" and braces:
            code -= braces.pop()
        flags[index] = code == 0
    return flags


def _conditional(directive: bytes, braces: list[bool], branches: list[list[bool]]) -> list[bool]:
    """Return the open braces after a conditional directive: each branch starts from those of its ``#if``."""
    word = directive.lstrip(b"# \t")
    if word.startswith(b"if"):
        branches.append(list(braces))
    elif word.startswith(b"el") and branches:
        return list(branches[-1])
    elif word.startswith(b"endif") and branches:
        branches.pop()
    return braces


def _opens_namespace(tokens: Sequence[Token], index: int) -> bool:
    if index and tokens[index - 1].kind is Kind.STRING:
        return index > 1 and tokens[index - 2].text == b"extern"
    at = index - 1
    while at >= 0 and (tokens[at].kind is Kind.WORD or tokens[at].text == b"::"):
        if tokens[at].text == b"namespace":
            return True
        at -= 1
    return False


def qualifier_macros(tokens: Tokens) -> frozenset[bytes]:
    """Return the names of the macros that stand for CUDA qualifiers, such as ``HOST_DEVICE``."""
    return frozenset(
        macro.name
        for macro in tokens.macros
        if macro.parameters is None
        and any(token.text in QUALIFIERS for token in macro.body)
        and all(token.text in _QUALIFYING or token.text in QUALIFIERS for token in macro.body)
    )


def device_functions(
    tokens: Sequence[Token], macros: frozenset[bytes] = frozenset()
) -> Iterator[DeviceFunction]:
    """Yield the definitions with a CUDA qualifier, wherever they stand (namespaces, classes, broken regions).

    ``macros`` are further words that make a function one of the device.
    """
    qualifiers = QUALIFIERS | macros
    after = 0
    for index, token in enumerate(tokens):
        if index < after or token.text not in qualifiers:
            continue
        found = _definition(tokens, index)
        if found is not None:
            after = found.last + 1
            yield found


def _definition(tokens: Sequence[Token], index: int) -> DeviceFunction | None:
    first = _start(tokens, index)
    opening = _parameter_list(tokens, index, first)
    if opening is None:
        return None
    close = closing(tokens, opening)
    body = None if close is None else _body(tokens, close + 1)
    last = None if body is None else closing(tokens, body)
    if body is None or last is None:
        return None
    head = {token.text for token in tokens[first:opening]}
    return DeviceFunction(
        name=_name(tokens, opening),
        first=first,
        parameters=opening,
        body=body,
        last=last,
        kernel=b"__global__" in head,
        template=b"template" in head,
    )


def _start(tokens: Sequence[Token], index: int) -> int:
    while index > 0:
        before = tokens[index - 1]
        if before.kind is Kind.DIRECTIVE or before.text in (b";", b"{", b"}"):
            break
        if (
            before.text == b":"
            and index > 1
            and tokens[index - 2].text in (b"public", b"private", b"protected")
        ):
            break
        index -= 1
    return index


def _specializes(tokens: Sequence[Token], first: int) -> bool:
    """Tell whether a definition is of one instance of a device function: ``template <> … f<int>(…)``.

    One of a kernel is launched by the name of its template, and stays with the host's code.
    """
    head = [token.text for token in tokens[first : first + _LONGEST_HEAD]]
    return head[:3] == [b"template", b"<", b">"] and b"__global__" not in head


def _parameter_list(tokens: Sequence[Token], index: int, first: int) -> int | None:
    """Return the index of the parenthesis that opens the parameters; None for variables and lambdas."""
    at = index
    while at < len(tokens):
        text = tokens[at].text
        if text == b"operator":
            return _of_operator(tokens, at)
        if text in (b";", b"{", b"}", b"=", b"[", b")"):
            return None
        if text == b"(":
            before = tokens[at - 1]
            if before.text not in _ATTRIBUTES and (
                before.kind is Kind.WORD or (before.text == b">" and _specializes(tokens, first))
            ):
                if before.text in QUALIFIERS:
                    return None
                return at
            at = closing(tokens, at) or len(tokens)
        elif text == b"<":
            at = angle_closing(tokens, at) or at
        at += 1
    return None


def _of_operator(tokens: Sequence[Token], at: int) -> int | None:
    """Return the index of the parenthesis that opens the parameters of an operator."""
    sign = [token.text for token in tokens[at + 1 : at + 4]]
    if sign == [b"(", b")", b"("]:
        return at + 3
    return next(
        (i for i in range(at + 1, min(at + _LONGEST_HEAD, len(tokens))) if tokens[i].text == b"("), None
    )


def _texts(tokens: Sequence[Token], at: int) -> set[bytes]:
    return {token.text for token in tokens[max(0, at - 4) : at]}


def _name(tokens: Sequence[Token], opening: int) -> bytes:
    """Return the declared name, qualified as written, but for arguments of class templates."""
    at = opening - 1
    if tokens[at].text == b">" and b"operator" not in _texts(tokens, opening):
        at = _before_arguments(tokens, at)
    elif tokens[at].kind is not Kind.WORD or b"operator" in _texts(tokens, opening):
        while at > 0 and tokens[at].text != b"operator":
            at -= 1
    at -= tokens[at - 1].text == b"~"
    name = b"".join(token.text for token in tokens[at:opening])
    while at > 1 and tokens[at - 1].text == b"::":
        at = _before_arguments(tokens, at - 2) if tokens[at - 2].text == b">" else at - 2
        if tokens[at].kind is not Kind.WORD:
            break
        name = tokens[at].text + b"::" + name
    return name


def _before_arguments(tokens: Sequence[Token], at: int) -> int:
    """Return the index of the name in front of template arguments that end at an index."""
    depth = 0
    while at > 0:
        depth += (tokens[at].text == b">") - (tokens[at].text == b"<")
        at -= 1
        if depth == 0:
            break
    return at


def _body(tokens: Sequence[Token], at: int) -> int | None:
    """Return the index of the brace that opens the body after a parameter list; None for a declaration."""
    while at < len(tokens):
        text = tokens[at].text
        if text == b"{":
            # `: member{1}` of a constructor is an initialiser, not the body
            if tokens[at - 1].kind is Kind.WORD and b":" in _texts(tokens, at - 1):
                at = closing(tokens, at) or len(tokens)
            else:
                return at
        elif text in (b";", b"=", b"}"):
            return None
        elif text == b"(":
            at = closing(tokens, at) or len(tokens)
        at += 1
    return None
