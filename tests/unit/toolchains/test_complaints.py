"""A build that failed is told of in one line."""

from __future__ import annotations

import pytest

from transpile.toolchains.build import BuildFailed

CMAKE = """source = here
CMake Error at CMakeLists.txt:4 (enable_language):
  No CMAKE_CUDA_COMPILER could be found.

Tell CMake where to find the compiler
-- Configuring incomplete, errors occurred!
"""


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("cc -c a.c\na.c:1:2: error: no\na.c:2:2: error: more\n", "a.c:1:2: error: no"),
        ("ld: undefined reference to `f'\ncollect2: error: ld\n", "ld: undefined reference to `f'"),
        (CMAKE, "CMake Error at CMakeLists.txt:4 (enable_language): No CMAKE_CUDA_COMPILER could be found."),
        ("gone\n", "gone"),
        ("", "no message"),
    ],
)
def test_a_complaint_is_the_first_error(output: str, complaint: str) -> None:
    assert BuildFailed(command="", output=output).complaint == complaint
