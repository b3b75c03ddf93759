"""Text that conditions remove for certain, and text that may be there in some build."""

from __future__ import annotations

import pytest

from transpile.core import TranslationUnit
from transpile.parsers.files.conditionals import certain, defined, left

NAMES = frozenset((b"HERE",))


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef GONE\nx\n#endif\n",
        "#if defined(GONE)\nx\n#endif\n",
        "#ifdef __CUDACC__ /* nvcc */\nx\n#endif\n",
        "#ifndef GONE\ny\n#else\nx\n#endif\n",
        "#if !defined(GONE)\ny\n#elif HERE > 1\nx\n#else\nx\n#endif\n",
        "#if 0\nx\n#else\ny\n#endif\n",
        "#ifdef HERE\ny\n#elif defined(GONE)\nx\n#endif\n",
        "#ifdef GONE\n#ifdef HERE\nx\n#else\nx\n#endif\nx\n#endif\n",
    ],
)
def test_what_no_build_compiles_is_blank(text: str) -> None:
    found = left(text.encode(), NAMES)
    assert b"x" not in found
    assert (found.count(b"y"), found.count(b"\n")) == (text.count("y"), text.count("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef HERE\nx\n#else\nx\n#endif\n",
        "#ifndef HERE\nx\n#else\nx\n#endif\n",
        "#ifdef __AVX__\nx\n#else\nx\n#endif\n",
        "#if defined(GONE) || HERE\nx\n#endif\n",
        "#ifdef GONE\n#elif HERE\nx\n#else\nx\n#endif\nx\n",
        "#endif\nx\n#else\nx\n",
    ],
)
def test_what_may_be_compiled_stays(text: str) -> None:
    assert left(text.encode(), NAMES) == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "y\n#if HERE\nx\n#else\nx\n#endif\ny\n",
        "#ifdef HERE\n#if 1\nx\n#endif\nx\n#endif\ny\n",
        "#ifndef A_H\n#define A_H\ny\n#ifdef HERE\nx\n#endif\n#endif\n",
        "#ifndef A\n#define A\nx\n#endif\n#ifndef B\n#define B\nx\n#endif\n",
        "#ifndef HERE\nx\n#endif\n",
    ],
)
def test_what_stands_under_a_condition_is_not_certain(text: str) -> None:
    found = certain(text.encode())
    assert b"x" not in found
    assert (found.count(b"y"), found.count(b"\n")) == (text.count("y"), text.count("\n"))


def test_names_are_defined_by_texts_and_by_builds() -> None:
    builds = [TranslationUnit(path="a.c", flags=("-DONE", "-DTWO=2", "-O2", "-D", "THREE"))]
    files = {"a.h": b"#ifdef GONE\n#define FOUR(x) x\n#endif\n"}
    assert defined(files, builds) == {b"ONE", b"TWO", b"THREE", b"FOUR"}
