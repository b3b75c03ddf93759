"""Names of arithmetic types: many spellings, one type."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.syntax import field, source, squeeze

_SPECIFIERS = ("signed", "unsigned", "short", "long", "int", "char", "double", "const", "volatile")
_WORD = rf"\b(?:{'|'.join(_SPECIFIERS)})\b"
_RUN = re.compile(rf"{_WORD}(?:\s+{_WORD})*")
_CONST = re.compile(r"\bconst\b")
_STANDARD = re.compile(r"\bstd::(u?int(?:8|16|32|64|ptr)_t|size_t|ptrdiff_t)\b")
_SHORTER = {"int16_t": "short", "uint": "unsigned", "ushort": "unsignedshort", "ulong": "unsignedlong"}
_QUALIFIED_BEHIND = re.compile(r"([\w:]+)\s+(const|volatile)")


def canonical(spelling: str) -> str:
    """Return a type by its shortest name, qualifiers first: ``const long`` for ``signed long int const``.

    Names that a source gives to types stay as they are. (C++17, [dcl.type.simple], table 11.)
    """
    text = _RUN.sub(lambda found: _shortest(found[0].split()), spelling.strip())
    behind = _QUALIFIED_BEHIND.fullmatch(text)
    return f"{behind[2]} {behind[1]}" if behind and behind[1] not in ("const", "volatile") else text


def customary(spelling: str) -> str:
    """Return a type as ``canonical`` does, but for ``unsigned int``, which many write and all rules know."""
    return spelling if spelling.removeprefix("const ") == "unsigned int" else canonical(spelling)


def bare(spelling: str) -> str:
    """Return a type by its shortest name, without ``const``, blanks, and ``std::`` before standard names."""
    name = squeeze(_STANDARD.sub(r"\1", _CONST.sub("", canonical(spelling))))
    return _SHORTER.get(name, name)


def named_by(node: Node) -> str:
    """Return the type that a cast or a declaration names, as ``bare`` does."""
    return bare(source(field(node, "type")))


def _shortest(words: list[str]) -> str:
    """Return the shortest specifiers of the same type as these."""
    qualifiers = [word for word in ("const", "volatile") if word in words]
    unsigned = ["unsigned"] * ("unsigned" in words)
    if "char" in words:
        kind = [word for word in ("signed", "unsigned") if word in words] + ["char"]
    elif "double" in words:
        kind = [*(word for word in words if word == "long"), "double"]
    elif "short" in words:
        kind = [*unsigned, "short"]
    elif "long" in words:
        kind = [*unsigned, *["long"] * words.count("long")]
    elif len(qualifiers) < len(words):
        kind = unsigned or ["int"]
    else:
        kind = []
    return " ".join([*qualifiers, *kind])
