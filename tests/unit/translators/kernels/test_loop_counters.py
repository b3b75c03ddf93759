"""One variable that counts several loops."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.loop_counters import loop_counters

HEAD = "__global__ void k(int *x, int n)\n{\n"
MEET = "    __syncthreads();\n"


def counted(body: str) -> str:
    text = f"{HEAD}{body}}}\n"
    return loop_counters(Draft(text=text, law=None, surroundings=Surroundings())).text.removeprefix(HEAD)


def test_each_loop_has_its_own() -> None:
    first = "for (i = threadIdx.x; i < n; i += 64) x[i] = 0;\n"
    second = "for (i = 32; i > 0; i >>= 1) { x[threadIdx.x] += i; __syncthreads(); }\n"
    found = counted(f"    unsigned i, j;\n    {first}{MEET}    {second}")
    own = f"    {first}{MEET}    {second}".replace("(i =", "(unsigned i =")
    assert found == f"    unsigned j;\n{own}}}\n"


def test_a_loop_within_a_loop_of_the_same_variable_is_a_part_of_it() -> None:
    inner = "for (i = 0; i < n; i++) { x[i] = 1; for (i = 2; i < 4; i++) x[i] = 2; }\n"
    found = counted(f"    int i;\n    {inner}{MEET}    for (i = 1; i < n; i++) x[i] = 3;\n")
    own = inner.replace("for (i = 0", "for (int i = 0")
    assert found == f"    {own}{MEET}    for (int i = 1; i < n; i++) x[i] = 3;\n}}\n"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"for (i = 0; i < n; i++) x[i] = 0;\n{MEET}x[0] = i;\n", id="what is used behind it"),
        pytest.param(
            f"for (i = 0; i < n; i++) x[i] = 0;\n{MEET}for (; i > 0; i--) x[i] = 1;\n", id="what goes on"
        ),
        pytest.param(
            f"for (i = 0; i < n; i++) x[i] = 0;\n{MEET}for (i = i - 1; i > 0; i--) x[i] = 1;\n",
            id="what starts where it was",
        ),
        pytest.param(
            f"int *p = &i;\nfor (i = 0; i < n; i++) *p = 0;\n{MEET}for (i = 1; i < n; i++) x[i] = 1;\n",
            id="what a pointer reaches",
        ),
        pytest.param(f"for (i = 0; i < n; i++) x[i] = 0;\n{MEET}", id="one loop"),
        pytest.param(
            "for (i = 0; i < n; i++) x[i] = 0;\nfor (i = 1; i < n; i++) x[i] = 1;\n", id="no barrier"
        ),
    ],
)
def test_others_stay(body: str) -> None:
    text = f"    int i;\n{body}"
    assert counted(text) == f"{text}}}\n"
