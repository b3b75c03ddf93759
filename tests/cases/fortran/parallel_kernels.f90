! A stencil, a histogram, tasks and ordered regions in parallel.
module kernels
  implicit none
contains
  subroutine jacobi(u, unew, n, m, diff)
    integer, intent(in) :: n, m
    real(8), intent(in) :: u(0:n+1, 0:m+1)
    real(8), intent(out) :: unew(0:n+1, 0:m+1)
    real(8), intent(out) :: diff
    integer :: i, j
    real(8) :: t
    diff = 0d0
    !$omp parallel do default(none) shared(u, unew, n, m) private(i, j, t) reduction(max:diff)
    do j = 1, m
      do i = 1, n
        t = 0.25d0 * (u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1))
        unew(i,j) = t
        diff = max(diff, abs(t - u(i,j)))
      end do
    end do
    !$omp end parallel do
  end subroutine
  subroutine histogram(v, n, h, nb)
    integer, intent(in) :: n, nb
    integer, intent(in) :: v(n)
    integer, intent(inout) :: h(nb)
    integer :: i
    !$omp parallel do schedule(dynamic, 8) num_threads(4)
    do i = 1, n
      !$omp atomic update
      h(mod(v(i), nb) + 1) = h(mod(v(i), nb) + 1) + 1
      !$omp end atomic
    end do
  end subroutine
end module
program t7
  use omp_lib
  use kernels
  implicit none
  integer, parameter :: n = 30, m = 20
  real(8) :: u(0:n+1, 0:m+1), v(0:n+1, 0:m+1), d
  integer :: vals(1000), h(7), i, k, tid, cnt, arr(10)
  logical :: found
  real(8) :: acc(4)
  u = 0; u(:, 0) = 1; v = u
  do k = 1, 5
    call jacobi(u, v, n, m, d)
    u(1:n, 1:m) = v(1:n, 1:m)
  end do
  print '(a,es14.6)', 'diff', d
  vals = [(i * 7, i = 1, 1000)]
  h = 0
  call histogram(vals, 1000, h, 7)
  print *, h
  cnt = 0; found = .false.
  !$omp parallel private(tid) reduction(+:cnt) reduction(.or.:found)
  tid = omp_get_thread_num()
  cnt = cnt + 1
  if (tid == 0) found = .true.
  !$omp end parallel
  print *, cnt > 0, found
  acc = 0
  !$omp parallel do ordered
  do i = 1, 4
    acc(i) = i * 1.5d0
    !$omp ordered
    print *, 'ordered', i
    !$omp end ordered
  end do
  print *, acc
  arr = 0
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task firstprivate(i) shared(arr)
    arr(i) = i * i
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print *, arr
  !$omp parallel sections num_threads(2)
  !$omp section
  arr(1) = -1
  !$omp section
  arr(2) = -2
  !$omp end parallel sections
  print *, arr(1:2), omp_get_max_threads() > 0
end program
