"""``transpile pairs``: training pairs from evidence, as JSON Lines or as a data set."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from transpile import lock, origin
from transpile.cli import places, render
from transpile.cli.arguments import Unsafe
from transpile.core import Evidence, Level
from transpile.datasets.origins import NOWHERE, Origin, licence_of
from transpile.datasets.pairs import Finds, decided, rows
from transpile.errors import UsageError
from transpile.store import Store
from transpile.toolchains.workshop import cache_directory


def pairs(
    port: Annotated[
        Path | None,
        typer.Argument(metavar="PORT", help="Only the units of this port; all evidence otherwise."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Write JSON Lines to a file (*.jsonl), or else a data set into a directory, with a card.",
        ),
    ] = None,
    require: Annotated[Level, typer.Option(help="What a pair must have reached.")] = Level.TESTED,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH", help="Leave out what stands in this file or directory: a benchmark (repeatable)."
        ),
    ] = None,
    near: Annotated[
        float, typer.Option(min=0.5, max=1.0, help="Likeness from which on two texts are duplicates.")
    ] = 0.85,
    validation: Annotated[float, typer.Option(min=0, max=0.5, help="Share of the validation split.")] = 0.05,
    test: Annotated[float, typer.Option(min=0, max=0.5, help="Share of the test split.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Of the splits.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Write into a directory that is not empty.")] = False,
    unsafe: Unsafe = False,
) -> None:
    """Write kept source/target/tests triples, and falsified candidates with their counterexample."""
    store = Store(cache_directory() / "evidence")
    evidence = _of_port(store, port) if port else store
    found = _origins(unsafe=unsafe)
    if out is not None and out.suffix != ".jsonl":
        _data_set(
            evidence, require, found, _place(out, force=force), against or [], near, (validation, test, seed)
        )
        return
    if against:
        raise UsageError("only a data set is kept apart from others", hint="Name a directory with --out.")
    agreeing, refuted = _lines(rows(evidence, require, found), out)
    render.hint(f"{agreeing} pairs that agree, {refuted} falsified candidates")


def _data_set(
    evidence: Iterable[Evidence],
    require: Level,
    found: Finds,
    out: Path,
    against: list[Path],
    near: float,
    split: tuple[float, float, int],
) -> None:
    try:
        # Parquet takes longer to load than most commands run, and is an extra.
        from transpile.datasets import build, contamination, secret_scan, splits, writing
    except ImportError as error:
        raise UsageError(
            f"a data set needs the package '{error.name}'", hint="Install it: pip install 'transpile[pairs]'"
        ) from error
    cleaning = build.Cleaning(
        near=near,
        kept_back=contamination.kept_back(against) if against else None,
        scan=secret_scan.SecretScan(_paths_of_this_machine()),
    )
    shares = splits.Shares(validation=split[0], test=split[1], seed=split[2])
    tables, report = build.build(decided(evidence, require, found), cleaning, shares)
    writing.write(out, tables, report, near=near, against=[path.name for path in against])
    for name, count in report.removed.most_common():
        render.hint(f"left out: {count} {name}")
    counts = {name: sum(map(len, inside.values())) for name, inside in tables.items()}
    told = ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"
    render.data_line(
        f"{out}: {told}; {', '.join(f'{n} in {name}' for name, n in report.splits.most_common())}"
    )


def _place(out: Path, *, force: bool) -> Path:
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is no directory", hint="A file of JSON Lines ends in .jsonl.")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise UsageError(f"{out} is not empty", hint="Choose another --out, or add --force.")
    return out


def _paths_of_this_machine() -> tuple[str, ...]:
    return (str(Path.home()), str(cache_directory()))


def _origins(*, unsafe: bool) -> Finds:
    """Return what tells where a source is from: git is asked once for each."""

    @cache
    def place(root: Path) -> lock.SourcePlace:
        return origin.of(root, cache_directory() / "pairs", unsafe=unsafe)

    def found(evidence: Evidence) -> Origin:
        root, unit = Path(dict(evidence.provenance).get("source", "")), evidence.unit
        if not root.is_absolute() or not root.exists():
            return NOWHERE
        base = root if root.is_dir() else root.parent
        if not places.holds(base, unit.path, unit.text):
            # It was changed since: what stands there now says nothing of what was judged.
            return NOWHERE
        where = place(base)
        licence, file = licence_of(base, unit.path)
        return Origin(repository=where.url, commit=where.commit, licence=licence, licence_file=file)

    return found


def _of_port(store: Store, port: Path) -> Iterable[Evidence]:
    wanted = {unit.evidence for unit in lock.load(port / lock.FILE).units.values() if unit.evidence}
    return [item for item in store if item.id in wanted]


def _lines(found: Iterable[dict[str, object]], out: Path | None) -> tuple[int, int]:
    """Write the rows to a file or to standard output; return how many agree and how many do not."""
    if out is None:
        return _write_all(found, None)
    aside = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        counts = _write_all(found, aside)
        aside.replace(out)
        return counts
    finally:
        aside.unlink(missing_ok=True)


def _write_all(found: Iterable[dict[str, object]], path: Path | None) -> tuple[int, int]:
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
