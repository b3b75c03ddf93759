! A stencil over a grid with a border, formats made at run time, internal procedures.
program t3
  implicit none
  integer, parameter :: nx = 4, ny = 3
  real(8) :: u(0:nx+1, 0:ny+1), v(0:nx+1, 0:ny+1), dt, res
  integer :: i, j, it
  character(len=12) :: fmt
  integer :: ia(3) = (/ 3, 1, 2 /)
  real :: x(3)
  logical :: mask(4)
  u = 0; v = 0
  u(:, 0) = 1; u(0, :) = 2
  dt = 0.1d0
  do it = 1, 3
    v(1:nx, 1:ny) = u(1:nx, 1:ny) + dt * (u(0:nx-1, 1:ny) - 2*u(1:nx, 1:ny) + u(2:nx+1, 1:ny) &
      + u(1:nx, 0:ny-1) - 2*u(1:nx, 1:ny) + u(1:nx, 2:ny+1))
    res = maxval(abs(v(1:nx,1:ny) - u(1:nx,1:ny)))
    u(1:nx, 1:ny) = v(1:nx, 1:ny)
    print '(a,i2,a,es12.5)', 'it ', it, ' res ', res
  end do
  write(fmt, '(a,i0,a)') '(', nx + 2, 'f8.4)'
  do j = 0, ny + 1
    write(*, fmt) u(:, j)
  end do
  call sort3(ia)
  print *, ia
  x = real(ia) / 2
  x(2:) = x(2:) - x(:2)
  print *, x, dot_product(x, x), sqrt(sum(x*x))
  mask = [(mod(i, 2) == 0, i = 1, 4)]
  print *, mask, count(mask), pack([10, 20, 30, 40], mask)
  print *, f(2), f(3, 10), g(x)
  call outer_sub(5)
contains
  subroutine sort3(a)
    integer, intent(inout) :: a(:)
    integer :: i, j, t
    do i = 1, size(a) - 1
      do j = i + 1, size(a)
        if (a(j) < a(i)) then
          t = a(i); a(i) = a(j); a(j) = t
        end if
      end do
    end do
  end subroutine
  integer function f(a, b)
    integer, intent(in) :: a
    integer, optional, intent(in) :: b
    f = a
    if (present(b)) f = f + b
  end function
  function g(a)
    real, intent(in) :: a(:)
    real :: g
    integer :: k
    g = 0
    do k = lbound(a, 1), ubound(a, 1)
      g = max(g, abs(a(k)))
    end do
  end function
  subroutine outer_sub(n)
    integer, intent(in) :: n
    real :: work(n), total
    integer :: k
    work = [(k * 1.5, k = 1, n)]
    total = 0
    do k = n, 1, -1
      total = total + work(k)
      if (total > 12) exit
    end do
    print *, total, k, n
    if (n > 3) call outer_sub2(work(2:4), total)
    print *, work
  end subroutine
  subroutine outer_sub2(w, t)
    real, intent(inout) :: w(:)
    real, intent(in) :: t
    w = w / t
  end subroutine
end program
