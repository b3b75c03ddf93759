"""``transpile pairs``: training pairs from evidence, as JSON Lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from transpile import lock
from transpile.cli import render
from transpile.core import Evidence, Level
from transpile.datasets.pairs import rows
from transpile.store import Store
from transpile.toolchains.workshop import cache_directory


def pairs(
    port: Annotated[
        Path | None,
        typer.Argument(metavar="PORT", help="Only the units of this port; all evidence otherwise."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write there, not to standard output.")
    ] = None,
    require: Annotated[Level, typer.Option(help="What a pair must have reached.")] = Level.TESTED,
) -> None:
    """Write kept source/target/tests triples, and falsified candidates with their counterexample."""
    store = Store(cache_directory() / "evidence")
    found = rows(_of_port(store, port) if port else store, require)
    if out is None:
        agreeing, refuted = _write_all(found, None)
    else:
        aside = out.with_name(f".{out.name}.{os.getpid()}")
        try:
            agreeing, refuted = _write_all(found, aside)
            aside.replace(out)
        finally:
            aside.unlink(missing_ok=True)
    render.hint(f"{agreeing} pairs that agree, {refuted} falsified candidates")


def _of_port(store: Store, port: Path) -> Iterable[Evidence]:
    wanted = {unit.evidence for unit in lock.load(port / lock.FILE).units.values() if unit.evidence}
    return [item for item in store if item.id in wanted]


def _write_all(found: Iterable[dict[str, object]], path: Path | None) -> tuple[int, int]:
    """Write the rows to a file or to standard output; return how many agree and how many do not."""
    counts = [0, 0]
    file = path.open("x", encoding="utf-8") if path else None
    try:
        for row in found:
            counts[not row["agrees"]] += 1
            line = json.dumps(row)
            if file:
                file.write(line + "\n")
            else:
                render.data_line(line)
    finally:
        if file:
            file.close()
    return counts[0], counts[1]
