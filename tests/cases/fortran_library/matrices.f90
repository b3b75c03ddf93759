! y = beta y + alpha op(a) x, and products with half of a matrix.
subroutine multiplied(trans, m, n, alpha, a, lda, x, beta, y)
  implicit none
  character(len=1), intent(in) :: trans
  integer, intent(in) :: m, n, lda
  double precision, intent(in) :: alpha, a(lda, *), x(*), beta
  double precision, intent(inout) :: y(*)
  integer :: i, j, rows
  logical :: turned
  if (m < 0 .or. n < 0 .or. lda < max(1, m)) then
    call refuse('MULTIPLIED', 6)
    return
  end if
  turned = trans == 'T' .or. trans == 't'
  rows = merge(n, m, turned)
  if (beta == 0.0d0) then
    y(1:rows) = 0.0d0
  else if (beta /= 1.0d0) then
    y(1:rows) = beta * y(1:rows)
  end if
  if (alpha == 0.0d0) return
  do j = 1, n
    do i = 1, m
      if (turned) then
        y(j) = y(j) + alpha * a(i, j) * x(i)
      else
        y(i) = y(i) + alpha * a(i, j) * x(j)
      end if
    end do
  end do
end subroutine multiplied

subroutine halved(uplo, n, a, lda, b, ldb)
  implicit none
  character(len=1), intent(in) :: uplo
  integer, intent(in) :: n, lda, ldb
  real, intent(in) :: a(lda, *)
  real, intent(inout) :: b(ldb, *)
  integer :: i, j
  if (n < 0 .or. lda < max(1, n) .or. ldb < max(1, n)) return
  do j = 1, n
    if (uplo == 'U') then
      do i = 1, j
        b(i, j) = b(i, j) + a(i, j)
      end do
    else
      do i = j, n
        b(i, j) = b(i, j) - a(i, j)
      end do
    end if
  end do
end subroutine halved
