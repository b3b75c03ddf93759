! Precision of constants, order of operations, powers, conversions.
program numbers
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 307), sp = kind(1.0)
  real(dp) :: d, e
  real(sp) :: s
  real, parameter :: pi = 4.0 * atan(1.0)
  double precision, parameter :: tau = 2 * 3.141592653589793d0
  integer :: i
  d = 0.1
  e = 0.1_dp
  print *, d, e, d == e, real(e) == 0.1
  s = 16777216.0
  s = s + 1.0
  print *, s, 1.0 / 3.0, 1.0 / 3, 1d0 / 3
  print *, pi, tau, cos(pi), sin(tau)
  d = 1.1d0
  i = 7
  print *, d ** 2, d ** 3, d ** i, d ** (-2), d ** 0.5d0, 2.0 ** 0.5, 2 ** 0.5
  print *, (d + 1d16) - 1d16, d + (1d16 - 1d16)
  print *, sqrt(2.0), exp(1.0), log(10.0), log10(1000.0), sinh(1.0), atan2(1.0, -1.0), tan(1.0)
  print *, dsqrt(2d0), dexp(1d0), dlog(2d0), dabs(-1d0), dble(1.1), sngl(1.1d0), float(3), amax1(1.0, 2.0), max0(3, 4)
  print *, 5 / 2 * 2.5, 5 * 2.5 / 2, 2 ** 3 ** 2, -2 ** 2, (-8) ** 3, 10 - 3 - 2, 100 / 10 / 5
  print *, real(1, 8) / 3, real(d), int(d, 8), 1 + 1_8, 3 * 1.5_dp
  print *, mod(10.5, 3.0), sign(1.0, -0.0), abs(-0.0), -0.0, 0.0 * (-1.0)
  print *, gamma(5.0), erf(0.5), hypot(3.0, 4.0), fraction(8.0), exponent(8.0), spacing(1.0), nearest(1.0, 1.0)
  print *, huge(d), precision(d), range(s), maxexponent(s), digits(d), radix(s)
  print *, floor(-2.5d0), 1e10 * 1e10, .5 + 5., 1.e-3
  print *, .true. .and. .not. .false., .true. .eqv. .false., .false. .neqv. .true., 1 < 2 .or. 1 / 1 == 2
end program numbers
