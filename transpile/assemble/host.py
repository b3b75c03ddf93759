"""How far the host code of a port is rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from transpile.core import Candidate, Diagnostic, Source


class Style(StrEnum):
    """What becomes of the CUDA runtime's calls, the boldest first."""

    IN_PLACE = "in place"
    """Host arrays are used where they are; copies to and from the device vanish where that is safe."""
    BUFFERS = "buffers"
    """Device buffers become host buffers of their own, copies become copies."""
    EMULATED = "emulated"
    """The runtime's calls stay and go to the emulator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """Code files after the host passes."""

    files: Mapping[str, bytes]
    diagnostics: tuple[Diagnostic, ...] = ()


def rewritten(
    code: Mapping[str, bytes], source: Source, kept: Mapping[str, Candidate], style: Style
) -> Rewritten:
    """Run the passes of a style over the code files of a port."""
    return Rewritten(files=code)
