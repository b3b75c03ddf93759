"""Iterations that may run at once in lanes of a vector: how many do is a matter of the machine."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.testers.text.lanes import apart
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
ROWS = """
void rows(const float *x, float *a, int r, int c)
{
    for (int i = 0; i < r; i++)
        for (int j = 8; j < c; j++)
            a[i * c + j] = 0.5f * a[i * c + j - 8] + x[i * c + j];
}
"""
WITHIN = """void rows(const float *x, float *a, int r, int c) {
#pragma omp parallel for
for (int i = 0; i < r; i++) {
%s
} }"""
LOOP = "for (int j = 8; j < c; j++) a[i * c + j] = 0.5f * a[i * c + j - 8] + x[i * c + j];"
IN_LANES = {
    "right": LOOP,
    "right, lanes within": f"""{LOOP}
float s = 0, t;
#pragma omp simd simdlen(8) reduction(+ : s) private(t)
for (int j = 0; j < c; j++) {{ t = x[i * c + j]; s += t; }}
(void)s;""",
    "all at once": f"#pragma omp simd\n{LOOP}",
    "too far apart": f"#pragma omp simd safelen(16)\n{LOOP}",
}


@pytest.mark.thorough
def test_lanes_carry_nothing_to_one_another(workshop: Workshop) -> None:
    """Vectors of four floats do what the source does, those of sixteen (AVX-512) do not."""
    found = rewards(workshop, ROWS, {name: WITHIN % text for name, text in IN_LANES.items()}, suffix=".c")
    assert kept(found) == {"right", "right, lanes within"}, found
    assert "race" in found["all at once"].reason


def test_places_that_are_equal_in_some_lanes(workshop: Workshop) -> None:
    source = "void add(const int *at, float *h, int n) { for (int i = 0; i < n; i++) h[at[i]] += 2; }"
    hints = ("omp simd", "GCC ivdep")
    texts = {hint: source.replace("{ for", f"{{\n#pragma {hint}\nfor") for hint in hints}
    assert kept(rewards(workshop, source, texts, suffix=".c")) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#pragma omp simd", "#pragma omp parallel for num_threads(2)"),
        (
            "# pragma omp simd simdlen(4) reduction(+:s) if(f(n) > (1)) collapse(2)",
            "# pragma omp parallel for num_threads(2)  reduction(+:s)  collapse(2)",
        ),
        ("#pragma omp loop bind(thread)", "#pragma omp parallel for num_threads(2) "),
        (
            "#pragma omp parallel for simd simdlen(4) if(simd : n > 8) if(parallel : n)",
            "#pragma omp parallel for   if(parallel : n)",
        ),
        ("#pragma omp simd safelen(4)", None),
        ("#pragma omp simd\n#pragma omp ordered simd", None),
        ("#pragma omp declare simd", None),
        ("#pragma omp parallel for if(simd : n)", None),
        ("#pragma omp parallel loop", None),
        ("#pragma omp target teams distribute parallel for simd", None),
    ],
)
def test_on_threads_in_their_place(text: str, expected: str | None) -> None:
    assert apart(text.encode(), b"") == (expected or text).encode()
    assert apart(text.encode(), b"#pragma omp simd\n") == text.encode()
