"""The spelling of a type decides nothing: every rule gives the same verdict and the same text but for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile import parsers, translators
from transpile.code.types import canonical
from transpile.core import (
    CUDA,
    OPENMP,
    STDPAR,
    ArrayFact,
    Candidate,
    Contract,
    Dialect,
    Role,
    Source,
    Unit,
)

OWN = "own_type"
"""A name that the source itself gives to the type."""
TYPES = {
    "long": ("long int", "signed long", "int64_t", "std::ptrdiff_t", OWN),
    "unsigned long": ("unsigned long int", "std::size_t", "uint64_t", OWN),
    "long long": ("long long int",),
    "int": ("signed int", "std::int32_t", OWN),
    "unsigned": ("unsigned int", "uint32_t"),
    "short": ("short int", "int16_t"),
    "signed char": ("std::int8_t",),
    "float": (OWN,),
    "double": (OWN,),
}
WHOLE = ("product", "place of the greatest", "sign", "rows", "stencil", "gather", "while", "dot")
"""Functions whose type counts."""
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
    "saxpy": """void f(int n, T a, const T *x, T *y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
""",
    "own array": """void f(int n, const T *x, T *y) {
    for (int i = 0; i < n; i++) {
        T w[4];
        for (int k = 0; k < 4; k++) w[k] = x[4 * i + k];
        y[i] = w[0] + w[1] * w[2] - w[3];
    }
}
""",
    "greatest": """T f(int n, const T *x) {
    T m = x[0];
    for (int i = 1; i < n; i++) if (x[i] > m) m = x[i];
    return m;
}
""",
    "histogram": """void f(int n, const T *x, int *h) {
    for (int i = 0; i < n; i++) h[(int)x[i] & 15]++;
}
""",
    "stencil": """void f(T n, T m, const float *x, float *y) {
    for (T i = 1; i < n - 1; i++)
        for (T j = 1; j < m - 1; j++) y[i * m + j] = x[(i - 1) * m + j] + x[(i + 1) * m + j];
}
""",
    "gather": """void f(int n, const T *at, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[at[i]];
}
""",
    "choice": """void f(int n, const T *x, T *y) {
    for (int i = 0; i < n; i++) {
        T const v = x[i];
        T const w = v < 0 ? -v : v;
        y[i] = v * w + (T)(2);
    }
}
""",
    "while": """void f(T n, float *x) {
    T i = 0;
    while (i < n) { x[i] = 2 * x[i]; ++i; }
}
""",
    "dot": """double f(T n, const double *a, const double *b) {
    double s = 0;
    for (T i = 0; i < n; ++i) s += a[i] * b[i];
    return s;
}
""",
    "rows": """void f(T n, T m, float *a) {
    for (T i = 0; i < n; i++) { T at = i * m; for (T j = 0; j < m; j++) a[at + j] = i + j; }
}
""",
}
TARGETS = {"openmp": OPENMP, "cuda": CUDA, "stdpar": STDPAR}


HEAD = "#include <stddef.h>\n#include <stdint.h>\n#include <cstddef>\n#include <cstdint>\n"


def read(place: Path, kind: str, spelling: str) -> Source:
    """Return a source of the functions, each with a name of its own."""
    given = f"typedef {kind} {OWN};\n" if spelling == OWN else ""
    texts = {
        f"f{number}": text
        for number, (name, text) in enumerate(FUNCTIONS.items())
        if kind not in ("float", "double") or name not in WHOLE
    }
    functions = (re.sub(r"\bf\b", name, text, count=1) for name, text in texts.items())
    place.mkdir()
    (place / "a.cpp").write_text(HEAD + given + re.sub(r"\bT\b", spelling, "".join(functions)))
    return parsers.read(place)


def said(source: Source, unit: Unit, target: Dialect, spellings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of the rules' translation, or why there is none, with every spelling as ``T``."""
    [signature] = source.signatures[unit.id]
    facts = tuple(
        ArrayFact(name=item.name, role=Role.INOUT, extent="n")
        for item in signature.parameters
        if item.pointer
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), target)
    if isinstance(found, Candidate):
        return tuple(plain(item.text.decode(), spellings) for item in found.replacements)
    return tuple(item.message for item in found.diagnostics)


def plain(text: str, spellings: tuple[str, ...]) -> str:
    """Return a text with every spelling as ``T``, in names of helpers as well."""
    words = sorted((*spellings, *map(canonical, spellings)), key=len, reverse=True)
    text = re.sub(rf"\b(?:{'|'.join(map(re.escape, words))})\b", "T", text)
    parts = ("_".join(word.replace("::", " ").split()) for word in words)
    return re.sub(rf"_(?:{'|'.join(parts)})\b", "_T", text)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sampled(TYPES, 4))
def test_a_spelling_decides_nothing(tmp_path: Path, kind: str) -> None:
    spellings = (kind, *TYPES[kind])
    sources = {
        spelling: read(tmp_path / str(number), kind, spelling) for number, spelling in enumerate(spellings)
    }
    for name, target in TARGETS.items():
        expected = [said(sources[kind], unit, target, spellings) for unit in sources[kind].units]
        for spelling, source in sources.items():
            found = [said(source, unit, target, spellings) for unit in source.units]
            assert found == expected, (name, spelling)
