"""Recursion as tasks: the rule's text is kept, and tasks that meet in memory are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.adversarial import needs
from tests.integration.functions import WRONG, check, learn_first, unit
from transpile import parsers, translators
from transpile.core import OPENMP, Candidate, Contract
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

SORT = """\
static void merge(int *a, int *b, int lo, int mid, int hi)
{
    int i = lo, j = mid;
    for (int k = lo; k < hi; k++) b[k] = i < mid && (j >= hi || a[i] <= a[j]) ? a[i++] : a[j++];
    for (int k = lo; k < hi; k++) a[k] = b[k];
}
void sort(int *a, int *b, int lo, int hi)
{
    if (hi - lo < 2)
        return;
    int mid = lo + (hi - lo) / 2;
    sort(a, b, lo, mid);
    sort(a, b, mid, hi);
    merge(a, b, lo, mid, hi);
}
"""
TASK = "    #pragma omp task\n"


CHANGES = {
    "rule": ("", "", ("kept",)),
    "overlap": ("sort_tasks(a, b, lo, mid,", "sort_tasks(a, b, lo, mid + (hi - lo > 3),", ("race", *WRONG)),
    "counter": (TASK, "    *(volatile int *)b += 0;\n" + TASK, ("race", *WRONG)),
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    root = tmp_path_factory.mktemp("source")
    (root / "sort.c").write_text(SORT)
    source = parsers.read(root)
    own = unit(source, "sort")
    known = learn_first(workshop, source)["sort"]
    assert isinstance(known, Contract), known
    candidate = translators.propose(source, own, (known,), OPENMP)
    assert isinstance(candidate, Candidate), candidate
    [written] = candidate.replacements
    proposals = []
    for old, new, _ in CHANGES.values():
        assert old in written.shown
        text = written.shown.replace(old, new) if old else written.shown
        changed = replace(candidate, replacements=(replace(written, text=text.encode()),))
        proposals.append(Proposal(unit=own, contracts=(known,), candidate=changed))
    judged = judge(workshop, source, proposals, seed=3)
    return {name: check(item.verdict) for name, item in zip(CHANGES, judged, strict=True)}


@pytest.mark.parametrize("name", CHANGES)
def test_tasks_are_kept_only_where_none_meet(name: str, verdicts: dict[str, str]) -> None:
    assert verdicts[name] in CHANGES[name][2]
