"""CMake's language, as its manual has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.code.cmake import commands


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("project(a C)", [("project", "a", "C")]),
        ("PROJECT ( a\n  C # and (more\n)\n", [("project", "a", "C")]),
        ("#[[ a(b)\n]] set(x y)", [("set", "x", "y")]),
        ("#[=[ ]] a(b) ]=] set(x)", [("set", "x")]),
        ('set(x "a # (b \\" c")', [("set", "x", 'a # (b \\" c')]),
        ("set(x [=[ raw ) ]] ]=])", [("set", "x", "[=[ raw ) ]] ]=]")]),
        ("if((A AND B) OR C)\nendif()", [("if", "(", "A", "AND", "B", ")", "OR", "C"), ("endif",)]),
        ("a($<$<CONFIG:Debug>:-g>\t${x}/y;z)", [("a", "$<$<CONFIG:Debug>:-g>", "${x}/y;z")]),
        ('a(-DNAME="x y" \\# b)', [("a", '-DNAME="x y"'.strip('"'), "\\#", "b")]),
        ("set(x y", []),
        (") ( set(x)", [("set", "x")]),
    ],
)
def test_commands_have_their_arguments(text: str, found: list[tuple[str, ...]]) -> None:
    assert [(command.name, *command.words) for command in commands(text)] == found


@given(st.text(alphabet='ab()#[]="\\ \n$<>{}', max_size=60))
def test_places_are_those_of_the_text(text: str) -> None:
    """Commands follow one another in any text, and arguments stand in them as they are written."""
    at = 0
    for command in commands(text):
        assert command.start >= at and text[command.end - 1] == ")"
        at = command.start
        for item in command.arguments:
            assert at <= item.start < item.end <= command.end and text[item.start : item.end] == item.text
            at = item.end
        at = command.end
