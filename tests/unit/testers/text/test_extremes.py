from __future__ import annotations

import pytest

from transpile.code.trees import descendants, parse
from transpile.testers.text.extremes import Extreme, extreme_of, extremes_called


def root(text: str):
    return parse(f"void f() {{ {text} }}".encode()).root_node


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if (x > w - 1) x = w - 1;", ("min", ("w-1", "x"), "x")),
        ("if (x > (w - 1)) { x = w - 1; }", None),
        ("if (last < i) last = i;", ("max", ("i", "last"), "last")),
        ("y = (a <= b) ? a : b;", ("min", ("a", "b"), "")),
        ("y = a < b ? b : a;", ("max", ("b", "a"), "")),
        ("y = x > (float)(m - 1) ? (float)(m - 1) : x;", ("min", ("(float)(m-1)", "x"), "")),
        ("if (a > b) c = a;", None),
        ("if (a > b) a = b; else a = 0;", None),
        ("if (next() > b) b = next();", None),
        ("if (a == b) a = b;", None),
        ("y = a > b ? c : b;", None),
    ],
)
def test_choices_of_the_greater_or_lesser(text: str, found: tuple[str, tuple[str, str], str] | None) -> None:
    [node] = descendants(root(text), "if_statement", "conditional_expression")
    wanted = None if found is None else Extreme(kind=found[0], operands=found[1], target=found[2])
    assert extreme_of(node) == wanted


def test_calls_name_their_operands() -> None:
    text = "y = fminf(x, 3.0f) + std::max<int>(p, q + 1) + ::min(a, (b)) + argmax(c, d) + max(e);"
    assert list(extremes_called(root(text))) == [
        ("min", "x"), ("min", "3.0f"), ("max", "p"), ("max", "q+1"), ("min", "a"), ("min", "b"),
    ]  # fmt: skip
