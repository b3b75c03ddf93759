! Names that C++ or its library has for something else.
module namespace
  implicit none
  integer :: new = 1, delete = 2
  type :: struct
    integer :: double = 3, this = 4
  end type struct
contains
  integer function operator(int)
    integer, intent(in) :: int
    operator = int + new
  end function operator
end module namespace

integer function time(y1)
  implicit none
  integer, intent(in) :: y1
  time = y1 * 2
end function time

program names
  use namespace
  implicit none
  type(struct) :: void
  integer :: auto, char, std, template(2), time, main, sum
  external time
  auto = operator(5)
  char = delete
  std = void%double + void%this
  template = [auto, char]
  main = time(4)
  sum = 11
  print *, auto, char, std, template, main, sum
end program names
