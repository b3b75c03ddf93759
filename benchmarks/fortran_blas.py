"""Port the routines of Reference-LAPACK's BLAS to C++ and count those that trials keep.

    python benchmarks/fortran_blas.py CHECKOUT [--only NAME …] [--jobs N] [--out DIR]

Each routine of CHECKOUT's `BLAS/SRC` is translated with what it calls, both sides
are built with -O0 -ffp-contract=off, and it is kept at level `tested` where results have the same bits on all
trials. A line a routine that is not kept, with the reason; then the totals.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from transpile.cli.fortran import write
from transpile.core import Diagnostic
from transpile.fortran import library
from transpile.fortran.library import RoutineResult
from transpile.fortran.sources import sources
from transpile.fortran.translation import translated
from transpile.toolchains.workshop import Workshop, cache_directory


def main() -> None:
    """Print a line a routine that is not kept, then the totals."""
    arguments = parsed()
    root = arguments.checkout / "BLAS" / "SRC"
    began = time.monotonic()
    found = translated(root, sources(root))
    if isinstance(found, Diagnostic):
        sys.exit(f"{found.path}:{found.line}: {found.message}")
    workshop = Workshop(cache=cache_directory(), jobs=arguments.jobs)
    result = library.port(root, found, workshop=workshop, only=arguments.only, tell=tell)
    if arguments.out is not None:
        write(result.files, arguments.out)
    judged = [item for item in result.results if not item.file.startswith("DEPRECATED")]
    kept = sum(item.kept for item in judged)
    share = kept / len(judged)
    print(f"{len(judged)} routines: {kept} kept at `tested` ({share:.1%}), bit-identical")
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(0 if share >= 0.95 else 1)


def tell(item: RoutineResult) -> None:
    """Print a routine that is not kept."""
    if not item.kept:
        code, words = library.reason(item.verdict)
        print(f"{item.name:12} {code} {words}", flush=True)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", nargs="+", default=[], help="routines, with what they call")
    parser.add_argument("--jobs", type=int, default=2, help="routines judged at a time")
    parser.add_argument("--out", type=Path, help="where the port is written")
    return parser.parse_args()


if __name__ == "__main__":
    main()
