"""Names of arithmetic types: the order and the number of words mean nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.code.types import bare, canonical, customary

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
        ("std::int32_t const", "int32_t"),
        ("constant_t", "constant_t"),
        ("int16_t", "short"),
        ("uint", "unsigned"),
    ],
)
def test_names_of_the_standard_are_as_short_as_can_be(spelled: str, name: str) -> None:
    assert bare(spelled) == name


def test_unsigned_int_stays_as_people_write_it() -> None:
    assert customary("const unsigned int") == "const unsigned int"
    assert customary("unsigned int const") == customary("int unsigned const") == "const unsigned"
