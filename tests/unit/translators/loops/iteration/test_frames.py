"""Lines around loops."""

from __future__ import annotations

from transpile.code.syntax import Function, find
from transpile.translators.loops.iteration.frames import Frame, beside, framed

TEXT = """void f(int n, int *a)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;

        a[i] += n;
    }
}"""


def test_a_loop_that_stays_beside_keeps_its_empty_lines_empty() -> None:
    function = Function(TEXT)
    loop = next(find(function.body, "for_statement"))
    frame = beside(function, loop, Frame(("#pragma omp parallel for",)), "n > 0")
    lines = function.edited(list(framed(function, loop, frame))).split("\n")
    assert lines.count("        for (int i = 0; i < n; i++) {") == 2
    assert [line for line in lines if line != line.rstrip()] == []
