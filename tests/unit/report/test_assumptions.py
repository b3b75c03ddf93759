"""Assumptions of a translation about its callers, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.testers.making import MAP, changes, reads
from tests.unit.testers.run.test_bench import proposal
from transpile.core import (
    SUPPOSED,
    Attempt,
    ByRules,
    Contract,
    Evidence,
    Guarantee,
    Inconclusive,
    Level,
    Origin,
    Passed,
    Range,
    ScalarFact,
    Verdict,
)
from transpile.report.assumptions import assumptions, clause

PASSED = Passed(guarantee=Guarantee(level=Level.TESTED, trials=20, checks=()))


def evidence(*contracts: Contract, rules: tuple[str, ...] = (), verdict: Verdict = PASSED) -> Evidence:
    made = proposal("f", b"")
    candidate = replace(made.candidate, origin=ByRules(rules=rules))
    return Evidence(
        unit=made.unit, contracts=contracts, attempts=(Attempt(candidate=candidate, verdict=verdict),)
    )


def test_what_assumes_nothing_says_nothing() -> None:
    plain = replace(MAP, relations=())
    assert (assumptions(evidence(plain)), clause(evidence(plain))) == ((), "")


def test_what_rules_rest_on_comes_first_and_nothing_comes_twice() -> None:
    index = reads("index", values=Range(low="0", high="m - 1"), distinct=True)
    contract = replace(MAP, relations=("m >= n",), arrays=(index, changes("x", "m", origin=Origin.BOUND)))
    found = evidence(contract, contract, rules=("loops", f"{SUPPOSED}x has m elements"))
    assert assumptions(found) == ("x has m elements", "m >= n", "index holds 0 … m - 1", "index is distinct")


def test_a_clause_is_short_and_says_how_much_it_leaves_out() -> None:
    relations = tuple(f"{name} >= width * height" for name in "abcde")
    said = clause(evidence(replace(MAP, relations=relations)))
    assert said.startswith("assumes a >= width * height; b >= width * height; ")
    assert said.endswith("2 more") and len(said) < 100


def test_what_did_not_pass_assumes_nothing() -> None:
    contract = replace(MAP, relations=("m >= n",))
    assert assumptions(evidence(contract, verdict=Inconclusive(reason="no"))) == ()


def test_of_free_elements_only_the_least_is_an_assumption() -> None:
    index = reads("index", values=Range(low="0", high="max(index)"))
    reached = changes("x", "max(index) + 1", origin=Origin.BOUND)
    greatest = ScalarFact(name="max(index)", values=Range(low="1", high="n"), size=True)
    contract = replace(MAP, relations=(), arrays=(index, reached), scalars=(*MAP.scalars, greatest))
    assert assumptions(evidence(contract)) == ("index holds nothing below 0",)
