"""Headers whose macros differ from file to file."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts.probing.meanings import several_meanings
from transpile.core import Inconclusive

KERNEL = "#ifndef TILE\n#define TILE 8\n#endif\n__global__ void k(int *p) { p[threadIdx.x] = TILE; }\n"


def refused(root: Path, **files: str) -> Inconclusive | None:
    """Return what is said of the kernel of a header that files include."""
    (root / "k.cuh").write_text(KERNEL)
    for name, text in files.items():
        (root / f"{name}.cu").write_text(
            f'{text}\n#include "k.cuh"\nvoid {name}(int *p) {{ k<<<1, 8>>>(p); }}\n'
        )
    source = parsers.read(root)
    [unit] = (item for item in source.units if item.name == "k")
    return several_meanings(source, unit)


@pytest.mark.parametrize("first", ["#define TILE 16", ""])
def test_a_macro_that_differs_is_named(first: str, tmp_path: Path) -> None:
    found = refused(tmp_path, a=first, b="#define TILE 32")
    assert found is not None and "`TILE` is" in found.reason and "b.cu" in found.reason


@pytest.mark.parametrize(
    ("first", "second"), [("#define TILE 16", "#define TILE  16"), ("", ""), ("#define OTHER 1", "")]
)
def test_the_same_macros_and_others_are_no_matter(first: str, second: str, tmp_path: Path) -> None:
    assert refused(tmp_path, a=first, b=second) is None


def test_one_file_gives_one_meaning(tmp_path: Path) -> None:
    assert refused(tmp_path, a="#define TILE 16") is None
