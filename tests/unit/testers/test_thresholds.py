"""Trials see what runs at once from some size on."""

from __future__ import annotations

import pytest

from transpile.testers.thresholds import lowered


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("if (n > 10000)", "if (n > 0)"),
        ("if(n * (m + 1) >= 500)", "if(n * (m + 1) >= 1)"),
        ("if (10000 < n)", "if (0 < n)"),
        ("if (parallel : (a + n <= b || b + n <= a) && n > 1000) schedule(static, 1000)",
         "if (parallel : (a + n <= b || b + n <= a) && n > 0) schedule(static, 1000)"),
        ("if (n > \\\n 10000) num_threads(200)", "if (n > \\\n 0) num_threads(200)"),
        ("final(hi - lo < 500) if (n > 200)", "final(hi - lo < 0) if (n > 0)"),
        ("final(500 >= n)", "final(1 >= n)"),
        ("final(n > 500)", "final(n > 500)"),
        ("if (step > 1)", "if (step > 1)"),
        ("if (x > 10000.5)", "if (x > 10000.5)"),
        ("if (n > LEAST)", "if (n > LEAST)"),
        ("schedule(dynamic, 200)", "schedule(dynamic, 200)"),
    ],
)  # fmt: skip
def test_sizes_in_clauses_are_lowered(clause: str, expected: str) -> None:
    text = f"if (m > 10000) f();\n    #pragma omp parallel for {clause}\n    for (;;) if (m > 10000) g();\n"
    assert lowered(text.encode()).decode() == text.replace(clause, expected)
