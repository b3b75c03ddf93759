"""Files of a source beside its text: images, arrays, and code that was left out of the port."""

from __future__ import annotations

from transpile import foreign, machine
from transpile.core import Source
from transpile.parsers.files.discovery import file_names

_BUILT = (b"\x7fELF", b"!<arch>\n")
"""First bytes of objects, libraries and programs."""


def data_of(source: Source) -> tuple[str, ...]:
    """Return the paths of files that go with the text of a source as they are.

    What a compiler made is left behind: an object file of the source would be linked into the port. A source
    of one file is that file and what it includes, and nothing else of its folder.
    """
    if source.alone:
        return ()
    found = (path for path in file_names(source.root) if path not in source.files)
    return tuple(path for path in found if _is_data(source, path))


def _is_data(source: Source, path: str) -> bool:
    try:
        with foreign.opened(source.root, path) as file:
            return not file.read(8).startswith(_BUILT)
    except OSError as error:
        machine.raise_shortage(error)
        return False
