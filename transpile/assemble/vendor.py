"""The emulator's headers, copied into a port that still needs them."""

from __future__ import annotations

from pathlib import Path

DIRECTORY = "simt"
HEADERS = Path(__file__).parent.parent / "simt" / "include"


def vendored() -> dict[str, bytes]:
    """Return the emulator's headers by their path in the port."""
    files = sorted(path for path in HEADERS.rglob("*") if path.is_file())
    return {f"{DIRECTORY}/{path.relative_to(HEADERS).as_posix()}": path.read_bytes() for path in files}
