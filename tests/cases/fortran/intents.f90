! intent(out) starts anew: allocatable arguments and components with default values; copies in and out.
module starts
  implicit none
  type :: state
    integer :: n = 7
    real, allocatable :: x(:)
  end type state
contains
  subroutine renew(a, s)
    integer, allocatable, intent(out) :: a(:)
    type(state), intent(out) :: s
    print *, allocated(a), s%n, allocated(s%x)
    allocate (a(2), s%x(1))
    a = 4
    s%x = 2.5
  end subroutine renew
  subroutine explicit_shape(n, x)
    integer, intent(in) :: n
    real, intent(inout) :: x(n)
    x = x + 1
    x(n) = -x(n)
  end subroutine explicit_shape
  subroutine matrix(lda, n, a)
    integer, intent(in) :: lda, n
    real, intent(inout) :: a(lda, *)
    integer :: j
    do j = 1, n
      a(1, j) = 10 * j
    end do
  end subroutine matrix
  subroutine by_value(n)
    integer, value :: n
    n = n + 1
    print *, n
  end subroutine by_value
  subroutine texts(names, joined)
    character(len=*), intent(in) :: names(:)
    character(len=*), intent(out) :: joined
    integer :: i
    joined = ''
    do i = 1, size(names)
      joined = trim(joined) // trim(names(i)) // ','
    end do
    print *, len(names), len(joined)
  end subroutine texts
end module starts

program intents
  use starts
  implicit none
  integer, allocatable :: a(:)
  type(state) :: s
  real :: m(3, 4), v(6)
  integer :: i, j
  character(len=5) :: names(3)
  character(len=20) :: joined
  allocate (a(5), s%x(3))
  s%n = 1
  call renew(a, s)
  print *, a, s%n, s%x
  v = [(real(i), i = 1, 6)]
  call explicit_shape(3, v(2:6:2))
  print *, v
  call explicit_shape(2, v(4))
  print *, v
  m = reshape([((real(i + 10 * j), i = 1, 3), j = 1, 4)], [3, 4])
  call explicit_shape(4, m(2, :))
  print *, m
  call matrix(3, 2, m(1, 2))
  print *, m(1, :)
  call matrix(2, 3, m)
  print *, m
  i = 5
  call by_value(i)
  call by_value(i + 1)
  print *, i
  names = ['one  ', 'two  ', 'three']
  call texts(names, joined)
  print *, joined
  call texts(names(2:3), joined(1:8))
  print *, joined
  print *, v(1:2)
end program intents
