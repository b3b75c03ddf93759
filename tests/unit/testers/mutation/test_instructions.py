from collections.abc import Callable

import pytest

from transpile.testers.mutation.instructions import alike

NAME = "reduce_blocks"
FUNCTION = """\
\t.type\t{name}, @function
{name}:
.LFB{number}:
\tcmpl\t$7, %edi
\tjle\t.L{label}
\tmovss\t.LC{constant}(%rip), %xmm0
\tret
.L{label}:
\tmovss\t.LC{other}(%rip), %xmm0
\tret
\t.size\t{name}, .-{name}
"""
DATA = """\
\t.section\t.rodata
.LC{number}:
\t.long\t{value}
"""


def mangled(number: int) -> str:
    space = f"transpile_candidate_{number}" if number else "transpile_candidate"
    return f"_ZN{len(space)}{space}13reduce_blocksEPf"


def of_c(number: int) -> str:
    return f"transpile_candidate_{number}__{NAME}" if number else f"transpile_candidate__{NAME}"


def function(number: int, constant: int, other: int, named: Callable[[int], str] = mangled) -> str:
    return FUNCTION.format(
        name=named(number), number=number, label=10 + 7 * number, constant=constant, other=other
    )


@pytest.mark.parametrize("named", [mangled, of_c])
def test_the_same_instructions_under_other_names_are_alike(named: Callable[[int], str]) -> None:
    choices = ((0, 0, 1), (1, 0, 1), (2, 1, 0), (13, 2, 3))
    text = "".join(function(*choice, named) for choice in choices)
    data = ((0, 11), (1, 22), (2, 11), (3, 22))
    text += "".join(DATA.format(number=number, value=value) for number, value in data)
    assert alike(text, 14, NAME) == {0, 1, 13}


@pytest.mark.parametrize(
    ("before", "after"), [("jle", "jl"), ("$7", "$8"), ("reduce_blocks", "reduce_blackx"), ("%edi", "%esi")]
)
def test_another_instruction_is_another_function(before: str, after: str) -> None:
    second = function(1, 0, 0)
    assert alike(function(0, 0, 0) + second, 2, NAME) == {0, 1}
    assert alike(function(0, 0, 0) + second.replace(before, after), 2, NAME) == {0}


def test_what_is_not_there_is_like_nothing() -> None:
    assert alike("", 3, NAME) == frozenset()


def test_what_is_not_reached_is_nothing_and_what_is_reached_counts() -> None:
    def helper(number: int, register: str) -> str:
        text = function(number, 0, 0).replace("13reduce_blocks", "6helper").replace("%edi", register)
        return text.replace(f".L{10 + 7 * number}", f".L{1000 + number}")

    text = function(0, 0, 0) + function(1, 0, 0) + helper(0, "%edi") + helper(1, "%esi")
    assert alike(text, 2, NAME) == {0, 1}
    for number in (0, 1):
        called = mangled(number).replace("13reduce_blocks", "6helper")
        text = text.replace(f".LFB{number}:\n", f".LFB{number}:\n\tcall\t{called}\n", 1)
    assert alike(text, 2, NAME) == {0}
