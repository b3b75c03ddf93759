"""An ``asm`` statement as C++ has it: the text of the instructions, and what they read and write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.lexer import CLOSE, OPEN, Kind, Token, closing, spelled, split

_RAW = re.compile(rb'R"([^\s()\\"]{0,16})\(([\s\S]*)\)\1"')
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "\n": ""}
_CONSTRAINT = re.compile(r"([=+]?)&?([hrlfdn])")
_QUALIFIERS = frozenset((b"volatile", b"__volatile__", b"inline"))


class Untranslatable(Exception):
    """Assembly that has no translation; says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """An expression that is read, written, or both."""

    constraint: str
    """``h``, ``r``, ``l``, ``f`` and ``d`` for a register, ``n`` for a number."""
    tokens: tuple[Token, ...]
    text: str
    """The expression as written; in brackets where it is a macro's parameter, which may be anything."""
    read: bool
    written: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement; ``%N`` in its text is its operand N."""

    text: str
    operands: tuple[Operand, ...]


def read(tokens: Sequence[Token], parameters: frozenset[bytes] = frozenset()) -> Statement:
    """Return what the tokens from ``asm`` to its closing bracket say; raises Untranslatable.

    Args:
        tokens: The statement.
        parameters: Those of the macro in whose body it stands.
    """
    start = next(index for index, token in enumerate(tokens) if token.text == b"(")
    if any(token.text not in _QUALIFIERS for token in tokens[1:start]):
        raise Untranslatable(f"{spelled(tokens[:start])}, which is not known")
    template, *sections = _sections(tokens[start + 1 : -1])
    text = "".join(map(_string, template))
    if len(sections) > 3:
        raise Untranslatable("asm goto")
    named = [_operand(part, parameters) for section in sections[:2] for part in split(section)]
    for index, (name, _) in enumerate(named):
        text = text.replace(f"%[{name}]", f"%{index}") if name else text
    return Statement(text=text.replace("%%", "%"), operands=tuple(operand for _, operand in named))


def _sections(tokens: Sequence[Token]) -> list[list[Token]]:
    """Cut at the colons outside of brackets."""
    sections: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in OPEN) - (token.text in CLOSE)
        if depth == 0 and token.text in (b":", b"::"):
            sections += [[] for _ in token.text]
        else:
            sections[-1].append(token)
    return sections


def _string(token: Token) -> str:
    """Return what a string literal holds."""
    raw = _RAW.fullmatch(token.text)
    if raw is not None:
        return raw.group(2).decode("latin-1")
    if not token.text.startswith(b'"') or not token.text.endswith(b'"'):
        raise Untranslatable(f"asm of {token.text.decode('latin-1')}, which is no string")
    return "".join(_characters(token.text[1:-1].decode("latin-1").replace("\r\n", "\n")))


def _characters(text: str) -> Iterator[str]:
    for found in re.finditer(r"\\([\s\S])|[^\\]+", text):
        escaped = found.group(1)
        if escaped is not None and escaped not in _CHARACTERS:
            raise Untranslatable(f"asm with the character \\{escaped}")
        yield found.group() if escaped is None else _CHARACTERS[escaped]


def _operand(tokens: Sequence[Token], parameters: frozenset[bytes]) -> tuple[str, Operand]:
    """Return an operand and its name, empty where it has none."""
    name = ""
    if len(tokens) > 3 and tokens[0].text == b"[":
        name, tokens = tokens[1].text.decode("latin-1"), tokens[3:]
    if len(tokens) < 3 or tokens[0].kind is not Kind.STRING or closing(tokens, 1) != len(tokens) - 1:
        raise Untranslatable(f"the operand {spelled(tokens)}")
    found = _CONSTRAINT.fullmatch(_string(tokens[0]))
    if found is None:
        raise Untranslatable(f"the constraint {spelled(tokens[:1])}")
    mode, letter = found.groups()
    inner = tuple(tokens[2:-1])
    text = spelled(inner)
    return name, Operand(
        constraint=letter,
        tokens=inner,
        text=f"({text})" if len(inner) == 1 and inner[0].text in parameters else text,
        read=mode != "=",
        written=bool(mode),
    )
