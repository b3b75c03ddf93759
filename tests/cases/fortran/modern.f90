! What newer codes use: intrinsic modules, lists of structures, texts, formats.
program t1
  use, intrinsic :: iso_fortran_env
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, parameter :: sp = real32, qp = kind(1d0)
  type :: item_t
    integer :: id = 0
    character(len=10) :: label = ''
    real(qp), dimension(2,2) :: m = 0
  end type
  type(item_t), dimension(3) :: items
  type(item_t), allocatable :: more(:), one
  integer, dimension(:), pointer :: ip => null()
  real(sp), dimension(3), parameter :: w = [0.25_sp, 0.5_sp, 0.25_sp]
  character(len=*), dimension(2), parameter :: names = ['alpha', 'beta ']
  integer :: i, ios, n
  character(len=80) :: buffer
  logical :: ok
  real :: r
  items(1) = item_t(1, 'first')
  items(2)%id = 2
  items(2)%label = 'second'
  items(3) = items(1)
  items%id = items%id * 10
  items(2)%m(1, :) = [1.5_qp, 2.5_qp]
  do i = 1, size(items)
    print '(i4,1x,a,2f6.2)', items(i)%id, trim(items(i)%label), items(i)%m(1,:)
  end do
  print *, items(2)
  allocate(more(2))
  more = items(1:2)
  more(1)%label = 'changed'
  print *, items(1)%label, more(1)%label, sum(more%id), maxval(items%id)
  allocate(one)
  one%id = 77
  print *, one%id, allocated(one)
  allocate(ip(4))
  ip = [(i, i=1,4)]
  print *, ip, sum(w), names(2), len(names), size(names)
  deallocate(ip)
  print *, associated(ip)
  write(buffer, '(3(a,i0,:,", "))') 'a=', 1, 'b=', 2
  print '(a)', trim(buffer)
  read(buffer, '(2x,i1)', iostat=ios) n
  print *, n, ios
  write(output_unit, '(a)') 'to output unit'
  write(error_unit, '(a)') 'to error unit'
  r = 0.0
  r = 1.0 / r
  print *, ieee_is_nan(r), ieee_is_finite(r), r > huge(r)
  inquire(file='nothere.txt', exist=ok)
  print *, ok
  print '(l1,1x,l3,1x,a)', ok, .not. ok, 'done'
  call random_number(r)
  print *, r >= 0 .and. r < 1
  print *, real(1, kind=qp), int(2.7_qp, kind=int64), aimag((1.0, 2.0)), achar(10) == new_line('a')
  print '(a)', repeat('=', 20)
  print '(2x,a,t20,a)', 'left', 'right'
  print '(a10,a5,a)', 'abc', 'abcdefg', '|'
  print '(1x,5(f5.1,","))', 1.0, 2.0, 3.0
  print *, merge('yes', 'no ', 1 < 2), index('abcabc', 'c', back=.true.)
  print *, [character(len=5) :: 'x', 'yy', 'zzz']
  print *, reshape([1,2,3,4], [2,2]), shape(reshape([1,2,3,4,5,6], [3,2]))
  print "(a,': ',i0)", 'count', count([1,2,3] > 1)
  if (any([1,2,3] == 2)) print *, 'found it'
  stop 'finished'
end program
