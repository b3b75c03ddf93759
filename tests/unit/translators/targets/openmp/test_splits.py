"""Loops in parts leave what they left, also where the iterations of a part come in another order."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import ran
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import NOTHING, nests
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.targets.openmp.splits import in_parts

HEAD = "void f(int n, int m, double p[][9], double *v) {\n    int i, j, k;\n    double t;\n    "


def parted(body: str, head: str = HEAD) -> str | None:
    """Return a function with the loops of its nest in parts."""
    function = Function(f"{head}{body}\n}}\n")
    variables = resolve(function)
    [nest] = nests(function, variables)
    found = in_parts(Setting(function, variables, None, NOTHING), nest, "apart")
    return function.edited([found[1]]) if found is not None else None


SHORTEST = """for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) // by way of k
                p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];"""


def test_rows_and_columns_before_and_behind_what_all_read() -> None:
    text = parted(SHORTEST)
    assert text is not None and text[len(HEAD) - 4 :] == (
        """    for (k = 0; k < n; k++) {
        // No two iterations before k depend on each other, nor two behind it.
        const int i_parts[] = {0, k, k + 1, n};
        for (int i_part = 0; i_part < 3; i_part++) {
            #pragma omp parallel for private(j)
            for (i = i_parts[i_part]; i < i_parts[i_part + 1]; i++) {
                // No two iterations before k depend on each other, nor two behind it.
                const int j_parts[] = {0, k, k + 1, n};
                for (int j_part = 0; j_part < 3; j_part++) {
                    #pragma omp simd
                    for (j = j_parts[j_part]; j < j_parts[j_part + 1]; j++) // by way of k
                        p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
                }
            }
        }
    }
}
"""
    )


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("for (k = 1; k < n; k++) for (i = 0; i < n; i++) for (j = 0; j < m; j++)"
         " p[i][j] -= p[i][0] * p[k - 1][j];", "0, k - 1, k, n"),
        ("for (k = 0; k < n; k++) for (i = 1; i <= n; i++) for (j = 0; j < m; j++)"
         " p[i - 1][j] += p[k][j];", "1, k + 1, k + 2, n + 1"),
        ("for (k = 0; k < n; k++) for (i = 0; i < n; i++) { t = p[i][k]; for (j = 0; j < m; j++)"
         " p[i][j] -= t * p[k][j]; }", "0, k, k + 1, n"),
        ("for (k = 0; k < n; k++) for (i = 0; i < n; i++) for (j = 0; j < n; j++)"
         " v[i * n + j] += v[i * n + k] * v[k * n + j];", "0, k, k + 1, n"),
        ("for (k = 0; k < n; k++) for (i = 0; i < n; i++) if (m > 0) for (j = 0; j < m; j++)"
         " p[i][j] += p[n - 1 - k][j];", "0, n - k - 1, n - k, n"),
    ],
    ids=["behind", "ahead", "a private factor", "flat", "down"],
)  # fmt: skip
def test_where_loops_are_parted(body: str, values: str) -> None:
    assert f"const int i_parts[] = {{{values}}};" in (parted(body) or "")


@pytest.mark.parametrize(
    "body",
    [
        SHORTEST.replace("k = 0", "k = -1"),
        SHORTEST.replace("k < n", "k <= n"),
        SHORTEST.replace("p[k][j]", "p[k][j] + p[k + 1][j]"),
        SHORTEST.replace("p[k][j]", "p[m][j]"),
        SHORTEST.replace("i++", "i += 2"),
        "for (k = 0; k < n; k++) for (i = 0; i < n; i++) for (j = 0; j < n; j++) p[i][j] = t += p[k][j];",
        "for (k = 0; k < n; k++) for (i = 0; i < n; i++) v[i] += v[k];",
        "for (k = 0; k < n; k++) for (long u = 0; u < n; u++) for (j = 0; j < n; j++) p[u][j] += p[k][j];",
        "for (k = 0; k < n; k++) { int q = k; for (int k = 0; k < n; k++)"
        " for (j = 0; j < n; j++) p[k][j] += p[q][j]; }",
    ],
    ids=[
        "before the first",
        "behind the last",
        "two rows",
        "a row that may be none",
        "in steps",
        "a sum that goes on",
        "few operations",
        "another type",
        "a hidden name",
    ],
)
def test_other_loops_stay(body: str) -> None:
    assert "parts" not in (parted(body) or "")


@pytest.mark.parametrize(("last", "free"), [("n", True), ("n - 1", False)])
def test_unsigned_numbers_from_which_nothing_is_subtracted(last: str, free: bool) -> None:
    text = parted(SHORTEST.replace("< n", f"< {last}"), HEAD.replace("int ", "size_t "))
    assert (f"const size_t i_parts[] = {{0, k, k + 1, {last}}};" in (text or "")) is free


RANGES = ("{0} = 0; {0} < n", "{0} = 0; {0} < n", "{0} = 0; {0} <= n", "{0} = 1; n > {0}")
CHOSEN = ("", "", "if (i != k) ", "if (i > k) ", "if (j < m) ")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Return a nest with a statement that touches elements near its own, and in a fixed row and column."""

    def near(name: str) -> str:
        return draw(st.sampled_from((name, name, f"{name} + 1", f"{name} - 1")))

    own, row, column = f"p[{near('i')}][{near('j')}]", near("k"), near("k")
    others = (f"p[{row}][j]", f"p[{row}][{near('j')}]", f"p[i][{column}]", f"p[{row}][{column}]")
    left, right = draw(st.sampled_from(others)), draw(st.sampled_from(others))
    heads = [f"for ({draw(st.sampled_from(RANGES)).format(name)}; {name}++) " for name in "ij"]
    chosen = draw(st.sampled_from(CHOSEN))
    outer = "for (k = 1; k < n - 1; k++) "
    return f"{outer}{''.join(heads)}{chosen}{own} = 3 * {own} + {left} * {right} + i + 2 * j;"


@settings(max_examples=15)
@given(bodies())
def test_parts_leave_what_the_loops_left(body: str) -> None:
    text = parted(body)
    assume(text is not None)
    for n in (2, 4):
        left, right = (ran(one, n=n, m=2)[0] for one in (f"{HEAD}{body}\n}}\n", text or ""))
        kept = {
            place: value for place, value in right.items() if isinstance(place, tuple) and place[0] == "p"
        }
        assert left == kept, text
