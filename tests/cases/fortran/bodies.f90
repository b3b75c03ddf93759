! Pointers to objects of several types in structures.
module physics
  use iso_fortran_env, only: dp => real64
  implicit none
  real(dp), parameter :: g = 9.81_dp, pi = acos(-1.0_dp)
  type, abstract :: body
    real(dp) :: m
  contains
    procedure(energy_i), deferred :: energy
    procedure :: heavy
  end type
  abstract interface
    function energy_i(self, v) result(e)
      import body, dp
      class(body), intent(in) :: self
      real(dp), intent(in) :: v
      real(dp) :: e
    end function
  end interface
  type, extends(body) :: ball
    real(dp) :: r
  contains
    procedure :: energy => ball_energy
  end type
  type, extends(ball) :: hollow
    real(dp) :: thickness = 0.1_dp
  contains
    procedure :: energy => hollow_energy
  end type
  type :: box_of
    class(body), pointer :: p => null()
  end type
contains
  function ball_energy(self, v) result(e)
    class(ball), intent(in) :: self
    real(dp), intent(in) :: v
    real(dp) :: e
    e = 0.5_dp * self%m * v**2 * (1 + 0.4_dp)
  end function
  function hollow_energy(self, v) result(e)
    class(hollow), intent(in) :: self
    real(dp), intent(in) :: v
    real(dp) :: e
    e = self%ball%energy(v) * (1 - self%thickness)
  end function
  logical function heavy(self)
    class(body), intent(in) :: self
    heavy = self%m > 1
  end function
end module
program t5
  use physics
  implicit none
  type(ball), target :: b
  type(hollow), target :: h
  type(box_of) :: boxes(2)
  integer :: i
  b%m = 2; b%r = 1
  h%m = 1; h%r = 2; h%thickness = 0.5_dp
  boxes(1)%p => b
  boxes(2)%p => h
  do i = 1, 2
    print '(f8.3,l2)', boxes(i)%p%energy(2.0_dp), boxes(i)%p%heavy()
    select type (q => boxes(i)%p)
    class is (hollow)
      print *, 'hollow', q%thickness
    type is (ball)
      print *, 'ball', q%r
    end select
  end do
  print *, pi * g
end program
