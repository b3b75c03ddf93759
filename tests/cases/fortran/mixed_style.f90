! Factorisation, bisection, a calendar and a histogram, in mixed style.
program t6
  implicit none
  real(8) :: a(3,3), b(3), lu(3,3), det, x
  integer :: piv(3), n, i, j, info, iter
  real(8), allocatable :: work(:), hist(:)
  real(8), external :: fun
  character(len=30) :: msg
  logical :: conv
  integer, dimension(12) :: days = [31,28,31,30,31,30,31,31,30,31,30,31]
  n = 3
  a = reshape((/ 4d0, -2d0, 1d0, -2d0, 4d0, -2d0, 1d0, -2d0, 4d0 /), (/ 3, 3 /))
  b = (/ 11d0, -16d0, 17d0 /)
  lu = a
  call ludcmp(lu, n, piv, det, info)
  print '(a,f10.4,i3)', ' det', det, info
  do j = 1, n
    print '(3f9.4)', (lu(i,j), i=1,n)
  enddo
  call bisect(fun, 0d0, 2d0, 1d-10, x, iter, conv)
  write(*,'(1x,a,f14.10,a,i4,l3)') 'root', x, ' iterations', iter, conv
  allocate(work(0:4), hist(5))
  work = 0
  work(0) = 1
  do i = 1, 4
    work(i) = work(i-1) * 0.5d0
  end do
  hist = work
  print *, hist(1), hist(5), lbound(work,1), ubound(work,1)
  print *, sum(days(1:2)), maxval(days), minloc(days), count(days == 31)
  msg = 'value: '
  write(msg(8:), '(f6.2)') 3.14159d0
  print *, msg, '|'
  read(msg(8:13), *) x
  print '(f8.3)', x
  print *, leap(2000), leap(1900), leap(2024)
  if (leap(2024)) days(2) = 29
  print *, sum(days)
  call histo((/1.0,2.0,2.5,3.7,9.9/), 5)
contains
  logical function leap(y)
    integer, intent(in) :: y
    leap = (mod(y,4) == 0 .and. mod(y,100) /= 0) .or. mod(y,400) == 0
  end function
  subroutine histo(v, n)
    integer, intent(in) :: n
    real, intent(in) :: v(n)
    integer :: bins(0:9), k
    bins = 0
    do k = 1, n
      bins(int(v(k))) = bins(int(v(k))) + 1
    end do
    do k = 0, 9
      if (bins(k) > 0) print '(i2,1x,a)', k, repeat('*', bins(k))
    end do
  end subroutine
end program
subroutine ludcmp(a, n, indx, d, info)
  implicit none
  integer n, indx(n), info, i, j, k, imax
  double precision a(n,n), d, aamax, dum, vv(100)
  d = 1.d0
  info = 0
  do 12 i = 1, n
    aamax = 0.
    do 11 j = 1, n
      if (abs(a(i,j)) .gt. aamax) aamax = abs(a(i,j))
11  continue
    if (aamax .eq. 0.) then
      info = 1
      return
    endif
    vv(i) = 1./aamax
12 continue
  do 19 j = 1, n
    do i = 1, j-1
      dum = a(i,j)
      do k = 1, i-1
        dum = dum - a(i,k)*a(k,j)
      end do
      a(i,j) = dum
    end do
    aamax = 0.
    imax = j
    do 16 i = j, n
      dum = a(i,j)
      do 15 k = 1, j-1
        dum = dum - a(i,k)*a(k,j)
15    continue
      a(i,j) = dum
      if (vv(i)*abs(dum) .ge. aamax) then
        imax = i
        aamax = vv(i)*abs(dum)
      endif
16  continue
    if (j .ne. imax) then
      do 17 k = 1, n
        dum = a(imax,k)
        a(imax,k) = a(j,k)
        a(j,k) = dum
17    continue
      d = -d
      vv(imax) = vv(j)
    endif
    indx(j) = imax
    if (j .ne. n) then
      dum = 1./a(j,j)
      do 18 i = j+1, n
        a(i,j) = a(i,j)*dum
18    continue
    endif
19 continue
  do i = 1, n
    d = d*a(i,i)
  end do
end subroutine
double precision function fun(x)
  double precision, intent(in) :: x
  fun = x**3 - x - 1d0
end function
subroutine bisect(f, lo0, hi0, tol, root, iter, ok)
  implicit none
  double precision, external :: f
  double precision, intent(in) :: lo0, hi0, tol
  double precision, intent(out) :: root
  integer, intent(out) :: iter
  logical, intent(out) :: ok
  double precision :: lo, hi, mid
  lo = lo0; hi = hi0; ok = .false.
  do iter = 1, 100
    mid = 0.5d0*(lo + hi)
    if (f(mid) == 0d0 .or. (hi - lo)/2 < tol) then
      ok = .true.
      exit
    end if
    if (sign(1d0, f(mid)) == sign(1d0, f(lo))) then
      lo = mid
    else
      hi = mid
    end if
  end do
  root = mid
end subroutine
