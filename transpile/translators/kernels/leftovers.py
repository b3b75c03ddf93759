"""The last pass: nothing of CUDA may be left."""

from __future__ import annotations

import re

from transpile.code.comments import code
from transpile.translators.kernels.cuda_names import (
    CUDA_NAME,
    NUMBER_OPERATIONS,
    SMALL_FLOATS,
    WORD_OPERATIONS,
)
from transpile.translators.kernels.draft import Draft
from transpile.translators.refusal import Refused

_RESERVED = re.compile(
    r"\b__(?!builtin_|atomic_|ATOMIC_|sync_val_compare_and_swap\b|restrict\b"
    r"|(?:restrict|func|FILE|LINE|attribute|extension|volatile|typeof)__\b|FUNCTION__\b|PRETTY_FUNCTION__\b"
    r"|u?int128(?:_t)?\b)[a-zA-Z]\w*"
)
_VENDORED = (SMALL_FLOATS, WORD_OPERATIONS, NUMBER_OPERATIONS)


def leftovers(draft: Draft) -> Draft:
    """Refuse a text in which a CUDA name is left outside of comments and strings."""
    bare = code(draft.text)
    own = draft.surroundings
    for match in (*CUDA_NAME.finditer(bare), *_RESERVED.finditer(bare)):
        name = match.group()
        vendored = any(names.fullmatch(name) for names in _VENDORED)
        known = name in own.functions or name in own.macros or vendored
        # CUDA's own atomic functions are gone by now: one that the source defines is meant.
        atomic = name.startswith("atomic") and name in own.functions
        if not known or (CUDA_NAME.fullmatch(name) and not atomic):
            row = bare.count("\n", 0, match.start())
            raise Refused("TP203", f"no rule translates `{name}`", row)
    return draft
