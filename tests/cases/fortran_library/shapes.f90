module shapes
  implicit none
contains
  subroutine meshed(x, y, x2, y2)
    real(8), intent(in) :: x(:), y(:)
    real(8), intent(out) :: x2(:, :), y2(:, :)
    x2 = spread(x, 1, size(y))
    y2 = spread(y, 2, size(x))
  end subroutine meshed

  function powers(n, a) result(p)
    integer, intent(in) :: n
    real(8), intent(in) :: a
    real(8) :: p(n + 1)
    integer :: i
    p(1) = 1
    do i = 2, n + 1
      p(i) = p(i - 1) * a
    end do
  end function powers

  subroutine powered(n, a, x)
    integer, intent(in) :: n
    real(8), intent(in) :: a
    real(8), intent(out) :: x(:)
    x = powers(n, a)
  end subroutine powered

  function outer(x, y) result(z)
    real, intent(in) :: x(:), y(:)
    logical :: z(size(y), size(x))
    integer :: i, j
    do j = 1, size(x)
      do i = 1, size(y)
        z(i, j) = x(j) > y(i)
      end do
    end do
  end function outer

  function raised(word) result(upper)
    character(len=*), intent(in) :: word
    character(len=len(word)) :: upper
    integer :: i
    upper = word
    do i = 1, len(word)
      if (word(i:i) >= 'a' .and. word(i:i) <= 'z') upper(i:i) = achar(iachar(word(i:i)) - 32)
    end do
  end function raised

  function label(n) result(text)
    integer, intent(in) :: n
    character(len=6) :: text
    text = 'none'
    if (n > 0) text = 'positive'
    if (n < -3) text = 'low'
  end function label

  subroutine ranged(a, b, x)
    integer, intent(in) :: a, b
    integer, allocatable, intent(out) :: x(:)
    integer :: i
    if (b < a) return
    allocate(x(0:b - a))
    do i = 0, b - a
      x(i) = a + i
    end do
  end subroutine ranged

  subroutine grown(x, value)
    real(8), allocatable, intent(inout) :: x(:)
    real(8), intent(in) :: value
    if (.not. allocated(x)) then
      allocate(x(1))
      x(1) = value
    else
      x = [x, value]
    end if
  end subroutine grown

  function kept(x, mask) result(y)
    integer, intent(in) :: x(:)
    logical, allocatable, intent(in) :: mask(:)
    integer, allocatable :: y(:)
    integer :: i, count, first
    count = 0
    if (.not. allocated(mask)) return
    first = lbound(mask, 1) - 1
    do i = 1, min(size(x), size(mask))
      if (mask(first + i)) count = count + 1
    end do
    allocate(y(count))
    count = 0
    do i = 1, min(size(x), size(mask))
      if (mask(first + i)) then
        count = count + 1
        y(count) = x(i)
      end if
    end do
  end function kept
end module shapes
