"""`transpile port --to cpp` of Fortran without a main program: routines judged one by one, linked by name."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile.core import Falsified, Inconclusive, Rejected
from transpile.fortran import library
from transpile.fortran.library import LibraryPort
from transpile.fortran.sources import sources
from transpile.fortran.translation import Translated, translated
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed"),
]
SCALED = """\
subroutine scaled(n, a, x)
integer, intent(in) :: n
double precision, intent(in) :: a
double precision, intent(inout) :: x(n)
integer :: i
do i = 1, n
x(i) = a * x(i)
end do
end subroutine
"""
NORM = """\
double precision function norm(n, x)
integer :: n
double precision :: x(n)
call scaled(n, 0.5d0, x)
norm = sum(abs(x))
end function
"""
MAIN = """\
program main
double precision :: x(4), norm
external norm
x = [1d0, -2d0, 3d0, 0.1d0]
print *, norm(4, x)
print *, x
end program
"""


def ported(root: Path, workshop: Workshop, *only: str, **texts: str) -> LibraryPort:
    for name, text in texts.items():
        (root / f"{name}.f90").write_text(text)
    found = translated(root, sources(root))
    assert isinstance(found, Translated)
    return library.port(root, found, workshop=workshop, only=only)


def printed(folder: Path, *parts: str) -> str:
    (folder / "main.f90").write_text(MAIN)
    command = ["gfortran", "-o", "main", "main.f90", *parts, "-lstdc++"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([str(folder / "main")], capture_output=True, text=True, check=True).stdout


@pytest.mark.thorough
@pytest.mark.parametrize("only", sampled([(), ("scaled",), ("norm",)], 3))
def test_a_program_links_the_port_in_place_of_the_source(
    tmp_path: Path, workshop: Workshop, only: tuple[str, ...]
) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    result = ported(source, workshop, *only, scaled=SCALED, norm=NORM)
    assert all(item.kept for item in result.results)
    for name, data in result.files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", str(out)], check=True)
    (archive,) = out.glob("lib*.a")
    expected = printed(source, "scaled.f90", "norm.f90")
    assert printed(tmp_path, str(archive)) == expected
    defined = subprocess.run(["nm", str(archive)], capture_output=True, text=True, check=True).stdout
    in_cpp = {line.split()[-1] for line in defined.splitlines() if " W " in line}
    assert in_cpp & {"scaled_", "norm_"} == ({f"{only[0]}_"} if only else {"scaled_", "norm_"})


@pytest.mark.thorough
def test_what_a_compiler_refuses_and_what_uses_it_stays(tmp_path: Path, workshop: Workshop) -> None:
    wrong = "subroutine scaled(n, a, x)\ninteger :: n\ndouble precision :: a, x(n)\nx = no_such(a)\nend\n"
    other = "subroutine plain(x)\nreal :: x\nx = x + 1.0\nend\n"
    result = ported(tmp_path, workshop, scaled=wrong, norm=NORM, plain=other)
    verdicts = {item.name: item for item in result.results}
    assert verdicts["plain"].kept
    assert isinstance(verdicts["scaled"].verdict, Rejected) and not verdicts["norm"].kept
    assert {"fortran/scaled.f90", "fortran/norm.f90"} <= result.files.keys()


SHARED = """\
module shared
real(8) :: weights(3) = [1d0, 2d0, 4d0]
logical :: heavy = .false.
end module
!---
subroutine weigh(x)
use shared
real(8) x(3), total
common /sums/ total, calls
integer calls
x = x * weights
heavy = sum(x) > 10d0
total = total + sum(x)
calls = calls + 1
end subroutine
block data
real(8) total
integer calls
common /sums/ total, calls
data total /100d0/
end
!---
subroutine left(x)
use shared
real(8) x
weights(2) = weights(2) + x
open(unit=9, status='scratch')
close(9)
end subroutine
"""
USER = """\
program main
use shared
real(8) x(3), total
common /sums/ total, calls
integer calls
x = 1d0
call left(3d0)
call weigh(x)
print *, x, weights, heavy, total, calls
end program
"""


def test_state_is_shared_with_the_fortran_that_is_left(tmp_path: Path, workshop: Workshop) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    texts = dict(zip("abc", SHARED.split("!---\n"), strict=True))
    result = ported(source, workshop, **texts)
    assert {item.name: item.kept for item in result.results} == {"weigh": True, "left": False}
    for name, data in result.files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", str(out)], check=True)
    (archive,) = out.glob("lib*.a")
    (tmp_path / "user.f90").write_text(USER)
    subprocess.run(
        ["gfortran", "-o", "plain", *(f"source/{item}.f90" for item in texts), "user.f90"],
        cwd=tmp_path,
        check=True,
    )
    subprocess.run(
        ["gfortran", "-o", "mixed", f"-I{out}", "user.f90", str(archive), "-lstdc++"],
        cwd=tmp_path,
        check=True,
    )
    printed = [
        subprocess.run([tmp_path / name], capture_output=True, check=True).stdout
        for name in ("plain", "mixed")
    ]
    assert printed[0] == printed[1]


@pytest.mark.thorough
def test_a_routine_that_reads_what_nobody_has_set_has_no_valid_trial(
    tmp_path: Path, workshop: Workshop
) -> None:
    text = "subroutine f(x)\nreal :: x, y\nx = x + y\nend\n"
    [item] = ported(tmp_path, workshop, f=text).results
    assert isinstance(item.verdict, Inconclusive) and "nobody has set" in item.verdict.reason


@pytest.mark.thorough
def test_a_routine_that_reaches_beyond_its_array_has_no_valid_trial(
    tmp_path: Path, workshop: Workshop
) -> None:
    text = (
        "subroutine f(n, x)\ninteger :: n, i\nreal :: x(n)\ndo i = 1, abs(n) + 1\nx(i) = 1.0\nend do\nend\n"
    )
    [item] = ported(tmp_path, workshop, f=text).results
    assert isinstance(item.verdict, Inconclusive) and "breaks a rule of Fortran" in item.verdict.reason


@pytest.mark.thorough
def test_state_that_a_routine_keeps_shows_in_later_calls(tmp_path: Path, workshop: Workshop) -> None:
    text = (
        "integer function f(x)\ninteger :: x\ninteger, save :: calls = 0\ncalls = calls + x\nf = calls\nend\n"
    )
    (tmp_path / "f.f90").write_text(text)
    found = translated(tmp_path, ["f.f90"])
    assert isinstance(found, Translated)
    right = library.judged(tmp_path, found, workshop=workshop)["f"]
    assert right.kind == "passed"
    assert found.text.count("static int calls") == 1
    forgetful = replace(found, text=found.text.replace("static int calls", "int calls"))
    assert isinstance(library.judged(tmp_path, forgetful, workshop=workshop)["f"], Falsified)


MIXED = {
    "lib/kinds.f90": "module kinds\nreal(8) :: gain = 2d0\nend module\n",
    "lib/fields.f90": (
        "module fields\nuse kinds\ncontains\nreal(8) function total(x, w)\nreal(8), intent(in) :: x(:)\n"
        "real(8), intent(in), optional :: w\ntotal = gain * sum(x)\nif (present(w)) total = total * w\n"
        "end function\nend module\n"
    ),
    "lib/logged.f90": "subroutine logged(x)\nreal(8) :: x\nexternal shown\ncall shown(x)\nend subroutine\n",
    "log/log.h": "void shown_(double *x);\n",
    "log/log.c": (
        '#include "log.h"\n#include <stdio.h>\n'
        'void shown_(double *x) { printf("%.3f\\n", *x); fflush(stdout); }\n'
    ),
    "one.f90": "program one\nuse fields\ngain = 3\ncall logged(total([1d0, 2d0], 4d0))\nend program\n",
    "two.f90": "program two\nuse fields\nreal(8) :: x(2, 2) = 1\nprint *, total(x(1, :))\nend program\n",
}


@pytest.mark.thorough
def test_programs_and_c_beside_a_library_are_linked_with_it(tmp_path: Path, workshop: Workshop) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    for name, text in MIXED.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    found = translated(source, sources(source, mixed=True))
    assert isinstance(found, Translated)
    result = library.port(source, found, workshop=workshop)
    assert {item.name: item.kept for item in result.results} == {"fields::total": True, "logged": False}
    for name, data in result.files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", str(out), "programs"], check=True)
    fortran = [str(source / name) for name in MIXED if name.startswith("lib/")]
    for name in ("one", "two"):
        plain = tmp_path / name
        parts = [*fortran, str(source / f"{name}.f90"), str(source / "log" / "log.c")]
        subprocess.run(["gfortran", f"-J{tmp_path}", *parts, "-o", str(plain)], check=True)
        runs = [
            subprocess.run([item], capture_output=True, check=True).stdout
            for item in (plain, out / "programs" / name)
        ]
        assert runs[0] == runs[1] != b""
    symbols = subprocess.run(
        ["nm", str(out / "programs" / "one")], capture_output=True, text=True, check=True
    )
    assert " W __fields_MOD_total" in symbols.stdout


SHAPED = """\
module shaped
contains
function filled(n, a) result(r)
integer, intent(in) :: n
real(8), intent(in) :: a
real(8) :: r(n, 2)
integer :: i
do i = 1, n
r(i, :) = a * i
end do
end function
function signs(x) result(r)
real(8), intent(in) :: x(:)
logical(1) :: r(size(x))
r = x > 2
end function
function twice(s) result(t)
character(len=*), intent(in) :: s
character(len=2 * len(s)) :: t
t = s // s
end function
function below(n) result(r)
integer, intent(in) :: n
integer, allocatable :: r(:)
integer :: i
allocate(r(n))
do i = 1, n
r(i) = n - i
end do
end function
subroutine longer(x)
integer, allocatable, intent(inout) :: x(:)
if (allocated(x)) then
x = [x, size(x)]
else
allocate(x(-1:0))
x = 7
end if
end subroutine
subroutine fresh(n, x)
integer, intent(in) :: n
complex, allocatable, intent(out) :: x(:, :)
if (n > 0) then
allocate(x(0:n, 2))
x = cmplx(n, 1)
end if
end subroutine
end module
"""
SHAPED_USER = """\
program main
use shaped
real(8) :: a(6, 2)
integer, allocatable :: x(:)
complex, allocatable :: z(:, :)
character(len=9) :: text
a = 0
a(2::2, 2:1:-1) = filled(3, 0.5d0)
a(1:2, :) = a(1:2, :) + filled(2, 1d0)
print *, a, signs(a(:, 1)), count(signs(a(:, 2)))
text = twice('abc')
print *, text, '|', twice('x') // twice(''), len(twice('four'))
call longer(x)
print *, lbound(x), x
call longer(x)
print *, lbound(x), x
x = below(4)
call longer(x)
print *, x, sum(below(5)), size(below(0))
call fresh(2, z)
print *, lbound(z), ubound(z), z
call fresh(0, z)
print *, allocated(z)
end program
"""


@pytest.mark.thorough
def test_fortran_gets_arrays_and_texts_from_cpp(tmp_path: Path, workshop: Workshop) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    result = ported(source, workshop, shaped=SHAPED)
    assert {item.name: item.kept for item in result.results if not item.kept} == {}
    for name, data in result.files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    subprocess.run(["make", "-s", "-C", str(out)], check=True)
    (archive,) = out.glob("lib*.a")
    (tmp_path / "user.f90").write_text(SHAPED_USER)
    printed = []
    for name, part in (("plain", "source/shaped.f90"), ("mixed", str(archive))):
        if name == "mixed":
            subprocess.run(["gfortran", "-fsyntax-only", "source/shaped.f90"], cwd=tmp_path, check=True)
        order = ["user.f90", part] if name == "mixed" else [part, "user.f90"]
        command = ["gfortran", "-o", name, *order, "-lstdc++"]
        subprocess.run(command, cwd=tmp_path, check=True)
        printed.append(subprocess.run([tmp_path / name], capture_output=True, check=True).stdout)
    assert printed[0] == printed[1] != b""
    symbols = subprocess.run(["nm", "mixed"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert " W __shaped_MOD_filled" in symbols.stdout
