! Recursion, functions that return arrays and texts, internal procedures with host variables.
module recursive_things
  implicit none
contains
  recursive integer function factorial(n) result(f)
    integer, intent(in) :: n
    if (n <= 1) then
      f = 1
    else
      f = n * factorial(n - 1)
    end if
  end function factorial
  recursive subroutine hanoi(n, from, to, via, moves)
    integer, intent(in) :: n
    character, intent(in) :: from, to, via
    integer, intent(inout) :: moves
    if (n == 0) return
    call hanoi(n - 1, from, via, to, moves)
    moves = moves + 1
    call hanoi(n - 1, via, to, from, moves)
  end subroutine hanoi
  function table(n)
    integer, intent(in) :: n
    integer :: table(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        table(i, j) = i * j
      end do
    end do
  end function table
  pure elemental real function squared(x)
    real, intent(in) :: x
    squared = x * x
  end function squared
  elemental subroutine double_it(x)
    real, intent(inout) :: x
    x = 2 * x
  end subroutine double_it
  subroutine sort(a)
    integer, intent(inout) :: a(:)
    integer :: n
    n = size(a)
    call pass(1)
  contains
    recursive subroutine pass(start)
      integer, intent(in) :: start
      integer :: at, kept
      if (start >= n) return
      at = start - 1 + minloc(a(start:), 1)
      kept = a(start)
      a(start) = a(at)
      a(at) = kept
      call pass(start + 1)
    end subroutine pass
  end subroutine sort
end module recursive_things

program recursion
  use recursive_things
  implicit none
  integer :: moves, list(6)
  real :: x(3)
  print *, factorial(10)
  moves = 0
  call hanoi(5, 'a', 'b', 'c', moves)
  print *, moves
  print *, table(3)
  x = squared([1.0, 2.0, 3.0])
  print *, x, squared(4.0), sum(squared(x))
  call double_it(x)
  call double_it(x(2))
  print *, x
  list = [5, 2, 6, 1, 4, 3]
  call sort(list)
  print *, list
end program recursion
