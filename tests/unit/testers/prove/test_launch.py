from __future__ import annotations

import pytest

from transpile.testers.prove.launch import complete, indices, product, total


def term(*names: str) -> frozenset[tuple[str, ...]]:
    return frozenset({tuple(sorted(names))})


BX, DX, TX, GX = "blockIdx.x", "blockDim.x", "threadIdx.x", "gridDim.x"
BY, DY, TY = "blockIdx.y", "blockDim.y", "threadIdx.y"


def test_sums_and_products_are_taken_apart() -> None:
    block = product(term(BX), term(DX))
    assert block == term(BX, DX)
    assert block is not None
    assert total(block, term(TX)) == frozenset({(BX, DX)[::-1], (TX,)})
    assert total(term(TX), term(TX)) is None  # twice the same is no index
    both = total(term(BX), term(BY))
    assert both is not None
    assert product(both, both) is None


def test_an_index_is_a_block_and_a_thread() -> None:
    found = indices({BX, DX, TX, GX})
    own = total(term(BX, DX), term(TX))
    assert own is not None
    assert found.own[own] == "x"
    assert found.count[term(DX, GX)] == "x"
    assert term(TX) not in found.own
    assert "a launch has one thread along y and z" in found.assumptions


def test_one_block_or_blocks_of_one_thread_are_assumed_where_no_more_is_mentioned() -> None:
    assert indices({TX}).own[term(TX)] == "x"
    assert "gridDim.x is 1" in indices({TX}).assumptions
    assert indices({BX}).own[term(BX)] == "x"
    assert "blockDim.x is 1" in indices({BX}).assumptions


def test_rows_of_blocks_are_one_index_if_blocks_have_one_row() -> None:
    rows = frozenset({tuple(sorted((BX, DX))), tuple(sorted((BY, DX, GX))), (TX,)})
    assert indices({BX, BY, DX, GX, TX}).own[rows] == "flat"
    assert "blockDim.y is 1" in indices({BX, BY, DX, GX, TX}).assumptions
    assert rows not in indices({BX, BY, DX, GX, TX, TY}).own


@pytest.mark.parametrize(
    ("used", "mentioned", "expected"),
    [
        ({"x"}, {BX, DX, TX}, True),
        ({"x", "y"}, {TX, TY}, True),
        ({"x"}, {TX, TY}, False),
        ({"flat"}, {BX, BY, TX}, True),
        ({"flat", "x"}, {BX, BY, TX}, False),
        ({"flat"}, {BX, BY, TX, "threadIdx.z"}, False),
        (set(), set(), False),
        (set(), {DX}, False),
    ],
)
def test_indices_tell_threads_apart_if_they_cover_what_differs(
    used: set[str], mentioned: set[str], expected: bool
) -> None:
    assert complete(used, mentioned) is expected
