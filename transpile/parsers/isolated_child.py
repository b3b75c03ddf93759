"""The process in which code is parsed: its files are open already, and it ends with an exit status."""

from __future__ import annotations

import itertools
import os
import pickle
import struct
import sys
from collections.abc import Callable, Sequence

from clang.cindex import TranslationUnitLoadError

from transpile.parsers.reading import cut

DEEPEST_CALLS = 10_000
"""A chain of a thousand ``else if`` is a tree of that depth. Frames of Python take none of the stack."""
PROGRESS = struct.Struct("<Qq")
"""The count of files begun, and the number of the last one; -1 for all of them together."""
NO_MEMORY = 120
UNPARSED = 121


def main(words: Sequence[str]) -> int:
    """Parse what one file holds, say in another how far it is, and write the source to the third.

    Args:
        words: The descriptors of these files.
    """
    sys.setrecursionlimit(DEEPEST_CALLS)
    given, told, answer = map(int, words)
    with os.fdopen(given, "rb") as file:
        request = pickle.load(file)
    try:
        source = cut(request, _teller(told, list(request.code)))
    except MemoryError:
        return NO_MEMORY
    except TranslationUnitLoadError:
        return UNPARSED
    with os.fdopen(answer, "wb") as file:
        pickle.dump(source, file, protocol=pickle.HIGHEST_PROTOCOL)
    return 0


def _teller(told: int, paths: Sequence[str]) -> Callable[[str], None]:
    numbers = {path: number for number, path in enumerate(paths)}
    steps = itertools.count(1)

    def begin(path: str) -> None:
        os.pwrite(told, PROGRESS.pack(next(steps), numbers.get(path, -1)), 0)

    return begin
