from dataclasses import replace

from tests.unit.testers.making import MAP, pointer, value
from transpile.core import Contract, Origin, Range, ScalarFact, Trial
from transpile.testers.trials.alike import alike
from transpile.testers.trials.generate import Plan

NAMES = ("n", "width", "height", "to")
PLAN = Plan(seed=3, count=24)


def contract(*relations: str, origin: Origin = Origin.TRACE) -> Contract:
    scalars = tuple(
        ScalarFact(name=name, values=Range(low="0", high="1000"), size=name == "n") for name in NAMES
    )
    parameters = (pointer("x"), pointer("y"), *map(value, NAMES))
    signature = replace(MAP.signature, parameters=parameters)
    return replace(MAP, signature=signature, scalars=scalars, relations=relations, relations_from=origin)


def test_trials_go_beyond_what_nobody_stated_with_sizes_that_fit_together() -> None:
    made = [dict(trial.scalars) for trial in alike(contract("width >= n"), PLAN)]
    beyond = [item for item in made if item["n"] > item["width"]]
    assert len(beyond) > 20
    assert any(item["width"] == item["height"] == item["to"] > 1 for item in beyond)
    assert any(item["n"] > item["width"] * item["height"] > 1 for item in beyond)


def test_what_somebody_stated_and_what_launches_keep_to_holds() -> None:
    assert alike(contract(), PLAN) == ()
    assert alike(contract("width >= n", origin=Origin.USER), PLAN) == ()
    assert alike(contract("blockDim.x == 1"), PLAN) == ()
    made = alike(contract("width >= n", "blockDim.x == 1"), PLAN)
    assert {trial.launch.block[0] for trial in made} == {1}


def test_each_run_draws_its_own() -> None:
    def drawn(nonce: int) -> tuple[Trial, ...]:
        return alike(contract("width >= n"), replace(PLAN, nonce=nonce))

    assert drawn(1) == drawn(1) != drawn(2)
