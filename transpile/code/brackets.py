"""Brackets in a text that is no parsed code: the size of a launch, the body of a macro."""

from __future__ import annotations

ANGLED = "<>"


def enclosed(text: str, start: int, *, most: int | None = None) -> str | None:
    """Return what stands between a bracket and its partner; None where none is among the next characters."""
    depth = 0
    for position in range(start, len(text) if most is None else min(len(text), start + most)):
        depth += (text[position] in "({") - (text[position] in ")}")
        if depth == 0:
            return text[start + 1 : position]
    return None


def split(text: str, most: int = -1, *, angled: str = ANGLED) -> list[str]:
    """Return the parts of a text between commas outside brackets; the first ones where a limit is given.

    Args:
        text: The arguments of a call, a constructor or a template.
        most: How many parts are wanted.
        angled: Empty where ``<`` only compares and shifts.
    """
    opening, closing = "([{" + angled[:1], ")]}" + angled[1:]
    parts, depth = [""], 0
    for character in text:
        depth += (character in opening) - (character in closing)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts[:most] if most > 0 else parts
