"""Who includes whom, and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.parsers import read
from transpile.parsers.includes import with_c_linkage

GUARDED = '#ifdef __cplusplus\nextern "C" {\n#endif\n%s#ifdef __cplusplus\n}\n#endif\n'


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ('extern "C" {\n#include "a.cuh"\n}\n', {"a.cuh", "b.cuh"}),
        (GUARDED % '#include "b.cuh"\n', {"b.cuh"}),
        (GUARDED % "" + '#include "a.cuh"\n', set()),
        ('extern "C" void g();\n#include "a.cuh"\nstruct S {\n};\n', set()),
    ],
)
def test_what_is_included_within_c_linkage_is_known(text: str, linked: set[str], tmp_path: Path) -> None:
    (tmp_path / "a.cuh").write_text('#include "b.cuh"\n')
    (tmp_path / "b.cuh").write_text("__device__ inline int b() { return 1; }\n")
    (tmp_path / "main.cu").write_text(text + "__global__ void k(int *a) { a[0] = b(); }\n")
    assert with_c_linkage(read(tmp_path)) == linked
