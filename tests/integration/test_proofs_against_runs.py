"""Proofs against runs: pairs of random expressions that are proved equal, then compiled and run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.adversarial.proofs import attempt, claims
from tests.sampling import is_landing
from transpile.core import Claim

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]

# An expression is its text, or an operator with its operands.
Tree = str | tuple[str, "Tree"] | tuple[str, "Tree", "Tree"] | tuple[str, "Tree", "Tree", "Tree"]

WHOLE_LEAVES = st.sampled_from(["a[i]", "b[i]", "c[i]", "d[i]", "1", "2", "7", "255", "3u", "2L", "-1"])
REAL_LEAVES = st.sampled_from(["f[i]", "g[i]", "0.5f", "0.1f", "0.1", "2.0", "1.0f"])
WHOLE_TYPES = ("int", "unsigned", "long", "signed char", "unsigned short")


def _whole(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "&", "|", "^", "<", "==", "<="]), inner, inner),
        st.tuples(st.sampled_from(["/", "%"]), inner, st.sampled_from(["2", "3", "7u", "16", "5L"])),
        st.tuples(st.sampled_from(["<<", ">>"]), inner, st.sampled_from(["1", "3"])),
        st.tuples(st.sampled_from(["-", "~", "!", *(f"({kind})" for kind in WHOLE_TYPES)]), inner),
        st.tuples(st.just("?"), inner, inner, inner),
    )


def _real(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/", "<", "=="]), inner, inner),
        st.tuples(st.sampled_from(["-", "(float)", "(double)"]), inner),
        st.tuples(st.just("?"), inner, inner, inner),
    )


TREES = st.one_of(
    st.recursive(WHOLE_LEAVES, _whole, max_leaves=6),
    st.recursive(REAL_LEAVES, _real, max_leaves=5),
    st.recursive(st.one_of(WHOLE_LEAVES, REAL_LEAVES), _real, max_leaves=5),
)


def text(tree: Tree) -> str:
    match tree:
        case str():
            return tree
        case (operator, operand):
            return f"({operator}{text(operand)})"
        case (operator, left, right):
            return f"({text(left)} {operator} {text(right)})"
        case (_, test, yes, no):
            return f"({text(test)} ? {text(yes)} : {text(no)})"
    raise AssertionError(tree)


def rewritten(tree: Tree, draw: st.DrawFn) -> Tree:
    """Return a tree that may compute the same: some of these hold, some only for some types."""
    if isinstance(tree, tuple) and draw(st.booleans()):
        place = draw(st.integers(1, len(tree) - 1))
        parts = list(tree)
        parts[place] = rewritten(tree[place], draw)
        return tuple(parts)  # type: ignore[return-value]
    choices: list[Tree] = [tree, ("-", ("-", tree)), ("+", tree, "0"), ("*", tree, "1"), ("(double)", tree)]
    match tree:
        case (operator, left, right):
            choices += [(operator, right, left), ("-", (operator, left, right)), ("+", left, ("-", right))]
            choices += [("!", ("<", right, left)), ("<", right, left), (">>", left, "1")]
            if isinstance(left, tuple) and len(left) == 3:
                choices.append((operator, left[1], (left[0], left[2], right)))
        case (operator, operand):
            choices += [operand, ("-", "0", operand)]
        case (_, test, yes, no):
            choices += [("?", ("!", test), no, yes), ("?", test, no, yes)]
        case _:
            choices += [("(int)", tree), ("(float)", tree), ("(unsigned)", tree)]
    return draw(st.sampled_from(choices))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    tree = draw(TREES)
    other = tree
    for _ in range(draw(st.integers(1, 2))):
        other = rewritten(other, draw)
    return text(tree), text(other)


PARAMETERS = (
    "double *y, long *z, const int *a, const unsigned *b, const signed char *c, const long *d, "
    "const float *f, const double *g, int n"
)
PROGRAM = """
#include <cmath>
#include <cstdio>
#include <cstring>
static bool same(double x, double y) { return (x != x && y != y) || !memcmp(&x, &y, sizeof x); }
int main() {
  const long whole[] = {0, 1, -1, 2, 3, 7, -8, 127, 128, 255, 256, 65535, 2147483647,
                        -2147483648L, 4294967295L, 1L << 40, -(1L << 40) - 3, 123456789};
  const double real[] = {0.0, -0.0, 1.0, -1.5, 0.1, 3e9, -7e-3, 1e30, 1e-40, NAN, INFINITY, 16777217.0};
  const int wholes = sizeof whole / sizeof *whole, reals = sizeof real / sizeof *real;
  for (int round = 0; round < 4000; ++round) {
    unsigned seed = round * 2654435761u;
    auto next = [&](int most) {
      seed = seed * 1664525u + 1013904223u;
      return int((seed >> 8) % most);
    };
    const int i = 0, n = 1;
    int a[] = {(int)whole[next(wholes)]}; unsigned b[] = {(unsigned)whole[next(wholes)]};
    signed char c[] = {(signed char)whole[next(wholes)]}; long d[] = {whole[next(wholes)]};
    float f[] = {(float)real[next(reals)]}; double g[] = {real[next(reals)]};
    if (!same((double)FIRST, (double)SECOND) || (INTEGRAL && (long)FIRST != (long)SECOND)) {
      printf("a=%d b=%u c=%d d=%ld f=%g g=%g n=%d", a[0], b[0], c[0], d[0], f[0], g[0], n);
      return 1;
    }
  }
}
"""


def differs(first: str, second: str, place: Path) -> str:
    """Return values for which two expressions compute something else, or an empty text."""
    integral = (
        "0" if any(letter in first + second for letter in ("f[", "g[", ".", "float", "double")) else "1"
    )
    program = PROGRAM.replace("FIRST", first).replace("SECOND", second).replace("INTEGRAL", integral)
    (place / "p.cpp").write_text(program)
    flags = ["-O1", "-fwrapv", "-ffp-contract=off", "-w"]
    subprocess.run(["g++", *flags, "-o", str(place / "p"), str(place / "p.cpp")], check=True, timeout=60)
    return subprocess.run([str(place / "p")], capture_output=True, text=True, timeout=60).stdout


def proved(first: str, second: str) -> bool:
    """Tell whether a kernel with one expression is proved to agree with a loop with the other."""
    kernel = (
        f"__global__ void k({PARAMETERS}) {{ int i = blockIdx.x * blockDim.x + threadIdx.x;"
        f" if (i < n) {{ y[i] = {first}; z[i] = (long)(0 < {first}); }} }}\n"
    )
    translation = (
        f"void k({PARAMETERS}) {{\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {{"
        f" y[i] = {second}; z[i] = (long)(0 < {second}); }}\n}}\n"
    )
    return Claim.AGREES in claims(attempt(kernel, translation, seconds=3.0))


@settings(
    max_examples=12 if is_landing() else 40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pair=pairs())
def test_what_is_proved_equal_computes_equal(tmp_path: Path, pair: tuple[str, str]) -> None:
    if not proved(*pair):
        event("not proved")
        return
    event("proved, another text" if pair[0] != pair[1] else "proved, the same text")
    assert differs(*pair, tmp_path) == ""


def test_the_run_sees_differences(tmp_path: Path) -> None:
    unequal = [("(a[i] / 2)", "(a[i] >> 1)"), ("(f[i] * 0.1f)", "(f[i] * 0.1)"), ("b[i]", "a[i]")]
    for first, second in unequal:
        assert differs(first, second, tmp_path) != ""
        assert not proved(first, second)
