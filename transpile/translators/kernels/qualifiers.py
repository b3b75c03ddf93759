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
_UNROLL = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:unroll|nounroll)\b[^\n]*\n", re.M)


def qualifiers(draft: Draft) -> Draft:
    """Drop the execution-space qualifiers, launch bounds and unrolling hints."""
    brace = code(draft.text).find("{")
    head, body = draft.text[:brace], draft.text[brace:]
    head = _DROPPED.sub("", head)
    head = _INLINE.sub(lambda m: "" if "noinline" in m.group() else _inline(m.group()), head)
    head = re.sub(r"^[ \t]+(?=\S)", "", head) if not draft.text[:1].isspace() else head
    head = re.sub(r"\b(inline|static)[ \t]+\1\b", r"\1", head)
    return draft.after("qualifiers", head + without_hints(body))


def without_hints(text: str) -> str:
    """Return a text without unrolling hints."""
    return _UNROLL.sub("", text)


def _inline(text: str) -> str:
    return "static inline" if "static" in text else "inline"
