"""A CMakeLists.txt for CUDA becomes one for HIP, which CMake knows as a language since 3.21."""

from __future__ import annotations

import re
from collections.abc import Mapping

from transpile.assemble import cmake, makefile
from transpile.assemble.names import mentioned
from transpile.code.cmake import commands

_LIBRARIES: Mapping[str, str] = {
    "cudart": "hip::host",
    "cudart_static": "hip::host",
    "cuda_driver": "hip::host",
    "cublas": "roc::hipblas",
    "cufft": "hip::hipfft",
    "curand": "hip::hiprand",
    "cusparse": "roc::hipsparse",
    "cusolver": "roc::hipsolver",
}
"""Targets of CMake, by those of the toolkit."""
_PACKAGES: Mapping[str, str] = {
    "hip::host": "hip",
    "roc::hipblas": "hipblas",
    "hip::hipfft": "hipfft",
    "hip::hiprand": "hiprand",
    "roc::hipsparse": "hipsparse",
    "roc::hipsolver": "hipsolver",
}
_PROPERTY = re.compile(
    r"\s+(?:CUDA_SEPARABLE_COMPILATION|CUDA_ARCHITECTURES|CUDA_RESOLVE_DEVICE_SYMBOLS|CUDA_RUNTIME_LIBRARY)\s+(?:\"[^\"]*\"|[^\s)]+)"
)
_EMPTY_PROPERTIES = re.compile(
    r"^[ \t]*set_(?:target_properties|property)\s*\([^()]*PROPERTIES?\s*\)[ \t]*\n", re.MULTILINE
)
_OF_NVCC = re.compile(r"\$<\$<COMPILE_LANGUAGE:CUDA>:[^>]*>")
"""Options for files of CUDA."""
_OLDEST = (3, 21)
_TOOLKIT = re.compile(r"^([ \t]*)find_package\s*\(\s*(?:CUDA|CUDAToolkit)\b[^)]*\)[ \t]*\n", re.MULTILINE)
_DROPPED = re.compile(
    r"^[ \t]*(?:set\s*\(\s*(?:CMAKE_)?CUDA_(?:ARCHITECTURES|ARCH\w*|SEPARABLE_COMPILATION|COMPILER"
    r"|TOOLKIT_ROOT_DIR|PROPAGATE\w*|HOST_COMPILER)[^)]*\)|include\s*\(\s*FindCUDA\s*\))[ \t]*\n",
    re.MULTILINE,
)
_EMPTY_OPTIONS = re.compile(
    r"^[ \t]*(?:target|add)_compile_options\s*\((?:\s*\S+\s+(?:PRIVATE|PUBLIC|INTERFACE))?\s*\)[ \t]*\n",
    re.MULTILINE,
)
_FLAGS = re.compile(r"set\s*\(\s*CMAKE_HIP_FLAGS\w*[^)]*\)")
_VERSION = re.compile(r"(cmake_minimum_required\s*\(\s*VERSION\s+)(\d+)\.(\d+)[\d.]*")


def ported(text: str, names: Mapping[str, str], suffix: str = ".hip") -> str:
    """Return the CMakeLists.txt of the port.

    Args:
        text: The source's CMakeLists.txt.
        names: The port's path of each file.
        suffix: Of the port's files that were nvcc's.
    """
    text = _VERSION.sub(_recent, text)
    text = _DROPPED.sub("", text)
    text = _EMPTY_PROPERTIES.sub("", _PROPERTY.sub("", text))
    text = re.sub(r"(project\s*\([^)]*?)\bCUDA\b", r"\1HIP", text)
    text = re.sub(r"(enable_language\s*\(\s*)CUDA\b", r"\1HIP", text)
    old_module = any(command.name in cmake.OF_OLD_MODULE for command in commands(text))
    text = cmake.without_old_module(text)
    text = re.sub(r"\bCMAKE_CUDA_(STANDARD\w*|FLAGS\w*|EXTENSIONS)\b", r"CMAKE_HIP_\1", text)
    text = re.sub(r"\bCUDA_(STANDARD\w*|EXTENSIONS)\b", r"HIP_\1", text)
    text = _OF_NVCC.sub("", text)
    text = _EMPTY_OPTIONS.sub("", text)
    text = _FLAGS.sub(lambda found: makefile.with_options(found[0], makefile.HIPCC), text)
    text = re.sub(r"(\bLANGUAGE\s+)CUDA\b", r"\1HIP", text)
    text = re.sub(r"\bCUDA::(\w+)", lambda found: _LIBRARIES.get(found[1], found[0]), text)
    text = re.sub(r"\$\{CUDA_(?:CUDART_)?LIBRAR(?:Y|IES)\}", "hip::host", text)
    packages = dict.fromkeys(package for target, package in _PACKAGES.items() if target in text)
    text = mentioned(text, names)
    text = re.sub(r"(?<=[*/])\.cu\b(?!h)", suffix, text)
    if old_module and "enable_language(HIP)" not in text:
        text = cmake.behind_project(text, "enable_language(HIP)\n")
    return _with_packages(text, [f"find_package({package} REQUIRED)" for package in packages])


def _recent(found: re.Match[str]) -> str:
    known = (int(found[2]), int(found[3]))
    return found[0] if known >= _OLDEST else f"{found[1]}{_OLDEST[0]}.{_OLDEST[1]}"


def _with_packages(text: str, wanted: list[str]) -> str:
    """Put the packages where the toolkit was looked for, else behind the project."""
    place = _TOOLKIT.search(text)
    if place is not None:
        indented = "".join(f"{place[1]}{line}\n" for line in wanted)
        return text[: place.start()] + indented + _TOOLKIT.sub("", text[place.end() :])
    return cmake.behind_project(text, "".join(f"{line}\n" for line in wanted))
