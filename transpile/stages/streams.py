"""Work on groups side by side, each result handed on as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(
    groups: Sequence[Item], work: Callable[[Item], Iterator[Result]], jobs: int
) -> Iterator[Result]:
    """Yield what comes of groups, some of them at a time; raise what is raised in one of them.

    Where the caller goes away or work fails, groups that have begun end with the result that they are at.
    What nothing goes on beside stays in the caller's thread.
    """
    if jobs == 1 or len(groups) == 1:
        for group in groups:
            yield from work(group)
        return
    found: SimpleQueue[tuple[Result] | BaseException | None] = SimpleQueue()
    stopped = Event()

    def run(group: Item) -> None:
        try:
            for result in work(group):
                found.put((result,))
                if stopped.is_set():
                    return
            found.put(None)
        except BaseException as error:  # Whoever waits is interrupted, too.
            found.put(error)

    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        for group in groups:
            pool.submit(run, group)
        left = len(groups)
        while left:
            match found.get():
                case None:
                    left -= 1
                case BaseException() as error:
                    raise error
                case (result,):
                    yield result
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)
