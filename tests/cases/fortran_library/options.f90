! Arguments that calls may leave out.
module options
  implicit none
  type summary
    real(8) :: total
    integer :: calls
  end type summary
contains
  subroutine shifted(n, x, factor, shift, count, negate, done, tag)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in), optional :: factor, shift(n)
    integer, intent(out), optional :: count
    logical, intent(in), optional :: negate
    logical, intent(inout), optional :: done
    character(len=3), intent(in), optional :: tag
    integer :: i
    do i = 1, n
      if (present(factor)) x(i) = x(i) * factor
      if (present(shift)) x(i) = x(i) + shift(i)
      if (present(negate)) then
        if (negate) x(i) = -x(i)
      end if
    end do
    if (present(count)) count = n
    if (present(done)) done = done .or. n > 3
    if (.not. present(tag)) return
    if (tag == 'abc') x(1) = 0
  end subroutine shifted

  real(8) function weighted(x, w, mask, into) result(total)
    real(8), intent(in) :: x(:)
    real(8), intent(in), optional :: w(:)
    logical, intent(in), optional :: mask(:)
    type(summary), intent(inout), optional :: into
    logical :: all_of_them
    integer :: i
    total = 0
    all_of_them = .not. present(mask)
    do i = 1, size(x)
      if (.not. all_of_them) then
        if (.not. mask(i)) cycle
      end if
      if (present(w)) then
        total = total + w(i) * x(i)
      else
        total = total + x(i)
      end if
    end do
    if (present(into)) then
      into%total = total
      into%calls = into%calls + 1
    end if
  end function weighted

  subroutine handed_on(n, x, factor, long)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in), optional :: factor
    character(len=5), intent(in) :: long
    call shifted(n, x, factor, negate=n > 2, tag=long)
  end subroutine handed_on
end module options
