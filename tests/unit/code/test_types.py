"""Arithmetic types: the order and the number of words mean nothing, and compilers agree on what they hold."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.code.syntax import find, parse, source
from transpile.code.types import (
    ARITHMETIC,
    arithmetic,
    bare,
    canonical,
    conversion,
    customary,
    size_of,
)

SYNONYMS = {
    "short": ("short", "int"),
    "unsigned short": ("unsigned", "short", "int"),
    "int": ("int", "signed"),
    "unsigned": ("unsigned", "int"),
    "long": ("signed", "long", "int"),
    "unsigned long": ("unsigned", "long", "int"),
    "long long": ("long", "long", "int", "signed"),
    "unsigned long long": ("long", "unsigned", "long", "int"),
    "signed char": ("signed", "char"),
    "unsigned char": ("char", "unsigned"),
    "long double": ("double", "long"),
}


@given(st.sampled_from(sorted(SYNONYMS)), st.booleans(), st.data())
def test_every_order_of_the_words_is_one_type(name: str, constant: bool, data: st.DataObject) -> None:
    words = [*SYNONYMS[name], *["const"] * constant]
    spelled = " ".join(data.draw(st.permutations(words)))
    assert canonical(spelled) == ("const " if constant else "") + name
    assert bare(spelled) == name.replace(" ", "")


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("signed", "int"),
        ("char", "char"),
        ("real const", "const real"),
        ("std::vector<long int>", "std::vector<long>"),
        ("const", "const"),
        ("auto const", "const auto"),
        ("longest", "longest"),
        ("struct point", "struct point"),
    ],
)
def test_other_names_stay(spelled: str, name: str) -> None:
    assert canonical(spelled) == name


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("std::int32_t const", "int"),
        ("std::size_t", "unsignedlong"),
        ("constant_t", "constant_t"),
        ("int16_t", "short"),
        ("std::vector<std::size_t>", "std::vector<size_t>"),
        ("uint", "unsigned"),
    ],
)
def test_names_of_headers_are_what_they_stand_for(spelled: str, name: str) -> None:
    assert bare(spelled) == name


def test_unsigned_int_stays_as_people_write_it() -> None:
    assert customary("const unsigned int") == "const unsigned int"
    assert customary("unsigned int const") == customary("int unsigned const") == "const unsigned"


NAMES = [*SYNONYMS, "char", "bool", "float", "double", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t"] + [
    f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
]


@pytest.mark.integration
def test_compilers_agree() -> None:
    """A name of a header is the type that we take it for, with its size and sign."""
    words = {bare(name): name for name in (*SYNONYMS, "char", "bool", "float", "double")}
    lines = ["#include <cstddef>", "#include <cstdint>", "#include <type_traits>"]
    for name in NAMES:
        kind = arithmetic(name)
        assert kind is not None
        lines += [
            f"static_assert(std::is_same_v<{name}, {words[bare(name)]}>);",
            f"static_assert(sizeof({name}) == {kind.size});",
            f"static_assert(std::is_signed_v<{name}> == {str(kind.signed).lower()});",
            f"static_assert(std::is_floating_point_v<{name}> == {str(kind.floating).lower()});",
        ]
    command = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(command, input="\n".join(lines), text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {bare(name) for name in NAMES} == ARITHMETIC.keys() - {"half"}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("(size_t)n", "unsignedlong", "n"),
        ("(std::size_t)(n + 1)", "unsignedlong", "(n + 1)"),
        ("static_cast<long>(n)", "long", "n"),
        ("static_cast<const unsigned int>(n)", "unsigned", "n"),
        ("int(n)", "int", "n"),
        ("std::int64_t(n)", "long", "n"),
        ("(float *)n", "float*", "n"),
    ],
)
def test_casts_in_every_form(text: str, kind: str, value: str) -> None:
    node = next(find(parse(f"auto x = {text};"), "cast_expression", "call_expression"))
    found = conversion(node)
    assert found is not None
    assert (found[0], source(found[1]).strip("()")) == (kind, value.strip("()"))


@pytest.mark.parametrize("text", ["f(n)", "(f)(n)", "std::abs(n)", "int(n, m)", "sqrt(n)"])
def test_calls_are_no_casts(text: str) -> None:
    assert conversion(next(find(parse(f"auto x = {text};"), "call_expression"))) is None


@pytest.mark.parametrize(
    ("spelled", "size"),
    [("unsigned int", 4), ("std::uint16_t", 2), ("float4", 16), ("uchar3", 3), ("half", 2), ("double *", 8)],
)
def test_bytes(spelled: str, size: int) -> None:
    assert size_of(spelled) == size


def test_bytes_of_what_nobody_knows() -> None:
    assert size_of("") is size_of("real") is size_of("float5") is None
