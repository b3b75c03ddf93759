"""Time kernels on the emulator beside plain loops, and beside HIP-CPU where a copy of it is given.

    python benchmarks/simt_kernels.py [--hip-cpu FOLDER] [--compiler g++]

FOLDER is a checkout of HIP-CPU, which needs TBB (Debian: libtbb-dev) and uses all processors; the emulator
and the loops use one. Printed are nanoseconds for an element, the best of seven runs in one process.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from transpile.parsers.lowering.emulation import lower_text
from transpile.simt import include_directory

SOURCE = Path(__file__).with_suffix(".cpp")
OPTIONS = ("-O2", "-std=c++17", "-w")


def main() -> None:
    """Print a line a kernel."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hip-cpu", type=Path)
    parser.add_argument("--compiler", default="g++")
    arguments = parser.parse_args()
    lowered = lower_text(SOURCE.read_bytes(), frozenset()).data
    emulator = [f"-I{include_directory()}", "-DSIMT_HIP", "-include", "simt/simt.h"]
    ours = timed([arguments.compiler, *OPTIONS, *emulator], lowered)
    other: Mapping[str, tuple[str, str]] = {}
    if arguments.hip_cpu:
        flags = [f"-I{arguments.hip_cpu / 'include'}", "-ltbb", "-pthread"]
        other = timed([arguments.compiler, *OPTIONS], SOURCE.read_bytes(), flags)
    print("ns an element  emulator  plain loops  HIP-CPU")
    for name, (kernel, loops) in ours.items():
        print(f"{name:13} {kernel:>9} {loops:>12} {other.get(name, ('',))[0]:>8}")


def timed(command: list[str], text: bytes, libraries: list[str] | None = None) -> dict[str, tuple[str, str]]:
    """Build and run a text; return what each kernel and its loops took."""
    with tempfile.TemporaryDirectory() as scratch:
        source, program = Path(scratch) / "kernels.cpp", Path(scratch) / "kernels"
        source.write_bytes(text)
        subprocess.run([*command, str(source), "-o", str(program), *(libraries or [])], check=True)
        done = subprocess.run([str(program)], check=True, capture_output=True, text=True)
    rows = (line.split() for line in done.stdout.splitlines())
    return {name: (kernel, loops) for name, kernel, loops in rows}


if __name__ == "__main__":
    main()
