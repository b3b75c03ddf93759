from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from transpile.translators.models import Completion, Message, Model, Request
from transpile.translators.models.together import together


class Echo:
    """Repeats what it is asked, and counts how often."""

    name = "echo"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        self.batches.append(len(requests))
        return [(Completion(text=item.messages[-1].content, finish="stop"),) for item in requests]


def asking(*texts: str) -> Callable[[Model], list[str]]:
    def task(model: Model) -> list[str]:
        found = []
        for text in texts:
            [[answer]] = model.complete([Request(messages=(Message(role="user", content=text),))])
            found.append(answer.text)
        return found

    return task


@pytest.mark.parametrize("seats", [1, 2, 8])
def test_what_tasks_ask_goes_out_in_one_batch(seats: int) -> None:
    model = Echo()
    tasks = [asking("a", "b"), asking(), asking("c"), asking("d", "e")]
    assert together(model, tasks, seats) == [["a", "b"], [], ["c"], ["d", "e"]]
    # Nobody is asked before all have: three first questions, then the two second ones.
    assert model.batches == [3, 2]


def test_no_more_tasks_work_than_there_are_seats() -> None:
    working, most, lock = 0, 0, threading.Lock()

    def task(model: Model) -> None:
        nonlocal working, most
        for _ in range(3):
            with lock:
                working += 1
                most = max(most, working)
            threading.Event().wait(0.005)
            with lock:
                working -= 1
            asking("x")(model)

    together(Echo(), [task] * 6, 2)
    assert most == 2


def test_a_task_that_fails_ends_all() -> None:
    begun = []

    def broken(model: Model) -> list[str]:
        begun.append("broken")
        raise ValueError("our own")

    with pytest.raises(ValueError, match="our own"):
        together(Echo(), [broken, asking("a"), asking("b", "c")], 1)
    assert begun == ["broken"]


def test_a_model_that_fails_is_no_hang() -> None:
    class Broken(Echo):
        def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        together(Broken(), [asking("a"), asking("b")], 2)


def test_no_task_is_nothing() -> None:
    assert together(Echo(), [], 2) == []
