"""Tiles of a block tell which of its tiles they are; HIP's own do so only since ROCm 6."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.code.edits import Change, Edit
from transpile.code.lexer import Kind, tokenize
from transpile.translators.targets.hip.calls import calls

SPACE = b"tile_of_block::"
"""Where our helpers are."""
_MEMBERS = frozenset((b"meta_group_size", b"meta_group_rank"))
_PARTITION = frozenset((b"tiled_partition",))
_BLOCK = re.compile(
    rb"\bthread_block[ \t]*&?[ \t]*(\w+)|\bauto[ \t&]*(\w+)[ \t]*=[ \t]*[\w:]*\bthis_thread_block\b"
)


def changes(data: bytes) -> Iterator[Change]:
    """Yield calls of our helpers, where all tiles of a file are tiles of a block."""
    if not any(name in data for name in _MEMBERS) or not _all_of_blocks(data):
        return
    for stream in tokenize(data).streams:
        texts = [token.text for token in stream]
        for index in range(2, len(stream) - 2):
            member = texts[index] in _MEMBERS and texts[index + 1 : index + 3] == [b"(", b")"]
            named = stream[index - 2].kind is Kind.WORD and texts[index - 1] == b"."
            if member and named and (index < 3 or texts[index - 3] not in (b".", b"->", b"::")):
                name = SPACE + texts[index] + b"(" + texts[index - 2] + b")"
                yield (Edit(stream[index - 2].start, stream[index + 2].end, name),)


def _all_of_blocks(data: bytes) -> bool:
    blocks = {name for found in _BLOCK.findall(data) for name in found if name}
    parents = [
        b"".join(token.text for token in call.arguments[0]) if call.arguments else b""
        for call in calls(data, _PARTITION)
    ]
    return bool(parents) and all(name in blocks or name.endswith(b"this_thread_block()") for name in parents)
