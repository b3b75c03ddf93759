from hypothesis import given
from hypothesis import strategies as st

from transpile.core import Trial
from transpile.testers.mutation.strengthen import DEPTH, cover

TRIALS = [Trial(seed=number, fill="exact", scalars=()) for number in range(8)]
MATRIX = st.dictionaries(st.integers(0, 20), st.frozensets(st.sampled_from(TRIALS)))


@given(MATRIX)
def test_every_mutant_falls_to_as_many_of_the_few_as_it_can(killers) -> None:
    chosen = cover(killers, {}, TRIALS)
    for found in killers.values():
        assert len(found & set(chosen)) >= min(DEPTH, len(found))
    assert chosen == [trial for trial in TRIALS if trial in chosen]


def test_one_trial_that_kills_all_and_two_witnesses_are_enough() -> None:
    killers = {number: frozenset(TRIALS) for number in range(5)}
    assert len(cover(killers, {}, TRIALS)) == DEPTH


def test_what_fell_in_no_plain_run_keeps_the_trial_that_it_fell_to() -> None:
    assert cover({1: frozenset()}, {1: TRIALS[5]}, TRIALS) == [TRIALS[5]]
