"""Features of a text, comments aside."""

from __future__ import annotations

import pytest

from transpile.translators.llm.features import features

TEXTS = {
    "int old = atomicCAS(&x, 0, 1);": {"atomics", "swaps"},
    "atomicAdd(&x, 1);": {"atomics"},
    "x += __shfl_down_sync(~0u, x, 1);": {"shuffles"},
    "__shared__ float s[32]; __syncthreads();": {"barriers"},
    "auto g = cg::this_grid(); g.sync();": {"barriers", "grid"},
    "y = tex2D<float>(t, u, v);": {"textures"},
    "// __syncthreads() is not needed\nx = 1; /* atomicAdd */": set(),
}


@pytest.mark.parametrize(("text", "names"), TEXTS.items())
def test_what_a_text_has(text: str, names: set[str]) -> None:
    assert {name for name, there in features(text).items() if there} == names
