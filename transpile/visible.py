"""Texts that others wrote, as people may look at them: a name can hold what moves a cursor or ends a line."""

from __future__ import annotations

import unicodedata

_HIDDEN = ("Cc", "Cf")
_UNDECODED = range(0xDC80, 0xDCA0)
"""Bytes of names that are not UTF-8, which some terminals take for controls."""


def visible(text: str, *, kept: str = "\t\n") -> str:
    """Spell out what is not seen, or makes code look like other code: controls, marks of direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if character in kept or not _is_hidden(character) else _spelled(character)
        for character in text
    )


def one_line(text: str) -> str:
    """The same for what is one line, whatever it holds."""
    return visible(text, kept="\t")


def has_controls(text: str) -> bool:
    """Tell whether a text holds what turns a line, moves a cursor or does something else to a terminal."""
    return any(unicodedata.category(character) == "Cc" for character in text)


def _is_hidden(character: str) -> bool:
    return ord(character) in _UNDECODED or unicodedata.category(character) in _HIDDEN


def _spelled(character: str) -> str:
    if ord(character) in _UNDECODED:
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
