"""Arguments of trials of Fortran routines."""

from __future__ import annotations

from dataclasses import replace

from transpile.parsers.fortran.aims import Aim
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Dummy, Value
from transpile.testers.fortran.draws import Drawn, drawn

INTEGER = Value(base="integer", kind=4)
DOUBLE = Value(base="real", kind=8)
LETTER = Value(base="character", kind=1, length=1)
DUMMIES = (
    Dummy(name="uplo", value=LETTER, choices=("L", "U")),
    Dummy(name="n", value=INTEGER),
    Dummy(name="inc", value=INTEGER),
    Dummy(name="beta", value=DOUBLE),
    Dummy(name="a", value=DOUBLE, rank=2, shape="size"),
    Dummy(name="lda", value=INTEGER, leading=True),
    Dummy(name="x", value=DOUBLE, rank=2, shape="assumed"),
)
ROUTINE = Interface(
    name="f", file="f.f", line=1, symbol="f_", target="f", dummies=DUMMIES, result=None, numbers=(0.5,),
    one_way=(), unreachable=(), callees=(),
)  # fmt: skip
MANY: list[Drawn] = [drawn(ROUTINE, seed) for seed in range(400)]


def share(of: list[bool]) -> float:
    return sum(of) / len(of)


def test_a_seed_makes_the_same_arguments() -> None:
    assert drawn(ROUTINE, 7) == drawn(ROUTINE, 7)
    assert drawn(ROUTINE, 7) != drawn(ROUTINE, 8)


def test_texts_are_mostly_those_that_the_routine_compares_with() -> None:
    texts = [item.scalars["uplo"] for item in MANY]
    assert {"U", "u", "L", "l"} <= set(texts)
    assert 0.85 < share([text.upper() in "LU" for text in texts]) < 1
    assert {len(text) for text in texts} == {1}


def test_optional_arguments_are_left_out_in_all_combinations() -> None:
    flags = tuple(Dummy(name=name, value=DOUBLE, optional=name != "x") for name in "xyz")
    absent = [drawn(replace(ROUTINE, dummies=flags), seed).absent for seed in range(60)]
    assert set(absent) == {frozenset(), frozenset("y"), frozenset("z"), frozenset("yz")}
    assert all(not item.absent for item in MANY)


def test_some_texts_are_long_where_the_caller_chooses() -> None:
    dummies = (
        Dummy(name="free", value=replace(LETTER, length=0), choices=("L",)),
        Dummy(name="fixed", value=LETTER),
    )
    found = [drawn(replace(ROUTINE, dummies=dummies), seed).scalars for seed in range(300)]
    assert {len(item["fixed"]) for item in found} == {1}
    long = [item["free"] for item in found if len(item["free"]) >= 60]
    assert 0.02 < len(long) / len(found) < 0.15 and any(item.strip() and "L" in item[40:] for item in long)


def test_a_few_trials_have_one_large_number_and_long_arrays() -> None:
    large = [
        seed for seed, item in enumerate(MANY) if max(abs(item.scalars[name]) for name in ("n", "inc")) > 900
    ]
    assert 4 <= len(large) <= 6 and max(large) < 64
    assert all(MANY[seed].shapes["x"][0][0] >= 1000 for seed in large)


def test_whole_numbers_are_large_where_no_loop_goes_by_them() -> None:
    dummies = (Dummy(name="n", value=INTEGER), Dummy(name="m", value=replace(INTEGER, kind=8)))
    straight = replace(ROUTINE, dummies=dummies, straight=True)
    found = [drawn(straight, seed).scalars for seed in range(448)]
    assert max(abs(item["m"]) for item in found) > 1 << 33
    assert 1 << 17 < max(abs(item["n"]) for item in found) < 1 << 31
    rest = [drawn(replace(straight, straight=False), seed).scalars for seed in range(448)]
    assert max(abs(item["m"]) for item in rest) <= 5000


def test_some_arrays_run_backwards() -> None:
    strides = [stride for item in MANY for _, stride in item.shapes["x"]]
    assert 0.05 < share([stride < 0 for stride in strides]) < 0.2


def test_leading_extents_are_mostly_enough() -> None:
    enough = [item.scalars["lda"] >= max(item.scalars["n"], 1) for item in MANY]
    assert 0.8 < share(enough) < 1


def test_steps_of_both_signs_and_sizes_of_all_kinds_are_drawn() -> None:
    steps = {item.scalars["inc"] for item in MANY}
    assert {-2, -1, 0, 1, 2} <= steps and max(steps) > 40
    assert {0, 1} <= {item.scalars["n"] for item in MANY}


def test_numbers_that_routines_compare_with_are_frequent() -> None:
    betas = [item.scalars["beta"] for item in MANY]
    assert share([value == 0 for value in betas]) > 0.1
    assert share([value == 1 for value in betas]) > 0.1
    assert 0.5 in [abs(value) for value in betas]
    assert len(set(betas)) > 100


def test_sections_of_assumed_shape_do_not_overlap_themselves() -> None:
    for item in MANY:
        (first, stride), (_, other) = item.shapes["x"]
        assert stride and abs(other) >= max(first, 1) * abs(stride)
    assert any(item.shapes["x"][0][1] > 1 for item in MANY)


def test_aims_lead_to_parts_of_a_routine() -> None:
    aim = Aim(comparisons=("n >= 150", "deep == 1"), texts=(("name", 2, "TRF"),))
    deep = Dummy(name="deep", value=Value(base="logical", kind=4))
    name = Dummy(name="name", value=Value(base="character", kind=1))
    aimed = replace(ROUTINE, dummies=(*DUMMIES, deep, name), aims=(aim,))
    found = [item.scalars for item in (drawn(aimed, seed) for seed in range(200))]
    hit = [row["n"] >= 150 and row["deep"] == 1 and row["name"][2:5] == "TRF" for row in found]
    assert 0.25 < share(hit) < 0.55


def test_routines_that_work_in_blocks_get_more_than_one_of_them() -> None:
    tuned = replace(ROUTINE, tuned=True)
    assert max(drawn(tuned, seed).scalars["n"] for seed in range(200)) > 128


def test_parts_of_complex_numbers_differ_by_far_at_times() -> None:
    beta = Dummy(name="beta", value=Value(base="complex", kind=8))
    found = [drawn(replace(ROUTINE, dummies=(beta,)), seed).scalars["beta"] for seed in range(400)]
    assert any(real == 0 and abs(imaginary) > 1e200 for real, imaginary in found)
    assert any(real != real for real, _ in found)
