"""Cases of a landing: they are chosen by names, and a new one moves few others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import sampling

NAMES = [f"case {number}" for number in range(40)]


@pytest.fixture
def landing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_landing", True)


def test_a_whole_run_takes_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_landing", False)
    assert sampling.sampled(NAMES, 4) == NAMES


@pytest.mark.usefixtures("landing")
def test_a_landing_takes_one_of_several_in_their_order() -> None:
    chosen = sampling.sampled(NAMES, 4)
    assert len(chosen) == 10
    assert chosen == sorted(chosen, key=NAMES.index)
    assert set(sampling.sampled(reversed(NAMES), 4)) == set(chosen)
    assert sampling.sampled(NAMES[:3], 4), "no family is left out"


@pytest.mark.usefixtures("landing")
def test_the_folder_of_a_checkout_decides_nothing() -> None:
    here, there = ([Path(root) / name for name in NAMES] for root in ("/here", "/there"))
    chosen = [[path.name for path in sampling.sampled(paths, 4)] for paths in (here, there)]
    assert chosen[0] == chosen[1] == sampling.sampled(NAMES, 4)


@pytest.mark.usefixtures("landing")
def test_what_others_look_at_is_taken_as_well() -> None:
    left = next(name for name in NAMES if name not in sampling.sampled(NAMES, 4))
    assert left in sampling.sampled(NAMES, 4, also=(left,))


@pytest.mark.usefixtures("landing")
def test_a_new_case_leaves_nearly_all_others_where_they_were() -> None:
    before = set(sampling.sampled(NAMES, 4))
    assert len(before - set(sampling.sampled([*NAMES, "a new one"], 4))) <= 1


@pytest.mark.usefixtures("landing")
def test_tables_are_chosen_by_their_keys() -> None:
    table = {name: len(name) for name in NAMES}
    assert list(sampling.sampled_items(table, 4)) == sampling.sampled(NAMES, 4)
