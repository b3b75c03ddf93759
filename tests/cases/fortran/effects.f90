! Functions with side effects are called once, in the order in which they stand.
module effects_of
  implicit none
  integer :: calls = 0
contains
  integer function next()
    calls = calls + 1
    next = calls
  end function next
  integer function twice(n)
    integer, intent(inout) :: n
    n = n * 2
    twice = n
  end function twice
end module effects_of

program effects
  use effects_of
  implicit none
  integer :: a(3), n, i
  a = next()
  print *, a, calls
  print *, next(), next(), next()
  n = 3
  i = twice(n)
  print *, n, i
  a(next() - 3) = 5
  print *, a, calls
  do i = next(), next() + 1
    print *, 'loop', i
  end do
  if (next() > 0) print *, calls
  a = a + next()
  print *, a
  where (a > 10) a = next()
  print *, a
end program effects
