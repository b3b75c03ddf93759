"""Files that are taken as a Fortran program."""

from __future__ import annotations

from pathlib import Path

from transpile.fortran.sources import beside, sources


def test_a_single_file_is_known_by_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.F90").write_text("end\n")
    (tmp_path / "b.cu").write_text("\n")
    assert sources(tmp_path / "a.F90") == ("a.F90",)
    assert sources(tmp_path / "b.cu") == ()


def test_folders_are_searched_but_for_hidden_ones(tmp_path: Path) -> None:
    for name in ("z.f", "src/a.f90", ".git/x.f90", "readme.md"):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("end\n")
    assert sources(tmp_path) == ("z.f", "src/a.f90")


def test_a_folder_with_c_beside_fortran_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.f90").write_text("end\n")
    (tmp_path / "b.c").write_text("\n")
    assert sources(tmp_path) == ()


def test_c_may_lie_beside_where_that_is_asked_but_no_kernels(tmp_path: Path) -> None:
    for name in ("a.f90", "c/b.c", "c/b.h", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n")
    assert sources(tmp_path, mixed=True) == ("a.f90",)
    assert beside(tmp_path) == ("c/b.c", "c/b.h")
    (tmp_path / "k.cu").write_text("\n")
    assert sources(tmp_path, mixed=True) == ()


def test_headers_alone_are_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("\n")
    assert beside(tmp_path) == ()
