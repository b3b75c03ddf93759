"""The last pass: nothing of CUDA may be left."""

from __future__ import annotations

import re

from transpile.translators.rules.draft import Draft
from transpile.translators.rules.refusal import Refused
from transpile.translators.rules.surroundings import CUDA_NAME

_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', re.S)


def leftovers(draft: Draft) -> Draft:
    """Refuse a text in which a CUDA name is left outside of comments and strings."""
    bare = _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), draft.text)
    match = CUDA_NAME.search(bare)
    if match is not None:
        raise Refused("TP203", bare.count("\n", 0, match.start()), match.group())
    return draft
