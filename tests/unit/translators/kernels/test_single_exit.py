"""Device functions with several returns get one, where branches lead to it alone."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.single_exit import single_exit


def folded(body: str, head: str = "int f(int a, int *p)") -> str:
    text = single_exit(f"{head}\n{{\n    {body}\n}}")
    return " ".join(text.partition("{")[2].rpartition("}")[0].split())


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (
            "if (a > 3) return 1; p[a] = 2; return a;",
            "int result; if (a > 3) { result = 1; } else { p[a] = 2; result = a; } return result;",
        ),
        (
            "if (a > 3) { p[0] = 1; } else return 7; p[a] = 2; return a;",
            "int result; if (a > 3) { p[0] = 1; p[a] = 2; result = a; } else { result = 7; } return result;",
        ),
        (
            "if (a > 3) return 1; else if (a) return 2; return 3;",
            "int result; if (a > 3) { result = 1; } else { if (a) { result = 2; } else { result = 3; } }"
            " return result;",
        ),
        (
            "auto g = [](int x) { return x; }; if (a) return g(a); return 2;",
            "int result; auto g = [](int x) { return x; }; if (a) { result = g(a); } else { result = 2; }"
            " return result;",
        ),
    ],
)
def test_what_follows_a_branch_that_returns_is_run_by_the_others(body: str, wanted: str) -> None:
    assert folded(body) == wanted


def test_a_branch_that_only_returns_nothing_is_turned_around() -> None:
    found = folded("if (a > 3) return; p[a] = 2;", "__device__ void f(int a, int *p)")
    assert found == "if (!(a > 3)) { p[a] = 2; }"


def test_pointers_and_conditions_of_templates_stay() -> None:
    head = "template <int N> __device__ const int *f(int a, int *p)"
    found = folded("if constexpr (N > 3) return p; return p + a;", head)
    assert found.startswith("const int * result; if constexpr (N > 3) {")


@pytest.mark.parametrize(
    "body",
    [
        "return a;",
        "for (;;) { if (p[a]) return 1; ++a; } return 2;",
        "switch (a) { case 1: return 2; } return 3;",
        "if (a) { if (p[a]) return 1; p[a] = 2; } return 3;",
        "if (a) { int b = 3; p[b] = b; } else return 2; p[0] = b; return b;",
        "{ if (a) return 1; } return 2;",
    ],
)
def test_others_stay_as_they_are(body: str) -> None:
    assert folded(body) == body
