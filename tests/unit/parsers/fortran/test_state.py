"""State that routines share: variables of modules and of common blocks."""

from __future__ import annotations

from transpile.parsers.fortran.interfaces import Interface, interface
from transpile.parsers.fortran.resolve import resolve
from transpile.parsers.fortran.symbols import Procedure
from transpile.parsers.fortran.units import parse

MODULE = """\
module grid
implicit none
integer, parameter :: most = 4
integer :: n = 2
real(8) :: field(0:most, 3)
logical :: ready
type point
  real :: x
end type
type(point) :: origin
type chain
  type(chain), pointer :: next
end type
type(chain) :: first
real, allocatable :: work(:)
contains
subroutine own(x)
  real(8) :: x
  x = field(0, 1)
end subroutine
subroutine through(x)
  real(8) :: x
  call own(x)
end subroutine
subroutine bounds(x)
  real(8) :: x(n)
  x = 0
end subroutine
subroutine allocated_one()
  work(1) = 2
end subroutine
subroutine typed()
  nullify(first%next)
end subroutine
end module
subroutine stepped(x)
  real :: x, dt, t
  logical(1) :: on
  complex(8) :: z
  character(3) :: name
  common /clock/ dt, name, on, z(2), t
  x = dt
end subroutine
block data
  real :: dt, t
  logical(1) :: on
  complex(8) :: z
  character(3) :: name
  common /clock/ dt, name, on, z(2), t
  data t /1.0/
end block data
"""


def found() -> dict[str, Interface]:
    program = resolve([parse(MODULE, "a.f90")])
    procedures: list[Procedure] = [
        *program.modules["grid"].procedures,
        *(item for item in [program.root.symbols["stepped"].procedure] if item is not None),
    ]
    return {item.name: interface(item, program, item.name) for item in procedures}


def test_variables_of_modules_come_with_their_neighbours_also_through_calls() -> None:
    routines = found()
    for name in ("own", "through", "bounds"):
        rows = {item.variable.name: item for item in routines[name].state}
        assert rows.keys() == {"grid::n", "grid::field", "grid::ready", "grid::origin"}
        assert (rows["grid::field"].symbol, rows["grid::field"].count) == ("__grid_MOD_field", 15)
        assert rows["grid::n"].initial and not rows["grid::ready"].initial
        assert [item.name for item in routines[name].variables] == ["x", *sorted(rows)]


def test_what_cannot_be_set_from_outside_is_named() -> None:
    routines = found()
    assert "`work`, which has the attribute `allocatable`" in routines["allocated_one"].obstacle
    assert "`first`, which is of a derived type with the component `next`" in routines["typed"].obstacle


def test_members_of_common_blocks_lie_as_in_a_struct_and_block_data_counts() -> None:
    rows = found()["stepped"].state
    assert {item.symbol for item in rows} == {"clock_"}
    assert [(item.variable.name, item.offset, item.initial) for item in rows] == [
        ("/clock/ dt", 0, False),
        ("/clock/ name", 4, False),
        ("/clock/ on", 7, False),
        ("/clock/ z", 8, False),
        ("/clock/ t", 40, True),
    ]
