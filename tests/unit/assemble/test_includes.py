"""Lines that include CUDA's headers, in files that need the emulator, its types or nothing."""

from __future__ import annotations

import pytest

from transpile.assemble.host_code.vocabulary import Level
from transpile.assemble.includes import with_includes

TEXT = b"#include <stdio.h>\n#include <cuda_runtime.h>\n#include <cuda.h>\nint x;\n"


FALLBACK = b"#ifndef NO_CUDA\n#include <%s>\n#else\n%s\n#endif\nvoid f(cudaError_t);\n"


@pytest.mark.parametrize(
    ("text", "level", "expected"),
    [
        (TEXT, Level.ALL, b"#include <stdio.h>\n#include <simt/simt.h>\n#include <cuda.h>\nint x;\n"),
        (TEXT, Level.NONE, b"#include <stdio.h>\nint x;\n"),
        (b"#include <cuda.h>\nint x;\n", Level.ALL, b"#include <cuda.h>\nint x;\n"),
    ],
    ids=["both", "not needed", "alone"],
)
def test_the_drivers_header_stays_where_the_emulator_is(text: bytes, level: Level, expected: bytes) -> None:
    assert with_includes(text, level) == expected


@pytest.mark.parametrize(
    "declared", [b"typedef int cudaError_t;", b"#define cudaError_t int", b"typedef enum { OK } cudaError_t;"]
)
@pytest.mark.parametrize(
    ("header", "kept"),
    [(b"cuda.h", b"cuda.h"), (b"cuda_runtime.h", b"simt/simt.h")],
    ids=["driver", "runtime"],
)
def test_types_that_a_file_declares_in_place_of_cudas_are_not_declared_twice(
    declared: bytes, header: bytes, kept: bytes
) -> None:
    text = FALLBACK % (header, declared)
    assert with_includes(text, Level.ALL) == FALLBACK % (kept, declared)


def test_names_outside_of_a_condition_have_their_header() -> None:
    text = b"#ifdef USE_CUDA\n#include <cuda_runtime.h>\n#endif\nvoid f(cudaError_t);\n"
    assert with_includes(text, Level.ALL).startswith(b"#include <simt/simt.h>\n#ifdef USE_CUDA\n")
