from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from transpile.stages.streams import side_by_side

GROUPS = ("ab", "cd")


def test_each_result_is_handed_on_before_its_group_ends() -> None:
    seen = Event()

    def work(group: str) -> Iterator[str]:
        for name in group:
            yield name
            assert name in "cd" or seen.wait(60), "b waits until somebody has heard of a"

    for name in side_by_side(GROUPS, work, 2):
        if name == "a":
            seen.set()
    assert seen.is_set()


@pytest.mark.parametrize("jobs", [1, 3])
def test_all_of_it_comes(jobs: int) -> None:
    assert sorted(side_by_side(GROUPS, iter, jobs)) == ["a", "b", "c", "d"]
    assert not list(side_by_side((), iter, jobs))


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("error", [OSError("no room"), KeyboardInterrupt()], ids=["fault", "interrupted"])
def test_what_is_raised_in_a_group_is_raised_here(error: BaseException, jobs: int) -> None:
    def work(group: str) -> Iterator[str]:
        yield group
        raise error

    with pytest.raises(type(error)):
        list(side_by_side(GROUPS, work, jobs))


def test_whoever_goes_away_lets_no_group_begin() -> None:
    begun: list[int] = []
    gone = Event()

    def work(group: int) -> Iterator[int]:
        begun.append(group)
        yield group
        assert gone.wait(60)

    found = side_by_side(range(8), work, 2)
    assert isinstance(found, Iterator)
    next(found)
    gone.set()
    del found
    assert len(begun) < 8
