"""Facts of a contract are used where they hold for every instance of a function."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.testers.making import MAP
from transpile.core import Contract, Range, ScalarFact
from transpile.translators.loops.planning.facts import agreed, facts


def instance(low: str, *relations: str, distinct: bool) -> Contract:
    arrays = tuple(replace(fact, distinct=distinct) for fact in MAP.arrays)
    scalars = (ScalarFact(name="n", values=Range(low=low, high="9")),)
    return replace(MAP, arrays=arrays, scalars=scalars, relations=relations)


def test_only_what_all_instances_keep_to_is_relied_on() -> None:
    one = instance("2", "n >= m", "n >= k", distinct=True)
    assert agreed([]) is None
    assert agreed([one, one]) == one
    found = agreed([one, instance("1", "n >= k", distinct=False)])
    assert found is not None
    assert [text for text, _ in facts(found)] == ["n >= k"]
    assert not any(fact.distinct for fact in found.arrays)
