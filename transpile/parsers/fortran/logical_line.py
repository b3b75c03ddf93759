"""The common ground of fixed and free form: statements without continuation, strings and comments apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement, a comment or a directive."""

    text: str
    line: int
    label: str = ""
    trailing: str = ""
    """A comment behind the statement."""
    comment_only: bool = False


def cut_comment(text: str, quote: str) -> tuple[str, str, str]:
    """Return a line without its comment, the comment, and the quote that is open at its end.

    Args:
        text: A physical line.
        quote: The quote that is open where it begins, or nothing.
    """
    for at, letter in enumerate(text):
        if quote:
            if letter == quote:
                quote = ""
        elif letter in "'\"":
            quote = letter
        elif letter == "!":
            return text[:at], text[at:], ""
    return text, "", quote


def outside_strings(text: str) -> str:
    """Return a text of the same length in which the insides of strings are blank."""
    return "".join(" " if inside else letter for letter, inside in _marked(text))


def split_statements(text: str) -> list[str]:
    """Cut a line at its semicolons."""
    plain = outside_strings(text)
    parts, start = [], 0
    for at, letter in enumerate(plain):
        if letter == ";":
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def split_label(text: str) -> tuple[str, str]:
    """Return the label in front of a statement, without leading zeros, and the statement."""
    bare = text.lstrip()
    digits = len(bare) - len(bare.lstrip("0123456789"))
    if digits and (digits == len(bare) or bare[digits] in " \t") and digits <= 5:
        return bare[:digits].lstrip("0") or "0", bare[digits:].strip()
    return "", bare


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    quote = ""
    for letter in text:
        if quote:
            yield letter, True
            if letter == quote:
                quote = ""
        else:
            if letter in "'\"":
                quote = letter
            yield letter, False
