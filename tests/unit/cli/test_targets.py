"""What a port is to, as it is asked for."""

from __future__ import annotations

import pytest

from transpile.cli import arguments
from transpile.core import HIP, HIP_OR_CUDA
from transpile.errors import UsageError


def test_a_single_source_is_for_hip_and_cuda() -> None:
    assert arguments.target("hip") == HIP
    assert arguments.target("hip", single_source=True) == HIP_OR_CUDA
    assert HIP_OR_CUDA.name == "hip"


@pytest.mark.parametrize("name", ["openmp", "openmp-target", "cpp", "cuda"])
def test_other_targets_have_no_single_source(name: str) -> None:
    with pytest.raises(UsageError, match=f"--single-source is for ports to hip, not to {name}"):
        arguments.target(name, single_source=True)
