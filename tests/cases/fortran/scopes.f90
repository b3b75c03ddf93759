! associate, block, nested select, logical kinds, allocatable arguments, elemental calls.
program scopes
  implicit none
  integer :: i, n, total
  integer, allocatable :: list(:), grid(:, :), from_to(:)
  logical(1) :: flag
  logical :: found(3)
  real :: x(4), y
  x = [1.0, 2.0, 3.0, 4.0]
  associate (first => x(1), middle => x(2:3), scaled => 2 * x)
    first = 10.0
    middle = middle + 1
    print *, scaled, size(middle)
  end associate
  print *, x
  n = 3
  block
    integer :: n
    real :: local(2)
    n = 5
    local = n
    print *, n, local
  end block
  print *, n
  flag = .true.
  found = [.true., .false., .true.]
  print *, flag, found, .not. flag, count(found)
  call grow(list, 3)
  call grow(list, 5)
  print *, list, size(list)
  allocate (grid(2, 2))
  grid = 1
  grid(1, :) = grid(1, :) + [1, 2]
  print *, grid
  call move_alloc(list, from_to)
  print *, allocated(list), from_to
  total = 0
  do i = 1, 10
    select case (i)
    case (1, 3, 5)
      total = total + 1
    case (7:8)
      total = total + 10
    case (9:)
      exit
    case default
      if (i == 2) cycle
      total = total + 100
    end select
  end do
  print *, total, i
  y = 0
  if (n == 1) then
    y = 1
  else if (n == 3 .and. any(x > 5)) then
    y = 3
  else
    y = 9
  end if
  print *, y
contains
  subroutine grow(a, n)
    integer, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    integer :: i
    if (allocated(a)) then
      a = [a, n]
    else
      allocate (a(n))
      do i = 1, n
        a(i) = i
      end do
    end if
  end subroutine grow
end program scopes
