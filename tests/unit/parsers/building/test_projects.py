"""Folders that are built by themselves, and the build files that belong to each."""

from __future__ import annotations

import pytest

from transpile.parsers.building.projects import build_files, folders, project_of, run_in

FILES = {
    "a/one/Makefile": b"include ../common.mk\n",
    "a/two/Makefile": b"-include  ../common.mk ../other.mk # of all\n",
    "a/two/deep/CMakeLists.txt": b"",
    "a/common.mk": b"include rules.mk\n",
    "a/rules.mk": b"",
    "b/GNUmakefile": b"include a.mk\n",
    "b/a.mk": b"",
    "c/x.c": b"",
}


def test_the_topmost_build_file_counts() -> None:
    held = {"a/two", "a/two/deep", "b"}
    paths = ("a/two/deep/x.c", "a/two/y.c", "b/z.c", "c/x.c", "main.c")
    assert folders(paths, held.__contains__) == ("a/two", "b")
    assert folders(paths, lambda folder: not folder) == ("",)
    assert folders(paths, lambda folder: False) == ()


def test_a_file_is_of_the_project_above_it() -> None:
    assert project_of("a/two/deep/x.c", ("a/one", "a/two")) == "a/two"
    assert project_of("a/twofold/x.c", ("a/one", "a/two")) is None
    assert project_of("x.c", ("a/one",)) is None


@pytest.mark.parametrize(
    ("project", "expected"),
    [
        ("a/one", {"a/one/Makefile", "a/common.mk"}),
        ("a/two", {"a/two/Makefile", "a/two/deep/CMakeLists.txt", "a/common.mk"}),
        ("b", {"b/GNUmakefile", "b/a.mk"}),
    ],
)
def test_what_makefiles_include_belongs_to_them(project: str, expected: set[str]) -> None:
    # `rules.mk` is looked for where make runs, and beside the file that names it.
    assert build_files(FILES, project) - {"a/rules.mk"} == expected


def test_make_reads_a_file_where_those_that_include_it_are() -> None:
    assert run_in(FILES, "a/common.mk") == ("a/one", "a/two")
    assert run_in(FILES, "a/one/Makefile") == ("a/one",)
    assert run_in(FILES, "b/a.mk") == ("b",)
    assert run_in({"x.mk": b""}, "x.mk") == ("",)
