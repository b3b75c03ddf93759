"""Tiles that tell which of their block's tiles they are."""

from __future__ import annotations

import pytest

from transpile.translators.targets.hip.text import ported

BLOCK = "cg::thread_block b = cg::this_thread_block();\n"
TILE = "auto t = cg::tiled_partition<32>(%s);\nint i = t.meta_group_rank() + t.meta_group_size();\n"


def port(text: str) -> str:
    return ported("a.cuh", text.encode()).decode()


@pytest.mark.parametrize("parent", ["b", "cg::this_thread_block()"])
def test_tiles_of_a_block_ask_our_helper(parent: str) -> None:
    found = port(BLOCK + TILE % parent)
    assert "int i = tile_of_block::meta_group_rank(t) + tile_of_block::meta_group_size(t);" in found
    assert found.startswith('#include "tile_algorithms.h"\n')
    assert port(found) == found


def test_tiles_of_other_tiles_stay() -> None:
    text = BLOCK + TILE % "b" + "auto half = cg::tiled_partition<16>(t);\n"
    assert "t.meta_group_rank()" in port(text) and "tile_algorithms" not in port(text)


def test_members_of_other_things_stay() -> None:
    text = BLOCK + "auto t = cg::tiled_partition<32>(b); int i = x.t.meta_group_rank();\n"
    assert "x.t.meta_group_rank()" in port(text)
