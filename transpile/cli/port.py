"""``transpile port``: a repository in another dialect, unit by unit, and what was shown of it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from transpile import config, faults, pipeline
from transpile.cli import arguments, change, explain, places, plan, render, report, tables, trust
from transpile.cli.arguments import (
    TARGETS,
    AllowRead,
    Carve,
    Defines,
    Fallback,
    Format,
    Includes,
    OutputFormat,
    Seed,
    Unsafe,
)
from transpile.cli.models import (
    AnswerTokens,
    Asking,
    Concurrency,
    MaxCost,
    MaxTokens,
    Models,
    Optimizes,
    Repairs,
    RequestTimeout,
    Samples,
    Testers,
    Transforms,
    Translates,
    model_options,
    transformations,
)
from transpile.cli.progress import TerminalObserver
from transpile.cli.trust import TrustConfig
from transpile.config import Config
from transpile.core import CPP, Evidence, Interface, Level, Port
from transpile.errors import UsageError
from transpile.fortran.sources import sources
from transpile.options import PROVE_SECONDS, PortOptions
from transpile.report import data, findings, github, sarif
from transpile.toolchains.workshop import cache_directory


def port(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="A repository, or a single file.")],
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="DIALECT", help=f"What to port to: {', '.join(TARGETS)}."),
    ] = None,
    single_source: Annotated[
        bool | None,
        typer.Option(
            "--single-source/--no-single-source",
            help="To HIP: write one text that nvcc and hipcc both build.",
        ),
    ] = None,
    interface: Annotated[
        Interface | None,
        typer.Option(help="C and C++ to CUDA and HIP: the memory that holds the arrays of ported functions."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the port there.")
    ] = None,
    plan_only: Annotated[
        bool, typer.Option("--plan", help="Show what would happen; run and write nothing.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print the port as a patch of SRC; write nothing.")
    ] = False,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Make the port in SRC itself, a clean work tree of git.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Judge only units of that id, name or path (repeatable)."),
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Leave such units as they are (repeatable).")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Batches judged at a time.")] = None,
    include: Includes = None,
    define: Defines = None,
    require: Annotated[Level | None, typer.Option(help="What a unit must reach to be kept.")] = None,
    fallback: Annotated[
        Fallback | None,
        typer.Option(help="What runs a kernel that is not kept: the vendored emulator, or nothing."),
    ] = None,
    keep_unproven: Annotated[
        bool,
        typer.Option(
            "--keep-unproven", help="To HIP: kernels that are not kept are translated too, and marked."
        ),
    ] = False,
    keep_sequential: Annotated[
        bool,
        typer.Option(
            "--keep-sequential",
            help="To CUDA and HIP: keep functions that one thread of the device runs alone, too.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write into a directory that is not empty.")] = False,
    prove: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="Time for proofs of each unit that passed; 0: none."),
    ] = PROVE_SECONDS,
    clocks: Annotated[
        bool | None,
        typer.Option(
            "--clocks/--no-clocks",
            help="Where several translations passed: time them, and keep the fastest.",
        ),
    ] = None,
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Judge every unit anew, even if an earlier run has decided it."),
    ] = False,
    carve: Carve = None,
    model: Models = None,
    tester_model: Testers = None,
    translator: Translates = None,
    samples: Samples = None,
    repairs: Repairs = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    answer_tokens: AnswerTokens = None,
    request_timeout: RequestTimeout = None,
    concurrency: Concurrency = None,
    optimize: Optimizes = None,
    transform: Transforms = None,
    seed: Seed = None,
    allow_read: AllowRead = None,
    trust_config: TrustConfig = False,
    output_format: Format = OutputFormat.FULL,
    unsafe: Unsafe = False,
) -> None:
    """Port SRC to another dialect, and keep what trials have shown to behave like it."""
    root = places.existing_source(source)
    settings = trust.settings(root, trusted=trust_config, asked=config.USERS)
    name = to or settings.target
    if name is None:
        raise UsageError("no target is given", hint="Add --to openmp, or `target` to transpile.toml.")
    single = settings.single_source if single_source is None else single_source
    target = arguments.target(name, single_source=single, interface=interface or settings.interface)
    as_change = diff or in_place
    _refuse_two(out=out is not None, plan=plan_only, diff=diff, in_place=in_place)
    if fortran_files := sources(root, mixed=target == CPP):
        if as_change:
            raise UsageError(f"{root}: a port of Fortran is no change of it", hint="Add --out DIR.")
        from transpile.cli import fortran  # Only those who port Fortran wait for its front end.

        place = None if plan_only else _out(out, settings, root, force=force)
        status = fortran.port(
            root,
            fortran_files,
            place,
            target,
            only=only or (),
            jobs=jobs or settings.jobs or os.cpu_count() or 1,
            plan=plan_only,
            unsafe=unsafe,
        )
        raise typer.Exit(status)
    models = model_options(
        settings.models,
        use=model,
        testers=tester_model,
        translator=translator,
        asking=Asking(
            samples=samples,
            repairs=repairs,
            max_tokens=max_tokens,
            max_cost=max_cost,
            answer_tokens=answer_tokens,
            request_timeout=request_timeout,
            concurrency=concurrency,
        ),
    )
    flags = arguments.compile_flags(settings, include, define, root, allow_read, trusted=trust_config)
    options = PortOptions(
        extract=True,
        cache=cache_directory(),
        out=None if plan_only or as_change else _out(out, settings, root, force=force),
        target=target,
        required=require or settings.require or Level.TESTED,
        only=tuple(only or ()),
        exclude=tuple(exclude or ()),
        exclude_files=settings.exclude,
        flags=flags,
        opened=arguments.opened(include, allow_read),
        runs=settings.commands,
        carve=arguments.runs(carve) if carve else settings.carvings,
        units=settings.units,
        settings=settings.path,
        jobs=jobs or settings.jobs or os.cpu_count() or 1,
        seed=seed if seed is not None else settings.seed or 0,
        clocks=settings.clocks if clocks is None else clocks,
        prove=prove,
        models=models,
        optimize=transformations(models, target, wanted=optimize, names=transform),
        fallback=fallback.value if fallback else settings.fallback or "simt",
        unproven=keep_unproven,
        sequential=keep_sequential,
        unsafe=unsafe,
        afresh=no_cache,
    )
    if plan_only:
        plan.show(root, options, output_format)
        return
    if as_change:
        change.refuse(root, options, output_format, in_place=in_place)
        result = change.made(
            root, options, lambda chosen: _run(root, chosen, output_format), in_place=in_place
        )
        raise typer.Exit(result.exit_status)
    result = _run(root, options, output_format)
    result = _with_page(result)
    show(result, output_format)
    raise typer.Exit(result.exit_status)


def _refuse_two(*, out: bool, plan: bool, diff: bool, in_place: bool) -> None:
    """Raise a UsageError where a port is to be made in more than one way."""
    asked = [
        name
        for name, given in (("--out", out), ("--plan", plan), ("--diff", diff), ("--in-place", in_place))
        if given
    ]
    if (diff or in_place) and len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} do not go together", hint="Choose one of them.")


def _with_page(result: Port) -> Port:
    """Write the page of a port that is there already; return it with what we fail on ourselves at that."""
    try:
        report.write(result)
    except Exception as error:
        fault = faults.own(error, "writing the report")
        told = faults.diagnostic(fault, report.FILE)
        return replace(result, diagnostics=(*result.diagnostics, told))
    return result


def show(result: Port, output_format: OutputFormat) -> None:
    """Write a finished port to standard output."""
    match output_format:
        case OutputFormat.FULL:
            tables.full(result)
        case OutputFormat.CONCISE:
            tables.concise(result)
        case OutputFormat.JSON:
            render.data(data.port_data(result))
        case OutputFormat.JSONL:
            render.data(data.summary_data(result), indent=None)
        case OutputFormat.GITHUB:
            for line in github.lines(findings.of_port(result), result.source, places.checkout()):
                render.data_line(line)
        case OutputFormat.SARIF:
            found = findings.of_port(result)
            render.data(sarif.log(found, result.source, result.exit_status, explain.explanations()))


def _run(root: Path, options: PortOptions, output_format: OutputFormat) -> Port:
    def told(evidence: Evidence) -> None:
        render.data(data.unit_data(evidence, options.required), indent=None)

    with TerminalObserver(told if output_format is OutputFormat.JSONL else None) as observer:
        return pipeline.port(root, options, observer)


def _out(given: Path | None, settings: Config, root: Path, *, force: bool) -> Path:
    configured = settings.directory / settings.out if settings.out is not None else None
    place = given or configured
    if place is None:
        raise UsageError("no output directory is given", hint="Add --out DIR.")
    return places.writable_out(place, root, force=force)
