! List-directed and formatted output.
program layouts
  implicit none
  integer :: i, m(2, 3)
  real :: r
  real(8) :: d
  logical :: yes
  character(len=4) :: c
  r = 1.0
  d = -123.456d0
  yes = .true.
  c = 'ab'
  m = reshape([(i, i = 1, 6)], [2, 3])
  print *, r, d, yes, c, 'x', 'y', 1, 'z', 2.5
  print *, 0.0, -0.0, 1e-7, 1e7, 123456.7, 1234567.8, 0.1, 1e30, 1e-30
  print *, 0d0, 1d-7, 1d16, 1d17, 123456789.123d0, 1d300, 0.1d0, -1d-10
  print *, 100.0, 1000000.0, 99999.99, 0.099999, 0.5, 16777216.0
  print *, m
  print *, (m(1, i), i = 1, 3), ((m(i, 1) + 1), i = 1, 2)
  print '(3i5)', m
  print '(a,i0,a,f0.3,a,es10.3)', 'i=', 42, ' f=', 3.14159, ' e=', 12345.678
  print '(f8.3,f8.0,f5.2,f3.1,f6.3)', 3.14159, 2.5, 1234.5, 0.05, -0.0001
  print '(e12.4,e12.4e3,d12.4,es12.4,en12.4,g12.4,g12.4,g12.4)', 123.456, 123.456, 123.456d0, 123.456, 123456.0, 0.01, 123.4, 1e10
  print '(1p,e12.4,0p,f10.3,2p,f10.2)', 123.456, 123.456, 1.5
  print '(i5.3,i3,l2,l1,a3,a6,a)', 7, 1234, yes, .false., c, c, c
  print '(2(i2,1x),"|",3x,i2)', 1, 2, 3
  print '(t5,a,t1,a,/,a,tr3,a)', 'five', 'one', 'next', 'far'
  print '(*(g0,:,", "))', 1, 2.5, 'three', .true.
  print '(i3)', 1, 2, 3
  print '(a,(i3,f5.1))', 'r', 1, 1.0, 2, 2.0
  print '(b8,o8,z8,z8.4)', 10, 64, 255, 255
  print '(sp,i5,f8.2,ss,i5)', 5, 2.5, 5
  print '("quote''s",1x,''a "b"'')'
  print '(5x,a,3x,a)', 'p', 'q'
  write (*, '(a)', advance='no') 'no '
  write (*, '(i0)', advance='no') 5
  write (*, '(a)') ' end'
  write (*, 100) 1, 2.0, 'three'
100 format (1x, i3, ',', f6.2, ',', a)
  write (*, '(3(f6.2,:,","))') 1.0, 2.0
  print *, 'long ', repeat('abcdefghij', 9), 12345
  print '(f10.2)', 1d10, 0.005, 0.015, 2.675, 0.125, 0.375
  print '(e10.2,e9.2)', 0.0, -9.999
  print '(g0)', 0.1, 1d0, 1e20, 7
  print *
  print *, huge(1.0), tiny(1d0), epsilon(1.0)
  print *, [1.5, 2.5], [character(len=3) :: 'a', 'bc']
end program layouts
