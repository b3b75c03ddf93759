"""Relations between arguments that the host passes to a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts.text.site_relations import only_of, products_of, relations_of
from transpile.core import LaunchSite, Signature, Source
from transpile.expressions import parse, to_text

_KERNEL = """#include <cuda_runtime.h>
struct Layer { int w, h, all, groups; };
__global__ void k(float *x, int total, int a, int b, int c) { if (threadIdx.x < total) x[a] = b + c; }
"""


def launched(host: str, root: Path) -> tuple[Source, LaunchSite, Signature]:
    (root / "host.cu").write_text(_KERNEL + host)
    source = parsers.read(root)
    [launch] = source.launches
    assert launch.unit is not None
    return source, launch, source.signatures[launch.unit][0]


def relations(host: str, root: Path) -> tuple[tuple[str, ...], ...]:
    return relations_of(*launched(host, root), {}).passed


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("void f(float *x, int w, int h) { k<<<1, 32>>>(x, w * h, w, h, w); }", ("total == a * b", "c == a")),
        (
            "void f(float *x, int w, int h) { int n = w * h; k<<<1, 32>>>(x, n, w, h, 4); }",
            ("total == a * b", "c == 4"),
        ),
        ("void f(float *x, int n) { for (int t = 0; t < n; t++) k<<<1, 32>>>(x, n, t, t + 1, n / t); }",
         ("b == a + 1", "c == total / a")),
        ("#define BITS 5\nconst int W = 8;\nvoid f(float *x, int n) { int m = 2 * W, s = m + (m >> BITS); "
         "k<<<1, 32>>>(x, n, m, s, n >> 1); }",
         ("a == 2 * 8", "b == 2 * 8 + 2 * 8 / 32", "c == total / 2")),
        ("const int W = 8; void f(float *x, int n, int W) { k<<<1, 32>>>(x, n, 2 * W, W, n); }",
         ("a == 2 * b", "c == total")),
        ("void f(float *x, int *n) { k<<<1, 32>>>(x, n[0], n[1], n[2], n[3]); }", ()),
    ],
)  # fmt: skip
def test_launches_say_what_goes_together(host: str, found: tuple[str, ...], tmp_path: Path) -> None:
    assert relations(host, tmp_path) == ((found,) if found else ())


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int w = 6, h = 4; int n = w * h; k<<<1, 32>>>(x, n, w, h, w);", ("total == a * b",)),
        (
            "int w = 6, h = 4, d = 3, s = w * h, n = d * s; k<<<1, 32>>>(x, n, w, s, d);",
            ("total == c * b", "b == a * 4"),
        ),
        (
            "int w = 6, h = 4, d = 3, s = w * h, n = d * s; k<<<1, 32>>>(x, n, w, h, d);",
            ("total == c * (a * b)",),
        ),
        ("int w = 6, h = 4, n = w * h; n += 1; k<<<1, 32>>>(x, n, w, h, 1);", ()),
        ("int w = 6, n = 24; k<<<1, 32>>>(x, n, w, 4, 1);", ()),
        ("int w = 6, c = 8, n = w * c; k<<<1, 32>>>(x, n, w, 4, 1);", ("total == a * 8",)),
    ],
)
def test_sizes_that_are_constants_are_products_all_the_same(
    body: str, found: tuple[str, ...], tmp_path: Path
) -> None:
    made = products_of(*launched(f"void f(float *x) {{ {body} }}", tmp_path), {})
    assert [to_text(parse(item.partition(" == ")[2])) for item in made] == [
        to_text(parse(item.partition(" == ")[2])) for item in found
    ]


def test_callers_of_a_wrapper_say_more(tmp_path: Path) -> None:
    host = """
void wrapper(float *x, int n, int m, int g, int s) { k<<<1, 32>>>(x, n, m, g, s); }
void forward(Layer *l, float *x) { wrapper(x, l->all / l->groups, l->all, l->groups, 1); }
"""
    assert relations(host, tmp_path) == (("total == a / b", "c == 1"),)


def test_what_changes_is_nothing_that_a_relation_may_name(tmp_path: Path) -> None:
    host = "void f(float *x, int w) { int n = w; n *= 2; k<<<1, 32>>>(x, n, w, n + w, 1); }"
    assert relations(host, tmp_path) == (("b == a + total", "c == 1"),)


def test_relations_name_nothing_that_is_not_known() -> None:
    found = only_of([("n == m * k", "n == 4"), ("m == idle",)], frozenset({"n", "m", "k"}))
    assert found == (("n == m * k", "n == 4"),)


def test_what_callers_give_is_not_what_a_launch_holds(tmp_path: Path) -> None:
    host = "void f(float *x, int n, int m) { k<<<1, 32>>>(x, n, m, n - 1, 4); }\n"
    host += "void g(float *x) { f(x, 7, 9); }"
    found = relations_of(*launched(host, tmp_path), {})
    assert found.held == ("b == total - 1", "c == 4")
    assert len(found.passed) > 1
