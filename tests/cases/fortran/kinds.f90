! Generics by kind and rank, kinds of literals, mixed arithmetic, logical expressions, conversions of kinds.
module generic_by_kind
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  implicit none
  private
  public :: name_of, swap, wp
  integer, parameter :: wp = real64
  interface name_of
    module procedure name_of_single, name_of_double, name_of_integer, name_of_long, name_of_text, name_of_array
  end interface name_of
  interface swap
    procedure swap_reals
    procedure swap_integers
  end interface swap
contains
  function name_of_single(x) result(s)
    real(real32), intent(in) :: x
    character(len=10) :: s
    s = 'single'
    if (x < 0) s = 'negative'
  end function name_of_single
  function name_of_double(x) result(s)
    real(real64), intent(in) :: x
    character(len=10) :: s
    s = merge('double', 'minus ', x >= 0)
  end function name_of_double
  function name_of_integer(x) result(s)
    integer, intent(in) :: x
    character(len=10) :: s
    write (s, '(a,i0)') 'int ', x
  end function name_of_integer
  function name_of_long(x) result(s)
    integer(int64), intent(in) :: x
    character(len=10) :: s
    s = 'long'
    if (x > 5) s = 'longer'
  end function name_of_long
  function name_of_text(x) result(s)
    character(len=*), intent(in) :: x
    character(len=10) :: s
    s = 'text ' // x
  end function name_of_text
  function name_of_array(x) result(s)
    integer, intent(in) :: x(:)
    character(len=10) :: s
    write (s, '("array",i2)') size(x)
  end function name_of_array
  subroutine swap_reals(a, b)
    real, intent(inout) :: a, b
    real :: t
    t = a; a = b; b = t
  end subroutine swap_reals
  subroutine swap_integers(a, b)
    integer, intent(inout) :: a, b
    a = ieor(a, b); b = ieor(a, b); a = ieor(a, b)
  end subroutine swap_integers
end module generic_by_kind

program kinds
  use generic_by_kind
  implicit none
  integer(8) :: big
  integer :: i, j
  real :: x, y
  real(wp) :: d
  logical :: p, q
  print *, name_of(1.0), name_of(1d0), name_of(3), name_of(3_8), name_of('ab'), name_of([1, 2]), name_of(-2.0)
  i = 3; j = 4; x = 1.5; y = -2.5
  call swap(i, j)
  call swap(x, y)
  print *, i, j, x, y
  big = 3000000000_8
  print *, big, big / 7, mod(big, 1000_8), int(big / 1000), real(big), big * 2.0
  d = 1.0_wp / 3
  print *, d, real(d), d * x, x / 3, i / 2 * d, 2 ** 0.5_wp, nint(big / 1d9)
  p = i > j
  q = .not. p
  print *, p .and. q, p .or. q, p .eqv. q, p .neqv. q, .not. (p .and. q) .eqv. q
  print *, merge(1, 2, p), merge(x, y, q), ior(i, 8), max(1.5, x, y), min(i, j, 2)
  print *, 0.1 == 0.1d0, real(d) == real(1d0 / 3), huge(1_2), epsilon(d)
end program kinds
