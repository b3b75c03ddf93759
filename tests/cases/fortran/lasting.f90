! Values that last: save, initial values, data, common blocks, module variables.
module counters
  implicit none
  integer :: calls = 0
  real, save :: table(3) = [1.0, 2.0, 3.0]
  integer, parameter :: limit = 4
end module counters

subroutine count_calls(n)
  use counters
  implicit none
  integer, intent(out) :: n
  integer :: kept = 10
  integer, save :: other
  logical :: first
  data first /.true./
  if (first) then
    other = 100
    first = .false.
  end if
  kept = kept + 1
  other = other + 1
  calls = calls + 1
  n = kept + other
end subroutine count_calls

block data start
  integer :: p, q(3)
  common /shared/ p, q
  data p, q /5, 3*7/
end block data start

subroutine use_common
  integer :: first, rest(3)
  common /shared/ first, rest
  first = first + rest(2)
  rest(3) = first
end subroutine use_common

program lasting
  use counters
  implicit none
  integer :: n, i, p, q(3), grid(2, 2), odd(5)
  real :: x, y(4)
  character(len=3) :: word
  common /shared/ p, q
  data x, y /1.5, 2*2.5, 2*-1.0/
  data ((grid(i, n), i = 1, 2), n = 1, 2) /1, 2, 3, 4/
  data (odd(i), i = 1, 5, 2) /3*9/, odd(2), odd(4) /-1, -2/
  data word /'abcd'/
  do i = 1, 3
    call count_calls(n)
    print *, n, calls
  end do
  print *, p, q
  call use_common
  print *, p, q
  print *, x, y, grid, odd, word
  table(2) = table(2) * limit
  print *, table
end program lasting
