"""Who includes whom, and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.parsers import read
from transpile.parsers.files.includes import compiled, lacking, searched, with_c_linkage

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


@pytest.mark.parametrize(
    ("include", "flags"),
    [
        ('#include "timer.h"', ("-I.",)),
        ('#include "deep/own.h"', ("-Icommon/inc", "-I.")),
        ('#include "inc/deep/own.h"', ("-Icommon", "-I.")),
        ('#include "../timer.h"', ()),
        ("#include <timer.h>", ("-I.",)),
        ("#include <string.h>", ()),
        ("#include <cuda_runtime.h>", ()),
        ('#include "twice.h"', ()),
        ('#include "nowhere.h"', ()),
    ],
)
def test_headers_that_one_file_alone_can_be_are_found(include: str, flags: tuple[str, ...]) -> None:
    files = {
        "cuda/main.cu": include.encode(),
        "timer.h": b"",
        "common/inc/deep/own.h": b'#include "timer.h"',
        "a/twice.h": b"",
        "b/twice.h": b"",
        "own/string.h": b"",
        "own/cuda_runtime.h": b"",
    }
    assert searched(files, "cuda/main.cu", ()) == flags


def test_compilers_read_code_and_what_it_includes_whatever_its_name() -> None:
    files = {
        "main.cu": b'#include "tables/first.txt"\n',
        "tables/first.txt": b"#include <second.dat>\n",
        "tables/second.dat": b"1, 2, 3\n",
        "points.csv": b"1;2\n",
        "README.md": b'#include "points.csv"\n',
    }
    assert list(compiled(files)) == ["main.cu", "tables/first.txt", "tables/second.dat"]
    named = {**files, "a.h": b'#define TABLE "points.csv"\n#include TABLE\n'}
    assert compiled(named) == named


def test_headers_beside_the_source_lack_nothing(tmp_path: Path) -> None:
    (tmp_path / "bitmap.h").write_text("struct Bitmap {};\n")
    files = {"main.cu": b'#include "bitmap.h"\n#include "image.h"\n'}
    assert list(lacking(files, "main.cu", (str(tmp_path),))) == ["image.h"]
    assert list(lacking(files, "main.cu", ("include",))) == ["bitmap.h", "image.h"]
