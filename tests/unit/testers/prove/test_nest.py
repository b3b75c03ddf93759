from __future__ import annotations

import pytest

from transpile.testers.prove.nest import clauses
from transpile.testers.prove.reading import pragmas
from transpile.testers.prove.tree import NotModelled


def test_clauses_that_matter_are_read() -> None:
    assert clauses("") == (frozenset(), 1)
    assert clauses("omp parallel for") == (frozenset(), 1)
    assert clauses("omp parallel for simd collapse(2) private(a, b) schedule(static)") == (
        frozenset({"a", "b"}),
        2,
    )


@pytest.mark.parametrize(
    "pragma",
    [
        "omp parallel",
        "omp for",
        "omp simd",
        "omp parallel for reduction(+:s)",
        "omp parallel for lastprivate(s)",
        "omp parallel for ordered",
        "omp parallel for collapse(N)",
        "omp parallel for if(f(x))",
        "omp target teams distribute parallel for",
        "acc parallel loop",
    ],
)
def test_other_directives_and_clauses_are_refused(pragma: str) -> None:
    with pytest.raises(NotModelled):
        clauses(pragma)


def test_directives_are_found_by_what_follows_them() -> None:
    text = b"{\n#pragma omp parallel  for\n  // why\n  for (;;);\n  # pragma unroll\n  for (;;);\n}\n"
    assert pragmas(text, 0, len(text)) == {text.index(b"for (;;)"): "omp parallel for"}
    two = b"#pragma a\n#pragma b\nfor (;;);"  # no loop claims the first, which is how it is refused
    assert pragmas(two, 0, len(two)) == {two.index(b"#pragma b"): "a", two.index(b"for"): "b"}
    broken = b"#pragma omp parallel \\\n for\nfor (;;);"
    with pytest.raises(NotModelled):
        pragmas(broken, 0, len(broken))
