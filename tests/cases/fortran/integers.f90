! Division, remainders, powers, bits and kinds of integers.
program integers
  implicit none
  integer :: a, b
  integer(1) :: small
  integer(2) :: short
  integer(8) :: large
  a = -7
  b = 2
  print *, a / b, 7 / (-2), mod(a, b), modulo(a, b), mod(7, -3), modulo(7, -3)
  print *, 2 ** (-1), (-1) ** (-3), a ** 2, a ** 3, 2 ** 10, 0 ** 0
  small = 127_1
  short = 300_2
  large = 2147483647
  large = large + 1
  print *, small, short, large, large * large
  print *, huge(small), huge(short), huge(a), huge(large)
  print *, iand(12, 10), ior(12, 10), ieor(12, 10), not(5), ishft(1, 4), ishft(-1, -28)
  print *, btest(5, 0), btest(5, 1), ibset(0, 3), ibclr(15, 0), ibits(61, 2, 3), ishftc(1, -1, 4)
  print *, popcnt(255), leadz(1), trailz(8), bit_size(a)
  print *, abs(-5), sign(3, -2), sign(-3, 2), dim(5, 3), dim(3, 5), max(1, 5, 3), min(4, 2, 8)
  print *, int(3.9), int(-3.9), nint(2.5), nint(-2.5), nint(3.5), floor(-1.5), ceiling(-1.5), floor(1.5), ceiling(1.2)
  print *, int(3.99d0), nint(0.49999999d0), aint(-2.7), anint(2.5), anint(-0.5)
  print *, real(7) / 2, 7 / 2, 7 / 2 * 2.0, 1 / 3 + 1.0 / 3
  print *, int(z'1F'), kind(a), kind(large), selected_int_kind(12), range(large), digits(a)
  print *, mod(-5.5, 2.0), modulo(-5.5, 2.0), modulo(5.5d0, -2.0d0), mod(8_8, 3_8)
  a = 5
  a = a + 1.7
  print *, a, int(a * 1.5), a * 3 / 2
end program integers
