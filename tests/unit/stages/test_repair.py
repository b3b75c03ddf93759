"""Which of several answers that passed is taken."""

from transpile.core import Attempt, Guarantee, Level, Passed
from transpile.stages.repair import elected
from transpile.testers import Judged


def survivor(trials: int) -> tuple[Attempt, Judged]:
    verdict = Passed(guarantee=Guarantee(level=Level.TESTED, trials=trials, checks=()))
    return Attempt(candidate=None, verdict=verdict), Judged(verdict=verdict)


def test_the_most_trials_elect_and_the_first_of_equals() -> None:
    few, many, again = survivor(40), survivor(48), survivor(48)
    assert elected([few, many, again]) == many
    assert elected([many, again])[0] is many[0]
    assert elected([few])[0] is few[0]
