"""Flags in the build files of a port."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble.builds import openmp_hidden

KERNEL = "__global__ void k(float *x) { x[0] = 1; }\n"
ASKING = "#ifdef _OPENMP\ntypedef struct { int x; } Pair;\n#endif\n"


@pytest.mark.parametrize(
    ("place", "text", "flags"),
    [
        ("source/pair.h", ASKING, ("-U_OPENMP",)),
        ("include/pair.h", ASKING, ("-U_OPENMP",)),
        ("include/pair.h", "", ()),
        ("source/README.md", ASKING, ()),
    ],
)
def test_openmp_is_hidden_from_what_asks_for_it(
    tmp_path: Path, place: str, text: str, flags: tuple[str, ...]
) -> None:
    for folder in ("source", "include"):
        (tmp_path / folder).mkdir()
    include = '#include "pair.h"\n' if place.endswith(".h") else ""
    (tmp_path / "source" / "main.cu").write_text(include + KERNEL)
    (tmp_path / place).write_text(text)
    read = parsers.read(tmp_path / "source", flags=("-I", str(tmp_path / "include")), opened=(tmp_path,))
    assert openmp_hidden(read) == flags
