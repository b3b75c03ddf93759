"""The page of what the emulator has says what its headers and the tests say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "conformance.py"


def test_the_page_is_as_the_script_writes_it() -> None:
    spec = importlib.util.spec_from_file_location("conformance", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text() == "".join(module.page()), "python scripts/conformance.py writes it anew"
