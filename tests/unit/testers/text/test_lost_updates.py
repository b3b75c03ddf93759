"""Updates between whose two steps another thread may come."""

from __future__ import annotations

import pytest

from transpile.core import OPENMP, Binding, Candidate, Replacement
from transpile.testers.text.lost_updates import lost_update

READ = "\n#pragma omp atomic read\nb = best;\n"
WRITE = "\n#pragma omp atomic write\nbest = %s;\n"
TWO_STEPS = {
    "atomic read and write": READ + "if (x > b) {" + WRITE % "x" + "}",
    "load and store": "std::atomic<int> best{0}; if (best.load() < x) best.store(x);",
    "operators": "std::atomic<int> best(0); if (best < x) best = x;",
    "references": "if (std::atomic_ref<int>(best[k]).load() < 9) std::atomic_ref<int>(best[k]).store(1 + k);",
    "builtins": "int v = __atomic_load_n(&best[k], 0); __atomic_store_n(&best[k], v + 1, 0);",
    "a section that does not look again": READ
    + "if (x > b) {\n#pragma omp critical\n{"
    + WRITE % "x"
    + "} }",
}
TWO_NAMES = (
    "\n#pragma omp critical (a)\n{ if (x > best) best = x; }"
    "\n#pragma omp critical(b)\nbest = best < y ? y : best;\n"
)
ONE_STEP = {
    "a flag": READ + "if (b) return;" + WRITE % "1",
    "compare and swap": "std::atomic<int> best(0); int b = best;"
    " while (b < x && !best.compare_exchange_weak(b, x)) ;",
    "a section that looks again": READ
    + "if (x > b) {\n#pragma omp critical\n{ if (x > best) {"
    + WRITE % "x"
    + "} } }",
    "two names for two variables": TWO_NAMES.replace("best < y ? y : best", "0").replace("\nbest", "\nworst"),
    "one name": TWO_NAMES.replace("(b)", "(a)"),
    "updates": "\n#pragma omp atomic\nbest += 1;\n#pragma omp atomic capture\nv = best++;\n",
}


def candidate(body: str) -> Candidate:
    text = b"void f(int x) { %s }" % body.encode()
    return Candidate(
        unit="a.c::f",
        dialect=OPENMP,
        replacements=(Replacement(unit="a.c::f", text=text),),
        binding=Binding(name="f", arguments=("x",)),
    )


@pytest.mark.parametrize("name", TWO_STEPS)
def test_what_is_done_in_two_steps_is_told(name: str) -> None:
    found = lost_update(candidate(TWO_STEPS[name]))
    assert found is not None and "`best`" in found.reason


def test_sections_of_different_names_do_not_exclude_each_other() -> None:
    found = lost_update(candidate(TWO_NAMES))
    assert found is not None and "(a, b)" in found.reason


@pytest.mark.parametrize("name", ONE_STEP)
def test_what_nothing_comes_between_is_not(name: str) -> None:
    assert lost_update(candidate(ONE_STEP[name])) is None
