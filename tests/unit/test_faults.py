from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from transpile import faults
from transpile.core import Inconclusive
from transpile.errors import InternalError, MachineFault, ToolMissing


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))
    return tmp_path


def failing_on(bad: str, error: Exception) -> faults.Callable[[Sequence[str]], list[str]]:
    def together(items: Sequence[str]) -> list[str]:
        if bad in items:
            raise error
        return [item.upper() for item in items]

    return together


def run(error: Exception) -> list[str]:
    return faults.isolated(("a", "b", "c"), failing_on("b", error), lambda item, why: item + why.code, "up")


@pytest.mark.parametrize("error", [IndexError("tuple index out of range"), InternalError("gave up")])
def test_only_what_we_fail_on_is_lost(error: Exception, cache: Path) -> None:
    assert run(error) == ["A", "bTP414", "C"]
    (log,) = (cache / "logs").iterdir()
    assert str(error) in log.read_text()


def test_nothing_to_do_is_done() -> None:
    assert faults.isolated((), failing_on("b", ValueError()), lambda item, why: "", "up") == []


@pytest.mark.parametrize(
    ("error", "raised"),
    [(ToolMissing("no g++"), ToolMissing), (OSError(errno.ENOSPC, "No space left"), MachineFault)],
)
def test_what_is_not_our_bug_ends_all(error: Exception, raised: type[Exception], cache: Path) -> None:
    with pytest.raises(raised):
        run(error)
    assert not (cache / "logs").exists()


def test_a_fault_says_what_failed_and_where_its_log_is(cache: Path) -> None:
    found = faults.own(KeyError("n"), "learning contracts")
    assert isinstance(found, Inconclusive) and found.ours
    assert "failed while learning contracts (KeyError: 'n')" in found.reason
    assert str(next((cache / "logs").iterdir())) in found.reason


def test_several_faults_of_one_second_have_a_log_each(cache: Path) -> None:
    for _ in range(3):
        faults.own(KeyError("n"), "judging")
    assert len(list((cache / "logs").iterdir())) == 3


def test_what_came_before_a_failure_stands_and_what_is_left_is_tried_alone() -> None:
    tried: list[str] = []

    def together(items: Sequence[str]) -> Iterator[tuple[int, str]]:
        for number, item in enumerate(items):
            tried.append(item)
            if item == "b":
                raise IndexError("tuple index out of range")
            yield number, item.upper()

    found = faults.streamed("abc", together, lambda item, why: item + why.code, "up")
    assert next(found) == (0, "A")
    assert tried == ["a"]
    assert list(found) == [(1, "bTP414"), (2, "C")]
    assert tried == ["a", "b", "b", "c"]
