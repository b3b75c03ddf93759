"""Translations that are right on few threads, or on some numbers of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.adversarial import needs
from transpile import parsers
from transpile.core import (
    OPENMP,
    ArrayFact,
    Binding,
    Candidate,
    Contract,
    Falsified,
    Passed,
    Range,
    Replacement,
    Role,
    ScalarFact,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
SOURCE = """#include <vector>
extern "C" int omp_get_thread_num(void), omp_get_num_threads(void), omp_get_max_threads(void);

void total(int n, const int *a, long *sum)
{
    long found = 0;
    for (int i = 0; i < n; i++)
        found += a[i];
    *sum = found;
}
"""
HEAD = "void total(int n, const int *a, long *sum)\n{\n"
EACH = """#pragma omp parallel
    {{
        {before}
        #pragma omp for
        for (int i = 0; i < n; i++) {within}
    }}
"""
PARTS = EACH.format(before="", within="part[omp_get_thread_num()] += a[i];")
CHUNKS = """#pragma omp parallel reduction(+ : found)
    {{
        const int team = omp_get_num_threads(), me = omp_get_thread_num();
        {bounds}
        for (int i = first; i < last; i++) found += a[i];
    }}
    *sum = found;
"""
HONEST = {
    "reduction": "long found = 0;\n#pragma omp parallel for reduction(+ : found)\n"
    "for (int i = 0; i < n; i++) found += a[i];\n*sum = found;",
    "a part for each": f"std::vector<long> part(omp_get_max_threads());\n{PARTS}"
    "*sum = 0;\nfor (long item : part) *sum += item;",
    "chunks": "long found = 0;\n"
    + CHUNKS.format(
        bounds="const int first = (long)n * me / team, last = (long)n * (me + 1) / team;",
    ),
}
MISTAKES = {
    "eight parts": f"long part[8] = {{}};\n{PARTS}*sum = 0;\nfor (long item : part) *sum += item;",
    "sixty-four parts": f"long part[64] = {{}};\n{PARTS}*sum = 0;\nfor (long item : part) *sum += item;",
    "parts modulo four": "long part[4] = {};\n"
    + EACH.format(before="", within="part[omp_get_thread_num() % 4] += a[i];")
    + "*sum = part[0] + part[1] + part[2] + part[3];",
    "three are added": f"std::vector<long> part(omp_get_max_threads());\n{PARTS}"
    "*sum = 0;\nfor (unsigned t = 0; t < part.size() && t < 3; t++) *sum += part[t];",
    "a tree for powers of two": f"std::vector<long> part(omp_get_max_threads());\n{PARTS}"
    "int step = 1;\nwhile (step < 4 && step < (int)part.size()) {\n"
    "for (int t = 0; t + step < (int)part.size(); t += 2 * step) part[t] += part[t + step];\n"
    "step *= 2; }\n*sum = part[0];",
    "more than three lose the last": "long found = 0;\n"
    + CHUNKS.format(
        bounds="const int share = team > 3 ? n / team : (n + team - 1) / team;\n"
        "const int first = share * me, last = first + share < n ? first + share : n;"
    ),
    "a bit for each": "unsigned seen = 0; long found = 0;\n#pragma omp parallel reduction(+ : found)\n"
    "{\n#pragma omp for\nfor (int i = 0; i < n; i++) found += a[i];\n"
    "#pragma omp critical\nseen |= 1u << (omp_get_thread_num() & 31);\n"
    "#pragma omp barrier\n#pragma omp critical\n"
    "if (__builtin_popcount(seen) != omp_get_num_threads()) found = -1;\n}\n*sum = found;",
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("total")
    (root / "f.cpp").write_text(SOURCE)
    source = parsers.read(root)
    [unit] = (item for item in source.units if item.name == "total")
    contract = Contract(
        signature=source.signatures[unit.id][0],
        arrays=(
            ArrayFact(name="a", role=Role.IN, extent="n"),
            ArrayFact(name="sum", role=Role.OUT, extent="1"),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="1025"), size=True),),
        law=None,
    )
    blank = Candidate(
        unit=unit.id,
        dialect=OPENMP,
        replacements=(),
        binding=Binding(name="total", arguments=contract.signature.names),
        parallel=True,
    )
    texts = {**HONEST, **MISTAKES}
    proposals = [
        Proposal(
            unit=unit,
            contracts=(contract,),
            candidate=replace(
                blank, replacements=(Replacement(unit=unit.id, text=f"{HEAD}{text}\n}}\n".encode()),)
            ),
        )
        for text in texts.values()
    ]
    found = judge(workshop, source, proposals, seed=5)
    return {name: item.verdict for name, item in zip(texts, found, strict=True)}


@pytest.mark.thorough
@pytest.mark.parametrize("name", HONEST)
def test_what_is_right_on_any_number_of_threads_is_kept(name: str, verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts[name], Passed), verdicts[name]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_needs_few_threads_is_falsified(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts[mistake], Falsified), verdicts[mistake]
