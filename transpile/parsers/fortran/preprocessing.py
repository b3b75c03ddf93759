"""Conditional lines and constants of the preprocessor, as gfortran reads files with capital suffixes.

Lines keep their numbers: what is left out stays as an empty line. What depends on anything but the text is
refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from transpile.parsers.fortran.errors import Refused

_DIRECTIVE = re.compile(r"#[ \t]*(\w+)(.*)$")
_DEFINE = re.compile(r"\s+([A-Za-z_]\w*)(\(?)(.*)$")
_COMMENT = re.compile(r"/\*.*?\*/")
_TOKEN = re.compile(r"\s*(defined|[A-Za-z_]\w*|\d+|&&|\|\||==|!=|<=|>=|[-+*!<>()])")
_NAME = re.compile(r"[A-Za-z_]\w*")
_STRINGS = re.compile(r"('[^'\n]*'|\"[^\"\n]*\")")
_KNOWN = {"__GFORTRAN__": "1"}
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("+", "-"),
    ("*",),
)
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a) or bool(b)),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


def is_preprocessed(name: str) -> bool:
    """Tell whether gfortran preprocesses files of that name."""
    return PurePosixPath(name).suffix[1:2] == "F"


def preprocessed(text: str, name: str) -> str:
    """Return a text with the lines that its directives leave.

    Raises:
        Refused: Where a directive is not known, or asks for what the compiler defines.
    """
    return _Preprocessor(name).run(text)


class _Preprocessor:
    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0
        self.macros = dict(_KNOWN)
        self.open: list[tuple[bool, bool]] = []
        """Of each conditional, whether its lines count now, and whether any of its parts did."""

    def run(self, text: str) -> str:
        lines = text.split("\n")
        kept = []
        for self.line, line in enumerate(lines, 1):
            if line.startswith("#"):
                kept.append(self.directive(line))
            else:
                kept.append(self.replaced(line) if self.counts() else "")
        if self.open:
            raise self.refused("a `#if` without its `#endif`")
        return "\n".join(kept)

    def counts(self) -> bool:
        return all(now for now, _ in self.open)

    def refused(self, detail: str) -> Refused:
        return Refused(detail, self.line, self.name)

    def directive(self, line: str) -> str:
        """Obey a directive, and return what stands in its place."""
        found = _DIRECTIVE.match(line)
        if found is None or line.rstrip().endswith("\\"):
            raise self.refused("this line of a preprocessor")
        word, rest = found[1], _COMMENT.sub(" ", found[2])
        if word in ("if", "ifdef", "ifndef"):
            value = self.counts() and self.condition(word, rest)
            self.open.append((value, value))
        elif word in ("elif", "else", "endif"):
            self.turn(word, rest)
        elif self.counts():
            return self.effect(word, rest)
        return ""

    def turn(self, word: str, rest: str) -> None:
        if not self.open:
            raise self.refused(f"a `#{word}` without its `#if`")
        _, before = self.open.pop()
        if word != "endif":
            value = not before and self.counts() and (word == "else" or self.condition("if", rest))
            self.open.append((value, before or value))

    def effect(self, word: str, rest: str) -> str:
        if word == "define":
            found = _DEFINE.match(rest)
            if found is None or found[2]:
                raise self.refused("a macro with arguments")
            self.macros[found[1]] = found[3].strip()
        elif word == "undef":
            self.macros.pop(rest.strip(), None)
        elif word == "include":
            return f"      include {rest.strip()}"
        elif word not in ("line", "pragma", "ident"):
            raise self.refused(f"`#{word}`")
        return ""

    def replaced(self, line: str) -> str:
        """Return a line with the values of macros, but in its texts."""
        if len(self.macros) == len(_KNOWN):
            return line
        parts = _STRINGS.split(line)
        parts[::2] = [
            _NAME.sub(lambda found: self.macros.get(found[0], found[0]), part) for part in parts[::2]
        ]
        return "".join(parts)

    def condition(self, word: str, rest: str) -> bool:
        if word != "if":
            return self.defined(rest.strip()) == (word == "ifdef")
        tokens = _TOKEN.findall(rest)
        if "".join(tokens) != re.sub(r"\s", "", rest):
            raise self.refused(f"the condition `{rest.strip()}`")
        value, left = self.value(tokens, 0)
        if left:
            raise self.refused(f"the condition `{rest.strip()}`")
        return bool(value)

    def defined(self, name: str) -> bool:
        if name.startswith("_") and name not in _KNOWN and name not in self.macros:
            raise self.refused(f"`{name}`, which the compiler may define")
        return name in self.macros

    def value(self, tokens: list[str], level: int) -> tuple[int, list[str]]:
        """Return the value of the operation that tokens begin with, and the rest of them."""
        if level == len(_LEVELS):
            return self.single(tokens)
        value, tokens = self.value(tokens, level + 1)
        while tokens and tokens[0] in _LEVELS[level]:
            other, rest = self.value(tokens[1:], level + 1)
            value, tokens = _OPERATIONS[tokens[0]](value, other), rest
        return value, tokens

    def single(self, tokens: list[str]) -> tuple[int, list[str]]:
        match tokens:
            case ["!", *rest]:
                value, rest = self.single(rest)
                return int(not value), rest
            case ["-", *rest]:
                value, rest = self.single(rest)
                return -value, rest
            case ["defined", "(", name, ")", *rest]:
                return int(self.defined(name)), rest
            case ["defined", name, *rest]:
                return int(self.defined(name)), rest
            case ["(", *rest]:
                value, rest = self.value(rest, 0)
                if rest[:1] == [")"]:
                    return value, rest[1:]
            case [word, *rest] if word.isdigit():
                return int(word), rest
            case [word, *rest] if _NAME.fullmatch(word):
                given = self.macros[word] if self.defined(word) else "0"
                if re.fullmatch(r"-?\d+", given):
                    return int(given), rest
        raise self.refused("this condition of a preprocessor")
