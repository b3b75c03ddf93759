"""OpenMP takes no loop whose head declares a register variable."""

from __future__ import annotations

import pytest

from transpile.translators.loops.symbols.registers import without_registers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for (register int i = 0; i < n; i++) ;", "for (int i = 0; i < n; i++) ;"),
        ("for (const register long i = 0; ; ) ;", "for (const long i = 0; ; ) ;"),
        ("register int i; for (i = 0; i < n; i++) ;", "register int i; for (i = 0; i < n; i++) ;"),
        ("for (int i = 0; i < n; i++) { register int k = i; }",) * 2,
        ("for (int registers = 0; ; ) ;",) * 2,
    ],
)
def test_only_heads_of_loops_lose_the_hint(text: str, expected: str) -> None:
    assert without_registers(f"void f(int n) {{ {text} }}") == f"void f(int n) {{ {expected} }}"
