"""Items that are kept back are found under other names, in code and in JSON, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.datasets.test_likeness import ADD, PLUS, SUM
from transpile.datasets.contamination import kept_back
from transpile.errors import UsageError


def test_a_planted_item_is_found(tmp_path: Path) -> None:
    (tmp_path / "suite.jsonl").write_text(json.dumps({"id": 1, "code": {"cuda": PLUS}}) + "\nno json {\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "sum.cpp").write_text(f"#include <cmath>\n{SUM}\nint main() {{ return 0; }}\n")
    (tmp_path / "picture.bin").write_bytes(bytes(range(256)))
    held = kept_back([tmp_path])
    assert held.holds(ADD) and held.holds(SUM.replace("sum", "total"))
    scan = "void scan(int *x, int n) { for (int i = 1; i < n; ++i) x[i] += x[i - 1]; x[0] = x[n - 1]; }"
    assert not held.holds(scan)


def test_short_texts_are_found_whole(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int one() { return 1; }")
    held = kept_back([tmp_path / "a.c"])
    assert held.holds("int eins() { return 1; }") and not held.holds("int two() { return 2; }")


def test_a_check_that_would_check_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no code"):
        kept_back([tmp_path])
    with pytest.raises(UsageError):
        kept_back([tmp_path / "missing.jsonl"])
