"""Which candidates are owed a run on a device."""

from __future__ import annotations

import pytest

from transpile.core import OPENMP, OPENMP_TARGET, Binding, Candidate, Dialect, Replacement
from transpile.testers.checks.offload import is_offloaded


@pytest.mark.parametrize(
    ("text", "dialect", "owed"),
    [
        ("#pragma omp target map(to: x[0:n])", OPENMP, True),
        ("#pragma omp \\\n    target teams", OPENMP, True),
        ("#pragma omp parallel for\nint target;", OPENMP, False),
        ("for (;;) x[0] = 1;", OPENMP_TARGET, True),
    ],
)
def test_target_regions_are_found_in_the_text(text: str, dialect: Dialect, owed: bool) -> None:
    candidate = Candidate(
        unit="a.c::f()",
        replacements=(Replacement(unit="a.c::f()", text=text.encode()),),
        binding=Binding(name="f", arguments=()),
        dialect=dialect,
    )
    assert is_offloaded(candidate) == owed
