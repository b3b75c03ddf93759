"""The spelling of a type decides nothing: every rule gives the same verdict and the same text but for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    CUDA,
    HIP,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    ArrayFact,
    Candidate,
    Contract,
    Dialect,
    Role,
)

TYPES = {
    "long": ("long int", "signed long", "long signed int", "int long"),
    "unsigned long": ("unsigned long int", "long unsigned"),
    "long long": ("long long int", "signed long long"),
    "int": ("signed", "signed int"),
    "short": ("short int", "signed short int"),
    "unsigned": ("unsigned int",),
}
FUNCTIONS = {
    "product": """void f(T n, const float *a, const float *b, float *c) {
    for (T i = 0; i < n; i++)
        for (T j = 0; j < n; j++) {
            float s = 0;
            for (T k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
""",
    "place of the greatest": """T f(T n, const float *a) {
    T best = 0;
    for (T i = 1; i < n; i++) if (a[i] > a[best]) best = i;
    return best;
}
""",
    "sum": """T f(int n, const T *a) {
    T s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
""",
    "constants": """void f(int n, T const *a, T *b) {
    T const two = 2;
    for (int i = 0; i < n; i++) { T const v = a[i]; b[i] = (T)(v * two); }
}
""",
    "sign": """void f(T n, float *a) {
    for (size_t i = n; i > 0; i--) a[i - 1] += 1;
}
""",
    "compaction": """int f(int n, const T *a, T *b) {
    int c = 0;
    for (int i = 0; i < n; i++) if (a[i] > 0) b[c++] = a[i];
    return c;
}
""",
    "scan": """void f(int n, const T *a, T *b) {
    T s = 0;
    for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; }
}
""",
    "rows": """void f(T n, T m, float *a) {
    for (T i = 0; i < n; i++) { T at = i * m; for (T j = 0; j < m; j++) a[at + j] = i + j; }
}
""",
}
TARGETS = {"openmp": OPENMP, "offload": OPENMP_TARGET, "cuda": CUDA, "hip": HIP, "stdpar": STDPAR}


def said(place: Path, text: str, target: Dialect, spellings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of the rules' translation, or why there is none, with every spelling as ``T``."""
    place.mkdir()
    (place / "a.cpp").write_text(f"#include <stddef.h>\n{text}")
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(
        ArrayFact(name=item.name, role=Role.INOUT, extent="n")
        for item in signature.parameters
        if item.pointer
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), target)
    if isinstance(found, Candidate):
        words = "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
        return tuple(re.sub(rf"\b(?:{words})\b", "T", item.text.decode()) for item in found.replacements)
    return tuple(item.message for item in found.diagnostics)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", TYPES)
def test_a_spelling_decides_nothing(tmp_path: Path, kind: str, target: str) -> None:
    spellings = (kind, *TYPES[kind])
    for name, text in FUNCTIONS.items():
        found = {
            said(
                tmp_path / f"{name} {number}",
                re.sub(r"\bT\b", spelling, text),
                TARGETS[target],
                spellings,
            )
            for number, spelling in enumerate(spellings)
        }
        assert len(found) == 1, found
