! Lower bounds other than one, in declarations, arguments and allocations.
module shapes
  implicit none
contains
  subroutine assumed(x, y)
    integer, intent(in) :: x(:)
    integer, intent(inout) :: y(0:)
    print *, lbound(x), ubound(x), lbound(y), ubound(y), size(y)
    y(0) = x(1)
    y(ubound(y, 1)) = x(size(x))
  end subroutine assumed
  subroutine explicit(n, x)
    integer, intent(in) :: n
    integer, intent(inout) :: x(-n:n)
    x(-n) = 100
    x(0) = x(0) + 1
    x(n) = 300
    print *, lbound(x, 1), ubound(x, 1)
  end subroutine explicit
  subroutine tail(x)
    integer, intent(in) :: x(*)
    print *, x(1), x(2)
  end subroutine tail
  subroutine between(x, low, high)
    integer, intent(in) :: low, high
    integer, intent(inout) :: x(low:high)
    x = x + low
    print *, size(x), lbound(x), ubound(x), sum(x)
  end subroutine between
  function evens(n) result(r)
    integer, intent(in) :: n
    integer :: r(0:n)
    integer :: i
    do i = 0, n
      r(i) = 2 * i
    end do
  end function evens
end module shapes

program bounds
  use shapes
  implicit none
  integer :: a(-2:2), b(0:3, 2:3), i, j
  integer, allocatable :: c(:), d(:, :)
  a = [(i, i = -2, 2)]
  print *, lbound(a), ubound(a), size(a), a(-2), a(2)
  call assumed(a(0:), a)
  print *, a
  call explicit(2, a)
  print *, a
  call tail(a(1))
  call tail(a)
  do j = 2, 3
    do i = 0, 3
      b(i, j) = 10 * i + j
    end do
  end do
  print *, b(1, :), lbound(b), ubound(b), shape(b)
  allocate (c(5:8))
  c = 7
  c(5) = 1
  print *, c, lbound(c), ubound(c)
  c = [1, 2]
  print *, c, lbound(c), ubound(c)
  allocate (d(0:1, -1:0), source=3)
  d(0, -1) = 9
  print *, d, lbound(d), ubound(d)
  c = evens(3)
  print *, c, lbound(c, 1)
  print *, maxloc(a), minloc(a), maxloc(c, 1)
  deallocate (c)
  print *, allocated(c), allocated(d)
  a(-2:0) = a(0:2)
  print *, a
  call between(a, -1, 3)
  call between(a, 4, 3)
  call between(a, 2, 1)
  print *, a
  ! What is left out of a section is a bound of the array, also where the step is negative.
  print *, size(a(::-1)), size(a(:0:-1)), size(a(1::-1)), sum(a(::-2)), size(b(:, ::-1))
  c = a(::-1)
  print *, size(c)
  c = a(:-2:-1)
  print *, c
  j = 1
  print *, a(-2:2:j + 1), a(::j + 1), size(a(2:-2:-j - 1))
  a(-2:2:j + 1) = a(2:-2:-j - 1)
  print *, a
  a(:0:j + 1) = 7
  print *, a
end program bounds
