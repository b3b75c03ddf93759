"""The port as the compiler of the devices sees it, where that is on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from transpile.assemble import Assembly
from transpile.core import Diagnostic, Dialect, Severity
from transpile.toolchains.build import BuildFailed, refused_by
from transpile.toolchains.devices import DEVICE_COMPILERS, DeviceCompiler, missing_header
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceBuild:
    """What the compiler of the devices that a port is for says of its files."""

    told: str = ""
    """Who it is, or that it is not here."""
    failures: Mapping[str, BuildFailed] = field(default_factory=dict)
    """By translation unit of the port."""
    notes: tuple[Diagnostic, ...] = ()
    """Files that it could not read, since it lacks a header."""


def device_build(
    workshop: Workshop, assembly: Assembly, target: Dialect, files: Mapping[str, bytes]
) -> DeviceBuild:
    """Compile what a port has for devices, where their compiler is on this machine.

    Args:
        workshop: Where.
        assembly: The port.
        target: What it is for.
        files: Its files, or what of them is to be compiled.
    """
    device = DEVICE_COMPILERS.get(target.model)
    units = [unit for unit in assembly.translation_units if unit.path in assembly.emulated]
    if device is None or not units:
        return DeviceBuild()
    if not device.here:
        return DeviceBuild(told=f"the emulator alone: {device.name} is not here")
    failures: dict[str, BuildFailed] = {}
    notes: list[Diagnostic] = []
    for unit in units:
        failed = refused_by(workshop, device, files, unit)
        header = missing_header(failed.output) if failed else ""
        if failed and header and not _is_own(assembly, header):
            notes.append(_lacking(unit.path, device, header))
        elif failed:
            failures[unit.path] = failed
    return DeviceBuild(told=_told(device, len(units), len(notes)), failures=failures, notes=tuple(notes))


def _told(device: DeviceCompiler, units: int, unread: int) -> str:
    if unread == units:
        return f"the emulator alone: {device.name} lacks a header of every file"
    return f"{device.told}, {units - unread} of {units} files" if unread else device.told


def _is_own(assembly: Assembly, header: str) -> bool:
    """Tell whether a header is one of the port's, which its build has to find."""
    return any(path == header or path.endswith(f"/{header}") for path in assembly.files)


def _lacking(path: str, device: DeviceCompiler, header: str) -> Diagnostic:
    return Diagnostic(
        code="TP515",
        severity=Severity.WARNING,
        path=path,
        line=1,
        message=f"not compiled by {device.told}: it has no {header}",
        hint="install the library that the header belongs to, or a newer toolchain",
    )
