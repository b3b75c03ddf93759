"""Refusals of loops name the accesses that meet, with their lines in the source's file."""

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, Diagnostic, Rejected

HEAD = "void other(float *y, int i);\nvoid f(int n, const float *x, float *y) {\n"
LOOP = "    for (int i = 1; i < n; i++)"


def refused(place: Path, body: str, above: str = "") -> Diagnostic:
    """Return why nothing of a function runs in parallel whose body begins in line 3, below what is above."""
    (place / "a.c").write_text(f"{above}{HEAD}{body}}}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    found = translators.propose(source, unit, (), OPENMP)
    assert isinstance(found, Rejected)
    [diagnostic] = found.diagnostics
    return diagnostic


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        (
            f"{LOOP} {{\n        y[i] =\n            y[i - 1] * y[i - 1];\n    }}\n",
            3,
            "loop-carried dependence on `y`: writes `y[i]` (line 4), reads `y[i - 1]` (line 5)",
        ),
        (
            f"#pragma GCC ivdep\n{LOOP}\n        y[i] = y[i - 1] * y[i - 1];\n",
            4,
            "loop-carried dependence on `y`: writes `y[i]` (line 5), reads `y[i - 1]` (line 5)",
        ),
        (
            "    int i;\n    for (i = 1; i < n; i++)\n        y[i] = y[i - 1] * y[i - 1];\n",
            4,
            "loop-carried dependence on `y`: writes `y[i]` (line 5), reads `y[i - 1]` (line 5)",
        ),
        (
            f"{LOOP}\n        y[0] = x[i];\n",
            3,
            "loop-carried dependence on `y`: iterations may write to the same `y[0]` (line 4)",
        ),
        (
            f"    double s = 1;\n{LOOP} {{\n        y[i] = s;\n        s = 1 - s / x[i];\n    }}\n",
            4,
            "loop-carried dependence on the scalar `s`: `s = 1 - s / x[i]` (line 6)",
        ),
        (f"{LOOP}\n        other(y, i);\n", 3, "a call of `other` (line 4), whose effects are unknown"),
        (
            f"{LOOP} {{\n        y[i] = 1;\n        if (x[i] > 0) break;\n    }}\n",
            3,
            "an iteration may end the loop (line 5)",
        ),
        (
            f"{LOOP} {{\n        if (x[i] > 0) goto end;\n        y[i] = 1;\n    }}\nend:;\n",
            3,
            "a `goto` (line 4)",
        ),
    ],
)
def test_what_meets_is_named_with_its_line(body: str, line: int, told: str, tmp_path: Path) -> None:
    found = refused(tmp_path, body)
    assert (found.line, found.message) == (line, f"no loop can run in parallel: {told}")


def test_a_line_is_not_told_where_the_source_has_another_text(tmp_path: Path) -> None:
    found = refused(tmp_path, f"{LOOP}\n        y[i] = BEFORE(i) * 2;\n", "#define BEFORE(k) y[(k) - 1]\n")
    dependence = "loop-carried dependence on `y`: writes `y[i]` (line 5), reads `y[(i) - 1]`"
    assert found.message == f"no loop can run in parallel: {dependence}"
