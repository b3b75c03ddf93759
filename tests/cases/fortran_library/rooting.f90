! Procedures that are arguments.
module rooting
  implicit none
  abstract interface
    real(8) function curve(x)
      real(8), intent(in) :: x
    end function curve
    subroutine slope(t, y, dy)
      real(8), intent(in) :: t, y
      real(8), intent(out) :: dy
    end subroutine slope
  end interface
contains
  real(8) function bisected(f, a, b, steps) result(c)
    procedure(curve) :: f
    real(8), intent(in) :: a, b
    integer, intent(in) :: steps
    real(8) :: low, high, at_low, there
    integer :: i
    low = a
    high = b
    at_low = f(low)
    c = low
    do i = 1, steps
      c = (low + high) / 2
      there = f(c)
      if (at_low * there < 0) then
        high = c
      else
        low = c
        at_low = there
      end if
    end do
  end function bisected

  subroutine advanced(rate, n, h, y)
    procedure(slope) :: rate
    integer, intent(in) :: n
    real(8), intent(in) :: h
    real(8), intent(inout) :: y
    real(8) :: dy
    integer :: i
    do i = 1, n
      call rate(i * h, y, dy)
      y = y + h * dy
    end do
  end subroutine advanced

  real(8) function root_of(a, b, f)
    procedure(curve) :: f
    real(8), intent(in) :: a, b
    root_of = bisected(f, a, b, 20)
  end function root_of
end module rooting

integer function counted(wanted, n, wr, wi)
  logical wanted
  external wanted
  integer n, i
  double precision wr(n), wi(n)
  counted = 0
  do i = 1, n
    if (wanted(wr(i), wi(i))) counted = counted + 1
  end do
end function counted
