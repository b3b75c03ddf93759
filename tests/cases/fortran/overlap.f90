! Sections that overlap read old values.
program overlap
  implicit none
  integer :: a(6), b(3, 3), i, idx(3)
  a = [1, 2, 3, 4, 5, 6]
  a(2:6) = a(1:5)
  print *, a
  a = [1, 2, 3, 4, 5, 6]
  a(1:5) = a(2:6)
  print *, a
  a = [1, 2, 3, 4, 5, 6]
  a = a(6:1:-1)
  print *, a
  a(1:6:2) = a(2:6:2) + a(1)
  print *, a
  b = reshape([(i, i = 1, 9)], [3, 3])
  b = transpose(b)
  print *, b
  b(:, 1) = b(:, 2) + b(1, 1)
  print *, b
  b(2, :) = b(:, 2)
  print *, b
  idx = [3, 1, 2]
  a(idx) = a(1:3)
  print *, a
  a(1:3) = a(idx) * 2
  print *, a
  a = a / a(1)
  print *, a
  a = a(3)
  print *, a
  a = sum(a) + a
  print *, a
  a(a(1) - 20:2) = 0
  print *, a
end program overlap
