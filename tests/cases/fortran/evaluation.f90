! When and in which order things are evaluated.
module traced
  implicit none
contains
  logical function yes(n)
    integer, intent(in) :: n
    print *, 'yes', n
    yes = .true.
  end function yes
  logical function no(n)
    integer, intent(in) :: n
    print *, 'no', n
    no = .false.
  end function no
  integer function told(n)
    integer, intent(in) :: n
    print *, 'told', n
    told = n
  end function told
  subroutine take(a, b, c)
    integer, intent(in) :: a, b, c
    print *, 'take', a, b, c
  end subroutine take
  integer function pair(a, b)
    integer, intent(in) :: a, b
    pair = 10 * a + b
  end function pair
end module traced

program evaluation
  use traced
  implicit none
  integer, target :: a(4)
  integer, pointer :: p
  integer :: i, n, b(4)
  integer, allocatable :: c(:)
  logical :: l
  a = [1, 2, 3, 4]
  p => a(2)
  a = a * p
  print *, a, p
  a(1:3) = p + a(2:4)
  print *, a
  l = yes(1) .neqv. no(2)
  print *, l
  call take(told(1), told(2), told(3))
  n = told(4) + told(5) * told(6)
  print *, n
  n = pair(told(7), told(8))
  n = n + told(9) - told(10)
  print *, n
  b = [2, 0, 1, 0]
  a = [4, 6, 8, 10]
  where (b /= 0) a = a / b
  print *, a
  a = [4, 6, 8, 10]
  where (b(2:4) /= 0) a(2:4) = a(1:3) * b(2:4)
  print *, a
  c = [1, 2, 3]
  c = c(3:1:-1)
  print *, c
  c = [c, c]
  c = c + size(c)
  print *, c
  do i = told(1), told(3), told(2)
    print *, 'trip', i
  end do
  a(told(1)) = told(2)
  print *, a
  a([1, 2]) = [told(5), told(6)]
  n = max(told(3), told(2)) + min(told(1), told(0), told(2))
  print *, a, n
end program evaluation
