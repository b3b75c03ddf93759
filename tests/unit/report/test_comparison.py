from __future__ import annotations

import time

import pytest
from markupsafe import Markup

from transpile.report import comparison
from transpile.report.comparison import Line, compared, lines
from transpile.visible import visible


def text_of(line: Line | None) -> str | None:
    return None if line is None else "".join(token.text for token in line)


def changed_in(line: Line | None) -> list[str]:
    return [token.text for token in line or () if token.changed]


def test_lines_that_differ_by_blanks_are_the_same() -> None:
    (row,) = compared(b"y[i] = 1;\n", b"    y[i]   = 1;\n", "a.cu")
    assert row.kind == "same"
    assert (text_of(row.left), text_of(row.right)) == ("y[i] = 1;", "    y[i]   = 1;")
    assert (row.left_number, row.right_number) == (0, 0)


def test_lines_that_are_alike_share_a_row_and_have_their_words_marked() -> None:
    source = b"int i = threadIdx.x;\nif (i < n) y[i] = a * x[i];\n"
    translation = b"#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\ny[i] = a * x[i] + 1;\n}\n"
    rows = compared(source, translation, "a.cu")
    (alike,) = [row for row in rows if text_of(row.left) == "if (i < n) y[i] = a * x[i];"]
    assert text_of(alike.right) == "y[i] = a * x[i] + 1;"
    assert "".join(changed_in(alike.left)) == "if (i < n)"
    assert "".join(changed_in(alike.right)) == "+ 1"
    assert [text_of(row.right) for row in rows if row.right] == translation.decode().splitlines()
    assert [text_of(row.left) for row in rows if row.left] == source.decode().splitlines()


def test_a_line_without_a_partner_stands_alone() -> None:
    first, last = compared(b"a();\n", b"a();\nb();\n", "a.cu")
    assert (first.kind, last.kind) == ("same", "changed")
    assert last.left is None
    assert text_of(last.right) == "b();"


def test_no_translation_is_no_line() -> None:
    assert [row.right for row in compared(b"a();\nb();", b"", "a.cu")] == [None, None]


def test_a_comment_over_several_lines_stays_one() -> None:
    first, second = lines(b"/* one\n   two */\n", ".cu")
    assert first[0].style == second[-1].style == "cm"


def test_bytes_that_are_not_text_are_spelt_out() -> None:
    assert text_of(lines(b"// K\xf6nig", ".cpp")[0]) == "// K\\xf6nig"


def test_carriage_returns_make_no_difference() -> None:
    assert [row.kind for row in compared(b"a();\r\nb();\r\n", b"a();\nb();\n", "a.cu")] == ["same", "same"]


def test_what_hides_in_code_is_seen() -> None:
    assert visible("a\u202eb\x00\tc\u200b") == "a\\u202eb\\x00\tc\\u200b"
    (line,) = lines("int x\u202e;".encode(), ".cpp")
    assert "\\u202e" in Markup().join(line)


def test_words_are_escaped() -> None:
    (line,) = lines(b'"</script><script>" & x', ".cpp")
    assert "<script" not in Markup().join(line)


def test_braces_do_not_draw_apart_what_belongs_together() -> None:
    source = b"a(one, two);\n}\nb(three, four);\n"
    translation = b"}\na(one, 2);\n{\nb(three, 4);\n"
    pairs = [(text_of(row.left), text_of(row.right)) for row in compared(source, translation, "a.cu")]
    assert pairs == [
        (None, "}"), ("a(one, two);", "a(one, 2);"), ("}", "{"), ("b(three, four);", "b(three, 4);"),
    ]  # fmt: skip


def test_texts_that_are_too_long_to_compare_are_laid_side_by_side() -> None:
    left = b"".join(b"a%d();\n" % number for number in range(600))
    rows = compared(left, b"first();\n" + left, "a.cu")
    assert len(rows) == 601
    assert {row.kind for row in rows} == {"changed"}


def test_colours_do_not_take_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_SECONDS", 0.5)
    text = b"x = 1;\n" + b'R"(' * 20_000
    begun = time.monotonic()
    first, last = lines(text, ".cu")
    assert time.monotonic() - begun < 60
    assert (text_of(first), text_of(last)) == ("x = 1;", 'R"(' * 20_000)
    assert first[-2].style == "mi"
