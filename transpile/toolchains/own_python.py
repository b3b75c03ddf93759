"""Modules of ours in a Python process of their own, as the sandbox runs one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import transpile

_PACKAGE = Path(transpile.__file__).parent
_START = """
import gc, sys, importlib.util as util
gc.set_threshold(10_000)
place = PACKAGE
spec = util.spec_from_file_location("transpile", place + "/__init__.py", submodule_search_locations=[place])
sys.modules["transpile"] = module = util.module_from_spec(spec)
spec.loader.exec_module(module)
from MODULE import main
sys.exit(main(sys.argv[1:]))
"""
"""Imports our package without a look at the folder around it, which may be anybody's."""


def command(module: str) -> list[str]:
    """Return what calls a module's ``main`` with the words that follow."""
    start = _START.replace("PACKAGE", repr(str(_PACKAGE))).replace("MODULE", module)
    return [sys.executable, "-c", start]


def readable() -> list[Path]:
    """Return all that Python and its modules consist of."""
    return [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve(), _PACKAGE, *_modules()]


def environment(scratch: Path) -> Mapping[str, str]:
    """Return the variables of such a process, which writes below a folder alone."""
    return {
        "PYTHONPATH": os.pathsep.join(map(str, _modules())),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TRANSPILE_CACHE": str(scratch),
    }


def _modules() -> list[Path]:
    """Return where other modules than ours are looked up, here as there."""
    places = (Path(name) for name in sys.path)
    return [place for place in places if place.is_absolute() and place.exists() and place != _PACKAGE.parent]
