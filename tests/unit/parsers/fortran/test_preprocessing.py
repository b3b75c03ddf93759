"""Conditional lines of the preprocessor."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.preprocessing import is_preprocessed, preprocessed

TEXT = """\
#define SIZE 8
#ifdef OTHER
x = 1
#elif SIZE > 4 && !defined(OTHER)
x = SIZE ! 'SIZE' stays
#else
x = 3
#endif
end
"""


def test_capital_suffixes_are_preprocessed() -> None:
    assert is_preprocessed("a/b.F90") and is_preprocessed("b.F") and not is_preprocessed("A.f90")


def test_lines_that_count_stay_where_they_are() -> None:
    found = preprocessed(TEXT, "a.F90").split("\n")
    assert found[4] == "x = 8 ! 'SIZE' stays" and found[8] == "end"
    assert [line for line in found if line] == [found[4], found[8]]


@pytest.mark.parametrize(
    ("condition", "value"),
    [("1 + 1 == 2", True), ("UNKNOWN", False), ("!(2 < 1) || 0", True), ("-1 >= 0", False)],
)
def test_conditions_have_values(condition: str, value: bool) -> None:
    assert ("yes" in preprocessed(f"#if {condition}\nyes\n#endif\n", "a.F90")) is value


@pytest.mark.parametrize(
    "text",
    [
        "#if __x86_64__\n#endif\n",
        "#define F(x) x\n",
        "#if 1\n",
        "#else\n",
        "#if 1 ? 2 : 3\n#endif\n",
        "#error no\n",
    ],
)
def test_what_is_not_known_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(Refused) as why:
        preprocessed(text, "a.F90")
    assert why.value.file == "a.F90" and why.value.line


def test_lines_that_do_not_count_define_nothing() -> None:
    found = preprocessed("#if 0\n#define A 2\n#if A\n#endif\n#endif\nx = A\n", "a.F90")
    assert found.split("\n")[5] == "x = A"
