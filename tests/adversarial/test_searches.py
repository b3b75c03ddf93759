"""Searches for the first hit: what lies behind it may not be there, and any hit is not the first one."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.candidates import reason
from transpile import parsers, translators
from transpile.contracts import infer
from transpile.core import OPENMP, Binding, Candidate, Passed, Rejected, Replacement, Source
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

SOURCE = """#include <vector>
// Callers may pass an array that ends with its first zero, and any n.
int first_zero(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] == 0) return i;
    return n;
}
// Behind a zero, elements of b may be zero as well.
int first_quotient(const std::vector<int> &a, int c)
{
    for (int i = 0; i < a.size(); i++)
        if (a[i] == 0 || c / a[i] > 2) return i;
    return -1;
}
int first_equal(const std::vector<int> &a, int c)
{
    for (int i = 0; i < a.size(); i++)
        if (a[i] == c) return i;
    return -1;
}
"""
SEARCH = """int first_equal(const std::vector<int> &a, int c)
{{
    int found = {start};
    #pragma omp parallel for {clauses}
    for (int i = 0; i < (int)a.size(); i++)
        if ({test}) found = i;
    return found{end};
}}
"""
MISTAKES = {
    "last": SEARCH.format(start="-1", clauses="reduction(max : found)", test="a[i] == c", end=""),
    "any": SEARCH.format(start="-1", clauses="", test="a[i] == c", end=""),
    "unmerged": SEARCH.format(
        start="a.size()", clauses="", test="i < found && a[i] == c", end=" == (int)a.size() ? -1 : found"
    ),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    place = tmp_path_factory.mktemp("searches")
    (place / "searches.cpp").write_text(SOURCE)
    return parsers.read(place)


def test_only_the_first_of_hits_that_are_all_there_is_kept(workshop: Workshop, source: Source) -> None:
    known = infer(workshop, source, [item for item in source.units if item.name != "first_quotient"])
    proposals, refused = [], {}
    for unit in source.units:
        contracts = known.get(unit.id, ())
        assert isinstance(contracts, tuple), contracts
        found = translators.propose(source, unit, contracts, OPENMP)
        if isinstance(found, Rejected):
            refused[unit.name] = found.diagnostics[0].message
            continue
        proposals.append(Proposal(unit=unit, contracts=contracts, candidate=found))
        proposals += [
            Proposal(unit=unit, contracts=contracts, candidate=_candidate(unit.id, text))
            for text in MISTAKES.values()
        ]
    assert "`a` may end there too: state its `extents`" in refused["first_zero"]
    found = refused["first_quotient"]
    assert "`c / a[i]` (line" in found and "may be undefined" in found
    ours, *mistakes = [item.verdict for item in judge(workshop, source, proposals, seed=3)]
    assert isinstance(ours, Passed), ours
    assert {reason(item) for item in mistakes} <= {"exact", "race"}, mistakes


def _candidate(unit: str, text: str) -> Candidate:
    return Candidate(
        unit=unit,
        dialect=OPENMP,
        replacements=(Replacement(unit=unit, text=text.encode()),),
        binding=Binding(name="first_equal", arguments=("a", "c")),
    )
