! Long texts and arrays, arrays that run backwards, and extremes beside what they do not concern.
module reaching
  implicit none
contains
  integer function vowels(text)
    character(len=*), intent(in) :: text
    integer :: i
    vowels = 0
    do i = 1, len(text)
      if (text(i:i) == 'a' .or. text(i:i) == 'e') vowels = vowels + 1
    end do
  end function vowels

  real(8) function faded(x)
    real(8), intent(in) :: x(:)
    integer :: i
    faded = 0
    do i = 1, size(x)
      faded = faded * 0.5d0 + x(i)
    end do
  end function faded

  subroutine larger(a, b, r, s)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: r, s
    r = max(a, b)
    s = a * 0.5d0
  end subroutine larger
end module reaching

subroutine raised(n, x)
  integer :: n, i
  real(8) :: x(n)
  do i = 1, n
    x(i) = x(i) + 0.25d0
  end do
end subroutine raised

integer(8) function tripled(n, k)
  integer(8), intent(in) :: n
  integer, intent(in) :: k
  tripled = 3 * n + k
  if (mod(n, 5_8) == 0) tripled = tripled + k
end function tripled
