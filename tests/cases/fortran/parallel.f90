! OpenMP: loops with reductions and private variables, sections, tasks, critical and atomic.
program parallel
  implicit none
  integer, parameter :: n = 1000
  integer :: i, j, total, hits, last
  real(8) :: a(n), b(n), s, big
  integer :: grid(20, 30)
  !$omp parallel do
  do i = 1, n
    a(i) = i * 0.5d0
    b(i) = n - i
  end do
  !$omp end parallel do
  s = 0
  big = -1
  !$omp parallel do reduction(+:s) reduction(max:big) &
  !$omp& schedule(static, 10)
  do i = 1, n
    s = s + a(i)
    big = max(big, b(i))
  end do
  print *, s, big
  !$omp parallel do collapse(2) private(total)
  do j = 1, 30
    do i = 1, 20
      total = i * j
      grid(i, j) = total
    end do
  end do
  print *, sum(grid)
  hits = 0
  !$omp parallel shared(hits) private(j)
  !$omp do
  do i = 1, 100
    do j = 1, 3
      !$omp atomic
      hits = hits + 1
    end do
  end do
  !$omp end do
  !$omp single
  print *, hits
  !$omp end single
  !$omp critical (update)
  hits = hits + 0
  !$omp end critical (update)
  !$omp end parallel
  !$omp parallel do lastprivate(last) firstprivate(hits)
  do i = 1, 50
    last = i + hits * 0
  end do
  !$omp end parallel do
  print *, last
  !$omp parallel sections
  !$omp section
  a(1) = 1
  !$omp section
  b(1) = 2
  !$omp end parallel sections
  print *, a(1), b(1)
  !$omp parallel
  !$omp master
  !$omp task shared(total)
  total = 17
  !$omp end task
  !$omp taskwait
  print *, total
  !$omp end master
  !$omp end parallel
  !$omp simd
  do i = 1, n
    a(i) = a(i) + b(i)
  end do
  print *, a(2), a(n)
  !$ print *, 'with OpenMP'
end program parallel
