"""Port a random sample of Reference-LAPACK's routines to C++ and count those that trials keep.

    python benchmarks/fortran_lapack.py CHECKOUT [--count 50] [--seed 26] [--largest N] [--jobs N] [--plan]

Routines are drawn from CHECKOUT's `SRC`; what they call comes with them, from there, from `BLAS/SRC` and
`INSTALL`, and is judged as well: a routine is kept only with all that it calls. With --largest, routines that
need more than so many others are not drawn; with --plan nothing is built: what has no translation is told.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from transpile.core import Diagnostic, Passed
from transpile.fortran import library
from transpile.fortran.library import RoutineResult
from transpile.fortran.sources import SUFFIXES, sources
from transpile.fortran.translation import translated
from transpile.toolchains.workshop import Workshop, cache_directory

_FOLDERS = ("SRC", "BLAS/SRC", "INSTALL")
_WORD = re.compile(r"[a-z]\w*", re.IGNORECASE)
_COMMENT = re.compile(r"^[*cC!].*$|!.*$", re.MULTILINE)


def main() -> None:
    """Print a line a routine, then the totals."""
    arguments = parsed()
    files = fortran(arguments.checkout)
    needs = {name: mentioned(path, files) for name, path in files.items()}
    drawn = sample(arguments, files, needs)
    together = set().union(*(closure(name, needs) for name in drawn))
    print(f"{len(drawn)} routines drawn, {len(together)} with what they call", flush=True)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        for name in together:
            (root / files[name].name).write_bytes(files[name].read_bytes())
        report(arguments, root, drawn)


def report(arguments: argparse.Namespace, root: Path, drawn: list[str]) -> None:
    """Translate the files of a folder, judge the routines that were drawn, and print what was found."""
    began = time.monotonic()
    found = translated(root, sources(root))
    if isinstance(found, Diagnostic):
        sys.exit(f"{found.path}:{found.line}: {found.message}")
    if arguments.plan:
        for name, why in found.refused:
            print(f"{name:12} {why.code} {why.path}:{why.line} {why.message}")
        obstacles = Counter(item.obstacle for item in found.interfaces if item.obstacle)
        for obstacle, count in obstacles.most_common():
            print(f"{count:4} {obstacle}")
        return
    workshop = Workshop(cache=cache_directory(), jobs=arguments.jobs)
    result = library.port(root, found, workshop=workshop, only=drawn, tell=tell)
    kept = {item.name for item in result.results if item.kept}
    passed = len(kept & set(drawn))
    print(f"{len(drawn)} routines: {passed} kept at `tested` ({passed / len(drawn):.1%}), bit-identical")
    print(f"with what they call: {len(result.results)} routines, {len(kept)} kept")
    print(f"{time.monotonic() - began:.0f} s")


def fortran(checkout: Path) -> dict[str, Path]:
    """Return the files of a checkout by the names of their routines; the first of a name counts."""
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in sorted((checkout / folder).iterdir()):
            if path.suffix.lower() in SUFFIXES:
                found.setdefault(path.stem.lower(), path)
    return found


def mentioned(path: Path, files: dict[str, Path]) -> set[str]:
    """Return the names of other files that a file mentions outside of comments."""
    text = _COMMENT.sub("", path.read_text(encoding="latin-1"))
    return {word.lower() for word in _WORD.findall(text)} & files.keys() - {path.stem.lower()}


def closure(name: str, needs: dict[str, set[str]]) -> set[str]:
    """Return a file and all that it needs."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        item = waiting.pop()
        if item not in found:
            found.add(item)
            waiting.extend(needs[item])
    return found


def sample(arguments: argparse.Namespace, files: dict[str, Path], needs: dict[str, set[str]]) -> list[str]:
    """Return the routines that are drawn, by their names."""
    most = arguments.largest or len(files)
    candidates = [
        name
        for name, path in files.items()
        if path.parent.name == "SRC" and path.parent.parent.name != "BLAS" and path.suffix == ".f"
    ]
    small = [name for name in sorted(candidates) if len(closure(name, needs)) <= most + 1]
    print(f"{len(small)} of {len(candidates)} routines may be drawn", flush=True)
    return random.Random(arguments.seed).sample(small, min(arguments.count, len(small)))


def tell(item: RoutineResult) -> None:
    """Print why a routine is not kept, or how many planted mistakes its trials notice."""
    if isinstance(item.verdict, Passed) and item.kept:
        strength = item.verdict.guarantee.strength
        noticed = f"{strength.killed} of {strength.real}" if strength is not None else "unknown"
        print(f"{item.name:12} kept, mistakes noticed: {noticed}", flush=True)
        return
    code, words = library.reason(item.verdict)
    print(f"{item.name:12} {code} {words}", flush=True)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=26)
    parser.add_argument("--largest", type=int, default=0, help="other routines that one may need")
    parser.add_argument("--jobs", type=int, default=2, help="routines judged at a time")
    parser.add_argument("--plan", action="store_true", help="translate alone")
    return parser.parse_args()


if __name__ == "__main__":
    main()
