"""Calls with one array in two places: a translation that breaks them says that it does not bear them."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from tests.adversarial.function_session import proposal
from transpile import parsers, translators
from transpile.contracts import infer
from transpile.core import OPENMP, ByRules, Candidate, Passed
from transpile.testers import judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
SOURCE = """
void gathered(int n, const int *at, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]];
}
"""
MARKED = SOURCE.replace("    for", "    #pragma omp parallel for\n    for")


FOLD = """
__global__ void fold(float *a, const float *b, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) a[i] = b[i] + b[i + half];
}
"""
IN_FOLD = (
    "void fold(float *a, const float *b, int half) {\n#pragma omp parallel for\n"
    "for (int i = 0; i < half; i++) { %s } }"
)
FOLDS = {
    "right": "a[i] = b[i] + b[i + half];",
    "two steps": "a[i] = b[i + half]; a[i] += b[i];",
}


def test_an_output_may_be_the_first_half_of_an_input(workshop: Workshop) -> None:
    """As in reductions: ``for (h = n / 2; h > 0; h /= 2) fold<<<…>>>(sums, sums, h);``."""
    found = rewards(workshop, FOLD, {name: IN_FOLD % text for name, text in FOLDS.items()})
    assert kept(found) == {"right"}, found


ADD = """
__global__ void add(float *out, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * 2 + b[i];
}
"""
IN_ADD = (
    "void add(float *out, const float *a, const float *b, int n) {\n#pragma omp parallel for\n"
    "for (int i = 0; i < n; i++) { %s } }"
)
ADDS = {
    "right": "out[i] = a[i] * 2 + b[i];",
    "beside the right one": "if (a == b) out[i] = 4 * a[i]; else out[i] = a[i] * 2 + b[i];",
    "in an expression": "\nout[i] = a[i] * (a == b ? 4 : 2) + b[i];\n",
}


def test_two_inputs_may_be_one_array(workshop: Workshop) -> None:
    """No trial has that: what asks for it is not seen to be right."""
    found = rewards(workshop, ADD, {name: IN_ADD % text for name, text in ADDS.items()})
    assert kept(found) == {"right"}, found


def test_who_does_not_compare_arrays_supposes_that_they_lie_apart(workshop: Workshop, tmp_path: Path) -> None:
    """In place, later elements read what earlier ones have written: trials leave such calls out."""
    (tmp_path / "gather.c").write_text(SOURCE)
    source = parsers.read(tmp_path)
    [unit] = source.units
    contracts = infer(workshop, source, [unit])[unit.id]
    assert isinstance(contracts, tuple), contracts
    made = translators.propose(source, unit, contracts, OPENMP)
    assert isinstance(made, Candidate)
    compared = made.replacements[0].text.decode()
    proposals = [
        proposal(unit, contracts, MARKED, (), OPENMP),
        proposal(unit, contracts, compared, (), OPENMP, origin=ByRules(rules=("loops", "openmp"))),
    ]
    told = "`y` and `x` do not overlap", "`x` and `y` do not overlap"
    marked, by_rules = (item.verdict for item in judge(workshop, source, proposals, seed=5))
    assert isinstance(marked, Passed) and set(told) & set(marked.guarantee.requires), marked
    assert isinstance(by_rules, Passed) and not set(told) & set(by_rules.guarantee.requires), by_rules


SPREAD = """
void spread(int n, const float *x, float *low, float *high)
{
    for (int i = 0; i < n; i++) {
        low[i] = x[i] - 1.0f;
        high[i] = x[i] + 1.0f;
    }
}
"""
SPREAD_OF = (
    "void spread(int n, const float *x, float *low, float *high) { for (int i = 0; i < n; i++) { %s } }"
)
SPREADS = {
    "once": "float v = x[i]; low[i] = v - 1.0f; high[i] = v + 1.0f;",
    "high first": "high[i] = x[i] + 1.0f; low[i] = x[i] - 1.0f;",
    "wrong": "low[i] = x[i] - 1.0f; high[i] = low[i] + 3.0f;",
}


def test_an_output_in_place_of_what_is_read_for_another_is_no_fair_call(workshop: Workshop) -> None:
    """There ``high`` is other than anywhere else, which nobody wants of the source."""
    texts = {
        name: (SPREAD_OF % text).replace("{ for", "{\n#pragma omp parallel for\nfor", 1)
        for name, text in SPREADS.items()
    }
    found = rewards(workshop, SPREAD, texts, suffix=".c")
    assert kept(found) == {"once"}, found
