! Lists of structures and of their components, constant tables, texts, elemental functions.
program t4
  implicit none
  type :: vec
    real :: x, y
  end type
  type :: particle
    type(vec) :: pos, vel
    real :: mass
    character(len=4) :: tag
  end type
  type(particle), allocatable :: ps(:)
  type(particle) :: q
  real, allocatable :: grid(:,:,:), line(:)
  integer :: i, j, k, idx(2)
  real :: total, w(2,2)
  integer, parameter :: table(3,2) = reshape([1,2,3,4,5,6], [3,2])
  real, parameter :: c0 = 1.5, c1 = c0**2 + 1, cs(2) = [c0, c1]
  character(len=20) :: s, t
  character(len=6), allocatable :: words(:)
  logical :: flag = .false.
  allocate(ps(3))
  do i = 1, 3
    ps(i)%pos = vec(real(i), 2.0*i)
    ps(i)%vel%x = 0.5
    ps(i)%vel%y = -0.5
    ps(i)%mass = i
    write(ps(i)%tag, '(a,i1)') 'p', i
  end do
  ps%pos%x = ps%pos%x + 2 * ps%vel%x
  total = sum(ps%mass * ps%pos%x)
  print *, total, ps(2)%pos, ps(3)%tag
  q = ps(1)
  ps = ps(3:1:-1)
  print *, ps%mass, q%mass, (ps(i)%tag, i=1,3)
  allocate(grid(2,3,0:1))
  grid = reshape([(real(i), i=1,12)], [2,3,2])
  print *, grid(2,:,1), sum(grid, dim=3), shape(grid), lbound(grid,3)
  grid(:,2,:) = 0
  print *, maxval(grid), minloc(grid), count(grid == 0)
  line = grid(1,:,0)
  print *, line, size(line), sum(line)/size(line)
  print *, table(2,:), sum(table), cs, c1
  idx = maxloc(table)
  print *, idx, table(idx(1), idx(2))
  w = matmul(reshape([1.,2.,3.,4.],[2,2]), reshape([1.,0.,0.,1.],[2,2]))
  print *, w
  s = 'abc'
  t = s
  t(2:2) = 'X'
  print *, s == t, trim(s)//trim(t), len(trim(s)), s(1:1) < t(2:2)
  allocate(words(2))
  words = ['hello ', 'world!']
  print *, words, words(2)(1:3), len(words(1))
  do k = 1, 2
    words(k)(1:1) = 'Z'
  end do
  print *, words
  if (.not. flag) then
    flag = any(words == 'Zorld!')
  endif
  print *, flag
  call swap(ps(1), ps(3))
  print *, ps%mass
  associate (p => ps(2))
    p%mass = p%mass * 10
  end associate
  print *, ps(2)%mass
  do i = 1, 3
    select case (ps(i)%tag)
    case ('p1'); print *, 'one'
    case ('p2', 'p3'); print *, 'two or three'
    end select
  end do
  print '(3(a,f5.1))', ('m', ps(i)%mass, i=1,3)
  print *, fact(5), fib([1,2,3,4,5,6])
  print *, trim(join(['ab', 'cd']))
contains
  subroutine swap(a, b)
    type(particle), intent(inout) :: a, b
    type(particle) :: tmp
    tmp = a; a = b; b = tmp
  end subroutine
  recursive function fact(n) result(r)
    integer, intent(in) :: n
    integer(8) :: r
    r = 1
    if (n > 1) r = n * fact(n - 1)
  end function
  elemental integer function fib(n)
    integer, intent(in) :: n
    integer :: a, b, i, c
    a = 0; b = 1
    do i = 1, n
      c = a + b; a = b; b = c
    end do
    fib = a
  end function
  function join(parts) result(r)
    character(len=*), intent(in) :: parts(:)
    character(len=len(parts)*size(parts)) :: r
    integer :: i
    r = ''
    do i = 1, size(parts)
      r = trim(r) // parts(i)
    end do
  end function
end program
