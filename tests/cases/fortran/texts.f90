! Characters: padding, comparison, substrings, intrinsics, internal files.
program texts
  implicit none
  character(len=5) :: a, b
  character(len=10) :: line
  character(len=3) :: words(3) = ['abc', 'de ', 'f  ']
  character(len=*), parameter :: title = 'Title'
  character(len=:), allocatable :: free
  integer :: n, stat
  real :: x
  a = 'ab'
  b = 'abcdefgh'
  print *, '[', a, ']', '[', b, ']', len(a), len_trim(a), len(title)
  print *, a == 'ab', a == 'ab   ', a < b, 'Z' < 'a', 'ab' // 'cd' == 'abcd', a /= b
  print *, trim(a) // '!', adjustl('  x'), adjustr('x  ') // '|', repeat('-', 3)
  b(2:3) = 'XY'
  print *, b, b(4:), b(:2), b(3:3)
  b(1:4) = b(2:5)
  print *, b
  print *, index('hello', 'l'), index('hello', 'l', .true.), scan('hello', 'aeiou'), verify('aab', 'a')
  print *, ichar('A'), char(66), achar(67), iachar('z'), lge('b', 'a'), llt('b', 'a')
  write (line, '(i4,f6.2)') 42, 3.14159
  print *, '[', line, ']'
  read (line, '(i4,f6.2)') n, x
  print *, n, x
  read (line, *) n, x
  print *, n, x
  line = '12 abc'
  read (line, *, iostat=stat) n, n
  print *, stat > 0
  free = 'grows'
  free = free // ' and grows'
  print *, free, len(free)
  words(2) = words(1)(2:3)
  print *, words, words(2)
  print *, any(words == 'f'), count(words == 'abc')
  select case (trim(words(1)))
  case ('abc')
    print *, 'found'
  case default
    print *, 'lost'
  end select
  select case (a(1:1))
  case ('a':'m')
    print *, 'first half'
  case ('n':'z')
    print *, 'second half'
  end select
  call show('text', 7)
  call shout(a)
  print *, a, pad('q')
  line = 'x' // a // 'y'
  print *, line // '|'
contains
  subroutine show(t, k)
    character(len=*), intent(in) :: t
    integer, intent(in) :: k
    character(len=k) :: own
    own = t
    print *, '[', own, ']', len(t), len(own)
  end subroutine show
  subroutine shout(t)
    character(len=*), intent(inout) :: t
    integer :: i
    do i = 1, len(t)
      if (t(i:i) >= 'a' .and. t(i:i) <= 'z') t(i:i) = achar(iachar(t(i:i)) - 32)
    end do
  end subroutine shout
  function pad(t) result(r)
    character(len=*), intent(in) :: t
    character(len=4) :: r
    r = t
    r(4:4) = '.'
  end function pad
end program texts
