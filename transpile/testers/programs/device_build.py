"""The port as the compiler of the devices sees it, where that is on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from transpile.assemble import Assembly
from transpile.core import Diagnostic, Dialect, ProgrammingModel, Severity, TranslationUnit
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
    units = [unit for unit in assembly.translation_units if unit.path in assembly.emulated]
    devices = [DEVICE_COMPILERS[model] for model in target.models if model in DEVICE_COMPILERS]
    found = [_compiled(workshop, device, assembly, files, units) for device in devices if units]
    return DeviceBuild(
        told="; ".join(item.told for item in found),
        failures={path: failed for item in found for path, failed in item.failures.items()},
        notes=tuple(note for item in found for note in item.notes),
    )


def _compiled(
    workshop: Workshop,
    device: DeviceCompiler,
    assembly: Assembly,
    files: Mapping[str, bytes],
    units: Sequence[TranslationUnit],
) -> DeviceBuild:
    """Return what one compiler says of the files."""
    if not device.here:
        return DeviceBuild(told=f"the emulator alone: {device.name} is not here")
    failures: dict[str, BuildFailed] = {}
    notes: list[Diagnostic] = []
    hip = device is DEVICE_COMPILERS[ProgrammingModel.HIP]
    selecting = tuple(f"-D{name}" for name in assembly.selecting) if hip else ()
    for unit in units:
        failed = refused_by(workshop, device, files, replace(unit, flags=(*unit.flags, *selecting)))
        header = missing_header(failed.output) if failed else ""
        if failed and header and not _is_own(assembly, header):
            notes.append(_unread(unit.path, device, f"it has no {header}"))
        elif failed and _is_refused_before(workshop, device, assembly, unit):
            notes.append(_unread(unit.path, device, "it refuses the source's file as well"))
        elif failed:
            failures[unit.path] = failed
    return DeviceBuild(told=_told(device, len(units), len(notes)), failures=failures, notes=tuple(notes))


def _is_refused_before(
    workshop: Workshop, device: DeviceCompiler, assembly: Assembly, unit: TranslationUnit
) -> bool:
    """Tell whether a compiler that the source is for too does not take it: no fault of the port."""
    own = device is DEVICE_COMPILERS[ProgrammingModel.CUDA] and unit.path in assembly.before
    return own and refused_by(workshop, device, assembly.before, unit) is not None


def _told(device: DeviceCompiler, units: int, unread: int) -> str:
    if unread == units:
        return f"the emulator alone: {device.name} could read no file"
    return f"{device.told}, {units - unread} of {units} files" if unread else device.told


def _is_own(assembly: Assembly, header: str) -> bool:
    """Tell whether a header is one of the port's, which its build has to find."""
    own = assembly.before or assembly.files
    return any(path == header or path.endswith(f"/{header}") for path in own)


def _unread(path: str, device: DeviceCompiler, why: str) -> Diagnostic:
    return Diagnostic(
        code="TP515",
        severity=Severity.WARNING,
        path=path,
        line=1,
        message=f"{device.told} did not compile the file: {why}",
        hint="install the library that a missing header belongs to, or a toolchain that takes the source",
    )
