"""Fused loops: cases, and a law against running both texts."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import ran
from transpile.translators.loops.forms.fusion import Region, fused
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

HEAD = "int f(int *a, int *b, int *c, int n, int m, int s, int t)"
LOOP = "for (int i = 0; i < n; i++)"
OTHER = "for (int j = 0; j < n; j++)"


def joined(body: str) -> str | None:
    found = fused(f"{HEAD} {{ {body} }}", EnclosingScope())
    return found.text if found is not None else None


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        (f"{LOOP} a[i] = b[i]; {LOOP} c[i] = a[i];", 1),
        (f"{LOOP} a[i] = b[i]; {OTHER} c[j] = a[j];", 1),
        (f"{LOOP} a[i] = b[i]; {LOOP} c[i] = a[i]; {LOOP} b[i] = c[i];", 1),
        ("int k; for (k = 0; k < n; k++) a[k] = 1; for (k = 0; k < n; k++) b[k] = a[k];", 1),
        (f"int i = 3; {OTHER} a[j] = i; for (int k = 0; k < n; k++) c[k] = a[k] + i;", 1),
        (f"{LOOP} a[i] = b[i]; {LOOP} s += a[i];", 1),
        (f"{LOOP} s += a[i]; {LOOP} s += b[i] + a[i];", 1),
        (f"{LOOP} {{ t = a[i]; b[i] = t; }} {LOOP} {{ t = 2 * b[i]; c[i] = t; }}", 1),
        (f"{LOOP} {{ int u = a[i]; b[i] = u; }} {LOOP} {{ int u = b[i]; c[i] = u; }}", 1),
        (f"{LOOP} a[i] = b[i]; {LOOP} b[i] = a[i + 1];", 2),
        (f"{LOOP} a[i] = b[i + 1]; {LOOP} b[i] = 1;", 2),
        (f"{LOOP} {OTHER} a[i * n + j] = 1; {LOOP} {OTHER} b[i * n + j] = a[i * n + j];", 2),
        (f"for (int r = 0; r < m; r++) {{ {LOOP} a[i] = b[i]; {LOOP} b[i] = 2 * a[i]; }}", 2),
    ],
)
def test_loops_are_fused_where_iterations_stay_apart(body: str, loops: int) -> None:
    assert (joined(body) or body).count("for (") == loops


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} a[i] = b[i]; {LOOP} c[i] = a[i + 1];",
        f"{LOOP} a[i] = b[i]; {LOOP} c[i] = a[n - 1 - i];",
        f"{LOOP} a[i] = b[i]; {LOOP} c[i] = a[0];",
        f"{LOOP} {{ t = a[i]; b[i] = t; }} {LOOP} c[i] = a[i] + t;",
        f"{LOOP} s += a[i]; {LOOP} b[i] = a[i] + s;",
        f"{LOOP} s += a[i]; {LOOP} s *= a[i];",
        f"{LOOP} a[i] = t; {LOOP} {{ t = a[i]; b[i] = t; }} return t;",
        f"{LOOP} a[i] = b[i]; for (int i = 1; i < n; i++) c[i] = a[i];",
        f"{LOOP} a[i] = b[i]; for (long i = 0; i < n; i++) c[i] = a[i];",
        f"{LOOP} a[i] = b[i]; t = 1; {LOOP} c[i] = a[i];",
        f"{LOOP} {{ if (b[i]) continue; a[i] = 1; }} {LOOP} c[i] = a[i];",
        f"int i = 3; {LOOP} a[i] = 1; {OTHER} c[j] = a[j] + i;",
        f"int k; {LOOP} a[i] = 1; for (k = 0; k < n; k++) c[k] = a[k];",
        "for (int i = m; i < n; i++) a[i] = 1; for (int i = m; i < n; i++) { m = 5; c[i] = a[i] + m; }",
        f"{LOOP} a[b[i]] += 1; {LOOP} a[b[i]] *= 2;",
        f"{LOOP} a[i] = 1; {LOOP} b[i] = 1;",
        f"for (int r = 0; r < m; r++) {{ {LOOP} a[i] = b[i - 1] + b[i + 1]; {LOOP} b[i] = a[i - 1]; }}",
    ],
)
def test_loops_whose_order_counts_stay_two(body: str) -> None:
    assert joined(body) is None


def test_comments_and_lines_keep_their_place() -> None:
    text = """void f(int n, double *x, double *y, double *z)
{
    for (int i = 0; i < n; i++)  // first
        y[i] = 2 * x[i];
    /* between */
    for (int j = 0; j < n; ++j) { // second
        double t = y[j];

        z[j] = t * t;
    }
}
"""
    found = fused(text, EnclosingScope())
    assert found is not None
    assert (
        found.text
        == """void f(int n, double *x, double *y, double *z)
{
    for (int i = 0; i < n; i++) {
        // first
        y[i] = 2 * x[i];
        /* between */
        // second
        double t = y[i];

        z[i] = t * t;
    }
}
"""
    )
    [region] = found.regions
    assert region.before == text[text.index("for") : text.rindex("\n}")]
    assert found.text[region.start : region.end].endswith("z[i] = t * t;\n    }")


def test_a_name_that_one_body_declares_is_not_taken_for_another() -> None:
    text = joined(f"{LOOP} {{ int t = b[i]; a[i] = t; }} {LOOP} {{ c[i] = a[i] + t; }}")
    assert text is not None and text.count("{\n    {") == 1
    text = joined(f"{LOOP} {{ c[i] = a[i] + t; }} {LOOP} {{ int t = b[i]; a[i] = t; }}")
    assert text is not None and "{\n    {" not in text


def test_a_region_holds_all_that_was_fused_in_it() -> None:
    chain = f"{LOOP} a[i] = 1; {LOOP} b[i] = a[i]; {LOOP} c[i] = b[i];"
    body = f"{chain} t = 1; for (int r = 0; r < m; r++) {{ {chain} }}"
    found = fused(f"{HEAD} {{ {body} }}", EnclosingScope())
    assert found is not None and [item.before for item in found.regions] == [
        chain,
        f"for (int r = 0; r < m; r++) {{ {chain} }}",
    ]
    assert all(_is_statement(found.text, item) for item in found.regions)


def _is_statement(text: str, region: Region) -> bool:
    return text.startswith("for (", region.start) and text[region.end - 1] == "}"


STATEMENTS = (
    "{x}[{v}] = {y}[{v} + {o}] + {v};",
    "{x}[{v}] = t + {v};",
    "{x}[{v} + {o}] = 2 * {v};",
    "{x}[{v}] = {y}[n - 1 - {v}] + 1;",
    "t = {y}[{v} + {o}];",
    "int u = {y}[{v}]; {x}[{v}] = u;",
    "s += {y}[{v}];",
    "s *= 2;",
    "{x}[{v}] = s;",
    "if ({y}[{v}] > 4) t = {v};",
    "m = {v};",
    "{x}[m] = {v};",
    "for (int w = 0; w < n; w++) {x}[{v} * n + w] = {y}[{v} * n + w] + w;",
    "for (int w = 0; w < n; w++) {x}[{v} * n + w] += {y}[w * n + {v}];",
)
HEADS = (
    ("i", "for (int i = {a}; i < n; i++)"),
    ("j", "for (int j = {a}; j < n; j++)"),
    ("k", "for (k = {a}; k < n; k++)"),
)


@st.composite
def several(draw: st.DrawFn) -> str:
    """Return a few loops, most of them with the same head, over the same arrays."""
    first = draw(st.sampled_from(("0", "1", "m")))

    def loop() -> str:
        name, head = draw(st.sampled_from(HEADS))
        statements = draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=2))
        arrays = draw(st.permutations(("a", "b")))
        body = " ".join(statements).format(v=name, x=arrays[0], y=arrays[1], o=draw(st.sampled_from("0012")))
        return f"{head.format(a=first)} {{ {body} }}"

    loops = " ".join(loop() for _ in range(draw(st.integers(2, 3))))
    return f"for (int r = 0; r < 2; r++) {{ {loops} }}" if draw(st.booleans()) else loops


FILLED = "for (int p = 0; p < 9; p++) { a[p] = p * p; b[p] = 7 * p + 1; }"


@settings(max_examples=50, deadline=None)
@given(several())
def test_fused_loops_do_what_the_source_does(loops: str) -> None:
    text = f"{HEAD} {{ int k = 0; {FILLED} {loops} return t + 10 * s + 1000 * m; }}"
    found = fused(text, EnclosingScope())
    for n, m in product((0, 1, 3), (0, 1)) if found is not None else ():
        names = {"n": n, "m": m, "s": 1, "t": 2}
        assert ran(found.text, **names) == ran(text, **names), (text, found.text, names)  # type: ignore[union-attr]
