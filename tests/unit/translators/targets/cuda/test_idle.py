"""Declarations that are left out where their variables became those of kernels."""

from __future__ import annotations

import pytest

from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.targets.cuda.idle import without_idle

SOURCE = """\
void f(int n, float *a)
{
    int i, j = 2, k;
    float held; // of one iteration
    static int calls;
    for (i = 0; i < n; i++) {
        held = a[i] * j;
        for (k = 0; k < 3; k++) a[i] += held + calls;
    }
}
"""


@pytest.mark.parametrize(
    ("loop", "declarations"),
    [
        ("f_kernel<<<n, 1>>>(a);", "    int j = 2;\n     // of one iteration\n    static int calls;\n"),
        ("i = n;", "    int i, j = 2;\n     // of one iteration\n    static int calls;\n"),
        ("g(&k, &held);", "    int j = 2, k;\n    float held; // of one iteration\n    static int calls;\n"),
    ],
)
def test_variables_that_nothing_names_any_more_are_not_declared(loop: str, declarations: str) -> None:
    start, end = SOURCE.index("    for"), SOURCE.rindex("}")
    text = f"{SOURCE[:start]}    {loop}\n{SOURCE[end:]}"
    variables = resolve(Function(SOURCE))
    assert without_idle(text, variables).partition("{\n")[2].partition(f"    {loop}")[0] == declarations


def test_a_type_that_is_declared_with_a_variable_stays() -> None:
    text = "void f(int n)\n{\n    enum order { FIRST, SECOND } o;\n    LOOP\n    g(SECOND);\n}\n"
    variables = resolve(Function(text.replace("LOOP", "for (o = FIRST; n--; ) h(o);")))
    assert without_idle(text.replace("LOOP", "k<<<n, 1>>>();"), variables).count("SECOND") == 2


def test_what_the_source_did_not_use_either_stays() -> None:
    text = "void f(int n)\n{\n    int unused;\n    g(n);\n}\n"
    assert without_idle(text, resolve(Function(text))) == text
