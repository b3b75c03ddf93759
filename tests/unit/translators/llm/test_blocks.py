"""Blocks of an answer: which is meant, which are drafts of it, and which are helpers that it lacks."""

from __future__ import annotations

from transpile.translators.llm.blocks import Written, written

FIRST = "void f(int *a) { a[0] = 1; /* a draft, and by far the longest of all that is written here */ }\n"
LAST = "void f(int *a) { a[0] = 2; }\n"


def fenced(*blocks: str) -> str:
    return "\n".join(f"Look:\n```cpp\n{block}```" for block in blocks)


def texts(*blocks: str, device: bool = False) -> list[str]:
    found = written(fenced(*blocks), "f", device=device)
    assert not isinstance(found, str)
    return [code.text.strip() for code in found]


def test_the_last_block_is_meant_and_the_others_are_drafts() -> None:
    assert texts(FIRST, LAST) == [LAST.strip(), FIRST.strip()]
    assert texts(LAST, FIRST, LAST) == [FIRST.strip(), LAST.strip()]
    assert len(texts(*(f"void f(int *a) {{ a[0] = {number}; }}\n" for number in range(9)))) == 3


def test_helpers_of_a_block_of_their_own_are_merged() -> None:
    use = "void f(int *a) { a[0] = twice(a[0]); }\n"
    twice = "static int twice(int x) { Pair p = {x, x}; return p.a + p.b; }\n"
    pair = "struct Pair { int a, b; };\n"
    [merged] = texts(pair, twice, use)
    assert merged.index("struct Pair {") < merged.index("int twice") < merged.index("void f")
    assert texts(use, pair, twice) == [merged]
    # A block that shows something else is none of it, nor is what the source has.
    assert texts("int thrice(int x) { return 3 * x; }\n", use) == [use.strip()]
    assert texts("__device__ int twice(int x) { return 2 * x; }\n", use) == [use.strip()]
    assert "__device__" in texts("__device__ int twice(int x) { return 2 * x; }\n", use, device=True)[0]


def test_a_helper_that_is_there_is_not_there_twice() -> None:
    whole = "static int twice(int x) { return 2 * x; }\nvoid f(int *a) { a[0] = twice(a[0]) + more(); }\n"
    assert texts("static int twice(int x) { return x; }\nint more() { return 0; }\n", whole) == [
        whole.strip()
    ]


def test_what_is_not_there_is_told() -> None:
    assert "defines g, and not `f`" in str(written(fenced("void g() {}\n"), "f", device=False))
    assert written("#include <cmath>\n" + LAST, "f", device=False) == (
        Written(headers=("<cmath>",), text=LAST),
    )
