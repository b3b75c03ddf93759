from __future__ import annotations

from dataclasses import replace

from tests.unit.testers.making import contract, pointer, reads, size, value, writes
from transpile.core import Contract, Range, ScalarFact
from transpile.testers.trials.combined import combined, crossed, of_options
from transpile.testers.trials.generate import Plan

PLAN = Plan(seed=1, count=40)
ASKED = (("a", 3.0), ("b", 5.0), ("c", 7.0), ("options[1]", 9.0), ("i", 0.0))


def made() -> Contract:
    flags = [ScalarFact(name=name, values=Range(low="-10000", high="10000")) for name in "abc"]
    found = contract(
        (pointer("options", const=True), pointer("y"), value("n"), *map(value, "abc")),
        (reads("options", "3"), writes("y")),
        (size("n"), *flags),
    )
    return replace(found, law=None)


def test_numbers_meet_alone_in_pairs_and_all_at_once() -> None:
    trials = [dict(trial.scalars) for trial in combined(made(), PLAN, ASKED)]
    wanted = {"a": 3, "b": 5, "c": 7}
    met = [frozenset(name for name, number in wanted.items() if trial[name] == number) for trial in trials]
    assert {frozenset("a"), frozenset("ab"), frozenset("bc"), frozenset("abc")} <= {*met}
    assert {1} < {trial["n"] for trial in trials}


def test_three_numbers_and_more_meet_in_every_way() -> None:
    asked = (("a", 3.0), ("b", 5.0), ("b", 6.0), ("c", 0.0))
    trials = [dict(trial.scalars) for some in crossed(made(), PLAN, asked) for trial in some]
    met = {
        (trial["a"] == 3, trial["b"] if trial["b"] in (5, 6) else None, trial["c"] in (0, 1))
        for trial in trials
    }
    assert len(met) == 2 * 3 * 2
    assert {0, 1} < {trial["c"] for trial in trials}


def test_two_numbers_meet_elsewhere() -> None:
    assert not [*crossed(made(), PLAN, (("a", 3.0), ("b", 5.0)))]


def test_options_meet_numbers_that_are_passed_by_value() -> None:
    trials = of_options(made(), PLAN, ASKED)
    assert {trial.written for trial in trials} == {(("options", (1, 9.0, 1)),)}
    assert any(dict(trial.scalars)["a"] == 3 and dict(trial.scalars)["b"] == 5 for trial in trials)


def test_options_that_are_as_many_as_a_size_are_data() -> None:
    longer = replace(made(), arrays=(reads("options", "n"), writes("y")))
    assert not of_options(longer, PLAN, ASKED)
