! Array constructors, implied loops, reshape, whole-array intrinsics.
program constructors
  implicit none
  integer :: i, j, m(2, 3), v(6), w(4)
  real :: x(3), y(2, 2)
  integer, allocatable :: a(:)
  logical :: mask(2, 3)
  v = [(i * i, i = 1, 6)]
  print *, v
  print *, [1, (i, i + 10, i = 2, 3), v(1:2)]
  w = [((i + 10 * j, i = 1, 2), j = 1, 2)]
  print *, w
  m = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  print *, m(1, :), m(:, 2), sum(m), product(m), maxval(m), minval(m)
  print *, sum(m, 1), sum(m, dim=2), maxval(m, dim=1), count(m > 2), count(m > 2, dim=1)
  mask = m > 2
  print *, any(mask), all(mask), any(mask, 1), all(mask, 2)
  print *, pack(m, mask), merge(m, -m, mask), sum(m, mask), maxloc(m), minloc(m, mask=mask)
  print *, unpack([7, 8, 9, 10], mask, 0)
  print *, spread([1, 2], 2, 2), spread([1, 2], 1, 2), cshift(v, 2), eoshift(v, -1), cshift(m, 1, 2)
  print *, dot_product([1, 2, 3], [4, 5, 6]), matmul(m, transpose(m)), matmul([1, 2], m)
  x = [real :: 1, 2, 3]
  y = reshape([1.0, 2.0, 3.0, 4.0], [2, 2], order=[2, 1])
  print *, x, y, norm2(x), matmul(y, [1.0, 1.0])
  a = [integer ::]
  print *, size(a)
  a = [a, 1, 2]
  a = [a, a + 5]
  print *, a, size(a), shape(m), size(m, 2)
  a = pack([(i, i = 1, 10)], [(mod(i, 3) == 0, i = 1, 10)])
  print *, a
  print *, reshape(v, [2, 2]), reshape([1], [2, 2], pad=[0])
  print *, maxloc([3, 9, 9], dim=1), findloc([3, 9, 9], 9), minval([real ::]) > 1e30
  print *, sum([real(8) :: (1d0 / i, i = 1, 5)])
end program constructors
