! Small algorithms as they are found in the wild: elimination, sieve, Newton, sorting, statistics, a queue.
module linear
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains
  subroutine solve(a, b, x, ok)
    real(dp), intent(inout) :: a(:, :), b(:)
    real(dp), intent(out) :: x(:)
    logical, intent(out) :: ok
    integer :: n, i, j, k, pivot
    real(dp) :: factor, row(size(b))
    n = size(b)
    ok = .true.
    do k = 1, n
      pivot = k - 1 + maxloc(abs(a(k:n, k)), dim=1)
      if (abs(a(pivot, k)) < 1d-12) then
        ok = .false.
        return
      end if
      if (pivot /= k) then
        row = a(k, :)
        a(k, :) = a(pivot, :)
        a(pivot, :) = row
        b([k, pivot]) = b([pivot, k])
      end if
      do i = k + 1, n
        factor = a(i, k) / a(k, k)
        a(i, k:) = a(i, k:) - factor * a(k, k:)
        b(i) = b(i) - factor * b(k)
      end do
    end do
    do i = n, 1, -1
      x(i) = (b(i) - dot_product(a(i, i + 1:n), x(i + 1:n))) / a(i, i)
    end do
    do j = 1, n
      if (x(j) /= x(j)) ok = .false.
    end do
  end subroutine solve
  pure function mean(x) result(m)
    real(dp), intent(in) :: x(:)
    real(dp) :: m
    m = sum(x) / size(x)
  end function mean
  pure function deviation(x) result(s)
    real(dp), intent(in) :: x(:)
    real(dp) :: s
    s = sqrt(sum((x - mean(x)) ** 2) / (size(x) - 1))
  end function deviation
  recursive subroutine quicksort(a, first, last)
    real(dp), intent(inout) :: a(*)
    integer, intent(in) :: first, last
    real(dp) :: pivot, kept
    integer :: i, j
    pivot = a((first + last) / 2)
    i = first
    j = last
    do
      do while (a(i) < pivot)
        i = i + 1
      end do
      do while (pivot < a(j))
        j = j - 1
      end do
      if (i >= j) exit
      kept = a(i); a(i) = a(j); a(j) = kept
      i = i + 1
      j = j - 1
    end do
    if (first < i - 1) call quicksort(a, first, i - 1)
    if (j + 1 < last) call quicksort(a, j + 1, last)
  end subroutine quicksort
end module linear

program programs
  use linear
  implicit none
  integer, parameter :: limit = 50
  real(dp) :: a(3, 3), b(3), x(3), series(8), guess
  logical :: ok, prime(limit)
  integer :: i, j, counts(0:4), head, tail, queue(10)
  character(len=26) :: letters
  a = reshape([2d0, 1d0, -1d0, -3d0, -1d0, 2d0, -2d0, 1d0, 2d0], [3, 3], order=[2, 1])
  b = [8d0, -11d0, -3d0]
  call solve(a, b, x, ok)
  print '(a,3f8.3,l2)', 'x =', x, ok
  prime = .true.
  prime(1) = .false.
  do i = 2, int(sqrt(real(limit)))
    if (prime(i)) prime(i * i:limit:i) = .false.
  end do
  print '(15i4)', pack([(i, i = 1, limit)], prime)
  guess = 1
  do i = 1, 20
    if (abs(guess ** 2 - 2) < 1d-12) exit
    guess = guess - (guess ** 2 - 2) / (2 * guess)
  end do
  print '(a,i2,f18.14)', 'steps', i, guess
  series = [5d0, 3d0, 8d0, 1d0, 9d0, 2d0, 7d0, 4d0]
  print *, mean(series), deviation(series)
  call quicksort(series, 1, 8)
  print '(8f5.1)', series
  counts = 0
  do i = 1, 8
    j = mod(int(series(i)), 5)
    counts(j) = counts(j) + 1
  end do
  print *, counts, sum(counts), maxloc(counts)
  head = 1
  tail = 0
  do i = 1, 5
    tail = tail + 1
    queue(tail) = i * i
  end do
  do while (head <= tail)
    write (*, '(i0,1x)', advance='no') queue(head)
    head = head + 1
  end do
  print *
  do i = 1, 26
    letters(i:i) = achar(iachar('a') + i - 1)
  end do
  print *, letters, ' ', letters(3:5)
  do i = 1, 3
    print '(*(i5))', (i * j, j = 1, i)
  end do
end program programs
