! Complex arithmetic, its intrinsics and its output.
program complexes
  implicit none
  complex :: z, w, list(2)
  complex(8) :: d
  integer :: n
  z = (1.0, 2.0)
  w = cmplx(3.0, -1.0)
  print *, z + w, z - w, z * w, z / w
  print *, z * 2, 2 / z, z + 1.5, 1 - z, -z
  print *, abs(w), conjg(z), aimag(z), real(z), z ** 2, z ** 3, w ** (-2), z ** 0.5
  n = 5
  print *, z ** n, sqrt(z), exp((0.0, 1.0)), log(w), sin(z), cos(z)
  print *, z == w, z /= w, z == (1.0, 2.0)
  d = dcmplx(1d0, 1d0) / 3
  print *, d, abs(d), cmplx(d), real(d), dble(d), d * z
  list = [z, w]
  print *, sum(list), product(list), list * (0.0, 1.0), dot_product(list, list)
  print '(2f8.3)', z
  print '(a,"(",f6.2,",",f6.2,")")', 'w = ', w
  z = 3
  print *, z, int(w), nint(real(w))
  print *, sign(1.0, max(real(z) - 3, -(real(z) - 3))), sign(1.0, min(-(real(z) - 3), real(z) - 3))
  w = cmplx(0.0, -9.0)
  print *, sqrt(w ** 2), w ** (-1), max(1.0, real(z), real(w))
  list(1) = 0
  print *, sign(1.0, max(real(list(1)), -real(list(1))))
end program complexes
