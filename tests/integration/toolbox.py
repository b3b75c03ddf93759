"""Small libraries for tests of the worker: kernels as text, signatures by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from transpile.core import Launch, Parameter, Signature, TranslationUnit
from transpile.toolchains.build import BuildFailed, Built, Flavour, build_library
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.entry import source_entries
from transpile.toolchains.worker import Call
from transpile.toolchains.workshop import Workshop

Bytes = npt.NDArray[np.uint8]


def signature(name: str, *parameters: str, template_arguments: str | None = None) -> Signature:
    """Return a signature from texts such as ``float *x``."""
    parts = [text.replace("*", "* ").rsplit(" ", 1) for text in parameters]
    return Signature(
        name=name,
        template_arguments=template_arguments,
        parameters=tuple(
            Parameter(name=word, spelling=kind.strip(), element=None, pointer="*" in kind)
            for kind, word in parts
        ),
    )


def library(
    workshop: Workshop,
    text: str,
    signatures: Sequence[Signature],
    flavour: Flavour,
    flags: Sequence[str] = (),
) -> Built:
    """Build the text, which must build."""
    unit = TranslationUnit(path="kernels.cu", flags=tuple(flags))
    files, entries = {"kernels.cu": text.encode()}, source_entries(signatures)
    built = build_library(workshop, Compilation(files=files, unit=unit, entries=entries), flavour)
    assert not isinstance(built, BuildFailed), built.output
    return built


def call(
    *arguments: npt.NDArray[np.generic] | bytes,
    entry: int = 0,
    grid: int = 1,
    block: int = 1,
    before: Sequence[int] = (),
    **more: object,
) -> Call:
    """Return a call with arrays of any type."""
    given = tuple(item if isinstance(item, bytes) else data(item) for item in arguments)
    return Call(
        entry=entry,
        arguments=given,
        before=tuple(before) or (0,) * len(given),
        launch=Launch(grid=(grid, 1, 1), block=(block, 1, 1)),
        **more,  # type: ignore[arg-type]
    )


def data(array: npt.NDArray[np.generic]) -> Bytes:
    """Return the bytes of an array."""
    return np.frombuffer(array.tobytes(), dtype=np.uint8)


def number(value: int) -> bytes:
    """Return an int as an argument."""
    return int(value).to_bytes(4, "little", signed=True)
