"""The programming models: a row each with all that is known of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ProgrammingModel(StrEnum):
    NONE = "none"
    OPENMP = "openmp"
    OPENMP_TARGET = "openmp-target"
    CUDA = "cuda"
    HIP = "hip"
    STDPAR = "stdpar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """A programming model as its users, the judge and the port's build see it."""

    title: str
    """The name in reports."""
    prompt: str = ""
    """The name in prompts; empty where language models are not asked for translations."""
    emulated: bool = False
    """Texts run on the emulator of a device while they are judged."""
    needs_cpp: bool = False
    """Translations of functions of C are C++."""
    outlined: bool = False
    """Compilers make functions of their own of its parallel regions, which objects name."""
    offloads: bool = False
    """Translations are also judged on a device with memory of its own."""
    defines: tuple[str, ...] = ()
    """Macros, without ``-D``, that make the emulator one of another model than CUDA."""
    libraries: tuple[str, ...] = ()
    """Libraries that are linked, by the names of tools and of the linker."""
    device_suffix: str = ""
    """The suffix by which the compilers of devices know their files."""
    unfused: str = ""
    """The flag with which the compilers of devices round products and sums one by one, as the judge does."""
    header: str = ""
    """The header that declares its names, where compilers do not include it themselves."""
    ran_on: str = ""
    """The threads or warps that translations are judged on, where it is not threads of OpenMP alone."""


TRAITS: Mapping[ProgrammingModel, Traits] = {
    ProgrammingModel.NONE: Traits(title="C++", prompt="C++"),
    ProgrammingModel.OPENMP: Traits(title="OpenMP", prompt="C++ with OpenMP", outlined=True),
    ProgrammingModel.OPENMP_TARGET: Traits(
        title="OpenMP offloading", prompt="C++ with OpenMP target regions", outlined=True, offloads=True
    ),
    ProgrammingModel.CUDA: Traits(
        title="CUDA",
        prompt="CUDA C++",
        emulated=True,
        needs_cpp=True,
        device_suffix=".cu",
        unfused="-fmad=false",
    ),
    ProgrammingModel.HIP: Traits(
        title="HIP",
        prompt="HIP C++",
        emulated=True,
        needs_cpp=True,
        defines=("SIMT_HIP",),
        device_suffix=".hip",
        unfused="-ffp-contract=off",
        header="<hip/hip_runtime.h>",
        ran_on="warps of 64 and of 32 lanes",
    ),
    ProgrammingModel.STDPAR: Traits(
        title="standard C++ parallelism",
        prompt="C++17 with parallel algorithms",
        needs_cpp=True,
        libraries=("tbb",),
        ran_on="threads of TBB",
    ),
}
