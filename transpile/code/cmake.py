"""CMake's language: commands and their arguments, with the places where they stand (cmake-language(7))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<blank> [ \t\r\n]+ )
  | (?P<comment> \#\[(?P<hashes>=*)\[ .*? \](?P=hashes)\] | \#[^\n]* )
  | (?P<bracket> \[(?P<equals>=*)\[ .*? \](?P=equals)\] )
  | (?P<quoted> " (?: [^"\\] | \\. )* " )
  | (?P<open> \( )
  | (?P<close> \) )
  | (?P<plain> (?: \$\([^()\s]*\) | "(?:[^"\\]|\\.)*" | \\. | [^\s()\#"\\] )+ )
  | (?P<other> . )
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as it is written, its quotes included."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Command:
    """A call of a command, from its name to the bracket that closes it."""

    name: str
    """In lower case, as CMake takes it."""
    start: int
    end: int
    arguments: tuple[Argument, ...]
    """Those of conditions have the brackets in them as arguments."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the arguments without the quotes around them."""
        return tuple(item.text.strip('"') for item in self.arguments)

    @property
    def name_end(self) -> int:
        """Return where its name ends."""
        return self.start + len(self.name)


def commands(text: str) -> Iterator[Command]:
    """Yield the commands of a text in their order; what is no command is passed over."""
    name: tuple[str, int] | None = None
    arguments: list[Argument] = []
    depth = 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind in ("blank", "comment"):
            continue
        if depth == 0:
            if kind == "open" and name is not None:
                depth, arguments = 1, []
            else:
                name = (found[0], found.start()) if kind == "plain" else None
            continue
        depth += (kind == "open") - (kind == "close")
        if depth > 0:
            arguments.append(Argument(found[0], found.start(), found.end()))
        elif name is not None:
            yield Command(name[0].lower(), name[1], found.end(), tuple(arguments))
            name = None
