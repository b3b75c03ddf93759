"""A plain CMakeLists.txt for CUDA becomes one for C++ with OpenMP."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from transpile.assemble.names import mentioned

_DROPPED = (
    r"enable_language\s*\(\s*CUDA\s*\)",
    r"set\s*\(\s*(?:CMAKE_)?CUDA_(?:ARCHITECTURES|ARCH\w*|SEPARABLE_COMPILATION|COMPILER|TOOLKIT_ROOT_DIR|PROPAGATE\w*)[^)]*\)",
    r"find_package\s*\(\s*(?:CUDA|CUDAToolkit)\b[^)]*\)",
    r"include\s*\(\s*FindCUDA\s*\)",
)
PROPERTY = re.compile(
    r"\s+(?:CUDA_SEPARABLE_COMPILATION|CUDA_ARCHITECTURES|CUDA_RESOLVE_DEVICE_SYMBOLS|CUDA_RUNTIME_LIBRARY)\s+(?:\"[^\"]*\"|[^\s)]+)"
)
EMPTY_PROPERTIES = re.compile(
    r"^[ \t]*set_(?:target_properties|property)\s*\([^()]*PROPERTIES?\s*\)[ \t]*\n", re.MULTILINE
)
OF_NVCC = re.compile(r"\$<\$<COMPILE_LANGUAGE:CUDA>:[^>]*>")
"""Options for files of CUDA."""
_LIBRARY = re.compile(
    r"CUDA::(?:cudart|cublas|curand|cufft|cusparse)(?:_static)?\b|CUDA::cuda_driver"
    r"|\$\{CUDA_(?:(?:CUDART|CUBLAS)_)?LIBRAR(?:Y|IES)\}|\bcudart\b"
)
_LINKED = re.compile(r"(target_link_libraries\s*\(\s*\S+[^()]*?\s)cu(?:blas|rand|fft|sparse)\b")
_TARGET = re.compile(r"^([ \t]*)add_executable\s*\(\s*([\w.\-${}]+)[^()]*\)[ \t]*\n?", re.MULTILINE)


def ported(text: str, names: Mapping[str, str], *, include: Sequence[str], more: Sequence[str] = ()) -> str:
    """Return the CMakeLists.txt of the port.

    Args:
        text: The source's CMakeLists.txt.
        names: The port's path of each file.
        include: Directories that the ported files need.
        more: Flags that they need besides.
    """
    for pattern in _DROPPED:
        text = re.sub(rf"^[ \t]*{pattern}[ \t]*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"(project\s*\([^)]*?)\bCUDA\b", _as_cxx, text)
    text = re.sub(r"\bcuda_add_(executable|library)\b", r"add_\1", text)
    text = re.sub(r"\bCMAKE_CUDA_(STANDARD|FLAGS|EXTENSIONS)\b", r"CMAKE_CXX_\1", text)
    text = re.sub(r"\bcuda_std_\d+\b", "cxx_std_17", text)
    text = PROPERTY.sub("", text)
    text = EMPTY_PROPERTIES.sub("", text)
    text = OF_NVCC.sub("", text)
    text = mentioned(text, names)
    text = re.sub(r"(?<=[*/])\.cu\b(?!h)", ".cpp", text)
    return with_openmp(_LINKED.sub(r"\1", _LIBRARY.sub("", text)), include, more)


def _as_cxx(match: re.Match[str]) -> str:
    head = match.group(1)
    return head.rstrip() if re.search(r"\bCXX\b", head) else f"{head}CXX"


def with_openmp(
    text: str, include: Sequence[str] = (), more: Sequence[str] = (), language: str = "CXX"
) -> str:
    """Link OpenMP to every program, and give it the headers and flags that the port needs."""

    def extended(match: re.Match[str]) -> str:
        indent, target = match.group(1), match.group(2)
        lines = [
            match.group(0).rstrip("\n"),
            f"{indent}target_link_libraries({target} PRIVATE OpenMP::OpenMP_{language})",
        ]
        lines += [
            f"{indent}target_include_directories({target} PRIVATE {directory})" for directory in include
        ]
        lines += [f"{indent}target_compile_options({target} PRIVATE {' '.join(more)})"] if more else []
        return "\n".join(lines) + "\n"

    text, found = _TARGET.subn(extended, text)
    if not found or "find_package(OpenMP" in text:
        return text
    return behind_project(text, "find_package(OpenMP REQUIRED)\n")


def behind_project(text: str, lines: str) -> str:
    """Return a text with lines behind its ``project()``, or before all where it has none."""
    project = re.search(r"^[ \t]*project\s*\([^)]*\)[ \t]*\n", text, re.MULTILINE)
    at = project.end() if project else 0
    return text[:at] + lines + text[at:]
