"""Compilers for devices: what they lack is told from what they refuse."""

from __future__ import annotations

import pytest

from transpile.toolchains.devices import missing_header


@pytest.mark.parametrize(
    ("output", "header"),
    [
        ("a.hip:3:10: fatal error: 'hipcub/hipcub.hpp' file not found\n#include", "hipcub/hipcub.hpp"),
        ("a.cu:3:10: fatal error: nvml.h: No such file or directory\ncompilation", "nvml.h"),
        ("a.hip:3:10: error: use of undeclared identifier '__stcs'\n", ""),
    ],
)
def test_a_header_that_is_not_there(output: str, header: str) -> None:
    assert missing_header(output) == header
