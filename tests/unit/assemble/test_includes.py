"""Lines that include CUDA's headers, in files that need the emulator, its types or nothing."""

from __future__ import annotations

import pytest

from transpile.assemble.host_code.vocabulary import Level
from transpile.assemble.includes import with_includes

TEXT = b"#include <stdio.h>\n#include <cuda_runtime.h>\n#include <cuda.h>\nint x;\n"


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
