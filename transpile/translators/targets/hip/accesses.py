"""Loads and stores with a word on caches, which HIP does not take: they become plain ones."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.code.edits import Change, Edit
from transpile.translators.targets.hip.calls import calls

LOADS = frozenset((b"__ldcv", b"__ldlu"))
STORES = frozenset((b"__stcg", b"__stcs", b"__stwb", b"__stwt"))


def changes(data: bytes) -> Iterator[Change]:
    """Yield what makes of each such call what it does to memory."""
    for call in calls(data, LOADS):
        if len(call.arguments) == 1:
            yield Edit(call.name.start, call.spans[0][0], b"(*("), Edit(call.end, call.end + 1, b"))")
    for call in calls(data, STORES):
        if len(call.arguments) == 2:
            (_, end), (start, _) = call.spans
            begins = Edit(call.name.start, call.spans[0][0], b"(*(")
            yield begins, Edit(end, start, b") = "), Edit(call.end, call.end + 1, b")")
