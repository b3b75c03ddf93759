from __future__ import annotations

import pytest

from transpile.core import OPENMP, Binding, Candidate, Inconclusive, Replacement
from transpile.testers.text.short_constants import shortened


@pytest.mark.parametrize(
    ("source", "text", "refused"),
    [
        ("57.2957795f", "57.2958f", True),
        ("57.2957795f", "57.2957f", True),
        ("57.2957795", "57.29578", True),
        ("3.14159265358979f", "3.14159265f", False),
        ("3.14159265358979", "3.14159265", True),
        ("57.2957795f", "57.2957795", False),
        ("57.2957795f", "57.3957f", False),
        ("0.70710678f + 0.7071f", "0.7071f", False),
        ("1.0000001", "1.0", False),
        ("6.62607015e-34", "6.626e-34", True),
        ("57.2957795f", "1.0f /* 57.2958 */", False),
        ("SIDE", "2.7183f", True),
        ("5729.57", "x57.29 + 57.2.y", False),
    ],
)
def test_constants_may_not_be_cut_short(source: str, text: str, refused: bool) -> None:
    candidate = Candidate(
        unit="u",
        dialect=OPENMP,
        replacements=(Replacement(unit="u", text=f"y[i] = {text};".encode()),),
        binding=Binding(name="f", arguments=()),
    )
    named = [2.718281828] if source == "SIDE" else []
    found = shortened(candidate, f"y[i] = {source};".encode(), named)
    assert isinstance(found, Inconclusive) is refused, found
