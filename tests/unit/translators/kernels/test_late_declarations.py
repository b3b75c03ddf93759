"""Index variables that are declared first and assigned below."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.late_declarations import late_declarations

HEAD = "__global__ void k(int *x, int w, int n)\n{\n"


def moved(body: str) -> str:
    text = f"{HEAD}{body}}}\n"
    return late_declarations(Draft(text=text, law=None, surroundings=Surroundings())).text.removeprefix(HEAD)


def test_they_are_declared_where_they_are_assigned() -> None:
    body = """    int i, row, at; // places
    float s;

    i = blockIdx.x * blockDim.x + threadIdx.x;
    row = i / w;
    if (i >= n) return;
    at = row * w;
    s = 0;
    x[at] = s;
"""
    assert (
        moved(body)
        == """    // places
    float s;

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / w;
    if (i >= n) return;
    int at = row * w;
    s = 0;
    x[at] = s;
}
"""
    )


def test_others_of_a_declaration_stay() -> None:
    found = moved("    int i, most = 3, last;\n    i = threadIdx.x;\n    if (i < n) last = most;\n")
    assert found == "    int most = 3, last;\n    int i = threadIdx.x;\n    if (i < n) last = most;\n}\n"


@pytest.mark.parametrize(
    "body",
    [
        "    int i;\n    x[0] = i;\n    i = threadIdx.x;\n",
        "    int i;\n    if (n > 0) i = threadIdx.x;\n    x[i] = 0;\n",
        "    int i;\n    i += threadIdx.x;\n",
        "    int i, j;\n    i = j = threadIdx.x;\n    x[i] = j;\n",
        "    int i;\n    i = i + threadIdx.x;\n",
        "    volatile int i;\n    i = threadIdx.x;\n",
        "    int *p;\n    p = x + threadIdx.x;\n",
        "    int i;\nagain:\n    i = threadIdx.x;\n    if (n > 3) goto again;\n",
        "    int s;\n    s = n;\n    x[s] = 0;\n",
    ],
)
def test_what_is_used_or_set_otherwise_stays(body: str) -> None:
    assert moved(body) == f"{body}}}\n"
