"""Targets of a port, as a user asks for them."""

from __future__ import annotations

import pytest

from transpile.cli import arguments
from transpile.core import CUDA, CUDA_ON_DEVICE, HIP, HIP_ON_DEVICE, HIP_OR_CUDA, Interface
from transpile.errors import UsageError


def test_a_single_source_is_for_hip_and_cuda() -> None:
    assert arguments.target("hip") == HIP
    assert arguments.target("hip", single_source=True) == HIP_OR_CUDA
    assert HIP_OR_CUDA.name == "hip"


@pytest.mark.parametrize("name", ["openmp", "openmp-target", "cpp", "cuda"])
def test_other_targets_have_no_single_source(name: str) -> None:
    with pytest.raises(UsageError, match=f"--single-source is for ports to hip, not to {name}"):
        arguments.target(name, single_source=True)


def test_functions_of_a_port_to_cuda_or_hip_may_take_memory_of_the_device() -> None:
    assert arguments.target("cuda") == CUDA
    assert arguments.target("cuda", interface=Interface.DEVICE) == CUDA_ON_DEVICE
    assert arguments.target("hip", interface=Interface.DEVICE) == HIP_ON_DEVICE
    assert (CUDA_ON_DEVICE.name, HIP_ON_DEVICE.name) == ("cuda", "hip")


@pytest.mark.parametrize("name", ["openmp", "cpp"])
def test_no_other_target_has_memory_of_a_device(name: str) -> None:
    with pytest.raises(UsageError, match=f"--interface device is for ports to cuda and hip, not to {name}"):
        arguments.target(name, interface=Interface.DEVICE)
