"""Qualifiers that mean something to a device compiler only."""

from __future__ import annotations

import re

from transpile.code.comments import code
from transpile.translators.kernels.draft import Draft

_DROPPED = re.compile(
    r"\b(?:__global__|__device__|__host__|__grid_constant__"
    r"|__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\))[ \t]*\n?"
    r'|\bextern\s*"C"[ \t]*(?=[^{])'
)
_INLINE = re.compile(
    r"\b(?:static\s+)?(?:inline\s+)?(?:__forceinline__|__inline__|__noinline__)(?:\s+inline)?\b"
)
_BOUNDS = re.compile(r"\b__launch_bounds__\s*\([^()]*\)")
_UNROLL = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:unroll|nounroll)\b[^\n]*\n", re.M)


def qualifiers(draft: Draft) -> Draft:
    """Drop the execution-space qualifiers, launch bounds and unrolling hints."""
    brace = code(draft.text).find("{")
    head, body = draft.text[:brace], draft.text[brace:]
    before = head
    head = _DROPPED.sub("", head)
    head = _INLINE.sub(lambda m: "" if "noinline" in m.group() else _inline(m.group()), head)
    head = re.sub(r"^[ \t]+(?=\S)", "", head) if not draft.text[:1].isspace() else head
    head = re.sub(r"\b(inline|static)[ \t]+\1\b", r"\1", head)
    return draft.after("qualifiers", _aligned(head, before) + without_hints(body))


def _aligned(head: str, before: str) -> str:
    """Return a head whose parameters stay below each other where they stood so, behind the bracket."""
    was, now = _bracket(before), _bracket(head)
    if was == now or was < 0:
        return head
    return re.sub(rf"(?<=\n) {{{was + 1}}}(?=\S)", " " * (now + 1), head)


def _bracket(head: str) -> int:
    """Return the column of the bracket that opens the parameters, or -1."""
    bare = _BOUNDS.sub(lambda bounds: "_" * len(bounds.group()), code(head))
    opened = re.search(r"\w[ \t]*(\()[^\n]*,[ \t]*\n", bare)
    return opened.start(1) - head.rfind("\n", 0, opened.start(1)) - 1 if opened else -1


def without_hints(text: str) -> str:
    """Return a text without unrolling hints."""
    return _UNROLL.sub("", text)


def _inline(text: str) -> str:
    return "static inline" if "static" in text else "inline"
