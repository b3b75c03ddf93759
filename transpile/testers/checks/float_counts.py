"""Whole numbers in floats: from 2^24 on some are lost, in calls that are larger than most trials."""

from __future__ import annotations

import re

from transpile.core import Candidate, Inconclusive, Scalar, Signature
from transpile.parsers.files.comments import without_comments

_FLOAT = re.compile(rb"\b(?:float\d*(?:_t)?|__half\d*|half2?(?=\s+[A-Za-z_]))\b")
"""Types; `half` is a common name of variables."""
_FLOATS = frozenset((Scalar.FLOAT16, Scalar.BFLOAT16, Scalar.FLOAT32))


def counted_in_floats(candidate: Candidate, source: bytes, signature: Signature) -> Inconclusive | None:
    """Return that a candidate computes in floats where its source has none, or None.

    Args:
        candidate: The translation.
        source: Text of all that the source runs.
        signature: Its parameters: floats of other names are among their types.
    """
    if _FLOAT.search(source) is not None or _has_floats(signature):
        return None
    if not any(_FLOAT.search(without_comments(item.text)) for item in candidate.replacements):
        return None
    reason = (
        "the translation computes in floats, and its source does not: "
        "a float holds no odd number beyond 2^24, which no trial reaches"
    )
    return Inconclusive(reason=reason, code="TP415")


def _has_floats(signature: Signature) -> bool:
    elements = [item.element for item in signature.parameters]
    elements += [item.element for item in signature.globals]
    known = [element for element in (*elements, signature.returns) if element is not None]
    return any(leaf.scalar in _FLOATS for element in known for leaf in element.leaves)
