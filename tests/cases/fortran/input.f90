! Internal reads: list-directed with repeats, nulls and quotes; formatted with implied points and blanks.
program input
  implicit none
  character(len=60) :: line
  character(len=8) :: a, b
  integer :: i, j, k, stat
  real :: x, y
  logical :: p
  complex :: z
  integer :: list(5)
  real(8) :: d
  line = "12, 3.5 'two words' T (1.0,-2.0)"
  read (line, *) i, x, a, p, z
  print *, i, x, a, p, z
  line = '2*7 ,, 9'
  list = -1
  read (line, *) list(1:4)
  print *, list
  line = '1 2 / 3'
  k = 99
  read (line, *) i, j, k
  print *, i, j, k
  line = '12345678 1.5E2abcd'
  read (line, '(i3,i2,f3.1,f6.0,a4)') i, j, x, y, a
  print *, i, j, x, y, a
  line = ' 1D3 .5 -2.5d-1'
  read (line, *) d, x, y
  print *, d, x, y
  read (line, *, iostat=stat) i
  print *, stat > 0
  line = 'abc'
  read (line, *, iostat=stat) a, b
  print *, a, stat < 0
  line = 'T F .true.'
  read (line, '(l1,l2,l7)') p, p, p
  print *, p
  line = '  7   8'
  read (line, '(2i4)') i, j
  print *, i, j
  line = 'name = value'
  i = index(line, '=')
  a = line(:i - 1)
  b = adjustl(line(i + 1:))
  print *, a, b
end program input
