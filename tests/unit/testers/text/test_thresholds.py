"""Trials see what runs in parallel from some size on."""

from __future__ import annotations

import pytest

from transpile.testers.text.thresholds import lowered


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dim3 grid((h + 7) / 8 < 65535 ? (h + 7) / 8 : 65535); k<<<grid, b>>>(x);",
         "dim3 grid((h + 7) / 8 < 3 ? (h + 7) / 8 : 3); k<<<grid, b>>>(x);"),
        ("int blocks = std::min((n + 255) / 256, 65535); k<<<blocks, 256>>>(x);",
         "int blocks = std::min((n + 255) / 256, 3); k<<<blocks, 256>>>(x);"),
        ("k<<<n > 32768 ? 32768 : n, 256>>>(x);", "k<<<n > 3 ? 3 : n, 256>>>(x);"),
        ("int b = n / 64; if (b > 65535) b = 65535; k<<<b, 64>>>(x);",
         "int b = n / 64; if (b > 3) b = 3; k<<<b, 64>>>(x);"),
        ("int b = n / 64; if (b >= 2048) { b = 2048; } k<<<b, 64>>>(x);",
         "int b = n / 64; if (b >= 3) { b = 3; } k<<<b, 64>>>(x);"),
        ("if (c > 65535) c = 65535; k<<<b, 64>>>(x);", "if (c > 65535) c = 65535; k<<<b, 64>>>(x);"),
        ("if (b > 65535) b = 65536; k<<<b, 64>>>(x);", "if (b > 65535) b = 65536; k<<<b, 64>>>(x);"),
        ("k<<<4096, 256>>>(x);", "k<<<4096, 256>>>(x);"),
        ("int t = n < 1024 ? n : 1024; k<<<1, t>>>(x);", "int t = n < 1024 ? n : 1024; k<<<1, t>>>(x);"),
        ("y = v > 65535 ? 65535 : v; k<<<n, 256>>>(x);", "y = v > 65535 ? 65535 : v; k<<<n, 256>>>(x);"),
    ],
)  # fmt: skip
def test_caps_of_grids_are_lowered(text: str, expected: str) -> None:
    assert lowered(text.encode()).decode() == expected
