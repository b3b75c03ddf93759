from dataclasses import replace

import numpy as np
import pytest

from tests.unit.testers.making import (
    DOUBLE,
    INT,
    MAP,
    PAIR,
    changes,
    contract,
    pointer,
    reads,
    size,
    value,
    writes,
)
from transpile.core import (
    ElementType,
    GlobalVariable,
    Launch,
    Leaf,
    NumberRules,
    Parameter,
    Range,
    Scalar,
    Trial,
    Unbounded,
)
from transpile.testers.trials.materialise import POISONS, TURNS, Unmakeable, in_turn, materialise

TRIAL = Trial(seed=5, fill="exact", scalars=(("n", 100),), launch=Launch(grid=(4, 1, 1), block=(32, 1, 1)))


def test_the_same_trial_makes_the_same_bytes() -> None:
    first, second = materialise(MAP, TRIAL), materialise(MAP, TRIAL)
    other = materialise(MAP, replace(TRIAL, seed=6))
    assert all((a.data == b.data).all() for a, b in zip(first.arguments, second.arguments, strict=True))
    assert (first.arguments[0].data != other.arguments[0].data).any()


def test_exact_floats_are_small_whole_numbers_and_not_zero() -> None:
    data = materialise(MAP, TRIAL).arguments[0].data.view(np.float32)
    assert (data == np.round(data)).all() and (data != 0).all() and np.abs(data).max() <= 8


def test_inputs_are_finite_where_the_user_says_so() -> None:
    special = replace(TRIAL, fill="special")
    finite = replace(MAP, numbers=NumberRules(nan="never"))
    assert not np.isfinite(materialise(MAP, special).arguments[0].data.view(np.float32)).all()
    assert np.isfinite(materialise(finite, special).arguments[0].data.view(np.float32)).all()


def test_every_array_is_special_alone_where_the_others_are_not() -> None:
    parameters = (pointer("a"), pointer("x"), pointer("y"), value("n"))
    made = contract(parameters, (reads("a"), reads("x"), writes("y")), (size("n"),))
    found = set()
    for turn in range(TURNS):
        slots = materialise(made, in_turn(replace(TRIAL, fill="special"), turn)).arguments[:2]
        found.add(tuple(bool(np.isnan(slot.data.view(np.float32)).any()) for slot in slots))
    assert {(True, False), (False, True), (True, True)} <= found


def test_complex_numbers_are_finite() -> None:
    parts = tuple(
        Leaf(offset=4 * k, scalar=Scalar.FLOAT32, name=name) for k, name in enumerate(("real", "imag"))
    )
    pair = ElementType(spelling="cuFloatComplex", size=8, leaves=parts)
    known = contract((pointer("x", pair), value("n")), (reads("x", "n"),), (size("n"),))
    data = materialise(known, replace(TRIAL, fill="special")).arguments[0].data
    assert np.isfinite(data.view(np.float32)).all()


def test_outputs_hold_poison_and_two_poisons_differ_in_every_bit() -> None:
    output = materialise(MAP, TRIAL).arguments[1]
    first, second = (output.poisoned(poison) for poison in POISONS)
    assert output.output and (first ^ second == 0xFF).all()


def test_an_output_that_the_source_reads_first_gets_data() -> None:
    made = materialise(MAP, TRIAL, initialised=frozenset({"y"})).arguments[1]
    assert not made.output and (made.poisoned(POISONS[0]) == made.poisoned(POISONS[1])).all()


def test_scalars_have_their_width() -> None:
    wide = contract(
        (
            value("n"),
            value("s", DOUBLE),
            value("flag", ElementType(spelling="bool", size=1, leaves=(Leaf(offset=0, scalar=Scalar.BOOL),))),
        ),
        (),
        (size("n"),),
    )
    made = materialise(wide, replace(TRIAL, scalars=(("n", 7), ("s", 2.5), ("flag", 1))))
    assert [slot.data.tobytes() for slot in made.arguments] == [
        np.int32(7).tobytes(), np.float64(2.5).tobytes(), b"\x01"
    ]  # fmt: skip
    assert made.slots == ()


def test_negative_lower_bounds_lie_below_the_pointer() -> None:
    shifted = contract((pointer("a"), value("n")), (changes("a", "n", before="2"),), (size("n"),))
    slot = materialise(shifted, TRIAL).arguments[0]
    assert slot.before == 8 and len(slot.data) == 4 * 102


@pytest.mark.parametrize("fill", ["exact", "real", "edge"])
def test_indices_stay_in_range(fill) -> None:
    gather = contract(
        (pointer("i", INT), value("n")), (reads("i", values=Range(low="0", high="n - 1")),), (size("n"),)
    )
    for seed in range(30):
        data = materialise(gather, replace(TRIAL, seed=seed, fill=fill)).arguments[0].data.view(np.int32)
        assert data.min() >= 0 and data.max() < 100


def test_whole_numbers_beside_unusual_floating_ones_are_places_every_other_time_round() -> None:
    made = contract(
        (pointer("x"), pointer("where", INT), pointer("y"), value("n")),
        (reads("x"), reads("where"), writes("y")),
        (size("n"),),
    )
    for turn in range(TURNS):
        trial = in_turn(Trial(seed=5 << 10, fill="special", scalars=(("n", 1000),)), turn)
        where = materialise(made, trial).arguments[1].data.view(np.int32)
        assert bool(((where >= -1) & (where <= 1000)).all()) is (turn // 4 % 2 == 1)


def test_a_single_number_in_memory_tells_in_most_trials_how_many_threads_count() -> None:
    facts = (reads("x", "gridDim.x * blockDim.x"), reads("count", "1"))
    made = contract((pointer("x"), pointer("count", INT)), facts, law=Unbounded())
    trials = (replace(TRIAL, fill="special", scalars=(), seed=seed) for seed in range(90))
    counts = [int(materialise(made, trial).arguments[1].data.view(np.int32)[0]) for trial in trials]
    near = [count for count in counts if 0 <= count <= 129]
    assert 65 < len(near) < 90 and min(near) < 32 < 96 < max(near)


@pytest.mark.parametrize("high", ["n - 1", "1000000"])
def test_distinct_indices_never_repeat(high) -> None:
    scatter = contract(
        (pointer("i", INT), value("n")),
        (reads("i", values=Range(low="0", high=high), distinct=True),),
        (size("n"),),
    )
    for seed in range(20):
        data = materialise(scatter, replace(TRIAL, seed=seed)).arguments[0].data.view(np.int32)
        assert len(set(data.tolist())) == 100


def test_members_are_filled_and_padding_is_anything() -> None:
    pairs = contract((pointer("p", PAIR), value("n")), (reads("p"),), (size("n"),))
    data = materialise(pairs, TRIAL).arguments[0].data.reshape(100, 16)
    assert len(np.unique(data[:, 4:8], axis=0)) > 90 and data[:, :4].any() and data[:, 8:].any()


def test_globals_are_made_too() -> None:
    signature = replace(
        MAP.signature, globals=(GlobalVariable(name="table", element=DOUBLE, count=3, constant=True),)
    )
    made = materialise(replace(MAP, signature=signature), TRIAL)
    assert made.slots[-1].name == "table" and len(made.slots[-1].data) == 24 and made.slots[-1].constant


def test_numbers_of_globals_that_a_trial_names_are_as_it_says() -> None:
    held = (
        GlobalVariable(name="sizes", element=INT, count=3, lengths=(3,)),
        GlobalVariable(name="pair", element=PAIR, count=1),
    )
    trial = replace(TRIAL, scalars=(*TRIAL.scalars, ("sizes[1]", 4711), ("pair.key", -5)))
    sizes, pair = materialise(replace(MAP, signature=replace(MAP.signature, globals=held)), trial).globals
    assert sizes.data.view(np.int32)[1] == 4711 and 4711 not in sizes.data.view(np.int32)[[0, 2]]
    assert pair.data[:4].view(np.int32)[0] == -5


def test_edges_use_numbers_of_the_text() -> None:
    ints = contract((pointer("a", INT), value("n")), (reads("a"),), (size("n"),))
    seen = set()
    for seed in range(40):
        made = materialise(ints, replace(TRIAL, seed=seed, fill="edge"), literals=(4711.0,))
        seen |= set(made.arguments[0].data.view(np.int32).tolist())
    assert {4710, 4711, 4712} <= seen


def test_a_negative_extent_is_empty() -> None:
    inner = contract((pointer("a"), value("n")), (writes("a", "n - 2"),), (size("n"),))
    assert len(materialise(inner, replace(TRIAL, scalars=(("n", 1),))).arguments[0].data) == 0


def test_what_has_no_layout_or_value_cannot_be_made() -> None:
    opaque = Parameter(name="p", spelling="void *", element=None, pointer=True)
    with pytest.raises(Unmakeable, match="layout"):
        materialise(contract((opaque, value("n")), (reads("p"),), (size("n"),)), TRIAL)
    with pytest.raises(Unmakeable, match="no value"):
        materialise(contract((pointer("a"), value("n")), (reads("a", "n * lost"),), (size("n"),)), TRIAL)
