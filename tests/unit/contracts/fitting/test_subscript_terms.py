"""Terms that the subscripts of a text can have, and fits that keep to them."""

from __future__ import annotations

import pytest

from transpile.code.trees import descendants, parse
from transpile.contracts.arrays.law_products import makings
from transpile.contracts.fitting.fit import fit
from transpile.contracts.fitting.subscript_terms import Makings
from transpile.contracts.launches.law import Law
from transpile.contracts.text.identifiers import root_of
from transpile.contracts.text.size_products import Text
from transpile.core import Covers, Invariant, LaunchLaw, ShapeDependent, Unbounded

AT = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def made(body: str, scalars: str = "n m k", law: LaunchLaw | None = None, device: str = "") -> Makings | None:
    parameters = ", ".join(f"int {name}" for name in scalars.split())
    texts = {"kernel": f"__global__ void kernel(float *a, int *at, {parameters}) {{ {body} }}"}
    texts |= {"helper": device} if device else {}
    trees = {name: parse(text.encode(), "cuda").root_node for name, text in texts.items()}
    text = Text(functions=trees, scalars=frozenset(scalars.split()))
    return makings(text, Law(law=law or Invariant()))


@pytest.mark.parametrize(
    ("body", "right", "noise"),
    [
        (
            f"{AT} if (i < n) a[i] = 0;",
            ["n", "gridDim.x * blockDim.x"],
            ["n * n", "n + m", "n * blockDim.y"],
        ),
        (
            f"{AT} if (i < n * m) a[i / m * k + i % m] = 0;",
            ["(n - 1) * k + m", "n * m * k"],
            ["n * n", "m * m * k"],
        ),
        (
            f"{AT} if (i >= n) return; for (int j = 0; j < m; j++) a[j * n + i]++;",
            ["n * m"],
            ["m * m", "n * n"],
        ),
        (
            f"{AT} int p = i; for (int j = 0; j < m; ++j) {{ a[p] = 0; p += n; }}",
            ["n * (m - 1) + 1"],
            ["m * m"],
        ),
        (
            f"{AT} if (i < n) a[at[i] * m + k] = 0;",
            ["max(at) * m + k + 1"],
            ["n * m", "max(at) * max(at)"],
        ),
        (
            f"{AT} float *row = a + i * m; if (i < n) row[k] = 0;",
            ["(n - 1) * m + k + 1"],
            ["n * k * m", "k * k"],
        ),
        (
            f"{AT} for (int s = 1; s < n; s *= 2) a[i * s] = 0;",
            ["gridDim.x * blockDim.x * n"],
            ["n * n", "m"],
        ),
        (
            f"{AT} for (int j = 0; j < i; j++) if (i < n) a[i * (i + 1) / 2 + j] = 0;",
            ["(n * n + n) / 2"],
            ["m"],
        ),
        (
            f"{AT} if (i < n) a[min(i, m)] = 0;",
            ["min(n, m + 1)"],
            ["n * m"],
        ),
        (
            f"{AT} if (i * k < n) a[i * k] = 0;",
            ["(n + k - 1) / k * k"],
            ["(n + k - 1) / k * n"],
        ),
    ],
)
def test_terms_of_subscripts(body: str, right: list[str], noise: list[str]) -> None:
    found = made(body)
    assert found is not None
    assert all(found.admits(text) for text in right)
    assert not any(found.admits(text) for text in noise)


@pytest.mark.parametrize(
    "body",
    [
        f"{AT} a[unknown(i)] = 0;",
        f"{AT} int s = 1; while (more) {{ s *= n; a[s] = 0; }}",
        f"{AT} a[1 << n] = 0;",
        f"{AT} auto f = [&](int j) {{ return j * n; }}; a[f(i)] = 0;",
        f"{AT} int next = atomicAdd(at, 1); a[next] = 0;",
        f"{AT} float x = n;",
    ],
)
def test_what_is_not_understood_may_be_anything(body: str) -> None:
    assert made(body) is None


def test_device_functions_are_followed() -> None:
    device = "__device__ int helper(float *p, int row, int width) { p[row * width] = 0; return row + width; }"
    found = made(f"{AT} if (i < n) a[helper(a + k, i, m)] = 0;", device=device)
    assert found is not None
    assert found.admits("(n - 1) * m + k + 1")
    assert not found.admits("n * k")


@pytest.mark.parametrize(
    ("law", "tied"),
    [
        (Unbounded(), False),
        (Covers(x="n * m"), True),
        (ShapeDependent(relations=("gridDim.x == n", "blockDim.x <= m")), True),
        (ShapeDependent(launches=(("n", "1", "1", "m", "1", "1", "0"),)), True),
    ],
)
def test_laws_tie_launches_to_scalars(law: LaunchLaw, tied: bool) -> None:
    found = made(f"{AT} a[i] = n * m;", law=law)
    assert found is not None
    assert found.admits("n * m") is tied


def test_fits_keep_to_the_terms_of_the_text() -> None:
    rows = [{"n": n, "m": m} for n in range(1, 6) for m in range(1, 5)]
    values = [row["n"] * row["n"] + row["m"] for row in rows]
    assert fit(rows, values, ["n", "m"]) is not None
    assert fit(rows, values, ["n", "m"], Makings(frozenset({(), ("n",), ("m",), ("m", "n")}))) is None
    assert fit(rows, values, ["n", "m"], Makings(frozenset({(), ("n",), ("m",), ("n", "n")}))) is not None


def test_places_without_a_name_have_none() -> None:
    node = next(descendants(parse(b"void f() { x = this[0]; }").root_node, "subscript_expression"))
    assert root_of(node) == "" and root_of(None) == ""
