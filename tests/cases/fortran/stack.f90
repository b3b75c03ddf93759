! A type with a constructor, operators and an assignment of its own.
module m_stack
  implicit none
  private
  type, public :: stack
    private
    integer, allocatable :: data(:)
    integer :: top = 0
  contains
    procedure, public :: push
    procedure, public :: pop
    procedure, public :: is_empty
    procedure, public :: count => stack_count
  end type
  interface stack
    module procedure new_stack
  end interface
  interface assignment(=)
    module procedure from_array
  end interface
  interface operator(==)
    module procedure same
  end interface
  public :: assignment(=), operator(==)
contains
  function new_stack(capacity) result(s)
    integer, intent(in) :: capacity
    type(stack) :: s
    allocate(s%data(capacity))
    s%top = 0
  end function
  subroutine push(self, v)
    class(stack), intent(inout) :: self
    integer, intent(in) :: v
    integer, allocatable :: tmp(:)
    if (.not. allocated(self%data)) allocate(self%data(1))
    if (self%top == size(self%data)) then
      allocate(tmp(2*size(self%data)))
      tmp(1:self%top) = self%data
      call move_alloc(tmp, self%data)
    end if
    self%top = self%top + 1
    self%data(self%top) = v
  end subroutine
  function pop(self) result(v)
    class(stack), intent(inout) :: self
    integer :: v
    if (self%top == 0) error stop 'empty'
    v = self%data(self%top)
    self%top = self%top - 1
  end function
  pure logical function is_empty(self)
    class(stack), intent(in) :: self
    is_empty = self%top == 0
  end function
  pure integer function stack_count(self) result(n)
    class(stack), intent(in) :: self
    n = self%top
  end function
  subroutine from_array(s, a)
    type(stack), intent(inout) :: s
    integer, intent(in) :: a(:)
    s%data = a
    s%top = size(a)
  end subroutine
  logical function same(a, b)
    type(stack), intent(in) :: a, b
    same = a%top == b%top
    if (same) same = all(a%data(:a%top) == b%data(:b%top))
  end function
end module
program t2
  use m_stack
  implicit none
  type(stack) :: s, t
  integer :: i
  s = stack(2)
  do i = 1, 5
    call s%push(i*i)
  end do
  print *, s%count(), s%pop(), s%is_empty()
  t = [1, 4, 9, 16]
  print *, s == t
  do while (.not. s%is_empty())
    write(*,'(i0,1x)',advance='no') s%pop()
  end do
  print *
  i = s%pop()
end program
