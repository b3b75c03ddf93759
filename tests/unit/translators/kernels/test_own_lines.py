"""Statements on lines of their own."""

from __future__ import annotations

import pytest

from transpile.code.syntax import Function, find, source
from transpile.translators.kernels.own_lines import on_own_line


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "    if (n) { mark(); return; }  // why\n",
            "    if (n) {\n        mark();\n        return;\n    }  // why\n",
        ),
        ("    if (n) { a(); mark(); }\n", "    if (n) {\n        a();\n        mark();\n    }\n"),
        ("    a(); mark();\n", "    a();\n    mark();\n"),
        ("    a();  // why\n    mark();\n", "    a();  // why\n    mark();\n"),
        ("    if (n) mark();\n", "    if (n) mark();\n"),
        (
            "    if (n) { if (a) { mark(); } }\n",
            "    if (n) {\n        if (a) {\n            mark();\n        }\n    }\n",
        ),
    ],
)
def test_blocks_in_one_line_are_opened(body: str, expected: str) -> None:
    text, opened = "", f"void f(int n)\n{{\n{body}}}"
    while text != opened:
        text, function = opened, Function.of(opened)
        calls = (call for call in find(function.body, "call_expression") if source(call) == "mark()")
        opened = on_own_line(function, *(call.parent for call in calls))
    assert text == f"void f(int n)\n{{\n{expected}}}"
