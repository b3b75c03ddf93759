! What is computed from a variable that an elemental call changes is computed ahead of it.
module counters
  implicit none
contains
  elemental subroutine bump(x, by, c)
    integer, intent(inout) :: x
    integer, intent(in) :: by
    integer, intent(out) :: c
    c = x
    x = x + by
  end subroutine bump
end module counters
program elementwise
  use counters
  implicit none
  integer :: g(4), h(4), k(-1:2)
  g = [1, 2, 3, 4]
  h = 0
  k = [7, 8, 9, 10]
  call bump(g(2:3), g(1:2) * 1, h(1:2))
  print *, g, h
  call bump(g, g(1) + 0, h)
  print *, g, h
  call bump(g(2:4), (g(1:3)), h(:3))
  print *, g, h
  call bump(k, k(2:-1:-1) - g(1), g)
  print *, k, g
  call bump(g, abs(g(4:1:-1)), h)
  print *, g, h
  call bump(g, -h, k)
  print *, g, h, k
end program elementwise
