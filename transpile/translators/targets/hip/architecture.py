"""Which device a text is compiled for, and how many of its blocks are to fit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.code.edits import Change, Edit
from transpile.code.lexer import Kind, tokenize
from transpile.translators.targets.hip.calls import calls

_VERSION = re.compile(rb"\b__CUDA_ARCH__\b")
_ASKED = re.compile(rb"(?:#[ \t]*ifn?def[ \t]+|\bdefined\s*\(?\s*)$")
PASS = b"__HIP_DEVICE_COMPILE__"
LIKE = b"%s * 700" % PASS
"""AMD's devices do what 7.0 can: atomics of doubles, shuffles of lanes that are named. Asynchronous copies
and matrix units of later ones they lack, or have otherwise."""
BOUNDS = frozenset((b"__launch_bounds__",))


def changes(data: bytes) -> Iterator[Change]:
    """Yield what has to change in conditions on the device, and in bounds of launches."""
    for token in tokenize(data).text:
        if token.kind is Kind.DIRECTIVE:
            for found in _VERSION.finditer(token.text):
                alone = _ASKED.search(token.text, 0, found.start()) is not None
                start = token.start + found.start()
                yield (Edit(start, token.start + found.end(), PASS if alone else b"(%s)" % LIKE),)
    for call in calls(data, BOUNDS):
        # The second bound counts blocks of a multiprocessor in CUDA, and warps of a part of one in HIP.
        if len(call.arguments) > 1:
            yield (Edit(call.spans[0][1], call.end, b""),)
