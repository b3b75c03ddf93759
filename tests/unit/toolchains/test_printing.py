"""The function in the place of ``printf``."""

from __future__ import annotations

from transpile.core import PRINTED, Signature
from transpile.toolchains.entry import candidate_entries, source_entries
from transpile.toolchains.printing import notes


def test_nothing_is_noted_where_nobody_asks() -> None:
    assert notes([Signature(name="k")]) == ""
    assert b"printf" not in source_entries([Signature(name="k")])
    assert b"printf" not in candidate_entries([])


def test_both_sides_note_once_a_library() -> None:
    asking = [Signature(name=name, globals=(PRINTED,)) for name in ("k", "m")]
    text = source_entries(asking).decode()
    assert text.count(f"static unsigned long long {PRINTED.name};") == 1
    assert text.count(f'{{"{PRINTED.name}", (void *)&{PRINTED.name}, sizeof({PRINTED.name})}}') == 2
    assert text.index(".set printf, transpile_printf") < text.index("transpile_globals_0")
