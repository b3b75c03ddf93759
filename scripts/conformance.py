"""Write which names of CUDA the emulator has, and which tests call each of them: docs/conformance.md.

    python scripts/conformance.py

A name counts as CUDA's where ROCm's documentation lists it (``translators/targets/hip/tables``), and as the
emulator's where it stands in its headers. A test counts where its text uses the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from transpile import simt
from transpile.code.lexer import every_word, tokenize
from transpile.translators.targets.hip import tables

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "cases"
PAGE = ROOT / "docs" / "conformance.md"
_HEAD = """# What the emulator has of CUDA

Written by `scripts/conformance.py`: each name in the headers of `transpile/simt/include/`, of those that
ROCm's documentation lists as CUDA's, with the tests under `tests/cases/` that use it. Nothing here was
compared with a GPU, but for what [devices.md](devices.md) says. What has no test is used by programs of the
benchmarks, or by nothing.

"""
_GROUPS = (
    ("Runtime", re.compile(r"cuda[A-Z]")),
    ("Driver", re.compile(r"cu[A-Z]")),
    ("Random numbers", re.compile(r"curand")),
    ("Linear algebra", re.compile(r"cublas|cusparse|cusolver")),
    ("Transforms", re.compile(r"cufft")),
    ("Functions of the device", re.compile(r"")),
)


def known() -> frozenset[bytes]:
    """Return the names that CUDA has."""
    return frozenset(tables.names()) | tables.lacking()


def had() -> frozenset[bytes]:
    """Return the names of CUDA that stand in the emulator's headers."""
    place = simt.include_directory()
    paths = (path for path in place.rglob("*.*") if "hip" not in path.relative_to(place).parts)
    return frozenset(word for path in paths for word in words(path)) & known()


def words(path: Path) -> Iterator[bytes]:
    """Yield the words of a file, and the names of its macros."""
    data = path.read_bytes()
    yield from (token.text for token in every_word(data))
    yield from (macro.name for macro in tokenize(data).macros)


def used() -> Mapping[bytes, list[str]]:
    """Return the cases by each name that they use."""
    found: dict[bytes, list[str]] = {}
    for path in sorted(CASES.rglob("*.cu*")):
        if "builds" in path.parts:
            continue
        for name in set(words(path)):
            found.setdefault(name, []).append(f"{path.parent.name}/{path.stem}")
    return found


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    yield _HEAD
    names, cases = sorted(name.decode() for name in had()), used()
    tested = sum(name.encode() in cases for name in names)
    yield f"{len(names)} names, {tested} of them used by a test.\n"
    left = list(names)
    for title, pattern in _GROUPS:
        group = [name for name in left if pattern.match(name)]
        left = [name for name in left if name not in group]
        yield f"\n## {title}\n\n| name | tests |\n|---|---|\n"
        for name in group:
            found = cases.get(name.encode(), [])
            more = f" and {len(found) - 3} more" if len(found) > 3 else ""
            yield f"| `{name}` | {', '.join(found[:3]) or '-'}{more} |\n"


if __name__ == "__main__":
    PAGE.write_text("".join(page()))
