"""Cooperative groups of a block and of its warps, in the words of the plain primitives."""

from __future__ import annotations

import re

from transpile.translators.kernels.draft import Draft

_NAMESPACE = re.compile(r"[ \t]*(?:namespace\s+\w+\s*=|using\s+namespace)\s*cooperative_groups\s*;[ \t]*\n?")
_GROUP = r"(?:\w+\s*::\s*)?"
_BLOCK = re.compile(
    rf"[ \t]*(?:auto|{_GROUP}thread_block)\s+(\w+)\s*=\s*{_GROUP}this_thread_block\s*\(\s*\)\s*;[ \t]*\n?"
)
_TILE = re.compile(
    rf"[ \t]*(?:auto|{_GROUP}thread_block_tile\s*<\s*32\s*>)\s+(\w+)\s*="
    rf"\s*{_GROUP}tiled_partition\s*<\s*32\s*>"
    r"\s*\(\s*(?:\w+|[\w:]+\s*\(\s*\))\s*\)\s*;[ \t]*\n?"
)
_BLOCK_CALLS = {
    "sync": "__syncthreads()",
    "thread_rank": "threadIdx.x",
    "size": "blockDim.x",
    "num_threads": "blockDim.x",
}
_TILE_CALLS = {
    "sync": "__syncwarp()",
    "thread_rank": "(threadIdx.x % 32)",
    "meta_group_rank": "(threadIdx.x / 32)",
    "meta_group_size": "(blockDim.x / 32)",
    "size": "32",
    "num_threads": "32",
}
_REDUCED = {
    "plus": "add",
    "greater": "max",
    "less": "min",
    "bit_and": "and",
    "bit_or": "or",
    "bit_xor": "xor",
}


def cooperative_groups(draft: Draft) -> Draft:
    """Write groups of whole blocks and warps as barriers, shuffles, votes and reductions.

    Groups of other sizes stay as they are, and are refused at the end.
    """
    text = _NAMESPACE.sub("", draft.text)
    blocks = _BLOCK.findall(text)
    tiles = _TILE.findall(text)
    text = _TILE.sub("", _BLOCK.sub("", text))
    if "threadIdx.y" not in text and "blockDim.y" not in text:
        text = _calls(text, blocks, _BLOCK_CALLS)
    text = _calls(text, tiles, _TILE_CALLS)
    for name in tiles:
        text = re.sub(
            rf"\b{name}\s*\.\s*(shfl(?:_down|_up|_xor)?|any|all|ballot)\s*\(", r"__\1_sync(0xffffffff, ", text
        )
        text = re.sub(
            rf"{_GROUP}\breduce\s*\(\s*{name}\s*,\s*([^;]*?),\s*{_GROUP}(\w+)\s*<[^<>]*>\s*(?:\{{\s*\}}|\(\s*\))\s*\)",
            lambda m: f"__reduce_{_REDUCED.get(m.group(2), m.group(2))}_sync(0xffffffff, {m.group(1)})",
            text,
        )
        text = re.sub(rf"{_GROUP}\bsync\s*\(\s*{name}\s*\)", "__syncwarp()", text)
    for name in blocks:
        text = re.sub(rf"{_GROUP}\bsync\s*\(\s*{name}\s*\)", "__syncthreads()", text)
    return draft.after("cooperative-groups", text)


def _calls(text: str, groups: list[str], words: dict[str, str]) -> str:
    for name in groups:
        for word, plain in words.items():
            text = re.sub(rf"\b{name}\s*\.\s*{word}\s*\(\s*\)", plain, text)
    return text
