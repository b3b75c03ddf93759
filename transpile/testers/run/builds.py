"""Builds that go on beside the trials: a compiler takes longer than all trials of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor

from transpile.toolchains.build import BuildFailed, Built

Make = Callable[[], Built | BuildFailed]


class Builds:
    """Keeps each build by its key, and does at most two at a time."""

    def __init__(self) -> None:
        """Start nothing."""
        self._executor = ThreadPoolExecutor(max_workers=2, thread_name_prefix="build")
        self._known: dict[Hashable, Future[Built | BuildFailed]] = {}

    def begin(self, key: Hashable, make: Make) -> None:
        """Start a build that will be wanted, unless it was started before."""
        if key not in self._known:
            self._known[key] = self._executor.submit(make)

    def get(self, key: Hashable, make: Make) -> Built | BuildFailed:
        """Return a build, waiting for its end; raises what the build raises."""
        self.begin(key, make)
        return self._known[key].result()

    def close(self) -> None:
        """Start nothing more."""
        self._executor.shutdown(wait=False, cancel_futures=True)
