from dataclasses import replace

import pytest

from tests.unit.testers.making import FLOAT, INT, MAP, changes, pointer, reads, value, writes
from transpile.core import Contract, Trial
from transpile.testers.trials.aliases import aliased, twins, within, without
from transpile.testers.trials.materialise import Unmakeable, materialise

TRIAL = Trial(seed=1, fill="exact", scalars=(("n", 9),))


def contract(x, y, facts) -> Contract:
    signature = replace(MAP.signature, parameters=(x, y, value("n")))
    return replace(MAP, signature=signature, arrays=facts)


SAME = (reads("x"), writes("y"))


def test_an_output_stands_in_for_an_input_of_its_size() -> None:
    made = aliased(contract(pointer("x", const=True), pointer("y"), SAME), TRIAL)
    assert made == [replace(TRIAL, aliases=(("y", "x"),))]


@pytest.mark.parametrize(
    ("x", "y", "facts"),
    [
        (pointer("x", INT), pointer("y"), SAME),
        (pointer("x"), pointer("y"), (reads("x"), writes("y", "n + 1"))),
        (pointer("x"), pointer("y"), (reads("x"), reads("y"))),
        (pointer("x"), pointer("y"), (changes("x"), writes("y"))),
        (replace(pointer("x"), spelling="const float *__restrict__"), pointer("y"), SAME),
        (pointer("x"), replace(pointer("y"), spelling="float *restrict"), SAME),
        (pointer("x"), pointer("y"), (reads("x", "q"), writes("y", "q"))),
    ],
    ids=["types", "extents", "no output", "no input", "restrict", "C restrict", "no value"],
)
def test_nothing_is_the_same_that_may_not_be(x, y, facts) -> None:
    assert aliased(contract(x, y, facts), TRIAL) == []


def test_a_matrix_of_one_column_is_not_as_long_as_its_rows_are_many() -> None:
    matrix = contract(pointer("x"), pointer("y"), (reads("x", "n * m"), writes("y")))
    trials = [
        replace(TRIAL, seed=number, scalars=(("n", 9), ("m", columns)))
        for number, columns in enumerate((1, 1, 4, 1, 7))
    ]
    assert aliased(matrix, trials[0]) and twins(matrix, trials) == []
    assert len(twins(contract(pointer("x"), pointer("y"), SAME), trials)) == 4


def test_an_output_stands_in_for_the_beginning_of_a_longer_input() -> None:
    halves = contract(pointer("x"), pointer("y"), (reads("x", "2 * n"), writes("y")))
    trials = [replace(TRIAL, scalars=(("n", count),)) for count in (0, 0, 3, 5, 9)]
    [made] = within(halves, trials)
    assert made == [replace(trial, aliases=(("y", "x"),)) for trial in trials[1:]]
    assert within(contract(pointer("x"), pointer("y"), SAME), trials) == []
    assert within(contract(pointer("x"), pointer("y"), (reads("x"), writes("y", "2 * n"))), trials) == []
    assert within(contract(pointer("x"), pointer("y"), (reads("x"), writes("y", "q"))), trials) == []


def test_the_data_are_there_once_and_may_be_written() -> None:
    both = contract(pointer("x", FLOAT, const=True), pointer("y"), SAME)
    made = materialise(both, replace(TRIAL, aliases=(("y", "x"),)))
    x, y, _ = made.arguments
    assert (y.alias, len(y.data), y.output) == (0, 0, False)
    assert (x.alias, len(x.data), x.constant) == (None, 36, False)
    assert materialise(both, TRIAL).arguments[0].constant
    with pytest.raises(Unmakeable):
        materialise(both, replace(TRIAL, aliases=(("y", "z"),)))


def test_each_pointer_is_null_alone_and_all_are_at_once() -> None:
    made = without(["x", "y"], [TRIAL], {"x": [], "y": []})
    assert made == [replace(TRIAL, null=names) for names in (("x",), ("y",), ("x", "y"))]
    assert without([], [TRIAL], {}) == []
    assert without(["x"], made, {"x": made}) == []


def test_a_pointer_is_null_where_that_may_matter() -> None:
    """Most calls of a function that checks its data end early, and ask nothing of what is optional."""
    trials = [replace(TRIAL, seed=seed) for seed in range(40)]
    made = without(["y"], trials, {"y": trials[:1]})
    assert made[0] == replace(trials[0], null=("y",))
    assert len(made) == len(without(["y"], trials, {"y": []})) + 1


def test_a_null_pointer_has_no_data() -> None:
    known = contract(pointer("x"), pointer("y"), SAME)
    slots = {slot.name: slot for slot in materialise(known, replace(TRIAL, null=("x",))).arguments}
    assert slots["x"].null and len(slots["x"].data) == 0 and not slots["y"].null
