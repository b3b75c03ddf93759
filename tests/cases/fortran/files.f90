! Files: written, rewound, read to the end, appended to and removed.
program files
  implicit none
  integer :: i, n, stat, total
  real :: x
  character(len=20) :: line
  logical :: there
  open (unit=11, file='records.txt', status='replace', action='readwrite')
  do i = 1, 3
    write (11, '(i3,f6.2)') i, i * 1.5
  end do
  write (11, *) 'words here', 7
  rewind (11)
  total = 0
  do i = 1, 3
    read (11, '(i3,f6.2)', iostat=stat) n, x
    total = total + n
    print *, n, x, stat
  end do
  read (11, '(a)') line
  print *, line
  read (11, *, iostat=stat) n
  print *, stat < 0, total
  rewind (11)
  n = 0
  do
    read (11, *, end=50) line
    n = n + 1
  end do
50 print *, n
  close (11, status='delete')
  inquire (file='records.txt', exist=there)
  print *, there
  open (newunit=n, file='other.txt')
  write (n, *) 1, 2.5, 'abc'
  close (n)
  open (12, file='other.txt', status='old', position='append')
  write (12, '(a)') 'tail'
  rewind 12
  read (12, *) i, x, line
  print *, i, x, line
  close (12, status='delete')
  open (13, file='missing.txt', status='old', iostat=stat)
  print *, stat /= 0
end program files
