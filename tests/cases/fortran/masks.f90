! where, nested and with elsewhere; forall; do concurrent; merge.
program masks
  implicit none
  real :: a(5), b(5)
  integer :: i, j, m(3, 3)
  a = [-2.0, -1.0, 0.0, 1.0, 2.0]
  b = 0.0
  where (a > 0) b = sqrt(a)
  print *, b
  where (a < 0)
    b = -a
    a = 10.0
  elsewhere (a == 0)
    b = 99.0
  elsewhere
    b = b + a
    a = a(5:1:-1)
  end where
  print *, a
  print *, b
  do concurrent (i = 1:3, j = 1:3, i /= j)
    m(i, j) = 10 * i + j
  end do
  forall (i = 1:3) m(i, i) = -i
  print *, m
  where (m > 20)
    m = m - 20
  elsewhere (m < 0)
    m = 0
  end where
  print *, m
  where (m(1, :) > 0) m(2, :) = m(3, :)
  print *, m
end program masks
