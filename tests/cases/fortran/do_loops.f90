! The trip count is fixed at entry, and the variable ends one step beyond.
program do_loops
  implicit none
  integer :: i, j, n, step, total
  real :: x
  n = 5
  total = 0
  do i = 1, n
    n = 3
    total = total + i
  end do
  print *, 'fixed at entry', i, n, total
  do i = 10, 1, -3
    total = total + i
  end do
  print *, 'downward', i, total
  do i = 5, 1
    total = -1
  end do
  print *, 'no trip', i, total
  step = -2
  do i = 9, 2, step
    step = 100
    total = total + 1
  end do
  print *, 'step of a variable', i, step, total
  do x = 0.0, 1.0, 0.25
    print *, x
  end do
  i = 3
  do i = i, i + 4
    j = i
  end do
  print *, 'own bounds', i, j
  outer: do i = 1, 5
    do j = 1, 5
      if (j == 3) cycle outer
      if (i == 4) exit outer
      if (mod(i + j, 2) == 0) cycle
      print *, i, j
    end do
  end do outer
  print *, i, j
  i = 0
  do while (i < 3)
    i = i + 1
    if (i == 2) cycle
    print *, 'while', i
  end do
  do
    i = i - 1
    if (i < 0) exit
  end do
  print *, i
  block: do
    select case (i)
    case (-1)
      i = 7
      cycle block
    case (7)
      exit block
    end select
  end do block
  print *, i
end program do_loops
