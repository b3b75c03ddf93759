"""Print what a switch between CUDA threads costs on the emulator.

Usage: python benchmarks/simt_switch.py [COMPILER [FLAG ...]]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from transpile.simt import include_directory

SOURCE = Path(__file__).with_suffix(".cpp")


def main() -> int:
    """Build and run the benchmark."""
    compiler, *flags = sys.argv[1:] or ["g++", "-O2"]
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "simt_switch"
        command = [compiler, *flags, "-std=c++17", "-I", str(include_directory()), "-include", "simt/simt.h"]
        subprocess.run([*command, str(SOURCE), "-o", str(program)], check=True)
        return subprocess.run([str(program)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
