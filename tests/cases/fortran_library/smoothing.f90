! Fields of assumed shape in a module.
module smoothing
  implicit none
contains
  subroutine smoothed(x, y, weight)
    real(8), intent(in) :: x(:, :), weight
    real(8), intent(inout) :: y(:, :)
    integer :: i, j
    do j = 2, min(size(x, 2), size(y, 2)) - 1
      do i = 2, min(size(x, 1), size(y, 1)) - 1
        y(i, j) = y(i, j) + weight * (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1) - 4 * x(i, j))
      end do
    end do
  end subroutine smoothed

  logical function sorted(x, strictly)
    integer, intent(in) :: x(:)
    logical, intent(in) :: strictly
    integer :: i
    sorted = .true.
    do i = 2, size(x)
      if (x(i) < x(i - 1)) sorted = .false.
      if (strictly .and. x(i) == x(i - 1)) sorted = .false.
    end do
  end function sorted
end module smoothing
