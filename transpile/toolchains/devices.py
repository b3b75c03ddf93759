"""Compilers for devices: whether they are here, and for what they compile."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from transpile.core import ProgrammingModel
from transpile.toolchains import compilers

_MISSING = re.compile(r"fatal error: '?([^\s':]+)'?(?: file not found|: No such file)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCompiler:
    """A compiler that a port is really for. What it makes is not run here."""

    name: str
    flags: tuple[str, ...]
    targets: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def here(self) -> bool:
        """Tell whether it is on this machine."""
        return compilers.find().get(self.name).path is not None

    @property
    def told(self) -> str:
        """Return its name, its version, and what it compiles for."""
        version = f"{self.name} {compilers.find().get(self.name).version}".strip()
        return f"{version} for {' and '.join(self.targets)}" if self.targets else version


_AMD = ("gfx90a", "gfx1030")
"""A device whose warps have 64 lanes, and one of 32."""

DEVICE_COMPILERS: Mapping[ProgrammingModel, DeviceCompiler] = {
    ProgrammingModel.CUDA: DeviceCompiler(name="nvcc", flags=("-O0", "-w")),
    ProgrammingModel.HIP: DeviceCompiler(
        name="hipcc",
        # A port of one text for nvcc too has its suffix.
        flags=("-x", "hip", "-O1", "-w", *(f"--offload-arch={name}" for name in _AMD)),
        targets=_AMD,
        # Beside a toolkit of CUDA it would call nvcc.
        environment={"HIP_PLATFORM": "amd"},
    ),
}


def missing_header(output: str) -> str:
    """Return the header that a compiler did not find; empty where it complains of something else."""
    found = _MISSING.search(output)
    return found[1] if found else ""
