"""``transpile doctor``: compilers, sandbox layers and devices of this machine, or how to get them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

import typer
from rich.text import Text

from transpile.cli import edge, render
from transpile.cli.arguments import Format, OutputFormat, no_sarif
from transpile.toolchains import compilers, sandbox
from transpile.toolchains.promises import promises
from transpile.toolchains.workshop import cache_directory

DEVICE_PROBES = {
    "NVIDIA GPU": ("nvidia-smi", "--query-gpu=name", "--format=csv,noheader"),
    "AMD GPU": ("rocm-smi", "--showproductname", "--csv"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that was looked for."""

    group: str
    name: str
    found: bool
    detail: str
    hint: str = ""
    needed: bool = True


def doctor(output_format: Format = OutputFormat.FULL) -> None:
    """Show what this machine offers; exit status 2 where something needed is missing."""
    if output_format is OutputFormat.SARIF:
        raise no_sarif()
    rows = (*_tools(), *_sandbox(), *_promises(), *_devices())
    complete = all(row.found for row in rows if row.needed)
    if output_format in (OutputFormat.JSON, OutputFormat.JSONL):
        checks = [
            {name: getattr(row, name) for name in ("group", "name", "found", "detail", "hint", "needed")}
            for row in rows
        ]
        render.data(
            {"schema": 1, "command": "doctor", "complete": complete, "checks": checks},
            indent=1 if output_format is OutputFormat.JSON else None,
        )
    else:
        render.table(("", "", "Found", "How to get it"), [_cells(row) for row in rows])
        render.hint(
            f"Builds, evidence and logs are kept in {cache_directory()} (TRANSPILE_CACHE moves them)."
        )
    if not complete:
        raise typer.Exit(edge.ExitStatus.USAGE)


def _cells(row: Row) -> tuple[Text | str, ...]:
    mark = (
        Text("✓", style="green")
        if row.found
        else Text("✗" if row.needed else "-", style="red" if row.needed else "dim")
    )
    return (Text.assemble(mark, f" {row.name}"), row.group, row.detail, "" if row.found else row.hint)


def _tools() -> list[Row]:
    return [
        Row(
            group=tool.purpose,
            name=tool.name,
            found=tool.path is not None,
            detail=f"{tool.version} {tool.path}".strip() if tool.path else "missing",
            hint=tool.hint,
            # One usable sandbox layer is enough; whether there is one stands in the rows below.
            # Without nvcc or hipcc, ports to CUDA and HIP are built on the emulator alone. Without
            # libomptarget or TBB, ports to openmp-target or stdpar are inconclusive, and no others.
            needed=tool.name not in ("bwrap", "nvcc", "hipcc", "perf", "libomptarget", "tbb"),
        )
        for tool in compilers.find().tools
    ]


def _sandbox() -> list[Row]:
    rows = [
        Row(group="sandbox layer", name=layer.name, found=layer.usable, detail=layer.detail, needed=False)
        for layer in sandbox.layers()
    ]
    usable = sandbox.usable()
    detail = "foreign code is held" if usable else "foreign code cannot be held on this machine"
    hint = "apt-get install bubblewrap, or a kernel with Landlock; else --unsafe-no-sandbox"
    return [*rows, Row(group="all layers together", name="sandbox", found=usable, detail=detail, hint=hint)]


def _promises() -> list[Row]:
    """Say what foreign code is kept from; what is not held is no reason to stop."""
    return [
        Row(
            group="held back" if item.held else "not held back",
            name=item.what,
            found=item.held,
            detail=item.how,
            hint=item.remedy,
            needed=False,
        )
        for item in promises()
    ]


def _devices() -> list[Row]:
    return [
        Row(
            group="device",
            name=name,
            found=bool(found),
            detail=found or "none (none is needed)",
            needed=False,
        )
        for name, command in DEVICE_PROBES.items()
        for found in [_answer(command)]
    ]


def _answer(command: tuple[str, ...]) -> str:
    """Return what a tool says in its last line, or nothing where it is absent or fails."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip().rpartition("\n")[2] if done.returncode == 0 else ""
