"""Nests in another order leave what they left, also where marked loops run backwards."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import ran
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.schedule.model import Unmodelled, model
from transpile.translators.loops.schedule.order import reordered
from transpile.translators.loops.schedule.sums import loops_of_sums, touched, unwrapped
from transpile.translators.loops.schedule.text import Printer

HEAD = (
    "void f(int n, int m, double a[][9], double b[][9], double c[][9], double *v, double *u, double *w)\n{\n"
    "    int i, j, k;\n    struct { double x; } s;\n"
)


UNSIGNED = HEAD.replace("int ", "size_t ")


TYPES = dict.fromkeys("abcuvw", "double")


def reordered_text(body: str, declared: str = "", head: str = HEAD) -> tuple[str, bool]:
    """Return a nest in its new order, and whether that costs less; raises Unmodelled."""
    text, better, _ = reordered_where(f"{declared}{body}", head)
    return text, better


def reordered_where(body: str, head: str = HEAD) -> tuple[str, bool, list[str]]:
    """Return the same with the conditions under which the nest may be put into that order."""
    function = Function(f"{head}{body}\n}}\n")
    variables = resolve(function)
    [nest] = nests(function, variables)
    known = model(nest, variables)
    found = reordered(known)
    tree = found.tree
    printer = Printer(known, known.parameters, function.identifiers, TYPES)
    sets = (*unwrapped(known), *touched(loops_of_sums(tree, known, TYPES), known))
    where = [printer.condition(item) for item in sets]
    return "\n".join(printer.lines(tree, "")), found.better, where


PRODUCT = (
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) {"
    "a[i][j] = 0; for (k = 0; k < m; k++) a[i][j] += b[i][k] * c[k][j]; }"
)


def test_a_product_of_matrices_goes_along_rows_in_blocks() -> None:
    text, better = reordered_text(PRODUCT)
    assert better
    blocks, points = text[text.index("i_block") :].split("for (int i =")
    assert text.count("#pragma omp parallel for") == 2
    assert points.index("int k =") < points.index("int j =")
    assert blocks.index("i_block") < blocks.index("k_block") < blocks.index("j_block")


def test_new_names_are_no_names_of_the_source() -> None:
    text, _ = reordered_text(PRODUCT, "int j_block;")
    assert "int i_block =" in text and "int j_block_ =" in text and "int j_block =" not in text


def test_a_comment_in_a_statement_does_not_take_the_rest_of_its_line() -> None:
    text, _ = reordered_text(PRODUCT.replace("* c[k][j]", "* // of the column\n c[k][j]"))
    assert "a[i][j] += b[i][k] * c[k][j];" in text


def test_sums_are_gathered_where_nothing_else_reads_them() -> None:
    text, _ = reordered_text(
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) v[i] = v[i] + a[i][j] * b[i][j];"
    )
    lines = [line.strip() for line in text.splitlines()]
    assert lines[2:-1] == [
        "double sum = v[i];",
        "#pragma omp simd reduction(+ : sum)",
        "for (int j = 0; j < n; j++)",
        "sum += a[i][j] * b[i][j];",
        "v[i] = sum;",
    ]


@pytest.mark.parametrize("value", ["v[i] * a[i][j]", "v[j]", "v[n - 1]", "(v[i] - a[i][j])"])
def test_a_sum_that_is_read_in_its_loop_stays(value: str) -> None:
    text, _ = reordered_text(f"for (i = 0; i < n; i++) for (j = 0; j < n; j++) v[i] += {value};")
    assert "simd" not in text


def test_a_sum_down_a_column_keeps_its_order() -> None:
    text, _ = reordered_text(
        "for (j = 0; j < n; j++) { for (i = 0; i < n; i++) v[j] += a[i][0]; v[j] *= 2; }"
    )
    assert "simd" not in text


def test_a_row_is_gathered_beside_rows_that_are_read() -> None:
    text, _ = reordered_text(
        "for (j = 0; j < n; j++) for (i = j + 1; i < n; i++)"
        "for (k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];"
    )
    assert "sum -= a[i][k] * a[j][k];" in text


def test_rows_of_flat_arrays_are_told_from_columns() -> None:
    flat = re.sub(r"([abc])\[(\w+)\]\[(\w+)\]", r"v[\2 * m + \3]", PRODUCT)
    other = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) w[i * m + j] = v[j * n + i];"
    text, better = reordered_text(
        "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (k = 0; k < n; k++)"
        "u[i * m + j] += v[i * n + k] * w[k * m + j];"
    )
    assert better and text.index("int k =") < text.rindex("int j =")
    assert "u[i * m + j] += v[i * n + k] * w[k * m + j];" in text
    for body in (flat, other.replace("j < m", "j <= m")):
        with pytest.raises(Unmodelled):
            reordered_text(body)


def test_comments_go_with_their_statements() -> None:
    text, _ = reordered_text(
        "for (j = 0; j < n; j++) {\n// a row\n// of v\nv[j] = 0; // nothing yet\n/* all of\n   b */\n"
        "for (i = 0; i < n; i++) { // down\na[i][j] = b[i][j]; /* done */ } }"
    )
    lines = [line.strip() for line in text.splitlines()]
    assert lines.count("// a row") == 1 and lines[lines.index("// a row") + 1] == "// of v"
    assert "v[j] = 0; // nothing yet" in lines and "a[i][j] = b[i][j]; /* done */" in lines
    place = lines.index("/* all of")
    assert lines[place + 1 : place + 3] == ["b */", "// down"]


def test_a_loop_goes_down_again() -> None:
    text, better = reordered_text(
        "for (j = m - 2; j >= 1; j--) for (i = 0; i < n; i++) a[i][j] = a[i][j + 1] * b[i][j];"
    )
    lines = [line.strip() for line in text.splitlines()]
    assert better and lines[1:] == [
        "for (int i = 0; i < n; i++)",
        "for (int j = m - 2; j > 0; j--)",
        "a[i][j] = a[i][j + 1] * b[i][j];",
    ]


def test_blocks_of_loops_that_go_down_go_down() -> None:
    text, _ = reordered_text(
        "for (i = n - 1; i >= 0; i--) for (j = 0; j < n; j++) a[i][j] = a[i + 1][j] + b[j][i];"
    )
    assert "for (int i_block = n + 30 - " in text and "i_block >= 0; i_block -= 32)" in text
    assert "i >= (0 > i_block - 31 ? 0 : i_block - 31); i--)" in text


def test_where_isl_finds_no_order_the_nest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transpile.translators.loops.schedule.order._STEPS", 10)
    with pytest.raises(Unmodelled, match="does not find"):
        reordered_text(PRODUCT)


def test_a_factorisation_gets_rows_that_are_free() -> None:
    text, better = reordered_text(
        "for (i = 0; i < n; i++) {"
        "for (j = 0; j < i; j++)"
        "{ for (k = 0; k < j; k++) a[i][j] -= a[i][k] * a[k][j]; a[i][j] /= a[j][j]; }"
        "for (j = i; j < n; j++) for (k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j]; }"
    )
    assert better and "#pragma omp parallel for\n    for (int i = k + 1; i < n; i++)" in text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for (i = 0; i < n; i++) if (m) v[i] = 0;", "`if (m) v[i] = 0;`, which is no plain statement"),
        ("for (i = 0; i < n; i++) v[i * i] = 0;", "i * i"),
        ("for (i = 0; i < n; i++) v[(int)b[i][0]] = 0;", "a subscript of `v`"),
        (
            "for (i = 0; i < n; i++) { double t = v[i]; v[i] = t; }",
            "`double t = v[i];`",
        ),
        ("for (i = 0; i < n; i++) { for (j = 0; j < n; j++) v[j] = 0; v[i] = j; }", "`j` is read"),
        ("for (i = 0; i < n; i++) { s.x = v[i]; v[i] = s.x; }", "a member of a struct"),
        ("for (unsigned u = 0; u < 8; u++) v[u] = 0;", "no plain integers"),
        ("for (i = 0; i < n; i++) { }", "nothing is done"),
        ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) v[i + j % 2] = v[i + j % 2] * 2;", "`j`"),
        ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) v[j + i / 2] = v[j + i / 2] * 2;", "`i`"),
        ("for (i = 0; i < n; i++) v[i % 2] += u[i];", "`i`"),
    ],
)
def test_what_is_no_affine_nest_is_named(body: str, reason: str) -> None:
    with pytest.raises(Unmodelled) as raised:
        reordered_text(body)
    assert reason in str(raised.value)


SUBSCRIPTS = ("{0}", "{0} + 1", "{0} - 1", "0", "n - 1 - {0}", "{0} + {1}")
FORMS = ("{0} = 3 * {0} + {1} + 1;", "{0} += {1} * 2 + {2};", "{0} = {1} + {2};")
FIRST = ("0", "1", "{0}", "{0} + 1")
HEADS = (
    *["for ({0} = {1}; {0} < {2}; {0}++) "] * 3,
    *["for ({0} = {2} - 1; {0} >= {1}; {0}--) "] * 2,
    "for ({0} = {1}; {0} < {2}; {0} += 2) ",
    "for ({0} = {2}; {0} > {1}; {0} -= 2) ",
)
LAST = ("n", "m", "{0}", "{0} + 1", "n - 1")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Return a nest of up to three loops with statements at all depths."""

    def inside(names: tuple[str, ...], depth: int) -> str:
        around = (*names, *names[:1]) if names else ("0", "0")

        def subscript() -> str:
            chosen = draw(st.permutations(names)) if names else ["0"]
            return draw(st.sampled_from(SUBSCRIPTS)).format(chosen[0], chosen[-1])

        def statement() -> str:
            target, other = draw(st.sampled_from("ab")), draw(st.sampled_from("abc"))
            left = f"{target}[{subscript()}][{subscript()}]"
            right = f"{other}[{subscript()}][{subscript()}]"
            form = draw(
                st.sampled_from(("{0} = 3 * {0} + {1} + 1;", "{0} += {1} * 2 + {2};", "{0} = {1} + {2};"))
            )
            return form.format(left, right, names[-1])

        if depth == 0:
            return statement()
        name = "ijk"[len(names)]
        first = draw(st.sampled_from(FIRST[: 4 if names else 2])).format(*around)
        last = draw(st.sampled_from(LAST if names else ("n", "m"))).format(*around)
        loop = draw(st.sampled_from(HEADS)).format(name, first, last)
        parts = [inside((*names, name), draw(st.integers(0, depth - 1)))]
        if draw(st.booleans()):
            parts.insert(draw(st.integers(0, 1)), inside((*names, name), draw(st.integers(0, depth - 1))))
        return loop + "{ " + " ".join(parts) + " }"

    return inside((), draw(st.integers(2, 3)))


def _flat(array: str, row: str, column: str) -> str:
    return f"{dict(zip('abc', 'uvw', strict=True))[array]}[({row}) * n + {column}]"


@settings(max_examples=60)
@given(bodies(), st.booleans(), st.sampled_from((HEAD, HEAD, UNSIGNED)))
def test_no_order_changes_what_is_left(body: str, flat: bool, head: str) -> None:
    if flat:
        body = re.sub(r"([abc])\[([^]]+)\]\[([^]]+)\]", lambda found: _flat(*found.groups()), body)
    try:
        new, _, where = reordered_where(body, head)
    except Unmodelled:
        assume(False)
    text = f"if ({' && '.join(map('({})'.format, where)) or '1'}) {{\n{new}\n}} else {{\n{body}\n}}"
    modulus = 2**64 if head is UNSIGNED else 0
    for n, m in ((4, 3), (2, 5), (0, 1)):
        names = {"n": n, "m": m, "modulus": modulus}
        try:
            left = ran(f"{head}{body}\n}}\n", **names)
        except AssertionError:
            assert modulus, "only a bound that has wrapped is not reached"
            continue
        assert left == ran(f"{head}{text}\n}}\n", **names), text


def test_unsigned_numbers_do_not_wrap() -> None:
    text, better, where = reordered_where(
        "for (j = 1; j < m - 1; j++) for (i = 0; i < n; i++) a[i][j] = b[i][j - 1] + b[i][j + 1];", UNSIGNED
    )
    lines = [line.strip() for line in text.splitlines()]
    assert (
        better
        and where == ["m >= 1"]
        and lines[1:]
        == [
            "for (size_t i = 0; i < n; i++)",
            "for (size_t j = 1; j + 1 < m; j++)",
            "a[i][j] = b[i][j - 1] + b[i][j + 1];",
        ]
    )


@pytest.mark.parametrize(
    "body",
    [
        "for (i = n - 1; i > 0; i--) v[i] = u[i];",
        "for (i = 0; i < n; i++) for (j = i - 1; j < i; j++) a[j][i] = b[j][i];",
        "int l = 4; for (i = 0; i < l; i++) v[i] = u[i];",
        "unsigned o; for (o = 0; o < 4; o++) v[o] = u[o];",
    ],
    ids=["down", "below zero", "a sign", "few bits"],
)
def test_unsigned_numbers_that_may_wrap_stay(body: str) -> None:
    with pytest.raises(Unmodelled):
        reordered_where(body, UNSIGNED)
