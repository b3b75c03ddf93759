"""Loops that a warp goes on with by vote: where the vote comes to stand, and what it may not pass over."""

from __future__ import annotations

import pytest

from transpile.core import ShapeDependent
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.openmp import translate_kernel
from transpile.translators.kernels.voted_loops import voted_loops
from transpile.translators.refusal import Refused


def text(statements: str) -> str:
    return (
        "__global__ void f(const int *a, int *out, int n)\n{\n    const int lane = threadIdx.x % 32;\n"
        f"    int k = lane;\n    {statements}\n    out[threadIdx.x] = k;\n}}"
    )


def rewritten(statements: str) -> str:
    draft = voted_loops(Draft(text=text(statements), law=None, surroundings=Surroundings()))
    return " ".join(draft.text.partition("int k = lane;")[2].rpartition("out[threadIdx.x]")[0].split())


def translated(statements: str) -> str:
    law = ShapeDependent(relations=())
    return translate_kernel(text(statements).encode(), law, Surroundings()).text


@pytest.mark.parametrize(
    ("loop", "wanted"),
    [
        (
            "while (__any_sync(~0u, k < n)) k += 2;",
            "while (true) { if (!__any_sync(~0u, k < n)) break; k += 2; }",
        ),
        (
            "for (int v = k; __any_sync(~0u, v < n); v += 64) { k += v; }",
            "{ int v = k; while (true) { if (!__any_sync(~0u, v < n)) break; k += v; v += 64; } }",
        ),
        (
            "do { ++k; } while (!__all_sync(~0u, k > n));",
            "while (true) { ++k; if (__all_sync(~0u, k > n)) break; }",
        ),
        (
            "for (; k < 90 && __any_sync(~0u, a[k] > 0); ++k) k += a[k];",
            "while (true) { if (!(k < 90)) break; if (!__any_sync(~0u, a[k] > 0)) break; k += a[k]; ++k; }",
        ),
        (
            "do { int k = n; out[k] = k; } while (__any_sync(~0u, k < n));",
            "while (true) { { int k = n; out[k] = k; } if (!__any_sync(~0u, k < n)) break; }",
        ),
    ],
)
def test_the_vote_comes_to_stand_in_the_body(loop: str, wanted: str) -> None:
    assert rewritten(loop) == wanted


@pytest.mark.parametrize(
    "loop",
    [
        "for (; __any_sync(~0u, k < n); ++k) { if (a[k]) continue; k += 2; }",
        "do { if (a[k]) continue; k += 2; } while (__any_sync(~0u, k < n));",
        "while (n > 3 || __any_sync(~0u, a[k] < n)) k += 2;",
        "while (n > 3 ? __any_sync(~0u, a[k] < n) : k < 4) k += 2;",
    ],
)
def test_a_vote_that_a_turn_may_pass_over_is_refused(loop: str) -> None:
    assert "while (true)" not in rewritten(loop)
    with pytest.raises(Refused, match="TP209"):
        translated(loop)


def test_all_lanes_are_asked_ahead_of_each_turn() -> None:
    found = translated("while (__any_sync(~0u, k < n)) { if (k < n) k += 2; }")
    asked, left, turned = (found.index(part) for part in ("vote = 1;", "if (!vote) break;", "k[lane] += 2;"))
    assert found.index("while (true) {") < asked < left < turned


def test_lanes_that_leave_on_their_own_are_refused() -> None:
    with pytest.raises(Refused, match="TP201"):
        translated("while (__any_sync(~0u, k < n)) { k += a[k]; if (k == 7) break; }")


def test_what_all_lanes_count_once_is_counted_once_in_a_block_of_its_own() -> None:
    loop = (
        "int turn = 0; do { int k = turn; out[k] = k; ++turn; } while (turn < 4 && __any_sync(~0u, k < n));"
    )
    found = [line.strip() for line in translated(loop).splitlines()]
    at = found.index("++turn;")
    assert found[at - 1] == "}", "a loop over lanes has ended"


def test_lanes_that_may_wait_for_another_warp_are_refused() -> None:
    loop = text("while (__any_sync(~0u, flags[k] == 0)) k = (k + 1) % n;")
    kernel = loop.replace("const int *a,", "volatile const int *flags,")
    with pytest.raises(Refused, match="TP202"):
        translate_kernel(kernel.encode(), ShapeDependent(relations=()), Surroundings())
