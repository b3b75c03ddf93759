"""Launch bounds: the most threads that a block of a kernel may have (CUDA C++ Programming Guide, 10.38)."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.parsers.lexer import Kind, Token, Tokens, closing, split

_ATTRIBUTE = b"__launch_bounds__"
_OPERATORS = frozenset((b"*", b"+", b"-", b"/", b"(", b")"))
_BEHIND = frozenset((b"{", b";"))
"""What follows bounds that stand behind a declarator: whose they are is not looked for."""


def launch_bounds(tokens: Tokens) -> Mapping[bytes, bytes]:
    """Return the most threads of a block, an expression, by the kernels of a file that are bounded.

    Left out are bounds by parameters of templates, and names that have several.
    """
    constants = {macro.name for macro in tokens.macros if macro.parameters is None}
    found: dict[bytes, set[bytes]] = {}
    text = tokens.text
    for index, token in enumerate(text[:-1]):
        close = closing(text, index + 1) if token.text == _ATTRIBUTE else None
        if close is None or close + 1 >= len(text) or text[close + 1].text in _BEHIND:
            continue
        most = split(text[index + 2 : close])[:1]
        name = next((at for at in range(close + 1, len(text) - 1) if text[at + 1].text == b"("), None)
        if most and name is not None and all(_is_constant(part, constants) for part in most[0]):
            bound = b" ".join(part.text for part in most[0])
            found.setdefault(text[name].text, set()).add(bound)
    return {name: next(iter(bounds)) for name, bounds in found.items() if len(bounds) == 1}


def _is_constant(token: Token, constants: set[bytes]) -> bool:
    return token.kind is Kind.NUMBER or token.text in _OPERATORS or token.text in constants
