! Optional and keyword arguments, values passed for variables, generics, procedures as arguments.
module tools
  implicit none
  interface norm
    module procedure norm_one, norm_many
  end interface norm
  interface
    function curve(x) result(y)
      real, intent(in) :: x
      real :: y
    end function curve
  end interface
contains
  real function norm_one(x)
    real, intent(in) :: x
    norm_one = abs(x)
  end function norm_one
  real function norm_many(x)
    real, intent(in) :: x(:)
    norm_many = sqrt(sum(x ** 2))
  end function norm_many
  subroutine set(n, factor, label)
    integer, intent(inout) :: n
    integer, intent(in), optional :: factor
    character(len=*), intent(in), optional :: label
    if (present(factor)) n = n * factor
    if (present(label)) print *, label, n
    if (.not. present(factor) .and. .not. present(label)) print *, 'bare', n
  end subroutine set
  subroutine outer(n, factor)
    integer, intent(inout) :: n
    integer, intent(in), optional :: factor
    call set(n, factor, 'passed on')
  end subroutine outer
  subroutine fill(x, value)
    real, intent(out) :: x(:)
    real, intent(in), optional :: value
    x = 1.0
    if (present(value)) x = value
  end subroutine fill
  subroutine swap(a, b)
    integer :: a, b, t
    t = a
    a = b
    b = t
  end subroutine swap
  real function integrate(f, a, b, n)
    interface
      real function f(x)
        real, intent(in) :: x
      end function f
    end interface
    real, intent(in) :: a, b
    integer, intent(in) :: n
    integer :: i
    integrate = 0.0
    do i = 1, n
      integrate = integrate + f(a + (i - 0.5) * (b - a) / n)
    end do
    integrate = integrate * (b - a) / n
  end function integrate
  real function parabola(x)
    real, intent(in) :: x
    parabola = x * x
  end function parabola
end module tools

program arguments
  use tools, only: norm, set, outer, fill, swap, integrate, square => parabola
  implicit none
  integer :: n, m, pair(2)
  real :: v(3), scale
  n = 3
  call set(n)
  call set(n, 2)
  call set(n, label='only label')
  call set(label='both', factor=5, n=n)
  call outer(n)
  call outer(n, 2)
  m = 1
  call swap(n, m)
  print *, n, m
  pair = [10, 20]
  call swap(pair(1), pair(2))
  print *, pair
  call fill(v)
  print *, v, norm(v), norm(-2.5)
  call fill(value=4.0, x=v(1:3:2))
  print *, v
  print *, integrate(square, 0.0, 1.0, 100)
  scale = 2.0
  print *, integrate(scaled, 0.0, 1.0, 10)
contains
  real function scaled(x)
    real, intent(in) :: x
    scaled = scale * x
  end function scaled
end program arguments
