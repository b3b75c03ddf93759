! The exit status of error stop, after what was written without advancing.
program stops
  implicit none
  write (*, '(a)', advance='no') 'before the end'
  call leave(3)
contains
  subroutine leave(code)
    integer, intent(in) :: code
    if (code > 2) error stop 7
    print *, 'not reached'
  end subroutine leave
end program stops
