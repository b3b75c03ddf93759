"""Progress of a port: a bar on a terminal, a line for each verdict in a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from transpile.cli import render
from transpile.cli.tables import verdict_text, what_was_shown
from transpile.core import Evidence, Source, UnitKind

STAGES = {
    "record": "Running the source's programs",
    "tests": "Asking for tests of what trials leave open",
    "judge": "Judging units",
    "carve": "Judging again on calls of the source's programs",
    "select": "Timing translations beside each other",
    "optimize": "Making what is kept faster",
    "settle": "Assembling the port, running its programs",
    "rehearse": "Building the port with its own command",
    "contract": "Learning how the source is called",
    "strength": "Planting faults in the source",
}


class TerminalObserver:
    """Listens to the pipeline and writes to standard error; ``told`` hears of each verdict as well."""

    def __init__(self, told: Callable[[Evidence], None] | None = None) -> None:
        """Take who else wants each verdict, such as the writer of ``jsonl``."""
        self._console = render.err()
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None
        self._told = told
        self._lock = Lock()
        self._done = 0
        self._total = 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def found(self, source: Source) -> None:
        """Say what was parsed."""
        kinds = Counter(unit.kind for unit in source.units)
        counts = [f"{kinds[kind]} {kind} unit{'s' * (kinds[kind] != 1)}" for kind in UnitKind if kinds[kind]]
        files = f"{len(source.files)} file{'s' * (len(source.files) != 1)}"
        self._say(Text(f"Found {', '.join(counts) or 'no unit'} in {files}."))

    def stage(self, name: str, total: int) -> None:
        """Begin a stage of that many steps."""
        with self._lock:
            self._done, self._total = 0, total
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(STAGES.get(name, name), total=total)
        if self._bar.disable:
            self._say(Text(f"{STAGES.get(name, name)}…"))

    def judged(self, evidence: Evidence, *, known: bool) -> None:
        """Say what became of a unit so far."""
        self._tell(evidence, known=known)

    def decided(self, evidence: Evidence, *, known: bool) -> None:
        """Say what became of a unit."""
        if self._told is not None:
            self._told(evidence)
        self._tell(evidence, known=known)

    def _tell(self, evidence: Evidence, *, known: bool) -> None:
        ending = " (decided earlier)" if known else f" ({evidence.seconds:.1f} s)"
        said = what_was_shown(evidence)
        told = f" {evidence.unit.id}{', ' if said else ''}{said}"
        self.step(Text.assemble(verdict_text(evidence), told, (ending, "dim")))

    def step(self, text: Text) -> None:
        """Say what one step of the stage came to."""
        with self._lock:
            self._done += 1
            if self._task is not None:
                self._bar.advance(self._task)
            self._say(Text.assemble((f"[{self._done}/{self._total}] ", "dim"), text))

    def _say(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)
