! Extended types: deferred and overridden bindings, select type, polymorphic variables, procedure components.
module shapes
  implicit none
  type, abstract :: shape
    character(len=8) :: name = 'shape'
  contains
    procedure(area_of), deferred :: area
    procedure :: describe
  end type shape
  abstract interface
    real function area_of(this)
      import :: shape
      class(shape), intent(in) :: this
    end function area_of
    real function unary(x)
      real, intent(in) :: x
    end function unary
  end interface
  type, extends(shape) :: circle
    real :: radius = 1.0
  contains
    procedure :: area => circle_area
  end type circle
  type, extends(shape) :: box
    real :: width = 1.0, height = 1.0
  contains
    procedure :: area => box_area
    procedure :: describe => describe_box
    procedure :: scale
  end type box
  type :: holder
    procedure(unary), pointer, nopass :: f => null()
    class(shape), allocatable :: held
  end type holder
contains
  real function circle_area(this)
    class(circle), intent(in) :: this
    circle_area = 3.0 * this%radius ** 2
  end function circle_area
  real function box_area(this)
    class(box), intent(in) :: this
    box_area = this%width * this%height
  end function box_area
  subroutine describe(this)
    class(shape), intent(in) :: this
    print *, 'shape ', this%name, this%area()
  end subroutine describe
  subroutine describe_box(this)
    class(box), intent(in) :: this
    print *, 'box ', this%width, this%height, this%area()
  end subroutine describe_box
  subroutine scale(this, factor)
    class(box), intent(inout) :: this
    real, intent(in) :: factor
    this%width = this%width * factor
  end subroutine scale
  subroutine show(s)
    class(shape), intent(in) :: s
    call s%describe()
    select type (s)
    type is (circle)
      print *, 'radius', s%radius
    class is (box)
      print *, 'width', s%width
    class default
      print *, 'other'
    end select
  end subroutine show
  real function twice(x)
    real, intent(in) :: x
    twice = 2 * x
  end function twice
end module shapes

program polymorphic
  use shapes
  implicit none
  type(circle) :: c
  type(box), target :: b
  class(shape), allocatable :: any_shape
  class(shape), pointer :: at
  type(holder) :: h
  c = circle(name='round', radius=2.0)
  b = box('square', 2.0, 3.0)
  call show(c)
  call show(b)
  call b%scale(2.0)
  print *, b%area()
  allocate (any_shape, source=c)
  call any_shape%describe()
  deallocate (any_shape)
  allocate (box :: any_shape)
  any_shape%name = 'fresh'
  call show(any_shape)
  at => b
  print *, at%area(), at%name
  h%f => twice
  print *, h%f(4.0)
  allocate (h%held, source=b)
  call show(h%held)
end program polymorphic
