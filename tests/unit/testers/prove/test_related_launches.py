"""Guards of a candidate that follow from the relations of its contract, and such as only look so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.testers.making import INT, contract, pointer, size, value, writes
from tests.unit.testers.prove.reached import never_taken
from transpile.core import Contract, ShapeDependent

EXACT = ("gridDim.x == (n + 63) / 64", "blockDim.x == 64")
PLAIN = contract((pointer("y", INT), value("n"), value("m")), (writes("y", "n"),), (size("n"), size("m")))
LOOPS = """
    for (int block = 0; block < blocks; ++block)
        for (int t = 0; t < threads; ++t) {
            int i = threads * block + t;
            if (GUARD) continue; //
            y[i] = 1;
        }
"""


def under(*relations: str, multiple: int = 64, law: tuple[str, ...] = EXACT) -> Contract:
    """Return a contract with relations between scalars, and with those of a launch."""
    scalars = tuple(replace(fact, multiple_of=str(multiple)) for fact in PLAIN.scalars)
    return replace(
        PLAIN, scalars=scalars, relations=relations, law=ShapeDependent(relations=law, launches=())
    )


def ways(guard: str, given: Contract, body: str = LOOPS) -> tuple[int, int]:
    """Return how many ways out of the line with ``//`` nothing takes, and how many it has."""
    text = (
        "namespace space {\nvoid f(int *y, int n, int m, int blocks, int threads) {"
        f"{body.replace('GUARD', guard)}}}\n}}\n"
    )
    [found] = never_taken(text, given, ("y", "n", "m", "gridDim.x", "blockDim.x"))
    return found


@pytest.mark.parametrize(
    ("guard", "given"),
    [
        ("i >= n", under()),
        ("i >= n", under(multiple=128)),
        ("i >= n", under("n % 64 == 0", multiple=1)),
        ("i >= n", under("(n + 64) % 128 == 0", multiple=1)),
        ("i >= m", under("m == n")),
        ("i >= m", under("m >= n")),
        ("i >= n + m", under("m > 0")),
        ("threads != 64", under(multiple=1)),
        ("blocks > n", under(multiple=1)),
    ],
)
def test_guards_that_no_launch_needs(guard: str, given: Contract) -> None:
    assert ways(guard, given) == (1, 2)


@pytest.mark.parametrize(
    ("guard", "given"),
    [
        ("i >= n", under(multiple=1)),
        ("i >= n", under(multiple=32)),
        ("i >= n", under("n % 32 == 0", multiple=1)),
        ("i >= n", under("n % 64 == 1", multiple=1)),
        ("i >= n", under(law=("gridDim.x >= (n + 63) / 64", "blockDim.x == 64"))),
        ("i >= n", under(law=("gridDim.x == (n + 63) / 64",))),
        ("i >= m", under("m <= n")),
        ("i >= m", under("m % n == 0")),
        ("i >= n - 1", under()),
        ("i == n - 1", under()),
    ],
)
def test_guards_that_a_launch_may_need(guard: str, given: Contract) -> None:
    assert ways(guard, given) == (0, 0)


def test_relations_say_nothing_of_variables_that_change() -> None:
    changed = LOOPS.replace("for (int block", "n -= 1;\n    for (int block", 1)
    assert ways("i >= n", under(), changed) == (0, 0)


UNSIGNED = """
    for (int block = 0; block < blocks; ++block)
        for (int t = 0; t < threads; ++t) {
            int place = t + 1;
            if (GUARD) y[block] = 1; //
        }
"""


@pytest.mark.parametrize(
    ("passed", "guard", "never"),
    [
        ("blockDim.x", "place < threads + 1", True),
        ("blockDim.x", "threads <= 1024", True),
        ("blockDim.x", "threads < 1024", False),
        ("blockDim.x * gridDim.x", "place < threads + 1", False),
        ("n", "place < threads + 1", False),
    ],
)
def test_numbers_of_threads_are_those_of_launches(passed: str, guard: str, never: bool) -> None:
    body = UNSIGNED.replace("GUARD", guard)
    text = f"namespace space {{\nvoid f(int *y, int n, int m, int blocks, unsigned threads) {{{body}}}\n}}\n"
    [found] = never_taken(text, PLAIN, ("y", "n", "m", "gridDim.x", passed))
    assert found == ((1, 2) if never else (0, 0))
