"""``transpile check --strength``: what the trials of a unit can tell apart, whatever its translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from transpile import lock, pipeline
from transpile.cli import arguments, edge, explain, places, render, trust
from transpile.cli.arguments import OutputFormat
from transpile.cli.progress import TerminalObserver
from transpile.core import Contract, Inconclusive, Level, Rejected, Source, Unit, UnitKind
from transpile.errors import UsageError
from transpile.keys import keys_of
from transpile.lock import Lock
from transpile.options import PortOptions
from transpile.report import github, sarif
from transpile.report.data import SCHEMA
from transpile.report.findings import BELOW_LEVEL, Finding
from transpile.stages import refusal_of
from transpile.store import Store
from transpile.testers.mutation.strengthen import ENOUGH
from transpile.testers.programs.carve import Carved, carve
from transpile.testers.verdict.strength import Measured, measure
from transpile.toolchains.workshop import cache_directory

_COLUMNS = (
    "Unit",
    "Trials",
    "Exact",
    "Branches",
    "Mutants",
    "Equivalent",
    "Killed",
    "Score",
    "Essential",
    "Seconds",
)
_MOST = 24
"""Survivors of a unit that are shown to people; programs get all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the user wants to know of."""

    what: str
    """A file or directory of a source or of a port, or a pattern of unit ids."""
    path: Path
    """Where a pattern is meant."""
    source: Path | None
    include: list[str] | None
    define: list[str] | None
    allow_read: list[Path] | None
    trusted: bool
    """The configuration file is the user's own."""
    budget: float
    carve: tuple[tuple[str, ...], ...] = ()
    """Runs of the program; none: what the configuration says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """Where the units are."""

    root: Path
    only: tuple[str, ...] = ()
    lock: Lock | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """What is known of one unit."""

    unit: Unit
    found: Measured | Inconclusive | Rejected
    known: bool
    """Its contract is that of its evidence; else it was inferred now."""

    @property
    def enough(self) -> bool:
        """Tell whether its trials are strong enough for level hardened."""
        return isinstance(self.found, Measured) and self.found.enough


def show(asked: Asked, output_format: OutputFormat, *, unsafe: bool) -> None:
    """Measure and write it down; exit status 1 where a unit's trials are too weak or there are none."""
    subject = _subject(asked)
    settings = trust.settings(subject.root, trusted=asked.trusted)
    options = PortOptions(
        cache=cache_directory(),
        only=subject.only,
        exclude_files=settings.exclude,
        flags=arguments.compile_flags(
            settings, asked.include, asked.define, subject.root, asked.allow_read, trusted=asked.trusted
        ),
        opened=arguments.opened(asked.include, asked.allow_read),
        runs=settings.commands,
        carve=asked.carve or settings.carvings,
        units=settings.units,
        settings=settings.path,
        seed=settings.seed or 0,
        unsafe=unsafe,
    )
    found = pipeline.read(subject.root, options)
    units = pipeline.chosen(found, options, (UnitKind.KERNEL, UnitKind.FUNCTION))
    if not units:
        raise UsageError(
            f"{asked.what}: no kernel and no function", hint="See what there is: transpile units"
        )
    with TerminalObserver() as observer:
        results = _measured(found, units, options, subject.lock, asked.budget, observer)
    _show(results, found.root, output_format)
    if not all(result.enough for result in results):
        raise typer.Exit(edge.ExitStatus.FINDINGS)


def _subject(asked: Asked) -> _Subject:
    """Return what a word of the command line is about."""
    place = Path(asked.what)
    if not place.exists():
        found = _nearest(asked.path.resolve())
        root = _source_of(found, asked.source) if found else places.existing_source(asked.path)
        return _Subject(root=root, only=(asked.what,), lock=lock.load(found) if found else None)
    found = _nearest(place.resolve())
    if found is None:
        return _Subject(root=places.existing_source(place))
    agreed, inside = lock.load(found), place.resolve().relative_to(found.parent).as_posix()
    held = tuple(name for name, unit in agreed.units.items() if inside == "." or unit.target_path == inside)
    if not held:
        raise UsageError(f"{place}: the port keeps no unit there", hint="Name a file of the source.")
    return _Subject(root=_source_of(found, asked.source), only=held, lock=agreed)


def _nearest(place: Path) -> Path | None:
    """Return the lock of the port that a place belongs to."""
    above = (item / lock.FILE for item in (place, *place.parents))
    return next((item for item in above if item.is_file()), None)


def _source_of(place: Path, given: Path | None) -> Path:
    agreed = lock.load(place)
    root = lock.source_root(agreed, place, given)
    if root is None:
        hint = f"Name a checkout of {agreed.source.url} at {agreed.source.commit} with --source DIR."
        raise UsageError(f"{place}: its source is not at hand", hint=hint)
    [*files] = agreed.source_files
    return (root / files[0] if agreed.source.single else root).resolve()


def _measured(
    source: Source,
    units: Sequence[Unit],
    options: PortOptions,
    agreed: Lock | None,
    budget: float,
    observer: TerminalObserver,
) -> list[_Result]:
    workshop = pipeline.make_workshop(options)
    observer.found(source)
    results = {
        unit.id: _Result(unit=unit, found=why, known=False)
        for unit in units
        if (why := refusal_of(source, unit)) is not None
    }
    able = [unit for unit in units if unit.id not in results]
    observer.stage("record", 1)
    carvings = carve(workshop, source, options.carve)
    for item in carvings.diagnostics:
        render.hint(f"{item.code} {item.message}")
    known = _known(source, able, options, agreed, carvings)
    observer.stage("contract", 1)
    learnt = pipeline.learnt(workshop, source, [unit for unit in able if unit.id not in known], options)
    subjects: list[tuple[Unit, tuple[Contract, ...]]] = []
    for unit in able:
        contracts = known.get(unit.id) or learnt[unit.id]
        if isinstance(contracts, Inconclusive):
            results[unit.id] = _Result(unit=unit, found=contracts, known=False)
        else:
            subjects.append((unit, contracts))
    observer.stage("strength", len(subjects))
    for unit, found in measure(
        workshop, source, subjects, seed=options.seed, budget=budget, given=carvings.trials
    ):
        results[unit.id] = _Result(unit=unit, found=found, known=unit.id in known)
        observer.step(Text.assemble(_word(results[unit.id]), f" {unit.id}"))
    return [results[unit.id] for unit in units]


def _known(
    source: Source, units: Sequence[Unit], options: PortOptions, agreed: Lock | None, carvings: Carved
) -> dict[str, tuple[Contract, ...]]:
    """Return the contracts of units that were judged before as they are now."""
    store = Store(options.cache / "evidence")
    found: dict[str, tuple[Contract, ...]] = {}
    for level in (Level.TESTED, Level.HARDENED):
        keys = keys_of(source, units, replace(options, required=level), carvings.trials)
        for unit in units:
            evidence = store.find(keys[unit.id])
            if evidence is not None and evidence.contracts:
                found[unit.id] = evidence.contracts
    for unit in units:
        named = agreed.units[unit.id].evidence if agreed and unit.id in agreed.units else ""
        if named and unit.id not in found:
            try:
                evidence = store.get(named)
            except UsageError:  # of another machine
                continue
            if evidence.unit.digest == unit.digest and evidence.contracts:
                found[unit.id] = evidence.contracts
    return found


def _show(results: Sequence[_Result], root: Path, output_format: OutputFormat) -> None:
    weak = [_finding(result) for result in results if not result.enough]
    match output_format:
        case OutputFormat.JSON | OutputFormat.JSONL:
            value = {
                "schema": SCHEMA,
                "command": "check",
                "exit_status": int(bool(weak)),
                "strength": [_data(result) for result in results],
            }
            render.data(value, indent=1 if output_format is OutputFormat.JSON else None)
        case OutputFormat.GITHUB:
            for line in github.lines(weak, root, places.checkout()):
                render.data_line(line)
        case OutputFormat.SARIF:
            render.data(sarif.log(weak, root, int(bool(weak)), explain.explanations()))
        case OutputFormat.CONCISE:
            for result in results:
                render.data_line(
                    f"{result.unit.path}:{result.unit.line}: {result.unit.name}: {_sentence(result)}"
                )
        case OutputFormat.FULL:
            _full(results)


def _full(results: Sequence[_Result]) -> None:
    render.heading("How strong the trials are")
    render.table(_COLUMNS, [_row(result) for result in results], right=frozenset(_COLUMNS[1:]))
    missed = [(result, lines) for result in results if (lines := list(_missed(result)))]
    if missed:
        render.heading("What the trials miss")
    for result, lines in missed:
        unit = result.unit
        render.item(Text.assemble((unit.name, "bold"), (f"  {unit.path}:{unit.line}", "dim")), *lines)
    weak = sum(not result.enough for result in results)
    render.heading(
        f"{len(results) - weak} of {len(results)} units have trials that notice {ENOUGH:.0%} of the faults"
    )


def _missed(result: _Result) -> Iterator[str]:
    """Yield the branches that are never taken, and the faults that nobody notices."""
    found = result.found
    if not isinstance(found, Measured):
        yield _sentence(result)
        return
    if found.coverage.missing:
        yield "branches never taken: " + ", ".join(found.coverage.missing)
    if found.survivors:
        yield "faults that no trial notices; some may be none for a reason that is not shown:"
    for mutant in found.survivors[:_MOST]:
        yield f"    {mutant}"
    if len(found.survivors) > _MOST:
        yield f"    and {len(found.survivors) - _MOST} more: see --output-format json"


def _row(result: _Result) -> tuple[Text | str, ...]:
    unit, found = result.unit, result.found
    name = Text.assemble(_word(result), f" {unit.name}", (f"  {unit.path}:{unit.line}", "dim"))
    if not isinstance(found, Measured):
        return (name, *("" for _ in _COLUMNS[1:]))
    strength, coverage = found.strength, found.coverage
    sampled = f" of {strength.possible}" if strength.possible > strength.mutants else ""
    return (
        name,
        str(found.trials),
        str(found.exact),
        f"{coverage.taken}/{coverage.total}",
        f"{strength.mutants}{sampled}",
        str(strength.equivalent),
        str(strength.killed),
        _score(found),
        str(found.essential),
        f"{found.seconds:.1f}",
    )


def _word(result: _Result) -> Text:
    """Return a mark that needs no colour."""
    if result.enough:
        return Text("✓", style="green")
    return Text("✗", style="red") if isinstance(result.found, Measured) else Text("?", style="yellow")


def _score(found: Measured) -> str:
    score = found.strength.score
    # Never rounded up to what was not reached.
    return f"{int(1000 * score) / 10:g}%" if score is not None else "-"


def _sentence(result: _Result) -> str:
    """Return what there is to say of a unit, in a line."""
    found = result.found
    match found:
        case Inconclusive(reason=reason, code=code):
            return f"{code} {reason}"
        case Rejected(diagnostics=diagnostics):
            return "; ".join(f"{item.code} {item.message}" for item in diagnostics)
        case Measured():
            strength, coverage = found.strength, found.coverage
            return (
                f"{found.trials} trials kill {strength.killed} of {strength.real} mutants ({_score(found)})"
                f" and take {coverage.taken} of {coverage.total} branches"
            )


def _finding(result: _Result) -> Finding:
    unit = result.unit
    return Finding(code=BELOW_LEVEL, path=unit.path, line=unit.line, unit=unit.id, reason=_sentence(result))


def _data(result: _Result) -> dict[str, Any]:
    unit, found = result.unit, result.found
    head = {
        "id": unit.id,
        "path": unit.path,
        "line": unit.line,
        "name": unit.name,
        "contract": "evidence" if result.known else "inferred",
        "enough": result.enough,
    }
    if not isinstance(found, Measured):
        return {**head, "reason": _sentence(result)}
    strength, coverage = found.strength, found.coverage
    return {
        **head,
        "reason": None,
        "trials": found.trials,
        "exact": found.exact,
        "added": found.added,
        "essential": found.essential,
        "branches": {
            "taken": coverage.taken,
            "total": coverage.total,
            "unreachable": coverage.unreachable,
            "never": list(coverage.missing),
        },
        "mutants": strength.mutants,
        "possible": strength.possible,
        "killed": strength.killed,
        "equivalent": strength.equivalent,
        "score": strength.score,
        "survivors": [
            {
                "path": mutant.path,
                "line": mutant.line,
                "operator": mutant.operator,
                "before": mutant.before,
                "after": mutant.after,
            }
            for mutant in found.survivors
        ],
        "seconds": round(found.seconds, 3),
    }
