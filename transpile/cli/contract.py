"""``transpile contract``: what was inferred of the calls of a unit, in the form of ``transpile.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from transpile import pipeline
from transpile.cli import arguments, places, render, trust
from transpile.cli.arguments import AllowRead, Defines, Includes, Seed, Unsafe
from transpile.cli.trust import TrustConfig
from transpile.contracts import user
from transpile.core import Contract, Inconclusive, Rejected, UnitKind
from transpile.errors import UsageError
from transpile.options import PortOptions
from transpile.stages import refusal_of
from transpile.toolchains.workshop import cache_directory


def contract(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A .cu, .c or .cpp file, or a repository.")],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Only units of that id, name or path (repeatable)."),
    ] = None,
    include: Includes = None,
    define: Defines = None,
    seed: Seed = None,
    allow_read: AllowRead = None,
    trust_config: TrustConfig = False,
    unsafe: Unsafe = False,
) -> None:
    """Show the contract of each kernel and function in FILE, in the form that transpile.toml takes."""
    root = places.existing_source(source)
    settings = trust.settings(root, trusted=trust_config)
    options = PortOptions(
        cache=cache_directory(),
        only=tuple(only or ()),
        exclude_files=settings.exclude,
        flags=arguments.compile_flags(settings, include, define, root, allow_read, trusted=trust_config),
        opened=arguments.opened(include, allow_read),
        runs=settings.commands,
        units=settings.units,
        settings=settings.path,
        seed=seed if seed is not None else settings.seed or 0,
        unsafe=unsafe,
    )
    found = pipeline.read(root, options)
    for item in pipeline.of_nothing(found, options):
        render.warning(f"{item.path}: {item.code} {item.message}. {item.hint}")
    units = pipeline.chosen(found, options, (UnitKind.KERNEL, UnitKind.FUNCTION))
    if not units:
        raise UsageError(
            f"{source}: no kernel and no function was found", hint="See what was found: transpile units"
        )
    workshop = pipeline.make_workshop(options)
    refused = {unit.id: why for unit in units if (why := refusal_of(found, unit)) is not None}
    able = [unit for unit in units if unit.id not in refused]
    learnt = pipeline.learnt(workshop, found, able, options)
    for unit in units:
        render.data_text(_table(unit.id, refused.get(unit.id) or learnt[unit.id]))


def _table(unit: str, outcome: tuple[Contract, ...] | Inconclusive | Rejected) -> str:
    """Return the table of a unit, one for each instantiation, or why there is none as a comment."""
    match outcome:
        case Inconclusive(reason=reason, code=code):
            return f"# {unit}: {code} {reason}\n"
        case Rejected(diagnostics=diagnostics):
            reasons = "; ".join(f"{item.code} {item.message}" for item in diagnostics)
            return f"# {unit}: {reasons}\n"
        case (only,):
            return user.render(only, unit)
        case several:
            return "\n".join(user.render(each) for each in several)
