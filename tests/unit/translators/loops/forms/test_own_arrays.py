"""Arrays that each iteration sets anew: cases, and a law against running both forms."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.translators.loops.forms.interpreter import ran
from transpile.code.syntax import Function, squeeze
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS
from transpile.translators.loops.forms.normal import normal
from transpile.translators.loops.forms.own_arrays import with_own_array
from transpile.translators.loops.planning.choice import chosen
from transpile.translators.loops.symbols.enclosing_scope import NOTHING

HEAD = "void f(int n, int m, int *restrict x, int *restrict y)"
LOOP = "int i, k; for (i = 0; i < n; i++)"


def moved(body: str) -> str | None:
    return with_own_array(Function(f"{HEAD} {{ {body} }}"), NOTHING)


@pytest.mark.parametrize(
    "body",
    [
        f"int v[3]; {LOOP} {{ v[0] = x[i]; v[1] = 2; y[i] = v[0] + v[1]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) v[k] = i; y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ for (k = 2; k >= 0; k--) v[k] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < m; k++) v[k] = i; for (k = 0; k < m; k++) y[i] += v[k]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) {{ v[k] = i; y[i] += v[k]; }} }}",
        f"int v[3]; {LOOP} {{ v[0] = i; for (k = 1; k < 3; k++) v[k] = v[k - 1] + 1; y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ v[1] = v[0] = 1; v[0] = i; v[0] += 2; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ if (i > m) {{ v[0] = i; y[i] = v[0]; }} else y[i] = 0; }}",
        f"int v[3]; {LOOP} {{ if (x[i]) v[0] = i; else v[0] = 1; y[i] = v[0]; }}",
        f"int v[m + 1]; {LOOP} {{ for (k = 0; k <= m; k++) v[k] = i; y[i] = v[n]; }}",
        f"int v[3]; {LOOP} {{ if (i > m) v[0] = i; else v[0] = 1; if (i) v[1] = 2; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ if (x[i]) v[0] = i; else if (m) {{ v[0] = 1; }} else v[0] = 2; y[i] = v[0]; }}",
        f"int v[2][2]; {LOOP} {{ for (k = 0; k < 2; k++) v[0][k] = v[1][k] = i; y[i] = 1; }}",
        f"int v[3]; {LOOP} {{ v[0] = i; while (v[0] > 1) v[0] /= 2; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ if (x[i]) continue; v[0] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ {{ int *p = v; p[0] = i; }} {{ const int *q = v; y[i] = q[0]; }} }}",
        f"int v[3]; {LOOP} {{ v[0] = i; y[i] = v[0]; }} for (i = 0; i < m; i++) {{ v[1] = i; x[i] = v[1]; }}",
    ],
)
def test_an_array_that_is_set_first_goes_into_the_loop(body: str) -> None:
    text = moved(body)
    assert text is not None
    before, _, behind = text.partition("for (")
    assert "v[" not in before
    assert "{ int v[" in " ".join(behind.split())


@pytest.mark.parametrize(
    "body",
    [
        f"int v[3]; {LOOP} {{ for (k = 0; k < 2; k++) v[k] = i; y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < m; k++) v[k] = i; y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k += 2) v[k] = i; y[i] = v[1]; }}",
        f"int v[3]; {LOOP} {{ for (k = 2; k >= 0; k -= 2) v[k] = i; y[i] = v[1]; }}",
        f"int v[4]; {LOOP} {{ for (k = 0; k < 3; k++) v[k] = i; y[i] = v[k]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) {{ if (k > m) break; v[k] = i; }} y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) {{ if (k > m) continue; v[k] = i; }} y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ for (k = 1; k < 3; k++) v[k] = v[k - 1] + 1; y[i] = v[2]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) {{ y[i] += v[k]; v[k] = i; }} }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 2; k++) {{ v[k] = i; y[i] += v[k + 1]; }} }}",
        f"int v[3]; {LOOP} {{ if (i > m) v[0] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ if (x[i]) v[0] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ if (x[i]) v[0] = i; else v[1] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ if (x[i]) v[0] = i; else if (m) v[0] = 1; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) {{ if (x[k]) v[0] = k; y[i] = v[0]; }} }}",
        f"int v[3]; {LOOP} {{ if (x[i]) v[0] = i; if (x[i]) y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 9; k++) {{ if (x[k]) y[i] = v[0]; else v[0] = 1; }} }}",
        f"int v[3]; {LOOP} {{ v[0] = 1; for (k = 1; k < 3; k++) if (x[k]) v[k] = v[k - 1]; y[i] = 1; }}",
        f"int v[3]; {LOOP} {{ for (k = 0; k < 3; k++) {{ if (k > m) v[0] = k; else y[i] = v[0]; }} }}",
        f"int v[3]; {LOOP} {{ while (m > 0) {{ v[0] = i; m--; }} y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ switch (m) {{ case 1: v[0] = 1; }} y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ m > 1 && (v[0] = i); y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ v[0] += i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ v[x[i]] = 1; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ v[0] = 1; y[i] = v[x[i]]; }}",
        f"int v[3]; {LOOP} {{ v[m] = 1; m = 0; y[i] = v[m]; }}",
        f"int v[3]; {LOOP} {{ v[0] = i; y[i] = v[0]; }} y[0] = v[0];",
        f"int v[3]; v[0] = 1; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ {{ int *p = v; p[0] = i; }} {{ const int *q = v; y[i] = q[1]; }} }}",
        f"int v[3]; {LOOP} {{ int *p = v; v[0] = i; p++; y[i] = p[0]; }}",
        f"int v[3]; {LOOP} {{ int *p = v + 1; v[0] = i; y[i] = p[0]; }}",
        f"int v[3]; {LOOP} {{ char *p = (char *)v; v[0] = i; y[i] = p[0]; }}",
        f"int v[3]; {LOOP} {{ char *p = v; v[0] = i; y[i] = p[0]; }}",
        f"int v[3]; {LOOP} {{ int *p = v; int **q = &p; v[0] = i; y[i] = q[0][1]; }}",
        f"int v[3]; {LOOP} {{ int *p = v; v[0] = i; y[i] = *p; }}",
        f"int v[3]; int *p = v; {LOOP} {{ v[0] = i; y[i] = v[0] + *p; }}",
        f"int v[3]; {LOOP} {{ v[0] = i; g(v); y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ v[0] = i; y[i] = v[0] + sizeof v; }}",
        f"int v[3]; {LOOP} {{ v[0] = i; y[i] = *v + v[0]; }}",
        f"int v[3]; {LOOP} {{ again: v[0] = i; y[i] = v[0]; }}",
        f"int v[m]; m = 2; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"int v[x[0]]; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"int v[WIDTH]; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"int v[m]; {LOOP} {{ int m = 1; v[0] = m; y[i] = v[0]; }}",
        f"int v[m]; {LOOP} {{ for (k = 1; k < m; k++) v[k] = i; y[i] = v[0]; }}",
        f"int v[5000]; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"int v[3] = {{1}}; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"static int v[3]; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"volatile int v[3]; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"vec v[3]; {LOOP} {{ v[0] = i; y[i] = v[0]; }}",
        f"int v[3]; {LOOP} {{ v[0] = i; int v[3]; y[i] = v[0]; }}",
        "int v[3], i; for (i = v[0] = 0; i < n; i++) { v[0] = i; y[i] = v[0]; }",
    ],
)
def test_an_array_that_may_hold_what_another_iteration_left_stays(body: str) -> None:
    assert moved(body) is None


def test_a_constant_names_a_length() -> None:
    text = f"{HEAD} {{ double v[WIDTH]; {LOOP} {{ v[0] = i; y[i] = v[0]; }} }}"
    assert with_own_array(Function(text), NOTHING) is None
    known = replace(NOTHING, constants={"WIDTH": 3})
    text = f"{HEAD} {{ double v[WIDTH]; {LOOP} {{ for (k = 0; k < WIDTH; k++) v[k] = i; y[i] = v[2]; }} }}"
    assert "{double v[WIDTH];for(k=0;" in squeeze(with_own_array(Function(text), known) or "").replace(
        "doublev", "double v"
    )


def test_declarations_keep_what_else_they_declare() -> None:
    declared = "int/*real*/ a = 1, v[3], b; int w[2]; /* of rows */"
    text = moved(f"{declared} {LOOP} {{ v[0] = w[0] = a; y[i] = v[0]; }}")
    assert text is not None
    first = with_own_array(Function(text), NOTHING)
    assert first is not None
    assert "{ int/*real*/ a = 1, b; /* of rows */ int i, k;" in first
    assert squeeze("{ int/*real*/ v[3]; int w[2]; v[0]") in squeeze(first)


def test_the_outer_loop_runs_at_once_then() -> None:
    around = "for (int t = 0; t < 9; t++)"
    inner = "for (int k = 0; k < 3; k++) v[k] = x[i]; for (int k = 0; k < 3; k++) y[i] = 2 * y[i] + v[k];"
    text = f"{HEAD} {{ int v[3]; {around} for (int i = 0; i < n; i++) {{ {inner} }} }}"
    found = chosen(text, None, NOTHING, idioms=ALL_IDIOMS)
    assert "normal form" in found.rules
    assert [part.loops[0].loop.variable.name for part in found.parts if hasattr(part, "loops")] == ["i"]


HEADS = (
    "for (int k = 0; k < 3; k++)",
    "for (int k = 2; k >= 0; k--)",
    "for (int k = 1; k < 3; k++)",
    "for (int k = 0; k < m; k++)",
    "for (int k = 0; k < 3; k += 2)",
)
IN_LOOPS = (
    "v[{k}] = i + 1;",
    "v[{k}] = v[{l}] + 1;",
    "v[{k}] = i + 1; y[i] += 3 * v[{l}];",
    "y[i] += 3 * v[{l}]; v[{k}] = i + 1;",
    "if (k + i > m) break; v[{k}] = i + 1;",
    "if (x[k]) v[{k}] = i + 1;",
    "if (x[k]) v[{k}] = i + 1; y[i] += v[{l}];",
    "if (x[k]) v[{k}] = i + 1; else y[i] += v[{l}];",
    "y[i] += v[{k}];",
)
ALONE = (
    "v[{c}] = i + 1;",
    "if (x[i]) v[{c}] = i + 1;",
    "if (x[i]) {{ v[{c}] = i + 1; y[i] += v[{c}]; }}",
    "if (x[i]) v[{c}] = i + 1; else v[{d}] = 3;",
    "if (x[i]) v[{c}] = i + 1; else if (i <= m) v[{d}] = 3; else v[{c}] = 4;",
    "y[i] += 3 * v[{c}];",
)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Return what an iteration does with a small array, in loops and branches."""

    def statement() -> str:
        if draw(st.booleans()):
            return draw(st.sampled_from(ALONE)).format(
                c=draw(st.sampled_from("012")), d=draw(st.sampled_from("01"))
            )
        first, second = (draw(st.sampled_from(items)) for items in (("k", "2 - k", "k - 1", "0"), "k0"))
        held = draw(st.sampled_from(IN_LOOPS)).format(k=first, l=second)
        return f"{draw(st.sampled_from(HEADS))} {{ {held} }}"

    held = " ".join(statement() for _ in range(draw(st.integers(1, 3))))
    read = draw(st.sampled_from(("y[i] += v[0];", "y[i] += v[2];", f"{HEADS[0]} y[i] += v[k];")))
    return f"int v[3]; for (int i = 0; i < n; i++) {{ {held} {read} }}"


@settings(max_examples=150, deadline=None)
@given(bodies())
def test_an_array_of_its_own_changes_nothing(body: str) -> None:
    text = f"{HEAD} {{ {body} }}"
    rewritten = normal(text, NOTHING)
    for m in (0, 1, 2):
        states = []
        for form in (text, rewritten):
            memory, _ = ran(form, {100 + at: (at + m) % 2 for at in range(-1, 4)}, y=0, x=100, n=3, m=m)
            states.append({place: value for place, value in memory.items() if isinstance(place, int)})
        assert states[0] == states[1], (text, rewritten, m)
