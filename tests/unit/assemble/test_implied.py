"""Standard headers that nvcc includes by itself: which files have to name them afterwards."""

from __future__ import annotations

import pytest

from transpile.assemble.host_code.implied import implied


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        (b"float *p = (float *)malloc(4); size_t n;", {"cstdlib"}),
        (b"#include <stdio.h>\nfloat *p = (float *)malloc(4); size_t n;", {"stdlib.h"}),
        (b"#include <vector>\nsize_t n = std::max(1, 2);", {"cstddef", "algorithm"}),
        (b"#include <simt/simt.h>\nint *p = (int *)malloc(4);", set()),
        (b"// malloc(4)\nint free; pool.free(2); long time = queue->exit(3);", set()),
        (b"srand(time(NULL)); long c = clock();", {"cstdlib", "ctime"}),
        (b"int most = INT_MAX;", {"climits"}),
    ],
)
def test_what_a_file_uses_of_them(text: bytes, headers: set[str]) -> None:
    assert implied({"a.cpp": text}, ["a.cpp"]).get("a.cpp", set()) == headers


def test_headers_count_in_the_order_of_a_compiler() -> None:
    files = {
        "a.cpp": b'#include "early.h"\n#include <cstdlib>\n#include "late.h"\nint *c = (int *)malloc(4);',
        "early.h": b"inline void *early() { return malloc(4); }",
        "late.h": b"inline void *late() { return malloc(4); }",
        "plain.cpp": b"void *own() { return malloc(4); }",
    }
    assert implied(files, ["a.cpp"]) == {"early.h": {"cstdlib"}}
