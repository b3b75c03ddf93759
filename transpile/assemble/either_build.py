"""Build files for nvcc and for hipcc: what they say differently is said twice, the rest stays as it was."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import PurePosixPath

from transpile.assemble import device, either_cmake, either_make
from transpile.assemble.builds import Build, anchored, own_command
from transpile.core import ProgrammingModel, Source
from transpile.parsers.building.projects import is_makefile


def ported(source: Source, others: Mapping[str, bytes]) -> Build:
    """Return the build files of a port whose text nvcc and hipcc take: the source's own, or a new Makefile.

    Args:
        source: What is ported.
        others: Its files that are no code, by path.
    """
    cuda = [path for path in source.files if path.endswith(".cu")]
    files: dict[str, bytes] = {}
    for path, data in others.items():
        base, directory = posixpath.basename(path), posixpath.dirname(path)
        text = data.decode("utf-8", "surrogateescape")
        if is_makefile(path):
            new = either_make.ported(text)
        elif base == "CMakeLists.txt":
            own = [PurePosixPath(name) for name in cuda if PurePosixPath(name).is_relative_to(directory)]
            new = either_cmake.ported(text, [str(name.relative_to(directory)) for name in own])
        else:
            continue
        files[path] = anchored(new, source.root, directory).encode("utf-8", "surrogateescape")
    command = own_command(files, source)
    if command.startswith("cmake"):
        return Build(files=files, command=command, otherwise=f"for AMD with -D{either_cmake.OPTION}=ON")
    if not command:
        new = device.makefile(source.translation_units, source.programs, ProgrammingModel.CUDA)
        files["Makefile"] = either_make.ported(new).encode("utf-8", "surrogateescape")
    return Build(files=files, command=command or "make", otherwise=f"for AMD: make {either_make.CHOICE}")
