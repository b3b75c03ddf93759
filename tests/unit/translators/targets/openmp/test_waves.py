"""Nests cut into blocks along diagonals leave what they left, also where the blocks of one run backwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import ran
from transpile import parsers, translators
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import OPENMP, ArrayFact, ByRules, Contract, Role
from transpile.translators.loops.analysis.analysis import NOTHING, nests
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.targets.openmp import waves
from transpile.translators.targets.openmp.strips import Strips

HEAD = "void f(int n, int m, double a[][9], double b[][9])\n{\n    int i, j, k, s;\n"


def cut(body: str) -> str | None:
    """Return a function whose nest is cut into blocks; None where it cannot be."""
    function = Function(f"{HEAD}    {body}\n}}\n")
    variables = resolve(function)
    [nest] = nests(function, variables)
    found = waves.wavefronts(Setting(function, variables, None, NOTHING), nest, "recast")
    return function.edited([found[1]]) if found is not None else None


def pair(outer: str, inner: str, statement: str) -> str:
    return f"for ({outer})\n        for ({inner})\n            {statement}"


UP, ACROSS = "i = 1; i < n; i++", "j = 1; j <= m; j++"
TABLE = pair(UP, ACROSS, "a[i][j] = a[i - 1][j] + a[i][j - 1];")
PLANE = (
    "for (k = 0; k < m; k++)\n        for (i = 1; i < n; i++)\n            for (j = 1; j < n; j++)\n"
    "                a[i][j] = a[i - 1][j + 1] + a[i][j - 1] + a[i + 1][j - 1] + a[i + 1][j + 1] + k;"
)
SWEEPS = pair(UP, ACROSS, "a[0][j] = a[0][j - 1] + a[0][j] + a[0][j + 1] + i;")


def test_blocks_of_a_table_need_no_bounds_within_rows() -> None:
    found = cut(TABLE)
    assert found is not None and "corner" not in found
    assert "#pragma omp parallel for private(i, j) if ((i_end - i_first) * j_block > 10000)" in found
    assert "for (i = i_begin; i < i_stop; i++)\n" in found and "a[i][j] = a[i - 1][j] + a[i][j - 1];" in found


def test_sweeps_over_a_row_are_skewed_as_little_as_they_can_be() -> None:
    found = cut(SWEEPS)
    assert found is not None and "j_first + column * j_block - (i - i_first);" in found
    further = cut(SWEEPS.replace("j + 1", "j + 2"))
    assert further is not None and "j_first + column * j_block - 2 * (i - i_first);" in further
    assert cut(SWEEPS.replace("j + 1", "j + 9")) is None


def test_loops_that_go_down_begin_at_the_other_end() -> None:
    found = cut(
        pair("i = n - 1; i >= 0; i--", "j = i + 1; j < n; j++", "a[i][j] = a[i + 1][j] + a[i][j - 1];")
    )
    assert found is not None and "const long long i_first = n - 1, i_end = -1;" in found
    assert "j_first = (i_end + 1) + 1, j_end = n;" in found and "j_corner < i + 1 ? i + 1 : j_corner" in found
    assert "schedule(dynamic)" in found


def test_new_names_are_no_names_of_the_source() -> None:
    found = cut(TABLE.replace("a[i][j] =", "a[i][j] = row + i_block +"))
    assert found is not None and "long long row2 =" in found and "const long long i_block2 =" in found


def test_comments_stay() -> None:
    found = cut(
        TABLE.replace(")\n        for", ") {\n        // a row\n        for") + " // an element\n    }"
    )
    assert found is not None and "// a row" in found and "// an element" in found


@pytest.mark.parametrize(
    "body",
    [
        TABLE.replace("i++", "i += 2"),
        TABLE.replace("j++", "j *= 2"),
        TABLE.replace("j = 1", "j = a[i][0]"),
        TABLE.replace("j <= m", "j <= i * i"),
        TABLE.replace("a[i - 1][j]", "a[b[i][j]][j]"),
        TABLE.replace("a[i - 1][j]", "a[i - 1][m - j]"),
        TABLE.replace("a[i][j] =", "a[i][j] = s; s ="),
        TABLE.replace("a[i][j] =", "s += a[i][j] ="),
        TABLE.replace("a[i][j] =", "if (a[i][j]) break; a[i][j] ="),
        TABLE.replace("a[i][j] =", "if (a[i][j]) return; a[i][j] ="),
        TABLE.replace("a[i - 1][j]", "g(a)"),
        TABLE.replace("i = 1", "unsigned i = 1"),
        TABLE.replace("i < n", "i < n && s"),
        TABLE + "\n    a[i][j] = 0;",
        "for (k = 0; k < n; k++) { for (s = 0; s < n; s++) { "
        + TABLE
        + " b[0][0] += a[0][0]; } b[0][1] = 1; }",
    ],
)
def test_what_is_not_known_to_keep_its_order_is_left(body: str) -> None:
    body = (
        body
        if "break" not in body and "return" not in body
        else body.replace("            if", "{ if") + " }"
    )
    assert cut(body) is None


SUBSCRIPTS = ("{0}", "{0} + 1", "{0} - 1", "{0} + 2", "{0} + {1}", "n - {0}", "0")
FIRST = ("0", "1", "{0}", "{0} + 1", "m - {0}")
LAST = ("n", "m", "{0}", "{0} + 2", "n - {0}")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Return a nest of two or three loops in both directions, with a statement that reads two elements."""

    def loop(name: str, around: str) -> str:
        first = draw(st.sampled_from(FIRST[: 5 if around else 2])).format(around)
        last = draw(st.sampled_from(LAST[: 5 if around else 2])).format(around)
        if draw(st.booleans()):
            return f"for ({name} = {first}; {name} < {last}; {name}++) "
        return f"for ({name} = {last} - 1; {name} >= {first}; {name}--) "

    def element() -> str:
        one, other = draw(st.permutations(names))[:2]
        row, column = (draw(st.sampled_from(SUBSCRIPTS)) for _ in range(2))
        return f"a[{row.format(one, other)}][{column.format(other, one)}]"

    names = "ijk"[: draw(st.integers(2, 3))]
    heads = "".join(loop(name, names[at - 1] if at else "") for at, name in enumerate(names))
    return f"{heads}{element()} = {element()} * 3 + {element()} + {' + '.join(names)};"


def same(body: str, text: str) -> bool:
    """Tell whether blocks leave what a nest leaves, for several sizes of all and of blocks."""
    source = f"{HEAD}    {body}\n}}\n"
    return all(
        ran(source, n=n, m=m)[0]
        == ran(text.replace("4 * omp_get_max_threads()", "threads"), n=n, m=m, threads=threads)[0]
        for n, m in ((5, 4), (3, 6), (0, 1), (-2, 3))
        for threads in (1, 2, 9)
    )


@settings(max_examples=20)
@example(SWEEPS)
@example(PLANE)
@example(SWEEPS.replace("j + 1", "j + 3"))
@given(bodies())
def test_no_wavefront_changes_what_is_left(body: str) -> None:
    text = cut(body)
    assume(text is not None)
    assert text is not None and same(body, text), text


@pytest.mark.parametrize("body", [SWEEPS, SWEEPS.replace("j + 1", "j + 3")])
def test_a_skew_too_small_is_seen(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = waves._skew
    monkeypatch.setattr(waves, "_skew", lambda band: (known(band) or 0) - 1)
    text = cut(body)
    assert text is not None and not same(body, text)


@pytest.mark.parametrize(("by_row", "by_column"), [(1, 0), (0, 1)])
def test_a_strip_that_begins_too_late_is_seen(
    by_row: int, by_column: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def less(*of: Any) -> Strips | None:
        strips = known(*of)
        assert strips is not None and (strips.by_row, strips.by_column) == (1, 1)
        return replace(strips, by_row=by_row, by_column=by_column)

    known = waves._strips
    monkeypatch.setattr(waves, "_strips", less)
    text = cut(PLANE)
    assert text is not None and not same(PLANE, text)


def test_what_is_free_in_a_block_is_not_cut_into_strips() -> None:
    found, free = cut(PLANE), cut(PLANE.replace("a[i][j - 1] + ", ""))
    assert found is not None and "j_strip - (k - k_begin) - (i - i_corner);" in found
    assert free is not None and "strip" not in free


SWEEPING = """void f(int n, int steps, double *restrict u, const double *restrict v)
{
    int step = 0;
    do {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                u[i * n + j] = v[i * n + j];
        step++;
    } while (step < steps);
}
"""


def test_loops_that_run_at_once_within_another_are_not_cut_into_blocks(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SWEEPING)
    source = parsers.read(tmp_path)
    [unit] = source.units
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n * n") for name in "uv")
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=(), law=None)
    found = translators.variants(source, unit, (contract,), OPENMP)
    assert not any("wavefronts" in item.origin.rules for item in found if isinstance(item.origin, ByRules))
