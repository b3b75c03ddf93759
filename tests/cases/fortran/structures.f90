! Derived types: nested, with arrays, pointers and allocatable components, bound procedures, operators.
module geometry
  implicit none
  type :: point
    real :: x = 0.0, y = 0.0
  contains
    procedure :: length => point_length
    procedure :: move
    generic :: shift => move
  end type point
  type :: segment
    type(point) :: ends(2)
    character(len=8) :: name = 'none'
    integer, allocatable :: marks(:)
  end type segment
  type :: node
    integer :: value
    type(node), pointer :: next => null()
  end type node
  interface operator(+)
    module procedure add
  end interface operator(+)
  interface operator(.dot.)
    module procedure dot
  end interface operator(.dot.)
contains
  real function point_length(this)
    class(point), intent(in) :: this
    point_length = sqrt(this%x ** 2 + this%y ** 2)
  end function point_length
  subroutine move(this, dx, dy)
    class(point), intent(inout) :: this
    real, intent(in) :: dx
    real, intent(in), optional :: dy
    this%x = this%x + dx
    if (present(dy)) this%y = this%y + dy
  end subroutine move
  type(point) function add(a, b)
    type(point), intent(in) :: a, b
    add = point(a%x + b%x, a%y + b%y)
  end function add
  real function dot(a, b)
    type(point), intent(in) :: a, b
    dot = a%x * b%x + a%y * b%y
  end function dot
end module geometry

program structures
  use geometry
  implicit none
  type(point) :: p, q, list(3)
  type(segment) :: s, t
  type(node), pointer :: head, item
  integer :: i
  real, target :: values(4)
  real, pointer :: view(:), one
  p = point(3.0, 4.0)
  q = point(y=1.0)
  print *, p%length(), q%x, q%y, p .dot. q
  call p%move(1.0)
  call p%shift(1.0, dy=2.0)
  print *, p
  p = p + q
  print *, p%x, p%y
  list = p
  list(2)%x = -1.0
  print *, list%x, sum(list%y)
  s%ends(1) = q
  s%name = 'segment one'
  allocate (s%marks(2))
  s%marks = [1, 2]
  t = s
  t%marks(1) = 99
  t%ends(2)%y = 7.0
  print *, s%marks, t%marks, s%ends(2)%y, t%ends(2)%y, t%name
  nullify (head)
  do i = 1, 3
    allocate (item)
    item%value = i * i
    item%next => head
    head => item
  end do
  item => head
  do while (associated(item))
    print *, item%value
    item => item%next
  end do
  values = [1.0, 2.0, 3.0, 4.0]
  view => values(1:4:2)
  view = view * 10
  one => values(2)
  one = -5.0
  print *, values, size(view), associated(view), view(2)
  allocate (view(2))
  view = 8.0
  print *, view
  deallocate (view)
end program structures
