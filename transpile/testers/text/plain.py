"""A text as a compiler lexes it, with nothing left in it that only looks like code.

Lines that a backslash joins are one, digraphs are what they stand for, comments are blanks, literals are
empty (C++17, [lex.phases], [lex.digraph]).
"""

from __future__ import annotations

import re

_JOINED = re.compile(rb"\\[ \t\r\f\v]*\n")
_LOGICAL_LINE = re.compile(rb"(?:[^\n\\]|\\[ \t\r\f\v]*\n|\\)*\n?")
_LEXEME = re.compile(
    rb"""
      (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<literal> (?P<prefix>(?:u8|[uUL])?R?) (?: "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? ) )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|'?[\w.])* )
    | (?P<word> [A-Za-z_$\x80-\xff][\w$\x80-\xff]* )
    | (?P<digraph> <% | %> | <:(?!:[^:>]) | :> | %:%: | %: )
    """,
    re.VERBOSE | re.DOTALL,
)
_DIGRAPHS = {b"<%": b"{", b"%>": b"}", b"<:": b"[", b":>": b"]", b"%:": b"#", b"%:%:": b"##"}


def plain(text: bytes) -> bytes:
    """Return the text as tokens that a blank may divide; every line that begins one keeps its number.

    A raw string is lexed as a usual one, and keeps its ``R`` so that it can be refused.
    """
    return _LEXEME.sub(_spelled, _joined(text))


def _joined(text: bytes) -> bytes:
    """Return the text with joined lines in one, and the newlines that this took behind it."""
    return _LOGICAL_LINE.sub(_logical, text)


def _logical(match: re.Match[bytes]) -> bytes:
    line, joints = _JOINED.subn(b"", match.group())
    return line + b"\n" * joints


def _spelled(match: re.Match[bytes]) -> bytes:
    found = match.group()
    match match.lastgroup:
        case "comment":
            return b"\n" * found.count(b"\n") or b" "
        case "literal":
            return match["prefix"] + found[len(match["prefix"]) :][:1] * 2
        case "digraph":
            return _DIGRAPHS[found]
        case _:
            return found
