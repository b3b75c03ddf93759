"""Headers of ours that go into a port."""

from __future__ import annotations

import pytest

from transpile.assemble.vendor import vendored


def test_a_port_without_emulation_carries_nothing() -> None:
    assert vendored({"a.cpp": b"#include <assert.h>\n#include <vector>\nint main() {}\n"}) == {}


def test_the_emulator_comes_with_all_that_it_includes() -> None:
    found = vendored({"a.cpp": b"#include <simt/simt.h>\n"})
    assert {"simt/simt/simt.h", "simt/simt/launch.h", "simt/vector_types.h", "simt/assert.h"} <= found.keys()
    assert not any("thrust" in path or "cublas" in path for path in found)


def test_a_library_comes_where_it_is_included() -> None:
    found = vendored({"a.cpp": b"#include <simt/simt.h>\n#include <thrust/sort.h>\n"})
    assert {"simt/thrust/sort.h", "simt/thrust/thrust.h"} <= found.keys()


def test_helpers_of_the_samples_are_ours_where_the_source_has_none() -> None:
    text = b'#include <helper_timer.h>\n#include "helper_string.h"\n'
    assert vendored({"a.cpp": text}).keys() == {"simt/helper_timer.h", "simt/helper_string.h"}
    own = {"a.cpp": text, "inc/helper_timer.h": b"class Timer {};\n"}
    assert vendored(own).keys() == {"simt/helper_string.h"}


@pytest.mark.parametrize("name", ["cuda.h", "cublas.h", "vector_types.h", "helper_timer.h"])
def test_a_header_by_a_name_of_the_projects_is_not_ours(name: str) -> None:
    includes = f'#include "{name}"\n'.encode()
    assert vendored({"a.cpp": includes}) != {}
    assert vendored({"a.cpp": includes, f"src/{name}": b"#pragma once\n"}) == {}


def test_a_header_of_that_name_elsewhere_is_not_meant() -> None:
    files = {
        "main.cpp": b'#include <simt/simt.h>\n#include <cuda.h>\n#include "utils/cuda.h"\n',
        "utils/cuda.h": b"#pragma once\nvoid begin();\n",
    }
    assert "simt/cuda.h" in vendored(files, directories=())
    assert "simt/cuda.h" in vendored(files, directories=("inc",))
    assert "simt/cuda.h" not in vendored(files, directories=("utils",))
    assert "simt/cuda.h" not in vendored({**files, "cuda.h": b""}, directories=(".",))
    beside = {"utils/a.cpp": b'#include <simt/simt.h>\n#include "cuda.h"\n', "utils/cuda.h": b""}
    assert "simt/cuda.h" not in vendored(beside, directories=())
