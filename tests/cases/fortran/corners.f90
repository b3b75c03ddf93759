! Corners: zero-size arrays, negative strides, nested masks, pointers that share memory, shadowed names,
! functions as arguments of functions, long expressions, labels in blocks, transfer, bit patterns.
module corner_tools
  implicit none
  integer, parameter :: n = 3
  real :: shared(4) = [1.0, 2.0, 3.0, 4.0]
contains
  real function apply(f, x)
    real, external :: f
    real, intent(in) :: x
    apply = f(x)
  end function apply
  real function triple(x)
    real, intent(in) :: x
    triple = 3 * x
  end function triple
  subroutine change_shared(k)
    integer, intent(in) :: k
    shared(k) = -shared(k)
  end subroutine change_shared
  function row(m, i) result(r)
    real, intent(in) :: m(:, :)
    integer, intent(in) :: i
    real :: r(size(m, 2))
    r = m(i, :)
  end function row
  pure integer function total(a)
    integer, intent(in) :: a(:)
    total = sum(a)
  end function total
end module corner_tools

program corners
  use corner_tools
  implicit none
  integer :: i, j, k, empty(0), v(5), w(5), count_of
  real, target :: x(6), m(2, 3)
  real, pointer :: p(:), q(:)
  real :: y
  real(8) :: d
  logical :: flags(2, 2)
  character(len=3) :: abc(2, 2)
  integer, allocatable :: ragged(:)
  print *, size(empty), sum(empty), maxval(empty) < 0, all(empty > 0), any(empty > 0)
  v = [5, 4, 3, 2, 1]
  print *, v(5:1:-2), v(2:1), v(4:2:-1)
  v(5:1:-1) = v
  print *, v
  w = v(v)
  print *, w, v([1, 1, 5])
  x = [(real(i), i = 1, 6)]
  p => x(1:5)
  q => x(2:6)
  p = q
  print *, x
  q = p * 10
  print *, x
  p(1:2) = 0
  print *, x(1:3), size(p), lbound(p), associated(p, x(1:5))
  m = reshape(x, [2, 3])
  print *, row(m, 2), row(m(:, 3:1:-1), 1), sum(row(m, 1) * row(m, 2))
  y = apply(triple, 2.0) + apply(triple, apply(triple, 1.0))
  print *, y, apply(minus, 5.0)
  do i = 1, n
    call change_shared(i)
  end do
  print *, shared
  where (x > 1)
    where (x > 30)
      x = -1
    elsewhere
      x = x / 2
    end where
  elsewhere
    x = 100
  end where
  print *, x
  flags = reshape([.true., .false., .false., .true.], [2, 2])
  print *, flags, count(flags), count(flags, 1), any(flags, 2), .not. flags(1, :)
  abc = 'xy'
  abc(2, :) = ['a', 'b']
  print *, abc, abc(2, 1) // abc(1, 2) // '.'
  k = 0
  do i = 1, 3
    do j = 1, 3
      if (i * j == 4) goto 100
      k = k + 1
    end do
  end do
100 continue
  print *, i, j, k
  d = 2.5d0
  print *, transfer(1.0, 1), transfer(1, 1.0) > 0, int(transfer(d, 1_8))
  print *, total([1, 2, 3]) + total(v(1:2)), total(pack(v, v > 2))
  allocate (ragged(0))
  do i = 1, 4
    if (mod(i, 2) == 0) ragged = [ragged, i, i * i]
  end do
  print *, ragged, size(ragged)
  count_of = 0
  do i = 1, 2; do j = 1, 2; count_of = count_of + i * j; end do; end do
  print *, count_of, i, j
  if (.not. allocated(ragged)) then
    print *, 'never'
  else if (size(ragged) > 3 .and. ragged(1) == 2) then
    print *, 'yes'
  end if
  print *, merge('abc', 'xyz', v(1) > 3), merge(1.0, 0.0, [.true., .false.])
  print *, (i, v(i), i = 1, 5, 2), ((i * j, i = 1, 2), j = 1, 2)
  v = 1
  v(2:4) = v(1:3) + v(3:5)
  print *, v, sum(v(1:5:2)), product(v(2:4))
  m = 1.5
  m(:, 2) = [2.0, 3.0]
  m(1, :) = m(1, :) + m(2, 3:1:-1)
  print *, m, maxval(m, 1), minloc(m), sum(m, 2)
contains
  real function minus(x)
    real, intent(in) :: x
    minus = -x
  end function minus
end program corners
